internal import AccountExport
internal import JSONStreaming

/// The page of one file of a JSON value: preferences and the like, as a foldable tree.
struct SettingsPage {
  private let site: Site
  private let source: Int, number: Int
  private let value: PagedValue

  init(_ site: Site, source: Int, value: Int) {
    (self.site, self.source, number) = (site, source + 1, value + 1)
    self.value = site.bundle.sources[source].values[value]
  }

  /// Its name among the pages.
  static func id(source: Int, value: Int) -> String { "\(source + 1)-p\(value + 1)" }

  func page() throws -> Page {
    let (words, id) = (site.words, Self.id(source: source - 1, value: number - 1))
    var body = SafeHTML()
    head(&body)
    body.markup("<div class=\"sheet\">")
    if let content = value.content {
      var tree = SafeHTML()
      try write(content, &tree)
      try site.index(tree, as: id)
      body.html(tree)
    } else {
      body.markup("<p>")
      body.text(words["settings.large"])
      body.markup("</p>")
    }
    body.markup("</div><p><small>")
    body.text(words["collection.dataFile"])
    body.markup(": <code>")
    body.text("data/" + value.path)
    body.markup("</code></small></p>")
    let title = words.text("settings.title", ["name": value.title])
    let crumbs = [
      site.frame.overview, PageFrame.Crumb(label: words["source.preferences"], target: "index.html#s\(source)"),
      PageFrame.Crumb(label: value.title, isName: true),
    ]
    let page = site.frame.page(
      "view/\(id).html", title: site.service.map { title + " – " + $0 } ?? title, kind: "settings", crumbs: crumbs,
      data: { json in
        json.key("file")
        json.string("data/" + value.path)
      }, body)
    return site.count(page)
  }

  private func head(_ body: inout SafeHTML) {
    let words = site.words
    body.markup("<h1>")
    words.write("settings.title", to: &body) { _, html in
      html.markup("<bdi>")
      html.text(value.title)
      html.markup("</bdi>")
    }
    body.markup("</h1><p class=\"lead\">")
    if let service = site.service {
      words.write("settings.intro", to: &body) { _, html in
        html.markup("<bdi>")
        html.text(service)
        html.markup("</bdi>")
      }
    } else {
      body.text(words["settings.introNoService"])
    }
    body.markup("</p>")
    Told.write(site.told(value.place), words, &body)
  }

  private func write(_ content: KeptBytes, _ tree: inout SafeHTML) throws {
    let bytes = try content.bytes()
    bytes.withUnsafeBytes { bytes in
      let end = bytes.last == UInt8(ascii: "\n") ? bytes.count - 1 : bytes.count
      var top = TreeHTML(ValueHTML(words: site.words, root: "../", file: "data/" + value.path))
      top.top(JSONItem(bytes: UnsafeRawBufferPointer(rebasing: bytes[..<end])), to: &tree)
    }
  }
}

extension PagedValue {
  /// Its place in the bundle, as the configuration names it.
  var place: String { path.hasSuffix(".json") ? String(path.dropLast(".json".count)) : path }
}

extension KeptBytes {
  /// All of it: for what is known to be small.
  func bytes() throws -> [UInt8] {
    try Array(unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = try read(into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...]), at: filled)
        if got == 0 { throw ExportError(.output, "the staging folder lost \(count - filled) bytes of a value") }
        filled += got
      }
    }
  }
}
