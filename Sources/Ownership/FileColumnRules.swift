internal import JSONReading

/// Which columns look as if they named files, by their names and then by each value. The words are data, `file-column-rules.json`.
public struct FileColumnRules: Sendable {
  private let names: [[String]]
  private let others: Set<String>

  /// The rules that every export goes by.
  public static let standard: FileColumnRules = {
    do { return try FileColumnRules(data: PackageResources.file_column_rules_json) } catch {
      preconditionFailure("the built-in rules can't be read: \(error)")  // a fault of the build, found by any test
    }
  }()

  /// Rules from a data file of the shape of `file-column-rules.json` (JSON5).
  public init(data: [UInt8]) throws {
    let root = try JSONParser.parse(data, dialect: .json5)
    names = try Self.texts("names", in: root).map(Self.words)
    others = Set(try Self.texts("others", in: root).flatMap(Self.words))
  }

  private static func texts(_ list: String, in root: JSONValue) throws -> [String] {
    guard let texts = root[list]?.elements?.map(\.text), let all = texts as? [String] else {
      throw OwnershipError(.rules, "the rules of columns of files have no list of words `\(list)`")
    }
    return all
  }

  private static func words(of name: String) -> [String] { NameWords.all(of: name).map(NameWords.singular) }

  /// Whether a column of this name may name files.
  public func mayNameFiles(column: String) -> Bool {
    let words = Self.words(of: column)
    if words.contains(where: others.contains) { return false }
    return names.contains { name in words.indices.contains { words[$0...].starts(with: name) } }
  }

  // MARK: Values

  /// Longer texts name nothing.
  private static let longest = 1024

  /// Whether a text looks like a file's name or key: it has a slash, or a suffix of 1 to 5 letters and digits. What can be opened by itself (`https:`)
  /// or is the content itself (`data:`) doesn't, nor do markup, addresses of mail, dates, and a sentence with a slash.
  public static func looksLikeFile(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = text.first, text.count <= longest, !text.contains(where: { $0 < 0x20 }) else { return false }
    if [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "<")].contains(first) { return false }
    if ["http:", "https:", "data:", "mailto:", "//"].contains(where: { begins(text, with: $0) }) { return false }
    if hasSuffix(text) { return true }
    guard text.contains(UInt8(ascii: "/")), !text.contains(UInt8(ascii: " ")) else { return false }
    return text.contains { $0 > 0x39 } && !(text.count == 3 && begins(text, with: "n/a"))
  }

  private static func begins(_ text: UnsafeBufferPointer<UInt8>, with lowercase: StaticString) -> Bool {
    lowercase.withUTF8Buffer { wanted in
      text.count >= wanted.count && zip(text, wanted).allSatisfy { $0 == $1 || (0x41...0x5A ~= $0 && $0 | 0x20 == $1) }
    }
  }

  private static func hasSuffix(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let last = text[((text.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...]
    guard let dot = last.lastIndex(of: UInt8(ascii: ".")), dot > last.startIndex else { return false }
    let suffix = last[(dot + 1)...]
    let isLetter = { (byte: UInt8) in 0x61...0x7A ~= byte | 0x20 }
    guard 1...5 ~= suffix.count, suffix.allSatisfy({ isLetter($0) || 0x30...0x39 ~= $0 }), suffix.contains(where: isLetter) else {
      return false
    }
    return !text.contains(UInt8(ascii: "@")) || text.count != last.count
  }
}
