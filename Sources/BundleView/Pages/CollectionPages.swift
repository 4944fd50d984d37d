internal import AccountExport
internal import JSONStreaming

/// The pages of one collection, one after the other.
struct CollectionPages: ~Copyable {
  private let site: Site
  private let place: Int
  private let plan: CollectionPlan
  private var rows: RowsHTML
  private var reader: RowReader
  private var page = 1
  private var body = SafeHTML(capacity: 256 << 10)
  private var table = SafeHTML(capacity: 256 << 10)
  /// The row that is read next.
  private var nextRow = 0
  /// Whether the page leads to rows that it doesn't show.
  private var hasMore = false

  init(_ site: Site, _ place: Int) throws {
    (self.site, self.place, plan) = (site, place, site.plans[place])
    rows = RowsHTML(site, place)
    reader = RowReader(plan.collection.content)
  }

  /// The next page; nil after the last. A collection without rows has one too.
  mutating func next() throws -> Page? {
    if page > max(1, plan.pages.count) { return nil }
    defer { page += 1 }
    body.removeAll()
    head()
    hasMore = false
    if plan.collection.rows == 0 { empty() } else { try content() }
    let (path, plan) = ("view/\(plan.id)/\(page).html", plan)
    let title = site.service.map { plan.label + " – " + $0 } ?? plan.label
    let made = site.frame.page(
      path, title: title, kind: "collection", script: hasMore ? .pickScript : .script, crumbs: crumbs, data: { plan.tell(&$0) }, body)
    return site.count(made)
  }

  private var crumbs: [PageFrame.Crumb] {
    let folder = site.bundle.sources[plan.source - 1].folder
    let name = folder.split(separator: "/").last.map(String.init) ?? folder
    return [
      site.frame.overview, PageFrame.Crumb(label: name, isName: true, target: "index.html#s\(plan.source)"),
      PageFrame.Crumb(label: plan.label, isName: true),
    ]
  }

  // MARK: Parts

  private mutating func head() {
    body.markup("<h1><bdi>")
    body.text(plan.label)
    body.markup("</bdi></h1>")
    Told.write(site.told(plan.collection.place), about: plan.about, site.words, &body)
  }

  private mutating func empty() {
    body.markup("<p>")
    body.text(site.words["collection.empty"])
    body.markup("</p>")
  }

  private mutating func content() throws {
    let words = site.words
    let shown = plan.pages.isEmpty || site.isFull ? 0..<0 : plan.rows(of: page)
    which(shown)
    if plan.collection.rows > plan.shown || shown.isEmpty { more() }
    Pager.write(page: page, of: plan.pages.count, isTop: true, words, &body)
    body.markup("<div class=\"scroll rows\" role=\"region\" aria-label=\"")
    body.text(words.text("collection.table", ["name": plan.label]))
    body.markup("\" tabindex=\"0\"><table id=\"rows\">")
    rows.head(&body)
    body.markup("\n<tbody>\n")
    try write(shown)
    body.markup("</tbody></table></div>")
    Pager.write(page: page, of: plan.pages.count, isTop: false, words, &body)
    body.markup("<p><small>")
    body.text(words["collection.nil"] + " " + words["collection.dataFile"])
    body.markup(": <code>")
    body.text("data/" + plan.collection.path)
    body.markup("</code></small></p>")
  }

  private mutating func write(_ shown: Range<Int>) throws {
    table.removeAll()
    while nextRow < shown.upperBound, let line = try reader.next() {
      rows.write(line, row: nextRow, &table)
      nextRow += 1
    }
    if !shown.isEmpty { try site.index(table, as: "\(plan.id)/\(page)") }
    body.html(table)
  }

  private mutating func which(_ shown: Range<Int>) {
    let words = site.words
    let first = shown.isEmpty ? 0 : shown.lowerBound + 1
    body.markup("<div class=\"pages\"><p class=\"soft\">")
    body.text(
      words.text(
        "collection.rows",
        ["from": words.number(first), "to": words.number(shown.upperBound), "rows": words.plural("rows", plan.collection.rows)]))
    body.markup("</p><div class=\"tools\" data-js hidden></div></div>")
  }

  /// Says how many rows more there are, and where.
  private mutating func more() {
    hasMore = true
    let words = site.words
    let (path, shown, all) = ("data/" + plan.collection.path, plan.shown, plan.collection.rows)
    body.markup("<div class=\"note more\"><p>")
    words.write("collection.more", to: &body) { name, html in
      switch name {
      case "shown": html.text(words.number(shown))
      case "rows": html.text(words.plural("rows", all))
      default:
        html.markup("<code>")
        html.text(path)
        html.markup("</code>")
      }
    }
    body.markup("</p><div id=\"pick\" data-js hidden></div></div>")
  }
}

extension CollectionPlan {
  /// What the script is told of it.
  fileprivate func tell(_ json: inout JSONWriter) {
    json.key("file")
    json.string("data/" + collection.path)
    json.key("rows")
    json.integer(collection.rows)
    json.key("shown")
    json.integer(shown)
    json.key("starts")
    json.beginArray()
    for page in pages { json.integer(page.row + 1) }
    json.endArray()
    json.key("columns")
    json.beginArray()
    for column in columns where !column.isHidden {
      json.beginArray()
      json.string(column.name)
      json.string(column.label)
      json.endArray()
    }
    json.endArray()
  }
}
