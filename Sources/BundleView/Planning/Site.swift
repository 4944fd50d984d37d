internal import AccountExport

/// All that the pages of one bundle share: what is shown where, the words, the frame, and what has been written so far.
final class Site {
  let bundle: PagedBundle
  let options: ViewOptions
  let words: Words
  let frame: PageFrame
  let plans: [CollectionPlan]
  let links: Links
  let documents: DocumentList
  var index: SearchIndex
  var tokens = PageTokens()
  /// The pages of the search, by their names there (`1-2/3`).
  private(set) var indexed: [String] = []
  private var written = 0

  init(_ bundle: PagedBundle, _ options: ViewOptions) throws {
    (self.bundle, self.options) = (bundle, options)
    words = Words(language: bundle.request.language)
    documents = try DocumentList(bundle)
    frame = PageFrame(bundle, words, hasDocuments: documents.count > 0, hasGallery: documents.pictures > 0)
    index = SearchIndex(scratch: bundle.makeScratch())
    var plans = CollectionPlan.all(of: bundle, options)
    PageBudget(bytes: options.bytes, frame: frame.length).divide(among: &plans)
    links = try Links(&plans)
    self.plans = plans
  }

  /// Whether the pages may have so many bytes more, which the plan could only estimate. Rows leave some for what comes behind them.
  func hasRoom(for bytes: Int, isOfRows: Bool = false) -> Bool {
    written + bytes <= (isOfRows ? PageBudget.ofRows(options.bytes) : options.bytes)
  }

  func count(_ page: Page) -> Page {
    written += page.bytes.count
    return page
  }

  /// Adds what a page shows to the search.
  func index(_ rows: borrowing SafeHTML, as name: String) throws {
    tokens.removeAll()
    rows.withBytes { tokens.add(html: $0) }
    indexed.append(name)
    try index.add(tokens, page: indexed.count)
  }

  /// The collections in the order in which people see them: as the configuration names them, then as they come.
  var inOrder: [CollectionPlan] {
    let named = options.collections.map(\.place)
    return plans.enumerated().sorted { left, right in
      let (first, second) = (named.firstIndex(of: left.element.collection.place), named.firstIndex(of: right.element.collection.place))
      return (first ?? .max, left.offset) < (second ?? .max, right.offset)
    }.map(\.element)
  }

  /// What the request tells of a place in the bundle (`records/Notes/notes`).
  func told(_ place: String) -> ProcessingInformation.CollectionInformation? { bundle.request.information.of(place) }

  /// The service, where its name is known.
  var service: String? { bundle.request.app.name }
}

extension CollectionPlan {
  /// All collections of a bundle, with their names for people.
  static func all(of bundle: PagedBundle, _ options: ViewOptions) -> [CollectionPlan] {
    bundle.sources.enumerated().flatMap { source, paged in
      paged.collections.enumerated().map { number, collection in
        CollectionPlan(collection, source: source + 1, number: number + 1, told: options.collections.first { $0.place == collection.place })
      }
    }
  }

  private init(_ collection: PagedCollection, source: Int, number: Int, told: ViewOptions.Collection?) {
    (self.collection, self.source, self.number) = (collection, source, number)
    label = told?.label ?? Label.of(collection: collection.description.name)
    (about, isHidden) = (told?.about, told?.isHidden ?? false)
    let columns = zip(collection.description.columns, collection.kinds).map { column, kinds in
      let told = told?.columns.first { $0.name == column.name }
      return ColumnPlan(
        name: column.name, label: told?.label ?? Label.of(column: column.name), isHidden: told?.isHidden ?? false, kinds: kinds)
    }
    self.columns = columns
    inOrder = Self.order(of: columns, first: told?.order ?? [])
  }

  /// Those that are named come first.
  private static func order(of columns: [ColumnPlan], first: [String]) -> [Int] {
    var order: [Int] = []
    for name in first {
      if let place = columns.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }), !order.contains(place) { order.append(place) }
    }
    let named = Set(order)
    return (order + columns.indices.filter { !named.contains($0) }).filter { !columns[$0].isHidden }
  }

  /// The name of its pages' folder.
  var id: String { "\(source)-\(number)" }
}

extension PagedCollection {
  /// Its place in the bundle, as the configuration names it.
  var place: String { path.hasSuffix(".json") ? String(path.dropLast(".json".count)) : path }
}

/// How many rows of each collection fit into the bytes that the pages may have.
struct PageBudget {
  let bytes: Int
  /// What a page has beside its rows.
  let frame: Int

  /// A twentieth is for documents, settings and the first page.
  static func ofRows(_ bytes: Int) -> Int { bytes - bytes / 20 }

  /// Decides how many rows are shown. Small collections are shown whole; what is left is divided among the large ones.
  func divide(among plans: inout [CollectionPlan]) {
    var left = Self.ofRows(bytes)
    let costs = plans.map { $0.isHidden ? 0 : cost(of: $0) }
    let order = plans.indices.sorted { (costs[$0], $0) < (costs[$1], $1) }
    for (done, place) in order.enumerated() {
      let share = max(0, left) / (order.count - done)
      let kept = plans[place].isHidden ? 0 : plans[place].collection.keptRows
      plans[place].shown = costs[place] <= share ? kept : Int(Double(kept) * Double(share) / Double(costs[place]))
      left -= min(costs[place], share)
    }
  }

  /// About how many bytes the pages of all kept rows have: dates, links and folds are longer than their values.
  private func cost(of plan: CollectionPlan) -> Int {
    let (rows, content) = (plan.collection.keptRows, plan.collection.content.count)
    let cells = rows * (plan.columns.count * 30 + 60)
    let pages = max(1, rows / PageCuts.rows, content / PageCuts.bytes)
    return content * 5 / 4 + cells + pages * frame
  }
}
