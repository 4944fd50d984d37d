public import AccountExport

/// What the pages show, and how things are called there.
public struct ViewOptions: Sendable, Hashable {
  /// How many rows of each collection the pages show at most, and how many bytes all pages have at most.
  public var rows = 20_000, bytes = 50 << 20
  /// What single collections are called, by their place in the bundle below `data/`, without suffix: `records/Notes/notes`.
  public var collections: [Collection] = []

  /// The defaults.
  public init() {}

  /// How a collection is shown.
  public struct Collection: Sendable, Hashable {
    /// Its place in the bundle below `data/`, without suffix.
    public var place: String
    /// What it is called, and a sentence about it.
    public var label: String?, about: String?
    /// Whether the pages leave it out. The data stays in the bundle.
    public var isHidden = false
    /// Its columns.
    public var columns: [Column] = []
    /// The names of the columns that come first, in this order. The others follow as they come in the account.
    public var order: [String] = []

    /// A collection of which nothing is said yet.
    public init(place: String) { self.place = place }
  }

  /// How a column is shown.
  public struct Column: Sendable, Hashable {
    /// Its name in the account.
    public var name: String
    /// What it is called.
    public var label: String?
    /// Whether the pages leave it out.
    public var isHidden: Bool

    /// A column.
    public init(name: String, label: String? = nil, isHidden: Bool = false) {
      (self.name, self.label, self.isHidden) = (name, label, isHidden)
    }
  }
}

extension BundlePages {
  /// The offline view: a first page, tables of the records, the settings as trees, the documents, pictures, and a search over all of them. It needs no network
  /// and no server; without scripts, only the search is missing.
  ///
  /// ```swift
  /// let exporter = AccountExporter(sources: sources, pages: .view())
  /// ```
  public static func view(_ options: ViewOptions = ViewOptions()) -> BundlePages {
    BundlePages(limits: KeptLimits(rows: max(0, options.rows)), maker: BundleView(options: options))
  }
}

/// Makes the view.
struct BundleView: PageMaker {
  let options: ViewOptions

  nonisolated(nonsending) func write(
    _ bundle: PagedBundle, pack: nonisolated(nonsending) (_ path: String, _ page: [UInt8]) async throws -> Void
  ) async throws {
    let site = try Site(bundle, options)
    for place in site.plans.indices where !site.plans[place].isHidden {
      var pages = try CollectionPages(site, place)
      while let page = try pages.next() { try await pack(page.path, page.bytes) }
    }
    for source in bundle.sources.indices {
      for value in bundle.sources[source].values.indices {
        let page = try SettingsPage(site, source: source, value: value).page()
        try await pack(page.path, page.bytes)
      }
    }
    if var documents = try DocumentPages(site) { while let page = try documents.next() { try await pack(page.path, page.bytes) } }
    if var gallery = try GalleryPages(site) { while let page = try gallery.next() { try await pack(page.path, page.bytes) } }
    var search = SearchPages(site)
    while let page = try search.next() { try await pack(page.path, page.bytes) }
    try await pack("view/here.png", HerePicture.bytes)
    let first = FirstPage(site).page()
    try await pack(first.path, first.bytes)
  }
}

/// A finished page.
struct Page {
  let path: String
  let bytes: [UInt8]
}
