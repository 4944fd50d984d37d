internal import AccountExport
internal import JSONStreaming

/// The pages of one collection, one after the other.
struct CollectionPages: ~Copyable {
  private let site: Site
  private let place: Int
  private let plan: CollectionPlan
  private var rows: RowsHTML
  /// The rows of each page that fits.
  private var held: HeldHTML
  /// How many rows they are.
  private var shown = 0
  private var page = 1
  private var body = SafeHTML(capacity: 256 << 10)
  /// Whether the page leads to rows that it doesn't show.
  private var hasMore = false

  init(_ site: Site, _ place: Int) throws {
    (self.site, self.place, plan) = (site, place, site.plans[place])
    rows = RowsHTML(site, place)
    held = HeldHTML(site.bundle.makeScratch())
    try hold()
  }

  /// Makes the rows of all pages, until the pages of the bundle have grown to their limit.
  private mutating func hold() throws {
    var reader = RowReader(plan.collection.content)
    var table = SafeHTML(capacity: 256 << 10)
    var (row, bytes) = (0, 0)
    for page in plan.pages.indices.map({ $0 + 1 }) {
      table.removeAll()
      let end = plan.rows(of: page).upperBound
      while row < end, let line = try reader.next() {
        rows.write(line, row: row, &table)
        row += 1
      }
      bytes += table.count + site.frame.length
      if !site.hasRoom(for: bytes, isOfRows: true) { return }
      try held.add(table)
      try site.index(table, as: "\(plan.id)/\(page)")
      shown = row
    }
  }

  /// How many pages there are. One without rows stands where others have links to it: it says where its rows are.
  private var pages: Int { max(1, site.links.lead(to: place) ? plan.pages.count : held.count) }

  /// The next page; nil after the last. A collection without rows has one too.
  mutating func next() throws -> Page? {
    if page > pages { return nil }
    defer { page += 1 }
    body.removeAll()
    head()
    hasMore = false
    if plan.collection.rows == 0 { empty() } else { try content() }
    let (path, plan, site) = ("view/\(plan.id)/\(page).html", plan, site)
    let title = site.service.map { plan.label + " – " + $0 } ?? plan.label
    let (shown, starts, hasMore) = (shown, plan.pages.prefix(held.count).map { $0.row + 1 }, hasMore)
    let made = site.frame.page(
      path, title: title, kind: "collection", script: hasMore ? .pickScript : .script, crumbs: crumbs,
      data: { json in
        plan.tell(shown: shown, starts: starts, &json)
        if hasMore { site.frame.tellPicking(&json) }
      }, body)
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
    if page <= held.count { which(plan.rows(of: page)) }
    if plan.collection.rows > shown { more() }
    if page <= held.count { Pager.write(page: page, of: held.count, isTop: true, words, &body) }
    body.markup("<div class=\"scroll rows\" role=\"region\" aria-label=\"")
    body.text(words.text("collection.table", ["name": plan.label]))
    body.markup("\" tabindex=\"0\"><table id=\"rows\">")
    rows.head(&body)
    body.markup("\n<tbody>\n")
    if page <= held.count { try held.write(page - 1, to: &body) }
    body.markup("</tbody></table></div>")
    if page <= held.count { Pager.write(page: page, of: held.count, isTop: false, words, &body) }
    body.markup("<p><small>")
    body.text(words["collection.nil"] + " " + words["collection.dataFile"])
    body.markup(": <code>")
    body.text("data/" + plan.collection.path)
    body.markup("</code></small></p>")
    if let csv = plan.collection.csv { spreadsheet("data/" + csv) }
  }

  /// Leads to the rows as CSV.
  private mutating func spreadsheet(_ path: String) {
    body.markup("<p><small>")
    site.words.write("collection.csv", to: &body) { _, html in
      html.markup("<a class=\"file\" href=\"")
      html.path("../../" + path)
      html.markup("\">")
      html.text(path)
      html.markup("</a>")
    }
    body.markup("</small></p>")
  }

  private mutating func which(_ shown: Range<Int>) {
    let words = site.words
    body.markup("<div class=\"pages\"><p class=\"soft\">")
    body.text(
      words.text(
        "collection.rows",
        [
          "from": words.number(shown.lowerBound + 1), "to": words.number(shown.upperBound),
          "rows": words.plural("rows", plan.collection.rows),
        ]))
    body.markup("</p><div class=\"tools\" data-js hidden></div></div>")
  }

  /// Says how many rows more there are, and where.
  private mutating func more() {
    hasMore = true
    let words = site.words
    let (path, shown, all) = ("data/" + plan.collection.path, shown, plan.collection.rows)
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
  fileprivate func tell(shown: Int, starts: [Int], _ json: inout JSONWriter) {
    json.key("file")
    json.string("data/" + collection.path)
    json.key("rows")
    json.integer(collection.rows)
    json.key("shown")
    json.integer(shown)
    json.key("starts")
    json.beginArray()
    for start in starts { json.integer(start) }
    json.endArray()
    json.key("columns")
    json.beginArray()
    for index in inOrder {
      json.beginArray()
      json.string(columns[index].name)
      json.string(columns[index].label)
      json.endArray()
    }
    json.endArray()
  }
}
