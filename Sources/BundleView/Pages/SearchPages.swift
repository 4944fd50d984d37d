internal import AccountExport
internal import JSONStreaming

/// The search's page, and before it the shards of its index, cut by the order of the tokens.
struct SearchPages {
  private let site: Site
  private let scratch: PageScratch
  private var shards: [Shard]?
  private var page = 0
  private var isCut = false

  /// Bytes of a shard, and of all: of the index as it is written.
  private static let shardBytes = 64 << 10, budget = 10 << 20

  /// A part of the index, and where it waits: written as JSON, without the brackets around it.
  fileprivate struct Shard {
    let from: [UInt8]
    var start: Int
    var json: [UInt8] = []
    var length = 0
  }

  init(_ site: Site) { (self.site, scratch) = (site, site.bundle.makeScratch()) }

  mutating func next() throws -> Page? {
    let shards = try self.shards ?? divided()
    self.shards = shards
    defer { page += 1 }
    if page < shards.count { return site.count(try page(of: shards[page])) }
    return page == shards.count ? site.count(searchPage(shards)) : nil
  }

  private mutating func divided() throws -> [Shard] {
    var shards: [Shard] = []
    let scratch = scratch
    isCut = try site.index.read(budget: Self.budget) { token, pages in
      if shards.last.map({ $0.json.count >= Self.shardBytes }) ?? true {
        try shards.finish(in: scratch)
        shards.append(Shard(from: token, start: scratch.count))
      }
      shards[shards.count - 1].add(token, pages)
    }
    try shards.finish(in: scratch)
    return shards
  }

  private func page(of shard: Shard) throws -> Page {
    let tokens = try [UInt8](unsafeUninitializedCapacity: shard.length + 2) { buffer, count in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      (bytes[0], bytes[shard.length + 1]) = (UInt8(ascii: "["), UInt8(ascii: "]"))
      var done = 0
      while done < shard.length {
        let piece = UnsafeMutableRawBufferPointer(rebasing: bytes[(1 + done)..<(1 + shard.length)])
        let got = try scratch.read(into: piece, at: shard.start + done)
        if got == 0 { throw ExportError(.output, "the staging folder lost part of a spool") }
        done += got
      }
      count = shard.length + 2
    }
    return site.frame.shard("view/search/\(page + 1).html") { json in
      json.key("from")
      json.string(String(decoding: shard.from, as: UTF8.self))
      json.key("tokens")
      tokens.withUnsafeBytes { json.rawValue($0) }
    }
  }

  // MARK: The page

  private func searchPage(_ shards: [Shard]) -> Page {
    let words = site.words
    var body = SafeHTML()
    body.markup("<h1>")
    body.text(words["search.title"])
    body.markup("</h1><p class=\"note warn\" data-nojs>")
    body.text(words["search.noScript"])
    body.markup("</p><div id=\"search\" data-js hidden></div>")
    if isCut { note("search.cut", &body) }
    if site.plans.contains(where: { !$0.isHidden && $0.collection.rows > $0.shown }) { note("search.rest", &body) }
    let title = site.service.map { words["search.title"] + " – " + $0 } ?? words["search.title"]
    return site.frame.page(
      "view/search.html", title: title, kind: "search", script: .searchScript, place: .search,
      crumbs: [site.frame.overview, PageFrame.Crumb(label: words["page.search"])], data: { data(shards, &$0) }, body)
  }

  private func note(_ word: String, _ body: inout SafeHTML) {
    body.markup("<p class=\"soft\">")
    body.text(site.words[word])
    body.markup("</p>")
  }

  private func data(_ shards: [Shard], _ json: inout JSONWriter) {
    json.key("shards")
    json.beginArray()
    for shard in shards { json.string(String(decoding: shard.from, as: UTF8.self)) }
    json.endArray()
    json.key("pages")
    json.beginArray()
    for page in site.indexed { json.string(page) }
    json.endArray()
    json.key("titles")
    json.beginObject()
    for plan in site.plans where !plan.isHidden {
      json.key(plan.id)
      json.string(plan.label)
    }
    for (source, paged) in site.bundle.sources.enumerated() {
      for (value, settings) in paged.values.enumerated() {
        json.key(SettingsPage.id(source: source, value: value))
        json.string(settings.title)
      }
    }
    json.key("documents")
    json.string(site.words["page.files"])
    json.key("gallery")
    json.string(site.words["page.gallery"])
    json.endObject()
  }
}

extension [SearchPages.Shard] {
  /// Takes the last shard's JSON out of memory.
  fileprivate mutating func finish(in scratch: PageScratch) throws {
    guard let last = indices.last else { return }
    try self[last].json.withUnsafeBytes { try scratch.append($0) }
    (self[last].length, self[last].json) = (self[last].json.count, [])
  }
}

extension SearchPages.Shard {
  /// Adds a token, which holds nothing that JSON escapes, and its pages as differences.
  fileprivate mutating func add(_ token: [UInt8], _ pages: [UInt32]) {
    json.append(contentsOf: json.isEmpty ? "[\"".utf8 : ",[\"".utf8)
    json.append(contentsOf: token)
    json.append(contentsOf: "\",\"".utf8)
    var last: UInt32 = 0
    for page in pages {
      if last > 0 { json.append(UInt8(ascii: ",")) }
      json.append(contentsOf: String(page - last).utf8)
      last = page
    }
    json.append(contentsOf: "\"]".utf8)
  }
}
