internal import AccountExport

/// What the law has the person told beside the data (GDPR Art. 15, CCPA), and their rights.
struct ToldPart {
  private let site: Site
  private var words: Words { site.words }
  private var told: ProcessingInformation { site.bundle.request.information }

  init(_ site: Site) { self.site = site }

  func write(_ html: inout SafeHTML) {
    html.markup("<section class=\"part\" aria-labelledby=\"h-about\"><h2 id=\"h-about\">")
    html.text(words["about.title"])
    html.markup("</h2><div class=\"card\"><dl class=\"told\">")
    contacts(&html)
    recipients(&html)
    transfers(&html)
    decisions(&html)
    if let soldOrShared = told.soldOrShared {
      definition("about.sold", &html) { $0.text(words[soldOrShared.sold ? "value.true" : "value.false"]) }
      definition("about.shared", &html) { $0.text(words[soldOrShared.shared ? "value.true" : "value.false"]) }
    }
    notProvided(&html)
    html.markup("</dl></div></section>\n")
    rights(&html)
  }

  private func definition(_ word: String, _ html: inout SafeHTML, _ body: (inout SafeHTML) -> Void) {
    html.markup("<dt>")
    html.text(words[word])
    html.markup("</dt><dd>")
    body(&html)
    html.markup("</dd>")
  }

  private func contacts(_ html: inout SafeHTML) {
    for (word, contact) in [
      ("about.controller", told.controller), ("about.contact", told.contact), ("about.officer", told.dataProtectionOfficer),
    ] {
      if let contact { definition(word, &html) { write(contact, &$0) } }
    }
  }

  private func write(_ contact: ProcessingInformation.Contact, _ html: inout SafeHTML) {
    var isFirst = true
    for text in [contact.name, contact.address, contact.email, contact.phone] {
      guard let text else { continue }
      if !isFirst { html.markup("<br>") }
      isFirst = false
      html.isolated(text)
    }
    guard let website = contact.website else { return }
    if !isFirst { html.markup("<br>") }
    html.address(website)
  }

  private func recipients(_ html: inout SafeHTML) {
    guard let recipients = told.recipients else { return }
    list("about.recipients", recipients, &html) { recipient, html in
      name(recipient.name, &html)
      let more = [recipient.category, recipient.purpose, recipient.country].compactMap { $0 }
      for (place, text) in more.enumerated() {
        html.text(place == 0 ? ": " : words["format.list"])
        html.isolated(text)
      }
    }
  }

  private func transfers(_ html: inout SafeHTML) {
    guard let transfers = told.transfers else { return }
    list("about.transfers", transfers, &html) { transfer, html in
      name(transfer.to, &html)
      if let recipient = transfer.recipient {
        html.markup(": ")
        html.isolated(recipient)
      }
      html.markup("<br>")
      html.text(words["about.safeguards"] + ": ")
      html.isolated(transfer.safeguards)
      guard let copy = transfer.copy else { return }
      html.markup("<br>")
      html.address(copy)
    }
  }

  private func decisions(_ html: inout SafeHTML) {
    guard let decisions = told.automatedDecisions else { return }
    list("about.decisions", decisions, &html) { decision, html in
      name(decision.name, &html)
      for (word, text) in [
        ("about.logic", decision.logic), ("about.significance", decision.significance), ("about.consequences", decision.consequences),
      ] {
        guard let text else { continue }
        html.markup("<br>")
        html.text(words[word] + ": ")
        html.isolated(text)
      }
    }
  }

  /// A list; an empty one says that there is nothing.
  private func list<Element>(_ word: String, _ elements: [Element], _ html: inout SafeHTML, _ body: (Element, inout SafeHTML) -> Void) {
    definition(word, &html) { html in
      if elements.isEmpty { return html.text(words["about.nobody"]) }
      html.markup("<ul>")
      for element in elements {
        html.markup("<li>")
        body(element, &html)
        html.markup("</li>")
      }
      html.markup("</ul>")
    }
  }

  private func name(_ name: String, _ html: inout SafeHTML) {
    html.markup("<b>")
    html.isolated(name)
    html.markup("</b>")
  }

  /// What the service should have told and hasn't.
  private func notProvided(_ html: inout SafeHTML) {
    let parts = [
      ("controller", "about.controller"), ("contact", "about.contact"), ("dataProtectionOfficer", "about.officer"),
      ("recipients", "about.recipients"), ("transfers", "about.transfers"), ("automatedDecisions", "about.decisions"),
      ("supervisoryAuthority", "rights.authority"),
    ]
    let missing = parts.filter { site.bundle.manifest.notProvided.contains("/information/" + $0.0) }
    if missing.isEmpty { return }
    definition("about.notProvided", &html) { html in
      html.markup("<ul>")
      for (_, word) in missing { html.entry(words[word]) }
      html.markup("</ul>")
    }
  }

  // MARK: Rights

  private func rights(_ html: inout SafeHTML) {
    html.markup("<section class=\"part\" aria-labelledby=\"h-rights\"><h2 id=\"h-rights\">")
    html.text(words["rights.title"])
    html.markup("</h2><div class=\"card\"><p>")
    html.text(words["rights.intro"])
    html.markup("</p><ul>")
    for right in [
      "access", "rectification", "erasure", "restriction", "notification", "portability", "objection", "automated", "complaint",
    ] {
      html.entry(words["rights." + right])
    }
    html.markup("</ul>\n")
    if let rights = told.rights { how(rights, &html) }
    if let authority = told.supervisoryAuthority {
      html.title(words["rights.authority"])
      html.markup("<p>")
      write(authority, &html)
      html.markup("</p>\n")
    }
    html.markup("</div></section>\n")
  }

  private func how(_ rights: [ProcessingInformation.Right], _ html: inout SafeHTML) {
    html.title(words["rights.how"])
    html.markup("<ul>")
    for right in rights {
      html.markup("<li>")
      name(right.name, &html)
      if let how = right.how {
        html.markup(": ")
        html.isolated(how)
      }
      html.markup("</li>")
    }
    html.markup("</ul>\n")
  }
}

extension SafeHTML {
  /// An address of the web as a link, or what is none as text.
  mutating func address(_ text: String) {
    var copy = text
    let isLink = copy.withUTF8 { webLink(json: UnsafeRawBufferPointer($0)) }
    if !isLink { isolated(text) }
  }
}
