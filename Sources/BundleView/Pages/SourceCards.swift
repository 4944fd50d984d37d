internal import AccountExport

/// The sources as cards, with the way to their pages.
struct SourceCards {
  private let site: Site
  private var words: Words { site.words }

  init(_ site: Site) { self.site = site }

  func write(_ html: inout SafeHTML) {
    html.markup("<section class=\"part\" aria-labelledby=\"h-in\"><h2 id=\"h-in\">")
    html.text(words["first.sources"])
    html.markup("</h2><div class=\"cards\">\n")
    for (place, source) in site.bundle.sources.enumerated() {
      let told = site.bundle.manifest.sources[place]
      html.markup("<article class=\"card\" id=\"s")
      html.number(place + 1)
      html.markup("\"><h3>")
      title(source, &html)
      html.markup(" <small class=\"soft\">")
      html.text(words.size(told.bytes))
      if told.outcome != .complete {
        html.markup(" <span class=\"badge warn\">")
        html.text(words["source." + told.outcome.rawValue])
        html.markup("</span>")
      }
      html.markup("</small></h3>")
      content(source, place, &html)
      html.markup("</article>\n")
    }
    html.markup("</div></section>\n")
  }

  private func title(_ source: PagedSource, _ html: inout SafeHTML) {
    let name = source.folder.split(separator: "/").dropFirst().first.map(String.init)
    if source.documents != nil || source.kind == "documents" {
      html.text(words["source.documents"])
      if let name, site.bundle.sources.count(where: { $0.documents != nil }) > 1 {
        html.text(": ")
        html.isolated(name)
      }
    } else if let name {
      html.isolated(name)
    } else {
      html.text(words[source.isOfRecords ? "source.records" : "source.preferences"])
    }
  }

  private func content(_ source: PagedSource, _ place: Int, _ html: inout SafeHTML) {
    if source.documents != nil { documents(&html) }
    collections(place, &html)
    if source.values.isEmpty { return }
    html.markup("<ul class=\"list\">")
    for (value, settings) in source.values.enumerated() {
      html.markup("<li><a href=\"")
      html.path("view/\(SettingsPage.id(source: place, value: value)).html")
      html.markup("\">")
      html.isolated(settings.title)
      html.markup("</a></li>")
    }
    html.markup("</ul>")
  }

  private func documents(_ html: inout SafeHTML) {
    html.markup("<ul class=\"list\"><li><a href=\"view/documents/1.html\">")
    html.text(words["files.title"])
    html.markup("</a> <small class=\"soft\">")
    html.text(words.plural("files", site.documents.files))
    html.markup("</small></li>")
    if site.documents.pictures > 0 {
      html.markup("<li><a href=\"view/gallery/1.html\">")
      html.text(words["gallery.title"])
      html.markup("</a> <small class=\"soft\">")
      html.text(words.plural("pictures", site.documents.pictures))
      html.markup("</small></li>")
    }
    html.markup("</ul>")
  }

  // MARK: Collections

  private func collections(_ place: Int, _ html: inout SafeHTML) {
    let plans = site.inOrder.filter { $0.source == place + 1 && !$0.isHidden }
    let full = plans.filter { $0.collection.rows > 0 && !$0.collection.description.isLookup }
    let lookups = plans.filter { $0.collection.rows > 0 && $0.collection.description.isLookup }
    if !full.isEmpty { list(full, &html) }
    if !lookups.isEmpty { fold(words["source.lookups"], lookups, &html) }
    let empty = plans.filter { $0.collection.rows == 0 }
    if !empty.isEmpty { fold(words["first.empty"] + " (\(words.number(empty.count)))", empty, &html) }
  }

  private func fold(_ title: String, _ plans: [CollectionPlan], _ html: inout SafeHTML) {
    html.markup("<details class=\"fold\"><summary>")
    html.text(title)
    html.markup("</summary>")
    list(plans, &html)
    html.markup("</details>")
  }

  private func list(_ plans: [CollectionPlan], _ html: inout SafeHTML) {
    html.markup("<ul class=\"list\">")
    for plan in plans {
      html.markup("<li><a href=\"")
      html.path("view/\(plan.id)/1.html")
      html.markup("\">")
      html.isolated(plan.label)
      html.markup("</a>")
      if plan.collection.rows > 0 {
        html.markup(" <small class=\"soft\">")
        html.text(words.plural("records", plan.collection.rows))
        if let span = span(plan) { html.text(" · " + span) }
        html.markup("</small>")
      }
      html.markup("</li>")
    }
    html.markup("</ul>")
  }

  /// From when to when the rows are.
  private func span(_ plan: CollectionPlan) -> String? {
    guard let months = plan.months?.span, let first = months.first, let last = months.last else { return nil }
    let (from, to) = (words.moments.month(first.year, first.month), words.moments.month(last.year, last.month))
    return from == to ? from : words.text("format.span", ["from": from, "to": to])
  }
}
