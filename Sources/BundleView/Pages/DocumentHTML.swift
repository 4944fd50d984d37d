/// One document in the tree.
struct DocumentHTML {
  private let values: ValueHTML
  private var words: Words { values.words }

  init(_ values: ValueHTML) { self.values = values }

  func write(_ row: DocumentRow, _ html: inout SafeHTML) {
    let kind = row.fileKind
    html.markup("<li class=\"doc\" id=\"r")
    html.number(row.ordinal)
    html.markup("\">")
    picture(row, kind, &html)
    html.markup("<span class=\"name\">")
    name(row, kind, &html)
    html.markup("</span>")
    size(row, &html)
    player(row, kind, &html)
    more(row, kind, &html)
    html.markup("</li>\n")
  }

  /// The last part of the path that it is shown by.
  static func name(of row: DocumentRow) -> UnsafeRawBufferPointer {
    let path = row.shownPath
    return UnsafeRawBufferPointer(rebasing: path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...])
  }

  func address(_ row: DocumentRow, _ html: inout SafeHTML) {
    html.path(values.root + "data/")
    html.path(utf8: row.file.text)
  }

  private func picture(_ row: DocumentRow, _ kind: FileKind, _ html: inout SafeHTML) {
    if kind == .picture {
      html.markup("<img class=\"pic\" src=\"")
      address(row, &html)
      html.markup("\" alt=\"\" loading=\"lazy\" width=\"42\" height=\"42\">")
      return
    }
    html.markup("<span class=\"pic\" aria-hidden=\"true\">")
    let ending = row.file.isText ? FileKind.ending(of: row.file.text) : []
    if ending.isEmpty { html.markup("…") } else { html.text(String(String(decoding: ending, as: UTF8.self).prefix(4))) }
    html.markup("</span>")
  }

  private func name(_ row: DocumentRow, _ kind: FileKind, _ html: inout SafeHTML) {
    let isLinked = row.isLinked
    if isLinked {
      html.markup("<a href=\"")
      address(row, &html)
      html.markup("\">")
    }
    html.markup("<bdi>")
    let name = Self.name(of: row)
    if name.isEmpty { html.markup("…") } else { html.text(json: name) }
    html.markup("</bdi>")
    if isLinked { html.markup("</a>") }
    if row.file.isText && !isLinked {
      badge("files.notOpened", why: "files.notOpenedWhy", &html)
    } else if row.isFile && !row.file.isText {
      badge("files.notIncluded", why: nil, &html)
    }
  }

  private func badge(_ word: String, why: String?, _ html: inout SafeHTML) {
    html.markup(" <span class=\"badge\"")
    if let why {
      html.markup(" title=\"")
      html.text(words[why])
      html.markup("\"")
    }
    html.markup(">")
    html.text(words[word])
    html.markup("</span>")
  }

  private func size(_ row: DocumentRow, _ html: inout SafeHTML) {
    if row.isFile {
      html.markup("<small>")
      sizeAndTime(row, &html)
      html.markup("</small>")
    } else if row.isFolder {
      html.markup("<small>")
      html.text(words["files.emptyFolder"])
      html.markup("</small>")
    }
  }

  func sizeAndTime(_ row: DocumentRow, _ html: inout SafeHTML) {
    html.text(words.size(row.size))
    if row.modified.isNull { return }
    html.markup(" · ")
    _ = values.scalar(row.modified, to: &html)
  }

  private func player(_ row: DocumentRow, _ kind: FileKind, _ html: inout SafeHTML) {
    if kind != .sound && kind != .video { return }
    html.markup(kind == .sound ? "<audio controls preload=\"none\" src=\"" : "<video controls preload=\"none\" src=\"")
    address(row, &html)
    html.markup("\" aria-label=\"")
    words.write(kind == .sound ? "files.listen" : "files.watch", to: &html) { _, html in html.text(json: Self.name(of: row)) }
    html.markup(kind == .sound ? "\"></audio>" : "\"></video>")
  }

  /// Where it lies, if it has no link or another name; where a link points to.
  private func more(_ row: DocumentRow, _ kind: FileKind, _ html: inout SafeHTML) {
    if row.file.isText {
      let isRenamed = !row.file.text.reversed().starts(with: Self.name(of: row).reversed())
      if row.isLinked && !isRenamed { return }
      html.markup("<span class=\"more\">")
      words.write("files.find", to: &html) { _, html in
        html.markup("<code>data/")
        html.text(json: row.file.text)
        html.markup("</code>")
      }
      html.markup("</span>")
    } else if row.target.isText {
      html.markup("<span class=\"more\">")
      words.write("files.pointsTo", to: &html) { _, html in
        html.markup("<code>")
        html.text(json: row.target.text)
        html.markup("</code>")
      }
      html.markup("</span>")
    }
  }
}
