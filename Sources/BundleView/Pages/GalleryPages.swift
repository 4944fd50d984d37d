internal import AccountExport

/// The pictures among the documents, the real files, scaled by the browser.
struct GalleryPages: ~Copyable {
  static let perPage = 120

  private let site: Site
  private let documents: DocumentHTML
  /// The pictures of each page, as many as fit; how many they are.
  private var held: HeldHTML
  private var shown = 0
  private var reader: DocumentReader
  private var page = 1
  private var body = SafeHTML(capacity: 128 << 10)

  init?(_ site: Site) throws {
    if site.documents.pictures == 0 { return nil }
    self.site = site
    documents = DocumentHTML(ValueHTML(words: site.words, root: "../../", file: "data/documents.json"))
    reader = DocumentReader(site.bundle)
    held = HeldHTML(site.bundle.makeScratch())
    try hold(min(site.documents.pictures, site.options.rows))
  }

  private mutating func hold(_ wanted: Int) throws {
    var list = SafeHTML(capacity: 64 << 10)
    var bytes = 0
    for first in stride(from: 0, to: wanted, by: Self.perPage) {
      let count = min(Self.perPage, wanted - first)
      list.removeAll()
      try fill(count, &list)
      bytes += list.count + site.frame.length
      if !site.hasRoom(for: bytes) { return }
      try held.add(list)
      shown += count
    }
  }

  private var pages: Int { max(1, held.count) }

  mutating func next() throws -> Page? {
    if page > pages { return nil }
    defer { page += 1 }
    let words = site.words
    body.removeAll()
    body.markup("<h1>")
    body.text(words["gallery.title"])
    body.markup("</h1><p class=\"lead\">")
    body.text(words.plural("pictures", site.documents.pictures))
    body.markup(" · <a href=\"../documents/1.html\">")
    body.text(words["gallery.asFiles"])
    body.markup("</a></p>")
    if shown < site.documents.pictures { more() }
    Pager.write(page: page, of: pages, isTop: true, words, &body)
    body.markup("<ul class=\"gallery\">")
    if page <= held.count { try held.write(page - 1, to: &body) }
    body.markup("</ul>")
    Pager.write(page: page, of: pages, isTop: false, words, &body)
    let title = site.service.map { words["gallery.title"] + " – " + $0 } ?? words["gallery.title"]
    let made = site.frame.page(
      "view/gallery/\(page).html", title: title, kind: "gallery", place: .gallery,
      crumbs: [site.frame.overview, PageFrame.Crumb(label: words["page.gallery"])], body)
    return site.count(made)
  }

  /// Says that there are more pictures, and where.
  private mutating func more() {
    let (words, shown, all) = (site.words, shown, site.documents.pictures)
    body.markup("<div class=\"note more\"><p>")
    words.write("collection.more", to: &body) { name, html in
      switch name {
      case "shown": html.text(words.number(shown))
      case "rows": html.text(words.plural("pictures", all))
      default: html.markup("<code>data/documents.json</code>")
      }
    }
    body.markup("</p></div>")
  }

  private mutating func fill(_ wanted: Int, _ list: inout SafeHTML) throws {
    var written = 0
    let documents = documents
    while written < wanted {
      let isThere = try reader.next { row, _ in
        guard row.isFile, row.fileKind == .picture else { return }
        Self.write(row, documents, &list)
        written += 1
      }
      if !isThere { break }
    }
  }

  private static func write(_ row: DocumentRow, _ documents: DocumentHTML, _ html: inout SafeHTML) {
    html.markup("<li id=\"r")
    html.number(row.ordinal)
    html.markup("\"><figure><a href=\"")
    documents.address(row, &html)
    html.markup("\"><img src=\"")
    documents.address(row, &html)
    html.markup("\" alt=\"")
    html.text(json: DocumentHTML.name(of: row))
    html.markup("\" loading=\"lazy\" width=\"240\" height=\"240\"></a><figcaption><bdi>")
    html.text(json: DocumentHTML.name(of: row))
    html.markup("</bdi><br><small class=\"soft\">")
    documents.sizeAndTime(row, &html)
    html.markup("</small></figcaption></figure></li>\n")
  }
}

/// A picture of one point. Where the first page is opened out of a ZIP, it can't be loaded, and what stands in its place says so.
enum HerePicture {
  static let bytes: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00,
    0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0x1F, 0x15, 0xC4, 0x89, 0x00, 0x00, 0x00, 0x0B, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63,
    0x60, 0x00, 0x02, 0x00, 0x00, 0x05, 0x00, 0x01, 0x7A, 0x5E, 0xAB, 0x3F, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42,
    0x60, 0x82,
  ]
}
