import Foundation
import Testing

/// Reads pages by a grammar of our own, that is narrower than HTML's: nothing may stand in them that it doesn't know.
struct PageText {
  /// What may stand in a page.
  static let elements: Set<String> = [
    "html", "head", "meta", "title", "style", "script", "body", "a", "header", "div", "nav", "ul", "ol", "li", "button", "main", "footer",
    "span", "bdi",
    "h1", "h2", "h3", "p", "small", "details", "summary", "dl", "dt", "dd", "table", "thead", "tbody", "tr", "th", "td", "code", "time",
    "br", "section",
    "article", "svg", "rect", "b", "strong", "pre", "object", "img", "figure", "figcaption", "audio", "video",
  ]
  static let attributes: Set<String> = [
    "lang", "dir", "charset", "http-equiv", "content", "name", "class", "id", "href", "aria-label", "aria-current", "type", "data-js",
    "data-nojs",
    "hidden", "tabindex", "role", "scope", "title", "datetime", "rel", "open", "viewBox", "preserveAspectRatio", "x", "y", "width",
    "height",
    "aria-labelledby", "aria-hidden", "src", "alt", "loading", "controls", "preload", "data",
  ]
  private static let empty: Set<String> = ["meta", "br", "img"]

  struct Tag {
    let name: String
    let attributes: [String: String]
  }

  let tags: [Tag]
  /// What is wrong.
  let problems: [String]

  /// Reads a page without style and scripts, or a part of one.
  init(_ html: String) {
    var (tags, problems, open): ([Tag], [String], [String]) = ([], [], [])
    var ids: Set<String> = []
    for match in html.matches(of: /<(\/?)([A-Za-z!][A-Za-z0-9]*)([^>]*)>/) {
      let name = String(match.2)
      if name == "!DOCTYPE" { continue }
      if !Self.elements.contains(name) { problems.append("an element \(name)") }
      if match.1 == "/" {
        if open.popLast() != name { problems.append("\(name) ends what isn't open") }
        continue
      }
      let attributes = Self.attributes(of: String(match.3), &problems)
      if let id = attributes["id"], !ids.insert(id).inserted { problems.append("the id \(id) twice") }
      tags.append(Tag(name: name, attributes: attributes))
      if !Self.empty.contains(name) && !match.3.hasSuffix("/") { open.append(name) }
    }
    if !open.isEmpty { problems.append("open at the end: \(open)") }
    let rest = html.replacing(/<[^>]*>/, with: "")
    if rest.contains("<") || rest.contains(">") { problems.append("an angle bracket in a text") }
    for match in rest.matches(of: /&[^;\s]{0,10};?/) where !["&lt;", "&gt;", "&amp;", "&quot;", "&#39;"].contains(match.0) {
      problems.append("a reference \(match.0)")
    }
    (self.tags, self.problems) = (tags, problems)
  }

  private static func attributes(of text: String, _ problems: inout [String]) -> [String: String] {
    var attributes: [String: String] = [:]
    var rest = text.hasSuffix("/") ? text.dropLast() : text[...]
    while let match = rest.prefixMatch(of: /\s+([A-Za-z-]+)(?:="([^"<>]*)")?/) {
      let name = String(match.1)
      if !Self.attributes.contains(name) { problems.append("an attribute \(name)") }
      attributes[name] = String(match.2 ?? "").replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&lt;", with: "<")
        .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
      rest = rest[match.range.upperBound...]
    }
    if !rest.allSatisfy(\.isWhitespace) { problems.append("in a tag: \(rest)") }
    return attributes
  }

  /// A page without what its style and scripts hold.
  static func withoutAssets(_ page: String) -> String {
    page.replacing(/<style>[\s\S]*?<\/style>/, with: "<style></style>").replacing(/(<script[^>]*>)[\s\S]*?<\/script>/) {
      "\($0.1)</script>"
    }
  }
}
