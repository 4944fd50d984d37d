/// Reads bytes that may be anything as CSV: by a dialect that the first two bytes choose, as a whole and through a window so small that records leave it. Both must tell
/// the same records, and the same contents of their fields.
///
/// This is the one entry for a fuzzer (`LLVMFuzzerTestOneInput`) and for the tests with damaged texts. Returns how many records there are.
@discardableResult
package func readCSVByAllMeans(_ bytes: [UInt8]) -> Int {
  var dialect = CSVDialect()
  let choice = bytes.first ?? 0
  dialect.quote = choice & 1 == 0 ? UInt8(ascii: "\"") : choice & 2 == 0 ? UInt8(ascii: "'") : nil
  dialect.escape = choice & 4 == 0 ? nil : UInt8(ascii: "\\")
  dialect.doublesQuotes = choice & 8 == 0
  let text = Array(bytes.dropFirst(2))
  let guess = text.withUnsafeBytes { dialect.guess(from: $0, isWhole: choice & 16 == 0) }
  precondition(guess.offset <= text.count && guess.alike <= guess.records, "a guess beyond the text")
  let most = choice & 32 == 0 ? 16384 : 3
  let repeated = choice & 64 == 0 ? 1 << 20 : 16
  let quoted = choice & 128 == 0 ? 1 << 20 : 24
  let wide = CSVLimits(recordBytes: 1 << 16, fields: most, quotedBytes: quoted, repeatedBytes: repeated)
  let narrow = CSVLimits(recordBytes: 64, fields: most, quotedBytes: quoted, repeatedBytes: repeated)
  let whole = outcome(text, guess, wide, piece: 1 << 16)
  let cut = outcome(text, guess, narrow, piece: 1 + Int(bytes.dropFirst().first ?? 0) % 70)
  precondition(whole == cut, "other records through a small window")
  var header = CSVHeader()
  for field in whole.first?.fields ?? [] { header.add(String(decoding: field, as: UTF8.self)) }
  precondition(Set(header.names.map { Array($0.utf8) }).count == header.names.count, "two columns of one name")
  return whole.count
}

private struct Outcome: Equatable {
  var line: Int
  var problem: CSVProblem?
  var fields: [[UInt8]] = []
  var quoted: [Bool] = []
}

private func outcome(_ text: [UInt8], _ guess: CSVDialect.Guess, _ limits: CSVLimits, piece: Int) -> [Outcome] {
  let source: CSVReader.Source = { buffer, offset in
    let rest = text[min(text.count, Int(offset))...].prefix(min(buffer.count, piece))
    buffer.copyBytes(from: rest)
    return rest.count
  }
  var found: [Outcome] = []
  do {
    var reader = CSVReader(dialect: guess.dialect, limits: limits, at: UInt64(guess.offset), line: guess.line, source: source)
    while try reader.nextRecord() {
      var record = Outcome(line: reader.recordLine, problem: reader.problem)
      for index in 0..<reader.fieldCount {
        let content = try content(of: index, in: reader, source)
        precondition(content.isEmpty == reader.isEmpty(index) && content.count == reader.extent(index).count, "a field of another length")
        record.fields.append(content)
        record.quoted.append(reader.isQuoted(index))
      }
      precondition(reader.usedFieldCount <= reader.fieldCount)
      found.append(record)
    }
  } catch {
    preconditionFailure("bytes in memory can't be read: \(error)")
  }
  return found
}

/// A field's content as it lies in memory, and as it is read from its place: both are the same.
private func content(of index: Int, in reader: borrowing CSVReader, _ source: @escaping CSVReader.Source) throws -> [UInt8] {
  var pieces = CSVFieldReader(reader.extent(index), dialect: reader.dialect, source: source)
  var read: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 32)
  while true {
    let count = try buffer.withUnsafeMutableBytes { try pieces.read(into: $0) }
    if count == 0 { break }
    read += buffer[..<count]
  }
  if !reader.isLong { precondition(reader.withField(index) { $0.elementsEqual(read) }, "other content in memory") }
  return read
}
