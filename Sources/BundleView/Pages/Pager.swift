/// The way from page to page.
enum Pager {
  /// - Parameter isTop: Whether it stands above the content: both have names of their own.
  static func write(page: Int, of pages: Int, isTop: Bool, _ words: Words, _ html: inout SafeHTML) {
    if pages < 2 { return }
    html.markup("<nav class=\"pages\" aria-label=\"")
    html.text(words[isTop ? "pages.top" : "pages.bottom"])
    html.markup("\">")
    if page > 1 { step("prev", page - 1, words["pages.previous"], &html) }
    html.markup("<ol>")
    var last = 0
    for number in shown(page, pages) {
      if number - last > 1 { html.markup("<li><span>…</span></li>") }
      entry(number, isPresent: number == page, words, &html)
      last = number
    }
    html.markup("</ol>")
    if page < pages { step("next", page + 1, words["pages.next"], &html) }
    html.markup("</nav>")
  }

  /// The first, the last, and those around the present one.
  private static func shown(_ page: Int, _ pages: Int) -> [Int] {
    Set([1, pages] + Array(max(1, page - 2)...min(pages, page + 2))).sorted()
  }

  private static func step(_ relation: StaticString, _ page: Int, _ label: String, _ html: inout SafeHTML) {
    html.markup("<a rel=\"")
    html.markup(relation)
    html.markup("\" href=\"")
    html.number(page)
    html.markup(".html\">")
    html.text(label)
    html.markup("</a>")
  }

  private static func entry(_ number: Int, isPresent: Bool, _ words: Words, _ html: inout SafeHTML) {
    let name = words.text("pages.page", ["n": String(number)])
    if isPresent {
      html.markup("<li><span aria-current=\"page\"><span class=\"vh\">")
      html.text(name)
      html.markup("</span><span aria-hidden=\"true\">")
      html.number(number)
      html.markup("</span></span></li>")
    } else {
      html.markup("<li><a href=\"")
      html.number(number)
      html.markup(".html\" aria-label=\"")
      html.text(name)
      html.markup("\">")
      html.number(number)
      html.markup("</a></li>")
    }
  }
}
