internal import AccountExport
internal import JSONStreaming

/// What stands around the content of every page.
final class PageFrame {
  /// Where a page belongs in the navigation.
  enum Place {
    case overview, files, gallery, search, none
  }

  /// One step of the way to a page: a sentence of ours, or a name of the user's.
  struct Crumb {
    let label: String
    var isName = false
    /// Where it leads, from the bundle's top; nil for the page itself.
    var target: String?
  }

  private let bundle: PagedBundle
  private let words: Words
  private let hasDocuments: Bool, hasGallery: Bool
  /// The sentences of the script, as JSON; and those that it says of values in a data file.
  private let strings: [UInt8], pickStrings: [UInt8]
  /// When the bundle was made.
  let made: String
  /// What pages are made in, one after the other.
  private var buffer = SafeHTML(capacity: 256 << 10)

  init(_ bundle: PagedBundle, _ words: Words, hasDocuments: Bool, hasGallery: Bool) {
    (self.bundle, self.words, self.hasDocuments, self.hasGallery) = (bundle, words, hasDocuments, hasGallery)
    made = bundle.manifest.started.rfc3339
    (strings, pickStrings) = (Self.object(words.ofScript), Self.object(words.ofPicking))
  }

  private static func object(_ texts: [(key: String, text: String)]) -> [UInt8] {
    var json = JSONWriter(capacity: 4096)
    json.beginObject()
    for (key, text) in texts {
      json.key(key)
      json.string(text)
    }
    json.endObject()
    return json.withBytes { Array($0) }
  }

  /// Tells the script the sentences that it needs where it opens a data file.
  func tellPicking(_ json: inout JSONWriter) {
    json.key("words")
    pickStrings.withUnsafeBytes { json.rawValue($0) }
  }

  /// About how many bytes a page has beside its content.
  var length: Int { ViewAsset.style.bytes.count + ViewAsset.script.bytes.count + strings.count + 3000 }

  /// The way from a page to the bundle's top folder.
  static func root(of path: String) -> String { String(repeating: "../", count: path.utf8.count { $0 == UInt8(ascii: "/") }) }

  /// A page.
  /// - Parameters:
  ///   - title: What it is called, without the service.
  ///   - kind: What the script takes it for.
  ///   - script: What it does where scripts are on.
  ///   - data: What more the script is told.
  ///   - content: What stands between the frame's begin and its end.
  func page(
    _ path: String, title: String, kind: String, script: ViewAsset = .script, place: Place = .none, crumbs: [Crumb] = [],
    data: (inout JSONWriter) -> Void = { _ in },
    _ content: borrowing SafeHTML
  ) -> Page {
    let root = Self.root(of: path)
    buffer.removeAll()
    head(title, script, &buffer)
    bar(root, place, &buffer)
    buffer.markup("<main id=\"main\" tabindex=\"-1\">\n")
    way(crumbs, root, &buffer)
    buffer.html(content)
    buffer.markup("\n</main>\n<footer class=\"foot\">")
    words.write("page.foot", to: &buffer) { _, html in words.moments.write(made, to: &html) }
    buffer.markup("</footer>\n")
    block(kind: kind, root: root, hasStrings: true, data, &buffer)
    buffer.markup("\n</body>\n</html>\n")
    return Page(path: path, bytes: buffer.bytes)
  }

  /// A page that only the search's script reads.
  func shard(_ path: String, _ data: (inout JSONWriter) -> Void) -> Page {
    var html = SafeHTML(capacity: 128 << 10)
    begin(.script, &html)
    html.markup("<title>")
    html.text(words["search.title"])
    html.markup("</title>\n<script>")
    html.asset(.script)
    html.markup("</script>\n</head>\n<body>\n<main><h1><a href=\"../search.html\">")
    html.text(words["search.title"])
    html.markup("</a></h1></main>\n")
    block(kind: "shard", root: "../../", hasStrings: false, data, &html)
    html.markup("\n</body>\n</html>\n")
    return Page(path: path, bytes: html.bytes)
  }

  // MARK: Parts

  /// What a page may load and run: its own style and script, and files beside it.
  private static func policy(_ script: ViewAsset) -> String {
    """
    default-src 'none'; style-src \(ViewAsset.style.hash); script-src \(script.hash); img-src 'self' file:; media-src 'self' file:; \
    frame-src 'self' file:; object-src 'self' file:; base-uri 'none'; form-action 'none'
    """
  }

  private func begin(_ script: ViewAsset, _ html: inout SafeHTML) {
    html.markup("<!DOCTYPE html>\n<html lang=\"")
    html.text(words.language)
    html.markup("\" dir=\"")
    html.text(words.direction)
    html.markup("\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"")
    html.text(Self.policy(script))
    html.markup("\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
  }

  private func head(_ title: String, _ script: ViewAsset, _ html: inout SafeHTML) {
    begin(script, &html)
    html.markup(
      """
      <meta name="referrer" content="no-referrer">
      <meta name="robots" content="noindex">
      <title>
      """)
    html.text(title)
    html.markup("</title>\n<style>")
    html.asset(.style)
    html.markup("</style>\n<script>")
    html.asset(script)
    html.markup("</script>\n</head>\n<body>\n")
  }

  private func bar(_ root: String, _ place: Place, _ html: inout SafeHTML) {
    html.markup("<a class=\"skip\" href=\"#main\">")
    html.text(words["page.skip"])
    html.markup("</a>\n<header class=\"bar\"><div>\n<a class=\"home\" href=\"")
    html.path(root + "index.html")
    html.markup("\"><bdi>")
    html.text(bundle.request.app.name ?? words["first.titleNoService"])
    html.markup("</bdi></a>\n<nav aria-label=\"")
    html.text(words["page.main"])
    html.markup("\"><ul>")
    entry(root + "index.html", "page.overview", isPresent: place == .overview, &html)
    if hasDocuments { entry(root + "view/documents/1.html", "page.files", isPresent: place == .files, &html) }
    if hasGallery { entry(root + "view/gallery/1.html", "page.gallery", isPresent: place == .gallery, &html) }
    entry(root + "view/search.html", "page.search", isPresent: place == .search, &html)
    html.markup("</ul></nav>\n<button type=\"button\" id=\"theme\" data-js hidden></button>\n</div></header>\n")
  }

  private func entry(_ target: String, _ word: String, isPresent: Bool, _ html: inout SafeHTML) {
    html.markup("<li><a href=\"")
    html.path(target)
    html.markup(isPresent ? "\" aria-current=\"page\">" : "\">")
    html.text(words[word])
    html.markup("</a></li>")
  }

  private func way(_ crumbs: [Crumb], _ root: String, _ html: inout SafeHTML) {
    if crumbs.isEmpty { return }
    html.markup("<nav class=\"crumb\" aria-label=\"")
    html.text(words["page.here"])
    html.markup("\"><ol>")
    for crumb in crumbs {
      html.markup("<li>")
      if let target = crumb.target {
        let (path, anchor) =
          target.split(separator: "#").count == 2 ? (target.prefix { $0 != "#" }, target.drop { $0 != "#" }) : (target[...], "")
        html.markup("<a href=\"")
        html.path(root + path)
        html.text(String(anchor))
        html.markup("\">")
      } else {
        html.markup("<span aria-current=\"page\">")
      }
      if crumb.isName { html.markup("<bdi>") }
      html.text(crumb.label)
      if crumb.isName { html.markup("</bdi>") }
      html.markup(crumb.target == nil ? "</span></li>" : "</a></li>")
    }
    html.markup("</ol></nav>\n")
  }

  /// The step that every way begins with.
  var overview: Crumb { Crumb(label: words["page.overview"], target: "index.html") }

  private func block(kind: String, root: String, hasStrings: Bool, _ data: (inout JSONWriter) -> Void, _ html: inout SafeHTML) {
    var json = JSONWriter(capacity: 8192)
    json.beginObject()
    json.key("kind")
    json.string(kind)
    json.key("lang")
    json.string(words.language)
    json.key("key")
    json.string(bundle.key)
    if hasStrings {
      json.key("root")
      json.string(root)
      json.key("strings")
      strings.withUnsafeBytes { json.rawValue($0) }
    }
    data(&json)
    json.endObject()
    html.markup("<script type=\"application/json\" id=\"view-data\">")
    json.withBytes { html.data(json: $0) }
    html.markup("</script>")
  }
}
