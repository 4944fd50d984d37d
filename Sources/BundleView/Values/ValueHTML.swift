/// Writes values as people read them. What has values in it is a tree (`tree`), everything else stands in one place (`scalar`).
struct ValueHTML: Sendable {
  let words: Words
  /// The way from the page to the bundle's top folder.
  let root: String
  /// The file that the values are from.
  let file: String
  /// What can be said beforehand, since it comes in many cells.
  private let yes: String, no: String, none: String

  static let foldedText = 300, shownOfFolded = 200, cutText = 10_000, wideText = 60
  /// Texts of more bytes were cut when they were kept: how many letters they have isn't known any more.
  static let keptText = 60_000

  init(words: Words, root: String, file: String) {
    (self.words, self.root, self.file) = (words, root, file)
    (yes, no, none) = (words["value.true"], words["value.false"], words["value.nil"])
  }

  /// Writes a value that is no tree.
  /// - Returns: false where it is one; nothing is written then.
  func scalar(_ item: JSONItem, to html: inout SafeHTML) -> Bool {
    switch item.first {
    case UInt8(ascii: "\""): text(item.text, to: &html)
    case UInt8(ascii: "n"): nothing("value.nil", to: &html)
    case UInt8(ascii: "t"): html.text(yes)
    case UInt8(ascii: "f"): html.text(no)
    case UInt8(ascii: "["):
      if !item.isEmpty { return false }
      nothing("value.emptyList", to: &html)
    case UInt8(ascii: "{"):
      if !item.isEmpty { return form(item, to: &html) }
      nothing("value.emptyObject", to: &html)
    default: html.text(json: item.bytes)
    }
    return true
  }

  func nothing(_ word: String, to html: inout SafeHTML) {
    html.markup("<span class=\"nil\">")
    html.text(words[word])
    html.markup("</span>")
  }

  // MARK: Texts

  func text(_ text: UnsafeRawBufferPointer, to html: inout SafeHTML) {
    if let first = text.first {
      if 0x30...0x39 ~= first, text.count > 10, words.moments.write(text, to: &html) { return }
      if first == UInt8(ascii: "h"), html.webLink(json: text) { return }
    }
    if JSONText.end(of: text, letters: Self.foldedText) == nil { return html.text(json: text) }
    folded(text, to: &html)
  }

  private func folded(_ text: UnsafeRawBufferPointer, to html: inout SafeHTML) {
    let begin = JSONText.end(of: text, letters: Self.shownOfFolded) ?? text.count
    html.text(json: UnsafeRawBufferPointer(rebasing: text[..<begin]))
    html.markup("… <details class=\"fold\"><summary>")
    let cut = JSONText.end(of: text, letters: Self.cutText)
    let letters = text.count >= Self.keptText ? nil : words.number(JSONText.letters(in: text))
    html.text(letters.map { words.text("value.fold", ["n": $0]) } ?? words["value.foldLong"])
    html.markup("</summary>")
    html.text(json: UnsafeRawBufferPointer(rebasing: text[..<(cut ?? text.count)]))
    if cut != nil {
      html.markup("<p class=\"soft\">")
      words.write(letters == nil ? "value.cutLong" : "value.cut", to: &html) { name, html in
        if name == "file" { code(file, to: &html) } else { html.text(letters ?? "") }
      }
      html.markup("</p>")
    }
    html.markup("</details>")
  }

  func code(_ text: String, to html: inout SafeHTML) {
    html.markup("<code>")
    html.text(text)
    html.markup("</code>")
  }

  // MARK: The forms that the bundle gives values

  /// Writes `{"$…": …}`, where it is such a form and no tree.
  private func form(_ item: JSONItem, to html: inout SafeHTML) -> Bool {
    guard item.bytes.count > 3, item.bytes[2] == UInt8(ascii: "$"), item.bytes[3] != UInt8(ascii: "$") else { return false }
    if item["$archive"] != nil || item["$class"] != nil || item["$pairs"] != nil { return false }
    for form in Self.forms {
      guard let value = item[form.key] else { continue }
      form.write(self, value, item, &html)
      return true
    }
    return false
  }

  /// The forms that are no trees, by their key.
  private static let forms: [(key: StaticString, write: @Sendable (ValueHTML, JSONItem, JSONItem, inout SafeHTML) -> Void)] = [
    ("$redacted", { $0.masked($1.text, to: &$3) }), ("$number", { $0.odd($1.text, to: &$3) }), ("$date", { $0.date($1, to: &$3) }),
    ("$missing", { $0.missing($1.text, to: &$3) }), ("$uid", { $3.text($0.words.text("value.uid", ["n": $1.digits])) }),
    ("$ref", { $0.reference($1, to: &$3) }), ("$file", { $0.file($1.text, bytes: $2["bytes"], to: &$3) }),
    ("$base64", { $0.data($1.text, to: &$3) }), ("$cut", { $0.cut($1, to: &$3) }),
  ]

  private func masked(_ reason: UnsafeRawBufferPointer, to html: inout SafeHTML) {
    let name = String(decoding: reason, as: UTF8.self)
    let (label, why) = ("value.masked." + name, "redaction." + name)
    html.markup("<span class=\"badge mask\" title=\"")
    html.text(words.has(why) ? words[why] : words.text("redaction.other", ["reason": name]))
    html.markup("\">")
    html.text(words.has(label) ? words[label] : words.text("value.masked.other", ["reason": name]))
    html.markup("</span>")
  }

  private func odd(_ number: UnsafeRawBufferPointer, to html: inout SafeHTML) {
    let name = String(decoding: number, as: UTF8.self)
    html.text(words[name == "NaN" ? "value.nan" : name == "Infinity" ? "value.infinity" : "value.minusInfinity"])
  }

  private func date(_ date: JSONItem, to html: inout SafeHTML) {
    if date.isText {
      if !words.moments.write(date.text, to: &html) { html.text(json: date.text) }
    } else {
      html.text(words.text("value.dateSeconds", ["n": date.digits]))
    }
  }

  private func missing(_ name: UnsafeRawBufferPointer, to html: inout SafeHTML) {
    html.markup("<span class=\"badge warn\">")
    words.write("value.missing", to: &html) { _, html in
      html.markup("<bdi>")
      html.text(json: name)
      html.markup("</bdi>")
    }
    html.markup("</span>")
  }

  private func reference(_ number: JSONItem, to html: inout SafeHTML) {
    html.markup("<span class=\"soft\">")
    html.text(words.text("value.ref", ["n": number.digits]))
    html.markup("</span>")
  }

  private func file(_ path: UnsafeRawBufferPointer, bytes: JSONItem?, to html: inout SafeHTML) {
    let size = words.size(bytes.flatMap { UInt64($0.digits) } ?? 0)
    if FileKind.isLinked(path) {
      html.markup("<a class=\"file\" href=\"")
      html.path(root + "data/")
      html.path(utf8: path)
      html.markup("\">")
      html.text(size)
      html.markup("</a>")
    } else {
      html.markup("<span class=\"file\">")
      html.text(size)
      html.markup("<br><code>data/")
      html.text(json: path)
      html.markup("</code></span>")
    }
  }

  private func data(_ base64: UnsafeRawBufferPointer, to html: inout SafeHTML) {
    let padding = base64.suffix(2).count { $0 == UInt8(ascii: "=") }
    let size = words.size(UInt64(max(0, base64.count / 4 * 3 - padding)))
    html.markup("<span class=\"bytes\">")
    if let kind = DataKind.name(ofBase64: base64) {
      html.text(words.text("value.bytesKind", ["size": size, "kind": kind]))
    } else {
      html.text(words.text("value.bytes", ["size": size]))
    }
    html.markup("</span>")
  }

  /// A value that was too large to be kept.
  private func cut(_ bytes: JSONItem, to html: inout SafeHTML) {
    html.markup("<span class=\"bytes\">")
    html.text(words.text("value.bytes", ["size": words.size(UInt64(bytes.digits) ?? 0)]))
    html.markup("</span> ")
    code(file, to: &html)
  }
}

extension JSONItem {
  /// A number's digits.
  var digits: String { String(decoding: bytes, as: UTF8.self) }
}

/// What bytes are, by their begin, where that can't be anything else.
enum DataKind {
  private static let begins: [(bytes: [UInt8], name: String)] = [
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A], "PNG"), ([0xFF, 0xD8, 0xFF], "JPEG"), (Array("GIF8".utf8), "GIF"), (Array("%PDF-".utf8), "PDF"),
    (Array("bplist00".utf8), "bplist"), ([0x50, 0x4B, 0x03, 0x04], "ZIP"), ([0x1F, 0x8B, 0x08], "gzip"),
    (Array("SQLite format 3".utf8), "SQLite"),
  ]

  static func name(ofBase64 text: UnsafeRawBufferPointer) -> String? {
    let bytes = decoded(text.prefix(24))
    return begins.first { bytes.starts(with: $0.bytes) }?.name
  }

  private static func decoded(_ text: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
    var (bits, count, bytes): (UInt32, Int, [UInt8]) = (0, 0, [])
    for letter in text {
      let value: UInt8
      switch letter {
      case 0x41...0x5A: value = letter - 0x41
      case 0x61...0x7A: value = letter - 0x61 + 26
      case 0x30...0x39: value = letter - 0x30 + 52
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      default: return bytes
      }
      (bits, count) = (bits << 6 | UInt32(value), count + 6)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }
}
