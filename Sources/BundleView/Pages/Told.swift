internal import AccountExport

/// What the request tells of a place in the bundle, folded.
enum Told {
  static func write(_ told: ProcessingInformation.CollectionInformation?, about: String? = nil, _ words: Words, _ html: inout SafeHTML) {
    if let about {
      html.markup("<p class=\"lead\"><bdi>")
      html.text(about)
      html.markup("</bdi></p>")
    }
    guard let told else { return }
    let list = words["format.list"]
    let parts: [(String, String?)] = [
      ("about.purposes", told.purposes?.joined(separator: list)), ("about.legalBasis", told.legalBasis),
      ("about.categories", told.categories?.joined(separator: list)), ("about.source", told.source), ("about.retention", told.retention),
    ]
    if parts.allSatisfy({ $0.1 == nil }) { return }
    html.markup("<details class=\"fold\"><summary>")
    html.text(words["about.collection"])
    html.markup("</summary><dl class=\"told\">")
    for (word, text) in parts {
      guard let text else { continue }
      html.markup("<dt>")
      html.text(words[word])
      html.markup("</dt><dd><bdi>")
      html.text(text)
      html.markup("</bdi></dd>")
    }
    html.markup("</dl></details>")
  }
}
