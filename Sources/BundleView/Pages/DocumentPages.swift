internal import AccountExport
internal import JSONStreaming

/// The documents as a tree, cut into pages; folders that were begun before are opened anew.
struct DocumentPages: ~Copyable {
  static let perPage = 200

  private let site: Site
  private let values: ValueHTML
  private let roots: [String]
  /// The part of the tree that each page shows, as many as fit; how many entries they are.
  private var held: HeldHTML
  private var shown = 0
  private var reader: DocumentReader
  private var page = 1
  private var body = SafeHTML(capacity: 256 << 10)
  private var list = SafeHTML(capacity: 256 << 10)
  /// The folders that are open, each by its name as it stands in JSON.
  private var open: [[UInt8]] = []
  /// Those that the page before has left open.
  private var begun: [[UInt8]] = []

  init?(_ site: Site) throws {
    if site.documents.count == 0 { return nil }
    self.site = site
    values = ValueHTML(words: site.words, root: "../../", file: "data/documents.json")
    let folders = site.bundle.sources.filter { $0.documents != nil }.map(\.folder)
    roots = folders.count > 1 ? folders.map { $0.split(separator: "/").last.map(String.init) ?? $0 } : []
    reader = DocumentReader(site.bundle)
    held = HeldHTML(site.bundle.makeScratch())
    try hold(min(site.documents.entries, site.options.rows))
  }

  private mutating func hold(_ wanted: Int) throws {
    var bytes = 0
    for first in stride(from: 0, to: wanted, by: Self.perPage) {
      let count = min(Self.perPage, wanted - first)
      list.removeAll()
      try fill(count)
      bytes += list.count + site.frame.length
      if !site.hasRoom(for: bytes) { return }
      try held.add(list)
      try site.index(list, as: "documents/\(held.count)")
      shown += count
    }
  }

  private var pages: Int { max(1, held.count) }

  mutating func next() throws -> Page? {
    if page > pages { return nil }
    defer { page += 1 }
    body.removeAll()
    head()
    body.markup("<div class=\"sheet\"><ul class=\"docs\">")
    if page <= held.count { try held.write(page - 1, to: &body) }
    body.markup("</ul></div>")
    Pager.write(page: page, of: pages, isTop: false, site.words, &body)
    let title = site.service.map { site.words["files.title"] + " – " + $0 } ?? site.words["files.title"]
    let made = site.frame.page(
      "view/documents/\(page).html", title: title, kind: "documents", place: .files,
      crumbs: [site.frame.overview, PageFrame.Crumb(label: site.words["page.files"])],
      data: { json in
        json.key("file")
        json.string("data/documents.json")
      }, body)
    return site.count(made)
  }

  private mutating func head() {
    let words = site.words
    body.markup("<h1>")
    body.text(words["files.title"])
    body.markup("</h1><p class=\"lead\">")
    body.text(words["files.intro"])
    body.markup("</p>")
    Told.write(site.told("documents"), words, &body)
    if site.documents.pictures > 0 {
      body.markup("<p><a class=\"button\" href=\"../gallery/1.html\">")
      body.text(words["source.gallery"])
      body.text(" (\(words.number(site.documents.pictures)))")
      body.markup("</a></p>")
    }
    if shown < site.documents.entries { more() }
    Pager.write(page: page, of: pages, isTop: true, words, &body)
  }

  private mutating func more() {
    let (words, shown, all) = (site.words, shown, site.documents.entries)
    body.markup("<div class=\"note more\"><p>")
    words.write("collection.more", to: &body) { name, html in
      switch name {
      case "shown": html.text(words.number(shown))
      case "rows": html.text(words.plural("rows", all))
      default: html.markup("<code>data/documents.json</code>")
      }
    }
    body.markup("</p></div>")
  }

  // MARK: The tree

  private mutating func fill(_ wanted: Int) throws {
    begun = open
    open = []
    var written = 0
    var list = SafeHTML(capacity: 128 << 10)
    var open = self.open
    let (site, values, roots, begun) = (site, values, roots, begun)
    while written < wanted {
      let isThere = try reader.next { row, source in
        guard site.documents.isEntry(row, source) else { return }
        var tree = FolderTree(site: site, roots: roots, begun: begun, open: open)
        tree.enter(row, source, &list)
        open = tree.open
        DocumentHTML(values).write(row, &list)
        written += 1
      }
      if !isThere { break }
    }
    for _ in open { list.markup("</ul></details></li>") }
    self.list.html(list)
    self.open = open
  }
}

/// Opens and closes the folders between two entries of the tree.
private struct FolderTree {
  let site: Site
  let roots: [String]
  let begun: [[UInt8]]
  var open: [[UInt8]]

  mutating func enter(_ row: DocumentRow, _ source: Int, _ html: inout SafeHTML) {
    let folders = folders(of: row, source)
    var same = 0
    while same < min(folders.count, open.count), folders[same] == open[same] { same += 1 }
    for _ in same..<open.count { html.markup("</ul></details></li>") }
    open.removeSubrange(same...)
    for folder in folders[same...] {
      open.append(folder)
      begin(folder, source, &html)
    }
  }

  private func folders(of row: DocumentRow, _ source: Int) -> [[UInt8]] {
    let names = row.shownPath.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropLast().map { Array($0) }
    return (roots.isEmpty ? [] : [Array(roots[source].utf8)]) + names
  }

  private func begin(_ folder: [UInt8], _ source: Int, _ html: inout SafeHTML) {
    html.markup("<li><details open><summary><bdi>")
    folder.withUnsafeBytes { html.text(json: $0) }
    html.markup("</bdi>")
    let path = open.dropFirst(roots.isEmpty ? 0 : 1).joined(separator: [UInt8(ascii: "/")])
    let count = open.count > (roots.isEmpty ? 0 : 1) ? site.documents.entries(below: path, source) : nil
    let isContinued = begun.starts(with: open)
    if count != nil || isContinued {
      html.markup(" <small class=\"soft\">")
      if let count { html.text(site.words.plural("files", count)) }
      if isContinued { html.text((count == nil ? "" : " · ") + site.words["files.continued"]) }
      html.markup("</small>")
    }
    html.markup("</summary><ul>")
  }
}
