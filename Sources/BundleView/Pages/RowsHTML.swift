internal import AccountExport

/// Writes the rows of a collection's table.
struct RowsHTML {
  private let site: Site
  private let plan: CollectionPlan
  private let values: ValueHTML
  private let none: String
  private var fields = RowFields()
  /// Those that refer to these rows, each with the pair that comes next.
  private var incoming: [(back: Int, next: Int)]

  /// Links of one row to those that refer to it by one key.
  private static let maximumBackLinks = 100

  init(_ site: Site, _ place: Int) {
    (self.site, plan) = (site, site.plans[place])
    values = ValueHTML(words: site.words, root: "../../", file: "data/" + plan.collection.path)
    none = site.words["value.nil"]
    incoming = site.links.back(to: place).map { ($0, 0) }
  }

  func head(_ html: inout SafeHTML) {
    html.markup("<thead><tr><th scope=\"col\" class=\"num\">")
    html.text(site.words["collection.number"])
    html.markup("</th>")
    for index in plan.inOrder {
      let column = plan.columns[index]
      html.markup("<th scope=\"col\" title=\"")
      html.text(column.name)
      html.markup(plan.isNumeric(index) ? "\" class=\"num\">" : "\">")
      html.text(column.label)
      html.markup("</th>")
    }
    if !incoming.isEmpty {
      html.markup("<th scope=\"col\">")
      html.text(site.words["collection.back"])
      html.markup("</th>")
    }
    html.markup("</tr></thead>")
  }

  /// Writes a row. Rows come in their order.
  mutating func write(_ line: UnsafeRawBufferPointer, row: Int, _ html: inout SafeHTML) {
    fields.split(line)
    html.markup("<tr id=\"r")
    html.number(row + 1)
    html.markup("\"><th scope=\"row\" class=\"num\">")
    html.number(row + 1)
    html.markup("</th>")
    for index in plan.inOrder {
      guard index < fields.values.count else {
        nothing(&html)
        continue
      }
      cell(fields.values[index], index, &html)
    }
    if !incoming.isEmpty { back(row, &html) }
    html.markup("</tr>\n")
  }

  private func nothing(_ html: inout SafeHTML) {
    html.markup("<td class=\"nil\">")
    html.text(none)
    html.markup("</td>")
  }

  private func cell(_ bytes: UnsafeRawBufferPointer, _ column: Int, _ html: inout SafeHTML) {
    let item = JSONItem(bytes: bytes)
    if item.isNull { return nothing(&html) }
    if plan.columns[column].reference != .none, reference(item, column, &html) { return }
    if item.isNumber {
      html.markup("<td class=\"num\">")
      html.text(json: bytes)
      return html.markup("</td>")
    }
    let isWide = item.isText && bytes.count > ValueHTML.wideText && JSONText.end(of: item.text, letters: ValueHTML.wideText) != nil
    html.markup(isWide ? "<td class=\"text\">" : "<td>")
    if !values.scalar(item, to: &html) {
      var tree = TreeHTML(values)
      tree.cell(item, to: &html)
    }
    html.markup("</td>")
  }

  // MARK: References

  /// Writes a cell of links; false where the value refers to nothing that is shown.
  private func reference(_ item: JSONItem, _ column: Int, _ html: inout SafeHTML) -> Bool {
    switch plan.columns[column].reference {
    case .none: return false
    case .key(let key):
      guard let target = site.links.target(key, fields.values) else { return false }
      html.markup("<td>")
      link(to: target, item.isText ? item.text : item.bytes, &html)
      html.markup("</td>")
      return true
    case .identifiers: return identifiers(item, &html)
    }
  }

  /// An id, or a list of ids.
  private func identifiers(_ item: JSONItem, _ html: inout SafeHTML) -> Bool {
    if item.isText {
      guard let target = site.links.target(identifier: item.text, of: plan.source, site.plans) else { return false }
      html.markup("<td>")
      link(to: target, item.text, &html)
      html.markup("</td>")
      return true
    }
    guard item.isArray, !item.isEmpty else { return false }
    html.markup("<td>")
    var count = 0
    item.forEach { _, value in
      if count > 0 { html.text(site.words["format.list"]) }
      count += 1
      if count > Self.maximumBackLinks {
        html.markup("…")
        return false
      }
      if value.isText, let target = site.links.target(identifier: value.text, of: plan.source, site.plans) {
        link(to: target, value.text, &html)
      } else {
        var tree = TreeHTML(values)
        if !values.scalar(value, to: &html) { tree.cell(value, to: &html) }
      }
      return true
    }
    html.markup("</td>")
    return true
  }

  /// A link to a row, by its name where it has one.
  private func link(to target: (collection: Int, row: Int), _ key: UnsafeRawBufferPointer, _ html: inout SafeHTML) {
    let other = site.plans[target.collection]
    address(of: target.row, in: other, &html)
    let hasName = site.links.withName(of: target.row, in: target.collection) { html.text(json: $0) }
    if !hasName {
      html.text(other.label + " ")
      html.text(json: key)
    }
    html.markup("</a>")
  }

  private func address(of row: Int, in other: CollectionPlan, _ html: inout SafeHTML) {
    html.markup("<a href=\"../")
    html.number(other.source)
    html.markup("-")
    html.number(other.number)
    html.markup("/")
    html.number(other.page(of: row))
    html.markup(".html#r")
    html.number(row + 1)
    html.markup("\">")
  }

  // MARK: Links back

  private mutating func back(_ row: Int, _ html: inout SafeHTML) {
    html.markup("<td class=\"back\">")
    for index in incoming.indices {
      let links = site.links.back[incoming[index].back]
      let start = incoming[index].next
      var end = start
      while end < links.pairs.count, links.pairs[end].target == UInt32(row) { end += 1 }
      incoming[index].next = end
      if end > start { back(links.pairs[start..<end], site.plans[links.from], &html) }
    }
    html.markup("</td>")
  }

  private func back(_ pairs: ArraySlice<(target: UInt32, row: UInt32)>, _ other: CollectionPlan, _ html: inout SafeHTML) {
    if pairs.count == 1, let only = pairs.first {
      address(of: Int(only.row), in: other, &html)
      sentence(1, other, &html)
      return html.markup("</a> ")
    }
    html.markup("<details><summary>")
    sentence(pairs.count, other, &html)
    html.markup("</summary>")
    for pair in pairs.prefix(Self.maximumBackLinks) {
      address(of: Int(pair.row), in: other, &html)
      html.number(Int(pair.row) + 1)
      html.markup("</a> ")
    }
    if pairs.count > Self.maximumBackLinks { html.markup("…") }
    html.markup("</details>")
  }

  private func sentence(_ count: Int, _ other: CollectionPlan, _ html: inout SafeHTML) {
    let words = site.words
    words.write("collection.backLinks", to: &html) { name, html in
      if name == "rows" { return html.text(words.plural("rows", count)) }
      html.markup("<bdi>")
      html.text(other.label)
      html.markup("</bdi>")
    }
  }
}
