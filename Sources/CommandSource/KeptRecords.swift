internal import AccountExport
internal import Files

/// Records on the disk whose columns are not known before the last one: each with the number of its line, and the columns seen so far.
struct KeptRecords: ~Copyable {
  private let file: SpillFile
  private(set) var columns = ColumnIndex()
  private var cursor = LineCursor()
  private var key: [UInt8] = []
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)

  /// Before each record stand its line's number, where its object begins, and its length.
  private static let headSize = 24

  init(in folder: PathBytes) throws(ExportError) { file = try SpillFile(in: folder) }

  deinit { buffer.deallocate() }

  /// Keeps a record, and notes its columns.
  mutating func add(_ line: LineText, value: Int, line number: Int) throws {
    try note(line, value: value)
    let head: [UInt64] = [UInt64(number), UInt64(value), UInt64(line.length)]
    try head.withUnsafeBytes { try file.append($0) }
    if let memory = line.memory { return try file.append(memory) }
    guard let source = line.file else { return }
    var done = 0
    while done < line.length {
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, line.length - done)])
      let count = try source.read(into: piece, at: line.fileStart + done)
      if count == 0 { throw ExportError(.output, "the staging folder lost a part of a file") }
      try file.append(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      done += count
    }
  }

  private mutating func note(_ line: LineText, value: Int) throws {
    cursor.open(line)
    cursor.seek(to: value)
    try cursor.skipToken()
    var expected = 0
    while true {
      switch try cursor.token() {
      case UInt8(ascii: "}"), 0: return
      case UInt8(ascii: ","): try cursor.skipToken()
      default:
        try cursor.skipToken()
        try cursor.whole(into: &key)
        expected = try key.withUnsafeBufferPointer { try place(of: ValueCopy.name($0), expecting: expected) } + 1
        try cursor.skipToken()
        try cursor.skipValue()
      }
    }
  }

  private mutating func place(of name: UnsafeBufferPointer<UInt8>, expecting expected: Int) throws -> Int {
    if let known = columns.find(name, expecting: expected) { return known }
    guard columns.add(Array(name)) else { throw RecordProblem("its collection has more columns than it may") }
    return columns.names.count - 1
  }

  /// Writes all records, in their order.
  mutating func write(_ copy: inout RecordCopy, to records: inout RecordWriter, _ problems: inout Problems) throws {
    try file.flush()
    var keys = PrimaryKeyCheck([])
    var place = 0
    var (start, count) = (0, 0)
    while place < file.length {
      // A record that is cut by the buffer's end begins it anew; one that is longer is read in its place.
      if place + Self.headSize > start + count {
        (start, count) = (place, try file.read(into: buffer, at: place))
      }
      let head = UnsafeRawBufferPointer(rebasing: buffer[(place - start)...])
      let number = Int(head.loadUnaligned(as: UInt64.self))
      let value = Int(head.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      let length = Int(head.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
      let first = place + Self.headSize
      if first + length > start + count && length + Self.headSize <= buffer.count {
        (start, count) = (place, try file.read(into: buffer, at: place))
      }
      let isHere = first + length <= start + count
      let text =
        isHere
        ? LineText(UnsafeRawBufferPointer(rebasing: buffer[(first - start)..<(first - start + length)]))
        : LineText(file, from: first, length: length)
      do { try copy.write(text, value: value, to: &records, &keys) } catch let problem as RecordProblem {
        problems.add(line: number, problem.description)
      }
      place = first + length
    }
  }
}
