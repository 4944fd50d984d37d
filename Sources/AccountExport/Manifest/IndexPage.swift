/// `index.html`: one plain page that says what is inside, to be read without network or scripts.
enum IndexPage {
  static func render(_ manifest: ExportManifest, books: borrowing BundleBooks, request: ExportRequest) -> [UInt8] {
    var page = Page()
    page.raw(
      """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>Account export</title>
      <style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%}
      th,td{text-align:start;padding:.3rem .6rem;border-bottom:1px solid #ccc;overflow-wrap:anywhere}</style></head><body>
      <h1>Account export</h1>

      """)
    head(manifest, request, &page)
    sources(manifest, &page)
    files(books, &page)
    omissions(manifest, &page)
    redactions(manifest, &page)
    page.raw(
      "<h2>How to check it</h2>\n<p>In the unpacked folder, <code>sha256sum -c manifest-sha256.txt</code> checks every file.</p>\n</body></html>\n"
    )
    return page.bytes
  }

  private static func head(_ manifest: ExportManifest, _ request: ExportRequest, _ page: inout Page) {
    page.raw("<p>")
    page.text(request.app.name.map { "From \($0), " } ?? "")
    page.text("made \(manifest.started.rfc3339).")
    page.raw("</p>\n<p><strong>")
    page.text(
      manifest.outcome == .complete
        ? "Complete: everything that was to be exported is inside." : "Partial: something is missing; it is named below.")
    page.raw("</strong></p>\n")
  }

  private static func sources(_ manifest: ExportManifest, _ page: inout Page) {
    page.raw(
      "<h2>What it is from</h2>\n<table><thead><tr><th>Source</th><th>Items</th><th>Bytes</th><th>Outcome</th></tr></thead><tbody>\n")
    for source in manifest.sources {
      page.row([source.name, String(source.items), String(source.bytes), source.outcome.rawValue])
    }
    page.raw("</tbody></table>\n")
  }

  private static func files(_ books: borrowing BundleBooks, _ page: inout Page) {
    page.raw("<h2>What is inside</h2>\n<table><thead><tr><th>File</th><th>Records</th><th>Bytes</th></tr></thead><tbody>\n")
    for resource in books.resources {
      var rows = ""
      switch resource.draft.role {
      case .table(let table): rows = String(table.rows)
      case .csv(let csv): rows = String(csv.rows)
      case .document, .value, .file: break
      }
      page.row(["data/" + resource.draft.path, rows, String(resource.draft.size)])
    }
    page.raw("</tbody></table>\n<p>")
    page.text("\(books.payloadFiles) files in all. The documents lie below data/documents; data/documents.json describes each.")
    page.raw("</p>\n")
  }

  private static let shown = 1000

  private static func omissions(_ manifest: ExportManifest, _ page: inout Page) {
    if manifest.omissions.isEmpty { return }
    page.raw("<h2>What is not inside</h2>\n<table><thead><tr><th>Source</th><th>What</th><th>Why</th></tr></thead><tbody>\n")
    for omission in manifest.omissions.prefix(shown) {
      page.row([omission.source, omission.path + (omission.count.map { " (\($0))" } ?? ""), omission.reason.sentence])
    }
    page.raw("</tbody></table>\n")
    if manifest.omissions.count > shown {
      page.raw("<p>")
      page.text("\(manifest.omissions.count - shown) more stand in datapackage.json.")
      page.raw("</p>\n")
    }
  }

  private static func redactions(_ manifest: ExportManifest, _ page: inout Page) {
    if manifest.redactions.isEmpty { return }
    page.raw(
      "<h2>What was masked</h2>\n<table><thead><tr><th>Source</th><th>Where</th><th>Why</th><th>How often</th></tr></thead><tbody>\n")
    for redaction in manifest.redactions.prefix(shown) {
      page.row([redaction.source, redaction.path, redaction.reason.sentence, String(redaction.count)])
    }
    page.raw("</tbody></table>\n")
  }
}

/// HTML under construction: markup is written in code, everything else goes through `text`, which escapes it.
private struct Page {
  private(set) var bytes: [UInt8] = []

  mutating func raw(_ markup: StaticString) {
    markup.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  mutating func text(_ text: String) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
      case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
      case UInt8(ascii: "'"): bytes.append(contentsOf: "&#39;".utf8)
      default: bytes.append(byte)
      }
    }
  }

  mutating func row(_ cells: [String]) {
    raw("<tr>")
    for cell in cells {
      raw("<td dir=\"auto\">")
      text(cell)
      raw("</td>")
    }
    raw("</tr>\n")
  }
}
