internal import AccountExport
internal import JSONReading

/// A line of the protocol that is no record.
enum Message {
  case version(Int64)
  case collection(CollectionHeader)
  case omission(ToldOmission)
  case snapshot(Timestamp)
  case end(records: UInt64?)

  /// Reads a line. Nil is one that is no JSON object: something that the program printed beside the protocol.
  init?(_ line: UnsafeRawBufferPointer, number: Int) throws(ProgramFailure) {
    let value: JSONValue
    do throws(JSONError) { value = try JSONParser.parse(line, limits: JSONParser.Limits(depth: 16)) } catch {
      // What may have been the head of a collection is not passed over: its records would be taken for another's.
      if Self.names("\"collection\"", line) || error.code == .duplicateKey {
        throw ProgramFailure(line: number, "it is no message: \(error.code == .duplicateKey ? "a key comes twice" : error.message)")
      }
      return nil
    }
    guard let members = value.members else { return nil }
    let fields = Fields(members, line: number)
    switch members.first?.key {
    case "protocol": self = .version(try fields.only(["protocol"]).integer("protocol"))
    case "collection": self = .collection(try CollectionHeader(fields))
    case "omission": self = .omission(try ToldOmission(fields))
    case "snapshot": self = .snapshot(try fields.only(["snapshot"]).moment("snapshot"))
    case "end": self = try Self.end(fields)
    case "record": throw ProgramFailure(line: number, "a record's line begins {\"record\": with nothing escaped")
    default:
      throw ProgramFailure(line: number, "its first key is none of protocol, collection, record, omission, snapshot, end")
    }
  }

  private static func end(_ fields: Fields) throws(ProgramFailure) -> Message {
    let fields = try fields.only(["end", "records"])
    guard fields["end"]?.boolean == true else { throw fields.failure("end is not true") }
    guard let records = fields["records"] else { return .end(records: nil) }
    guard let count = records.unsigned else { throw fields.failure("records is no number of records") }
    return .end(records: count)
  }

  private static func names(_ word: StaticString, _ line: UnsafeRawBufferPointer) -> Bool {
    word.withUTF8Buffer { word in line.indices.contains { line[$0...].starts(with: word) } }
  }
}

/// The members of a message. Everything that is wrong with one is an error that names the line and the key.
struct Fields {
  private let members: [JSONValue.Member]
  let line: Int

  init(_ members: [JSONValue.Member], line: Int) { (self.members, self.line) = (members, line) }

  subscript(key: String) -> JSONValue? { members.first { $0.isNamed(key) }?.value }

  func failure(_ problem: String) -> ProgramFailure { ProgramFailure(line: line, problem) }

  /// Refuses keys that aren't known: a misspelt one would change nothing, and nobody would notice.
  func only(_ known: [String]) throws(ProgramFailure) -> Fields {
    if let other = members.first(where: { member in !known.contains { member.isNamed($0) } }) {
      // It is the program's, not the account's; but it may be anything.
      throw failure("it has the key \(PathDisplay.short(other.key)), which is none of \(known.joined(separator: ", "))")
    }
    return self
  }

  func text(_ key: String) throws(ProgramFailure) -> String {
    guard let text = self[key]?.text, !text.isEmpty, !text.utf8.contains(0) else { throw failure("\(key) is no text") }
    return text
  }

  func integer(_ key: String) throws(ProgramFailure) -> Int64 {
    guard let number = self[key]?.integer else { throw failure("\(key) is no whole number") }
    return number
  }

  func moment(_ key: String) throws(ProgramFailure) -> Timestamp {
    var text = self[key]?.text ?? ""
    guard let moment = text.withUTF8({ WrittenMoment($0)?.timestamp }) else { throw failure("\(key) is no time of RFC 3339 in UTC") }
    return moment
  }

  func flag(_ key: String) throws(ProgramFailure) -> Bool {
    guard let value = self[key] else { return false }
    guard let flag = value.boolean else { throw failure("\(key) is neither true nor false") }
    return flag
  }

  func texts(_ key: String) throws(ProgramFailure) -> [String] {
    guard let value = self[key] else { return [] }
    let texts = value.elements?.compactMap(\.text)
    guard let texts, texts.count == value.elements?.count else { throw failure("\(key) is no list of texts") }
    return texts
  }
}

/// Texts of a program's, cut for a message.
enum PathDisplay {
  /// What fits into so many bytes, without a part of a character at the end.
  static func cut(_ text: String, bytes: Int) -> String {
    let utf8 = text.utf8
    guard var end = utf8.index(utf8.startIndex, offsetBy: bytes, limitedBy: utf8.endIndex), end < utf8.endIndex else { return text }
    // 0b10…… goes on with a character.
    while utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
    return String(text[..<end])
  }

  static func short(_ text: String) -> String {
    let cut = text.unicodeScalars.prefix(40)
    return "'" + String(String.UnicodeScalarView(cut.map { $0.properties.generalCategory == .control ? "?" : $0 })) + "'"
  }
}

/// Something that the program says it could not give.
struct ToldOmission {
  let path: String
  let reason: Omission.Reason
  let count: Int?
  let bytes: UInt64?
  let detail: String?

  /// Characters of a path that stand in the manifest.
  private static let longestPath = 400
  /// Bytes of a detail that stand in the report.
  private static let longestDetail = 1024

  private static let reasons: [Omission.Reason] = [
    .unreadable, .changed, .missingFile, .failed, .limit, .undecided, .unclaimed, .derived, .special, .dangling, .excluded, .manifestOnly,
  ]

  init(_ fields: Fields) throws(ProgramFailure) {
    let fields = try fields.only(["omission", "reason", "count", "bytes", "detail"])
    path = String(try fields.text("omission").prefix(Self.longestPath))
    let name = fields["reason"] == nil ? "unreadable" : try fields.text("reason")
    guard let reason = Self.reasons.first(where: { $0.name == name }) else {
      throw fields.failure("the reason is none of \(Self.reasons.map(\.name).joined(separator: ", "))")
    }
    self.reason = reason
    count = try fields["count"].map { (value) throws(ProgramFailure) in
      guard let count = value.unsigned.flatMap({ Int(exactly: $0) }) else { throw fields.failure("count is no number of things") }
      return count
    }
    bytes = try fields["bytes"].map { (value) throws(ProgramFailure) in
      guard let bytes = value.unsigned else { throw fields.failure("bytes is no number of bytes") }
      return bytes
    }
    detail = fields["detail"] == nil ? nil : PathDisplay.cut(try fields.text("detail"), bytes: Self.longestDetail)
  }
}
