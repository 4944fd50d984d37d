internal import AccountExport

/// Which page has which token: gathered while the pages are made, in memory as far as it is small, and read in the order of the tokens.
struct SearchIndex {
  private let scratch: PageScratch
  private var table = TokenTable()
  private var spooled: [SpooledTokens] = []
  private var longestWritten = 0

  init(scratch: PageScratch) { self.scratch = scratch }

  /// Adds the tokens of the next page.
  mutating func add(_ tokens: PageTokens, page: Int) throws {
    if table.isFull { try spool() }
    table.add(tokens, page: page)
  }

  private mutating func spool() throws {
    longestWritten += table.longestWritten
    table.sort()
    spooled.append(try SpooledTokens.write(table, to: scratch))
    table.removeAll()
  }

  /// Gives every token with its pages, in the order of the tokens' bytes; where that were more than `budget` bytes, the least useful are left out.
  /// - Returns: whether any were.
  mutating func read(budget: Int, _ body: (_ token: [UInt8], _ pages: [UInt32]) throws -> Void) throws -> Bool {
    longestWritten += table.longestWritten
    table.sort()
    let least = longestWritten <= budget ? .rare : try leastUseful(budget)
    try merge { token, pages in
      if Usefulness(token, pages) >= least { try body(token, pages) }
    }
    return least != .rare
  }

  /// How useful tokens must be, so that the index keeps its budget.
  private func leastUseful(_ budget: Int) throws -> Usefulness {
    var bytes = [Int](repeating: 0, count: Usefulness.allCases.count)
    try merge { token, pages in bytes[Usefulness(token, pages).rawValue] += token.count + 7 + pages.count * 4 }
    var sum = 0
    for usefulness in Usefulness.allCases.reversed() {
      sum += bytes[usefulness.rawValue]
      if sum > budget { return Usefulness(rawValue: usefulness.rawValue + 1) ?? .common }
    }
    return .rare
  }

  private func merge(_ body: (_ token: [UInt8], _ pages: [UInt32]) throws -> Void) throws {
    var runs: [any TokenRun] = spooled.map { $0 } + [TokenTable.Reader(table)]
    runs = try runs.compactMap { run in
      var run = run
      return try run.advance() ? run : nil
    }
    if runs.count <= 1 {
      var reader = TokenTable.Reader(table)
      while reader.advance() { try body(reader.token, reader.pages) }
      return
    }
    while !runs.isEmpty {
      let token = runs.map(\.token).min { $0.lexicographicallyPrecedes($1) } ?? []
      var pages: [UInt32] = []
      // The runs are in the order of their pages.
      for index in runs.indices.reversed() where runs[index].token == token {
        pages.insert(contentsOf: runs[index].pages, at: 0)
        if try !runs[index].advance() { runs.remove(at: index) }
      }
      try body(token, pages)
    }
  }
}

/// How much a token helps to find something.
enum Usefulness: Int, CaseIterable, Comparable {
  /// A long number, or a long token of one page.
  case rare
  /// Another token of one page that has digits in it.
  case mixed
  /// A word of one page.
  case single
  /// A token of several pages.
  case common

  init(_ token: [UInt8], _ pages: [UInt32]) {
    let digits = token.count { 0x30...0x39 ~= $0 }
    if digits == token.count && digits > 8 || pages.count == 1 && token.count > 20 {
      self = .rare
    } else if pages.count > 1 {
      self = .common
    } else {
      self = digits > 0 ? .mixed : .single
    }
  }

  static func < (left: Usefulness, right: Usefulness) -> Bool { left.rawValue < right.rawValue }
}
