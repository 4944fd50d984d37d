internal import AccountExport

/// Pictures of the account: when its records are from, and what its bytes are.
struct Charts {
  private let site: Site
  private var words: Words { site.words }

  private static let maximumLines = 12, maximumMonths = 120, maximumYears = 72

  init(_ site: Site) { self.site = site }

  func write(_ html: inout SafeHTML) {
    let year = Int(site.frame.made.prefix(4)) ?? 9999
    let timeline = Timeline(
      site.plans.filter { !$0.isHidden }, maximum: (Self.maximumMonths, Self.maximumYears), maximumLines: Self.maximumLines, year: year)
    let kinds = self.kinds
    if timeline == nil && kinds.isEmpty { return }
    html.markup("<section class=\"part\" aria-labelledby=\"h-chart\"><h2 id=\"h-chart\">")
    html.text(words["chart.title"])
    html.markup("</h2><div class=\"cards\">")
    if let timeline { write(timeline, &html) }
    if !kinds.isEmpty { write(kinds, &html) }
    html.markup("</div></section>\n")
  }

  // MARK: When

  private func write(_ timeline: Timeline, _ html: inout SafeHTML) {
    let title = words[timeline.isByYear ? "chart.years" : "chart.months"]
    html.markup("<div class=\"card wide\">")
    html.title(title)
    html.markup("<ul class=\"chart\">\n")
    for line in timeline.lines { write(line, timeline, &html) }
    html.markup("</ul><p class=\"axis\"><span>")
    html.text(timeline.name(0, words))
    html.markup("</span><span>")
    html.text(timeline.name(timeline.count - 1, words))
    html.markup("</span></p>")
    table(timeline, title, &html)
    html.markup("<p><small class=\"soft\">")
    html.text(words["chart.undated"])
    html.markup("</small></p></div>\n")
  }

  private func write(_ line: Timeline.Line, _ timeline: Timeline, _ html: inout SafeHTML) {
    let height = 40
    html.markup("<li><b>")
    html.isolated(line.label)
    html.markup("<small class=\"soft\">")
    by(line, &html)
    html.markup("</small></b><svg viewBox=\"0 0 ")
    html.number(timeline.count * 10)
    html.markup(" 40\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"")
    html.text(alternative(line, timeline))
    html.markup("\">")
    for (place, rows) in line.rows.enumerated() where rows > 0 {
      let bar = max(1, (38 * rows + line.most / 2) / line.most)
      html.markup("<rect x=\"")
      html.number(place * 10 + 1)
      html.markup("\" y=\"")
      html.number(height - bar)
      html.markup("\" width=\"8\" height=\"")
      html.number(bar)
      html.markup("\"><title>")
      html.text("\(timeline.name(place, words)): \(words.number(rows))")
      html.markup("</title></rect>")
    }
    html.markup("</svg><small class=\"soft\">")
    html.text(words.number(line.total))
    html.markup("</small></li>\n")
  }

  /// The column whose dates were counted.
  private func by(_ line: Timeline.Line, _ html: inout SafeHTML) {
    words.write("chart.by", to: &html) { $1.isolated(line.column) }
  }

  /// What the picture says, in words.
  private func alternative(_ line: Timeline.Line, _ timeline: Timeline) -> String {
    let (first, last) = (line.rows.firstIndex { $0 > 0 } ?? 0, line.rows.lastIndex { $0 > 0 } ?? 0)
    return words.text(
      "chart.monthsText",
      [
        "name": line.label + words["format.list"] + words.text("chart.by", ["column": line.column]),
        "rows": words.plural("records", line.total), "from": timeline.name(first, words),
        "to": timeline.name(last, words),
        "peak": timeline.name(line.rows.firstIndex(of: line.most) ?? 0, words), "most": words.number(line.most),
      ])
  }

  private func table(_ timeline: Timeline, _ title: String, _ html: inout SafeHTML) {
    html.markup("<details class=\"fold\"><summary>")
    html.text(words["chart.table"])
    html.markup("</summary><div class=\"scroll rows\" role=\"region\" aria-label=\"")
    html.text(title)
    html.markup("\" tabindex=\"0\"><table><thead><tr><th scope=\"col\">")
    html.text(words[timeline.isByYear ? "chart.year" : "chart.month"])
    html.markup("</th>")
    for line in timeline.lines {
      html.markup("<th scope=\"col\" class=\"num\">")
      html.isolated(line.label)
      html.markup("<br><small>")
      by(line, &html)
      html.markup("</small></th>")
    }
    html.markup("</tr></thead><tbody>")
    for place in 0..<timeline.count where timeline.lines.contains(where: { $0.rows[place] > 0 }) {
      html.markup("<tr><th scope=\"row\">")
      html.text(timeline.name(place, words))
      html.markup("</th>")
      for line in timeline.lines {
        html.markup("<td class=\"num\">")
        html.number(line.rows[place])
        html.markup("</td>")
      }
      html.markup("</tr>")
    }
    html.markup("</tbody></table></div></details>")
  }

  // MARK: How much

  private var kinds: [(word: String, bytes: UInt64)] {
    var kinds: [(word: String, bytes: UInt64)] = site.documents.bytes.map { ($0.key.word, $0.value) }
    kinds.append(("kind.records", site.plans.reduce(0) { $0 + UInt64($1.collection.bytes) }))
    kinds.append(("kind.settings", site.bundle.sources.reduce(0) { $0 + $1.values.reduce(0) { $0 + UInt64($1.bytes) } }))
    return kinds.filter { $0.bytes > 0 }.sorted { ($1.bytes, $0.word) < ($0.bytes, $1.word) }
  }

  private func write(_ kinds: [(word: String, bytes: UInt64)], _ html: inout SafeHTML) {
    let all = kinds.reduce(0) { $0 + $1.bytes }
    let most = kinds[0].bytes
    html.markup("<div class=\"card\">")
    html.title(words["chart.bytes"])
    html.markup("<ul class=\"chart kinds\">\n")
    for (word, bytes) in kinds {
      let percent = Int((Double(bytes) * 100 / Double(all)).rounded())
      html.markup("<li><b>")
      html.text(words[word])
      html.markup("</b><svg viewBox=\"0 0 1000 8\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"")
      html.text(words.text("chart.bytesText", ["name": words[word], "size": words.size(bytes), "percent": String(percent)]))
      html.markup("\"><rect width=\"")
      html.number(max(4, Int((Double(bytes) * 1000 / Double(most)).rounded())))
      html.markup("\" height=\"8\"/></svg><small class=\"soft\">")
      html.text(words.size(bytes))
      html.markup("</small></li>\n")
    }
    html.markup("</ul></div>")
  }
}

/// How many records there are in each month or year, a line for each collection.
struct Timeline {
  struct Line {
    /// The collection, and the column whose dates were counted.
    let label: String, column: String
    let rows: [Int]
    let total: Int, most: Int

    fileprivate init(_ dated: Dated, first: Int, count: Int, isByYear: Bool) {
      var rows = [Int](repeating: 0, count: count)
      for month in dated.span {
        let place = (isByYear ? month.year : month.year * 12 + month.month - 1) - first
        if rows.indices.contains(place) { rows[place] += month.rows }
      }
      (label, column, self.rows) = (dated.label, dated.column, rows)
      (total, most) = (rows.reduce(0, +), max(1, rows.max() ?? 1))
    }
  }

  /// A collection whose rows have dates.
  fileprivate struct Dated {
    let label: String, column: String
    let span: [(year: Int, month: Int, rows: Int)]

    init?(_ plan: CollectionPlan) {
      guard let months = plan.months, let column = plan.dateColumn else { return nil }
      (label, self.column, span) = (plan.label, column.label, months.span)
      if span.isEmpty { return nil }
    }
  }

  let isByYear: Bool
  let count: Int
  /// The first year, or the first month counted from year 0.
  private let first: Int
  private(set) var lines: [Line] = []

  /// Nil where no collection has dates. By year where there are too many months; and then only the last years, up to the one after `year`.
  init?(_ plans: [CollectionPlan], maximum: (months: Int, years: Int), maximumLines: Int, year: Int) {
    let dated = plans.compactMap(Dated.init)
    let ends = dated.flatMap { [$0.span[0], $0.span[$0.span.count - 1]] }.map { $0.year * 12 + $0.month - 1 }
    guard let first = ends.min(), let last = ends.max() else { return nil }
    isByYear = last - first >= maximum.months
    let end = isByYear ? min(last / 12, max(year + 1, first / 12)) : last
    let begin = isByYear ? max(first / 12, end - maximum.years + 1) : first
    (self.first, count) = (begin, end - begin + 1)
    lines = dated.map { Line($0, first: begin, count: end - begin + 1, isByYear: isByYear) }.filter { $0.total > 0 }
    lines = Array(
      lines.enumerated().sorted { ($1.element.total, $0.offset) < ($0.element.total, $1.offset) }.map(\.element).prefix(maximumLines))
    if lines.isEmpty { return nil }
  }

  /// The month or year of a place.
  func name(_ place: Int, _ words: Words) -> String {
    let place = first + place
    return isByYear ? String(place) : words.moments.month(place / 12, place % 12 + 1)
  }
}
