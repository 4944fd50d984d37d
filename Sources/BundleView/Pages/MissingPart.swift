internal import AccountExport

/// What is not inside, and what was masked: a sentence for each reason, then the places.
struct MissingPart {
  private let site: Site
  private var words: Words { site.words }

  private static let maximumPlaces = 200

  /// One thing that is missing or masked.
  private struct Place {
    let source: String, path: String
    let note: String?
  }

  init(_ site: Site) { self.site = site }

  func write(_ html: inout SafeHTML) {
    let manifest = site.bundle.manifest
    html.markup("<section class=\"part\" id=\"missing\" aria-labelledby=\"h-missing\"><h2 id=\"h-missing\">")
    html.text(words["missing.title"])
    html.markup("</h2>\n")
    if manifest.omissions.isEmpty && manifest.redactions.isEmpty {
      html.markup("<p>")
      html.text(words["missing.none"])
      html.markup("</p>")
    } else {
      html.markup("<div class=\"cards\">\n")
      card("missing.missing", omissions { $0.isMissing }, &html)
      card("missing.leftOut", omissions { !$0.isMissing }, &html)
      card("missing.masked", redactions, &html)
      html.markup("</div>")
    }
    ask(&html)
    html.markup("</section>\n")
  }

  /// Reasons in the order in which they come first, each with its sentence and places.
  private func omissions(_ isOf: (Omission.Reason) -> Bool) -> [(sentence: String, places: [Place])] {
    var order: [Omission.Reason] = []
    var places: [Omission.Reason: [Place]] = [:]
    for omission in site.bundle.manifest.omissions where isOf(omission.reason) {
      if places[omission.reason] == nil { order.append(omission.reason) }
      let note = omission.count.map { words.plural("items", $0) }
      places[omission.reason, default: []].append(Place(source: omission.source, path: omission.path, note: note))
    }
    return order.map { reason in (sentence("omission.", reason.name), places[reason] ?? []) }
  }

  private var redactions: [(sentence: String, places: [Place])] {
    var order: [String] = []
    var places: [String: [Place]] = [:]
    for redaction in site.bundle.manifest.redactions {
      if places[redaction.reason.name] == nil { order.append(redaction.reason.name) }
      places[redaction.reason.name, default: []]
        .append(Place(source: redaction.source, path: redaction.path, note: words.plural("places", redaction.count)))
    }
    return order.map { reason in (sentence("redaction.", reason), places[reason] ?? []) }
  }

  private func sentence(_ group: String, _ reason: String) -> String {
    words.has(group + reason) ? words[group + reason] : words.text(group + "other", ["reason": reason])
  }

  private func card(_ title: String, _ reasons: [(sentence: String, places: [Place])], _ html: inout SafeHTML) {
    if reasons.isEmpty { return }
    html.markup("<div class=\"card\">")
    html.title(words[title])
    for (sentence, places) in reasons {
      html.markup("\n<p>")
      html.text(sentence)
      html.markup("</p><details class=\"fold\"><summary>")
      html.text(words.plural("items", places.count))
      html.markup("</summary><ul>")
      for place in places.prefix(Self.maximumPlaces) { entry(place, &html) }
      html.markup("</ul>")
      if places.count > Self.maximumPlaces {
        html.markup("<p>")
        words.write("missing.more", to: &html) { _, html in html.markup("<code>datapackage.json</code>") }
        html.markup("</p>")
      }
      html.markup("</details>")
    }
    html.markup("\n</div>\n")
  }

  private func entry(_ place: Place, _ html: inout SafeHTML) {
    html.markup("<li><code>")
    html.text(place.source)
    html.markup("</code> ")
    html.isolated(place.path)
    if let note = place.note { html.text(" (\(note))") }
    html.markup("</li>")
  }

  private func ask(_ html: inout SafeHTML) {
    html.markup("<p>")
    if let mail = site.bundle.request.information.contact?.email {
      words.write("missing.ask", to: &html) { _, html in html.mailLink(mail) }
    } else {
      html.text(words["missing.askNobody"])
    }
    html.markup("</p>")
  }
}

extension SafeHTML {
  mutating func mailLink(_ address: String) {
    markup("<a href=\"")
    mail(address)
    markup("\">")
    text(address)
    markup("</a>")
  }
}
