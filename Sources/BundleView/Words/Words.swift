internal import JSONReading

/// The sentences of the view in one language, and how that language writes numbers, sizes and dates.
struct Words: Sendable {
  /// The languages that there are, by their tags.
  static let languages: [(tag: String, bytes: @Sendable () -> [UInt8])] = [
    ("en", { PackageResources.en_json }), ("de", { PackageResources.de_json }), ("fr", { PackageResources.fr_json }),
    ("es", { PackageResources.es_json }), ("pt", { PackageResources.pt_json }), ("ja", { PackageResources.ja_json }),
    ("ar", { PackageResources.ar_json }),
  ]

  private let texts: [String: String]
  let moments: MomentWords

  /// The sentences of a language (BCP 47), of its main one (`de` for `de-AT`), or else in English; English too where a sentence is missing.
  init(language: String) {
    var texts = Self.read(Self.languages[0].bytes())
    let main = language.lowercased().split(separator: "-").first.map(String.init) ?? ""
    if let found = Self.languages.first(where: { $0.tag == main }) { texts.merge(Self.read(found.bytes())) { $1 } }
    self.texts = texts
    moments = MomentWords { texts[$0] ?? "" }
  }

  private static func read(_ bytes: [UInt8]) -> [String: String] {
    do {
      let members = try JSONParser.parse(bytes).members ?? []
      return Dictionary(uniqueKeysWithValues: members.compactMap { member in member.value.text.map { (member.key, $0) } })
    } catch {
      preconditionFailure("the built-in sentences can't be read: \(error)")  // a fault of the build, found by any test
    }
  }

  var language: String { self["format.language"] }
  var direction: String { self["format.direction"] }
  /// The sentences that the script says.
  var ofScript: [(key: String, text: String)] {
    texts.filter { $0.key.hasPrefix("js.") }.sorted { $0.key < $1.key }.map { (String($0.key.dropFirst(3)), $0.value) }
  }

  /// The sentences about values that it says, too, where it opens a data file: those of the pages, by the same names.
  var ofPicking: [(key: String, text: String)] {
    let kinds = ["format.", "month.", "bytes.", "value.", "redaction."]
    return texts.filter { text in kinds.contains { text.key.hasPrefix($0) } }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  func has(_ key: String) -> Bool { texts[key] != nil }

  /// A sentence without placeholders.
  subscript(_ key: String) -> String {
    guard let text = texts[key] else { preconditionFailure("no language has a sentence \(key)") }  // found by any test that makes the page
    return text
  }

  /// A sentence with texts in the place of its placeholders.
  func text(_ key: String, _ arguments: [String: String]) -> String {
    var result = ""
    Self.forEachPart(of: self[key]) { part in
      switch part {
      case .text(let text): result += text
      case .placeholder(let name): result += arguments[name] ?? ""
      }
    }
    return result
  }

  /// A sentence as HTML, with what `argument` writes in the place of each placeholder.
  func write(_ key: String, to html: inout SafeHTML, _ argument: (_ name: String, _ html: inout SafeHTML) -> Void) {
    Self.forEachPart(of: self[key]) { part in
      switch part {
      case .text(let text): html.text(text)
      case .placeholder(let name): argument(name, &html)
      }
    }
  }

  enum Part {
    case text(String)
    case placeholder(String)
  }

  static func forEachPart(of template: String, _ body: (Part) -> Void) {
    var rest = template[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      if open > rest.startIndex { body(.text(String(rest[..<open]))) }
      body(.placeholder(String(rest[rest.index(after: open)..<close])))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { body(.text(String(rest))) }
  }

  // MARK: Numbers

  /// A number with its digits in groups.
  func number(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0 && (digits.count - index) % 3 == 0 { text += self["format.group"] }
      text.append(digit)
    }
    return text
  }

  /// A sentence that counts something.
  func plural(_ key: String, _ count: Int) -> String {
    let form = key + "." + form(count)
    return text(has(form) ? form : key + ".other", ["n": number(count)])
  }

  private func form(_ count: Int) -> String {
    switch self["format.plural"] {
    case "one-other": return count == 1 ? "one" : "other"
    case "zero-one": return count < 2 ? "one" : "other"
    case "arabic":
      switch (count, count % 100) {
      case (0...2, _): return ["zero", "one", "two"][count]
      case (_, 3...10): return "few"
      case (_, 11...99): return "many"
      default: return "other"
      }
    default: return "other"
    }
  }

  /// A number of bytes, as people say it.
  func size(_ bytes: UInt64) -> String {
    if bytes < 1000 { return plural("bytes", Int(bytes)) }
    let units: [(String, UInt64)] = [("bytes.KB", 1000), ("bytes.MB", 1_000_000), ("bytes.GB", 1_000_000_000)]
    let (unit, factor) = units.last { bytes >= $0.1 } ?? units[0]
    let tenths = (bytes / (factor / 100) + 5) / 10
    let text =
      tenths < 100 && tenths % 10 != 0
      ? "\(tenths / 10)\(self["format.decimal"])\(tenths % 10)" : number(Int((tenths + (tenths < 100 ? 0 : 5)) / 10))
    return self.text(unit, ["n": text])
  }
}
