internal import AccountExport

/// `index.html`: whose data it is, what is inside, what isn't, and what can be done with it.
struct FirstPage {
  let site: Site
  var words: Words { site.words }
  var request: ExportRequest { site.bundle.request }
  var manifest: ExportManifest { site.bundle.manifest }

  init(_ site: Site) { self.site = site }

  func page() -> Page {
    var html = SafeHTML()
    top(&html)
    numbers(&html)
    SourceCards(site).write(&html)
    Charts(site).write(&html)
    MissingPart(site).write(&html)
    ToldPart(site).write(&html)
    checking(&html)
    let title = site.service.map { words.text("first.title", ["service": $0]) } ?? words["first.titleNoService"]
    return site.frame.page("index.html", title: title, kind: "first", place: .overview, html)
  }

  // MARK: The top

  private func top(_ html: inout SafeHTML) {
    html.markup("<div class=\"top\"><div><h1>")
    if let service = site.service {
      words.write("first.title", to: &html) { $1.isolated(service) }
    } else {
      html.text(words["first.titleNoService"])
    }
    html.markup("</h1>")
    if let name = manifest.subject.name ?? manifest.subject.username ?? manifest.subject.email ?? manifest.subject.id {
      html.markup("<p class=\"lead\">")
      words.write("first.for", to: &html) { $1.isolated(name) }
      html.markup("</p>")
    }
    html.markup("\n<object class=\"here\" type=\"image/png\" data=\"view/here.png\" aria-label=\"")
    html.text(words["first.unpackSmall"])
    html.markup("\"><span class=\"unpack\"><strong>")
    html.text(words["first.unpackTitle"])
    html.markup("</strong> ")
    html.text(words["first.unpack"])
    html.markup("</span></object></div>\n")
    outcome(&html)
    facts(&html)
    html.markup("<div id=\"find\" data-js hidden></div>\n<p><small>")
    html.text(words["first.private"] + " " + words["first.unpackSmall"])
    html.markup("</small></p></div>\n")
  }

  private func outcome(_ html: inout SafeHTML) {
    let isComplete = manifest.outcome == .complete
    html.markup(isComplete ? "<div class=\"note good\"><h2>" : "<div class=\"note warn\"><h2>")
    html.text(words[isComplete ? "first.complete" : "first.partial"])
    html.markup("</h2><p>")
    html.text(words[isComplete ? "first.completeText" : "first.partialText"])
    if !isComplete {
      html.markup(" <a href=\"#missing\">")
      html.text(words["missing.title"])
      html.markup("</a>")
    }
    html.markup("</p></div>\n")
  }

  private func facts(_ html: inout SafeHTML) {
    let subject = manifest.subject
    html.markup("<div class=\"card\"><dl class=\"facts\">")
    fact("first.subject", subject.name, &html) { $1.isolated($0) }
    fact("first.mail", subject.email, &html) { $1.isolated($0) }
    fact("first.account", subject.id ?? subject.username, &html) { $1.isolated($0) }
    fact("first.made", site.frame.made, &html) { words.moments.write($0, to: &$1) }
    fact("first.environment", request.environment, &html) { $1.isolated($0) }
    fact("first.request", request.requestID, &html) { $1.isolated($0) }
    fact("first.law", request.law, &html) { $1.isolated($0) }
    fact("first.received", request.received, &html) { words.moments.write($0, to: &$1) }
    fact("first.due", request.due, &html) { due, html in
      words.moments.write(due, to: &html)
      guard let extended = request.extended else { return }
      html.markup("<br>")
      words.write("first.extended", to: &html) { name, html in
        if name == "date" { words.moments.write(extended.until, to: &html) } else { html.isolated(extended.reason) }
      }
    }
    html.markup("</dl></div>\n")
  }

  private func fact(_ word: String, _ value: String?, _ html: inout SafeHTML, _ write: (String, inout SafeHTML) -> Void) {
    guard let value else { return }
    html.markup("<div><dt>")
    html.text(words[word])
    html.markup("</dt><dd>")
    write(value, &html)
    html.markup("</dd></div>")
  }

  // MARK: In numbers

  private func numbers(_ html: inout SafeHTML) {
    let records = site.plans.reduce(0) { $0 + $1.collection.rows }
    let settings = site.bundle.sources.reduce(0) { $0 + ($1.isOfRecords ? 0 : $1.values.count) }
    html.markup("<section class=\"part\" aria-labelledby=\"h-total\"><h2 id=\"h-total\" class=\"vh\">")
    html.text(words["first.total"])
    html.markup("</h2><ul class=\"tiles\">")
    for (word, count) in [("records", records), ("files", site.documents.files), ("settings", settings)] {
      tile(words.plural(word, count), words.number(count), &html)
    }
    html.markup("<li><b>")
    html.text(words.size(site.bundle.payloadBytes))
    html.markup("</b>")
    html.text(words["first.size"])
    html.markup("</li></ul></section>\n")
  }

  /// A sentence that counts, its number large.
  private func tile(_ sentence: String, _ number: String, _ html: inout SafeHTML) {
    html.markup("<li>")
    if let place = sentence.firstRange(of: number) {
      html.text(String(sentence[..<place.lowerBound]))
      html.markup("<b>")
      html.text(number)
      html.markup("</b>")
      html.text(String(sentence[place.upperBound...]))
    } else {
      html.text(sentence)
    }
    html.markup("</li>")
  }

  // MARK: Checking and using

  private func checking(_ html: inout SafeHTML) {
    html.markup("<section class=\"part\" aria-label=\"")
    html.text(words["check.title"] + ", " + words["import.title"])
    html.markup("\"><div class=\"cards\"><div class=\"card\"><h2>")
    html.text(words["check.title"])
    html.markup("</h2><p>")
    html.text(words["check.intro"])
    html.markup("</p><p>")
    html.text(words["check.linux"])
    html.markup("</p><pre>sha256sum -c manifest-sha256.txt\nsha256sum -c tagmanifest-sha256.txt</pre><p>")
    html.text(words["check.mac"])
    html.markup("</p><pre>shasum -a 256 -c manifest-sha256.txt</pre><p>")
    html.text(words["check.windows"])
    html.markup("</p><pre>certutil -hashfile index.html SHA256</pre><p>")
    html.text(words["check.digest"])
    html.markup("</p><pre>sha256sum data.zip</pre></div>\n<div class=\"card\"><h2>")
    html.text(words["import.title"])
    html.markup("</h2><ul>")
    for word in ["json", "csv", "package", "files", "bag"] { html.entry(words["import." + word]) }
    html.markup("</ul></div></div></section>")
  }
}

extension SafeHTML {
  /// A user's words inside of a sentence.
  mutating func isolated(_ text: String) {
    markup("<bdi>")
    self.text(text)
    markup("</bdi>")
  }

  /// A sentence as an entry of a list.
  mutating func entry(_ text: String) {
    markup("<li>")
    self.text(text)
    markup("</li>")
  }

  /// A title of a third level.
  mutating func title(_ text: String) {
    markup("<h3>")
    self.text(text)
    markup("</h3>")
  }
}

extension PagedSource {
  /// Whether it holds records, beside which files of one value may lie.
  var isOfRecords: Bool { folder.hasPrefix("records/") || !collections.isEmpty }
}
