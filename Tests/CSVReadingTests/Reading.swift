import CSVReading

/// A text as its reader tells it.
struct Read: Equatable {
  var lines: [Int] = []
  var rows: [[String]] = []
  var problems: [Int: CSVProblem] = [:]
  var longRecords = 0
}

/// The bytes of a text, as a reader asks for them.
func source(_ bytes: [UInt8], piece: Int = .max) -> CSVReader.Source {
  { buffer, offset in
    let rest = bytes[min(bytes.count, Int(offset))...].prefix(min(buffer.count, piece))
    buffer.copyBytes(from: rest)
    return rest.count
  }
}

/// Reads a whole text; what is no UTF-8 is replaced.
func read(_ text: some Sequence<UInt8>, _ dialect: CSVDialect = CSVDialect(), _ limits: CSVLimits = CSVLimits(), piece: Int = .max) throws
  -> Read
{
  let source = source(Array(text), piece: piece)
  var reader = CSVReader(dialect: dialect, limits: limits, source: source)
  var result = Read()
  while try reader.nextRecord() {
    result.lines.append(reader.recordLine)
    if let problem = reader.problem { result.problems[reader.recordLine] = problem }
    if reader.isLong { result.longRecords += 1 }
    result.rows.append(try (0..<reader.fieldCount).map { try field($0, of: reader, source) })
  }
  return result
}

/// A field's content, of long records too.
func field(_ index: Int, of reader: borrowing CSVReader, _ source: @escaping CSVReader.Source) throws -> String {
  if !reader.isLong { return reader.withField(index) { String(decoding: $0, as: UTF8.self) } }
  var pieces = CSVFieldReader(reader.extent(index), dialect: reader.dialect, source: source)
  var content: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 17)
  while true {
    let count = try buffer.withUnsafeMutableBytes { try pieces.read(into: $0) }
    if count == 0 { break }
    content += buffer[..<count]
  }
  return String(decoding: content, as: UTF8.self)
}

func rows(_ text: String, _ dialect: CSVDialect = CSVDialect()) throws -> [[String]] { try read(text.utf8, dialect).rows }

/// Random numbers that are the same in every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
