/// Writes values with values in them as foldable trees.
struct TreeHTML {
  let values: ValueHTML
  /// Entries that may still be written of this value.
  private var entriesLeft = maximumEntries

  static let maximumDepth = 16, maximumEntries = 2000

  init(_ values: ValueHTML) { self.values = values }

  /// A value of a cell: a fold with its tree.
  mutating func cell(_ item: JSONItem, to html: inout SafeHTML) {
    let archive = item.isObject ? item["$archive"] : nil
    html.markup("<details><summary>")
    html.text(archive == nil ? values.words.plural("entries", count(item)) : values.words["value.archive"])
    html.markup("</summary><ul class=\"tree\">")
    let inner = archive ?? item
    if isTree(inner) { entries(of: inner, depth: 1, to: &html) } else { branch(nil, inner, depth: 1, to: &html) }
    html.markup("</ul></details>")
  }

  /// The top of a file of one value: each of its entries an anchor.
  mutating func top(_ item: JSONItem, to html: inout SafeHTML) {
    html.markup("<ul class=\"tree\">")
    let inner = item.isObject ? item["$archive"] ?? item : item
    if isTree(inner) {
      entries(of: inner, depth: 1, hasAnchors: true, to: &html)
    } else {
      branch(nil, inner, depth: 1, anchor: 1, to: &html)
    }
    html.markup("</ul>")
  }

  /// Whether it has entries of its own to show.
  private func isTree(_ item: JSONItem) -> Bool {
    var scratch = SafeHTML(capacity: 512)
    return (item.isArray || item.isObject) && !values.scalar(item, to: &scratch)
  }

  private func count(_ item: JSONItem) -> Int {
    let all = item.count(limit: .max)
    return item.isObject && item["$class"] != nil ? all - 1 : all
  }

  private mutating func entries(of item: JSONItem, depth: Int, hasAnchors: Bool = false, to html: inout SafeHTML) {
    if item.isObject, let pairs = item["$pairs"], pairs.isArray { return self.pairs(pairs, depth: depth, to: &html) }
    var number = 0
    item.forEach { key, value in
      if let key, ("$class" as StaticString).isSame(as: key) { return true }
      number += 1
      if entriesLeft <= 0 || depth > Self.maximumDepth {
        more(to: &html)
        return false
      }
      entriesLeft -= 1
      branch(key.map(Key.text) ?? .number(number), value, depth: depth, anchor: hasAnchors ? number : nil, to: &html)
      return true
    }
  }

  /// What a branch hangs on.
  private enum Key {
    case text(UnsafeRawBufferPointer)
    case number(Int)
  }

  private mutating func pairs(_ pairs: JSONItem, depth: Int, to html: inout SafeHTML) {
    pairs.forEach { _, pair in
      if entriesLeft <= 0 || depth > Self.maximumDepth {
        more(to: &html)
        return false
      }
      entriesLeft -= 1
      html.markup("<li>")
      var isKey = true
      pair.forEach { _, value in
        html.markup("<span class=\"c\">")
        html.text(values.words[isKey ? "value.key" : "value.value"])
        html.markup("</span><ul>")
        branch(nil, value, depth: depth + 1, to: &html)
        html.markup("</ul>")
        isKey = false
        return true
      }
      html.markup("</li>")
      return true
    }
  }

  private mutating func branch(_ key: Key?, _ item: JSONItem, depth: Int, anchor: Int? = nil, to html: inout SafeHTML) {
    html.markup("<li")
    if let anchor {
      html.markup(" id=\"r")
      html.number(anchor)
      html.markup("\"")
    }
    html.markup(">")
    let start = html.count
    self.key(key, to: &html)
    html.markup("<div class=\"v\">")
    if values.scalar(item, to: &html) {
      html.markup("</div></li>")
      return
    }
    html.truncate(to: start)
    fold(key, item, depth: depth, isOpen: anchor != nil, to: &html)
    html.markup("</li>")
  }

  private mutating func fold(_ key: Key?, _ item: JSONItem, depth: Int, isOpen: Bool, to html: inout SafeHTML) {
    let archive = item.isObject ? item["$archive"] : nil
    let inner = archive ?? item
    let note = archive == nil ? values.words.plural("entries", count(item)) : values.words["value.archive"]
    if !isTree(inner) {
      self.key(key, to: &html)
      self.note(note, of: nil, to: &html)
      html.markup(" <div class=\"v\">")
      _ = values.scalar(inner, to: &html)
      html.markup("</div>")
      return
    }
    if isOpen { html.markup("<details open><summary>") } else { html.markup("<details><summary>") }
    self.key(key, to: &html)
    self.note(note, of: inner, to: &html)
    html.markup("</summary><ul>")
    entries(of: inner, depth: depth + 1, to: &html)
    html.markup("</ul></details>")
  }

  private func note(_ note: String, of item: JSONItem?, to html: inout SafeHTML) {
    html.markup("<span class=\"c\">")
    html.text(note)
    if let item, item.isObject, let name = item["$class"], name.isText {
      html.markup(" · <bdi>")
      html.text(json: name.text)
      html.markup("</bdi>")
    }
    html.markup("</span>")
  }

  private func key(_ key: Key?, to html: inout SafeHTML) {
    guard let key else { return }
    html.markup("<span class=\"k\">")
    switch key {
    case .number(let number): html.number(number)
    case .text(let text):
      if text.isEmpty { html.markup("“”") }
      let isDoubled = text.count > 1 && text[0] == UInt8(ascii: "$") && text[1] == UInt8(ascii: "$")
      html.text(json: isDoubled ? UnsafeRawBufferPointer(rebasing: text.dropFirst()) : text)
    }
    html.markup("</span>")
  }

  /// Says that there is more than is shown, and where.
  private func more(to html: inout SafeHTML) {
    html.markup("<li><span class=\"c\">…</span> ")
    values.code(values.file, to: &html)
    html.markup("</li>")
  }
}
