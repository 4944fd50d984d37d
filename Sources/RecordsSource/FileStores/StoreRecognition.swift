internal import CSVReading
import Files
import JSONReading

extension FileStoreFormat {
  /// The format of a file by what it begins with; nil where that is no file store: a SQLite database, and whatever else SQLite may make of it. The name's suffix only
  /// decides where the content leaves it open: an empty file, a text of one column, an object that may be the first of many.
  static func recognised(_ head: StoreHead, suffix: String) -> FileStoreFormat? {
    if head.isSQLite { return nil }
    let named = Self.named[suffix]
    let bytes = head.bytes
    guard let first = bytes.firstIndex(where: { !isSpace($0) }) else { return named }
    if named == nil && bytes.contains(where: isControl) { return nil }
    if let json = json(bytes[first...], named) { return json }
    if let named { return named }
    return isSurelyCSV(head) ? .csv : nil
  }

  private static let named: [String: FileStoreFormat] = [
    "csv": .csv, "tsv": .csv, "tab": .csv, "json": .json, "ndjson": .ndjson, "jsonl": .ndjson,
  ]

  /// The suffix of a name, without its point, in lower case; empty where there is none.
  static func suffix(of path: PathBytes) -> String {
    let name = path.lastComponent.bytes
    guard let point = name.lastIndex(of: UInt8(ascii: ".")), point > 0 else { return "" }
    return String(decoding: name[(point + 1)...], as: UTF8.self).lowercased()
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) || byte == 0x1E }

  private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && !isSpace(byte) }

  // MARK: JSON

  /// Which kind of JSON a text is that begins as JSON does: with an object, or an array of values.
  private static func json(_ text: ArraySlice<UInt8>, _ named: FileStoreFormat?) -> FileStoreFormat? {
    guard let first = text.first, let second = text.dropFirst().first(where: { !isSpace($0) }) else { return nil }
    let rest = text.dropFirst().drop { isSpace($0) }
    switch first {
    case UInt8(ascii: "{"):
      guard second == UInt8(ascii: "\"") || second == UInt8(ascii: "}") else { return nil }
    case UInt8(ascii: "["):
      let isLiteral = ["true", "false", "null"].contains { rest.starts(with: $0.utf8) }
      let isNumber = second == UInt8(ascii: "-") || (0x30...0x39).contains(second)
      guard Array("{[\"]".utf8).contains(second) || isLiteral || isNumber && named != .csv else { return nil }
    default: return nil
    }
    let lines = text.split(maxSplits: 2, omittingEmptySubsequences: true) { $0 == 0x0A || $0 == 0x0D }
    if lines.count > 1, isValue(lines[0]) || isValue(lines[1]), lines[1].first(where: { !isSpace($0) }) == first { return .ndjson }
    return named == .ndjson ? .ndjson : .json
  }

  private static func isValue(_ text: ArraySlice<UInt8>) -> Bool {
    var scanner = JSONScanner()
    var handler = JSONValidityHandler()
    let result = text.withUnsafeBytes { text in
      Result { () throws(JSONError) in
        try scanner.feed(text, handler: &handler)
        try scanner.finish(handler: &handler)
      }
    }
    if case .success = result { return true }
    return false
  }

  // MARK: CSV

  /// Whether a text without a telling name is CSV: several records, each of as many fields as the first, which has more than one.
  private static func isSurelyCSV(_ head: StoreHead) -> Bool {
    let guess = head.bytes.withUnsafeBytes { CSVDialect().guess(from: $0, isWhole: head.isWhole) }
    return guess.fields > 1 && guess.records > 1 && guess.alike == guess.records
  }
}
