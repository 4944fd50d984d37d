import AccountExport
import Files
import Foundation
import TestSupport
import Testing

@testable import BundleView

@Suite("Data that means ill")
struct HostileTests {
  static let payloads = [
    "<script>canary()</script>", "\"><img src=x onerror=canary()>", "' onmouseover='canary()", "</script><script>canary()</script>", "<!--",
    "-->", "]]>",
    "javascript:canary()", "&lt;script&gt;", "</td></tr></table><h1>", "\u{0}\u{1}\u{1F}\u{7F}\u{85}", "\u{202E}\u{2066}\u{FEFF}",
    "</title>", "</style>",
    "{{constructor}}", "\u{FFFE}\u{1FFFF}", "\\u003cscript>", "https://x.example/\"onclick=canary()",
    "data:text/html,<script>canary()</script>", "$redacted",
    "{\"$file\":\"x.html\"}", String(repeating: "wordwithoutend", count: 2000), String(repeating: "<", count: 20_000), "..", "CON",
    "x.html", "x.svg", "\u{1F469}\u{200D}",
  ]

  /// A source with a payload in every name and value that there is.
  private static func source(_ payload: String) -> PushingSource {
    PushingSource(name: "records/" + payload.prefix(20).replacing("/", with: "_")) { writer in
      let short = String(payload.prefix(200))
      var description = CollectionDescription(
        short, columns: [.init("id", isKey: true), .init(short), .init("name"), .init("x" + short, isKey: true)])
      description.primaryKey = ["id"]
      description.foreignKeys = [.init(columns: ["x" + short], collection: short, referenced: ["id"], isSatisfied: false)]
      try await writer.collection(description) { records in
        for number in 0..<2 {
          try records.row { row in
            row.text(payload + String(number))
            try row.nested { try nest(payload, &$0) }
            row.text(payload)
            row.text(payload + "1")
          }
        }
      }
      try await writer.value(short) { value in
        try value.beginObject()
        value.key(payload)
        try value.beginArray()
        value.text(payload)
        value.endArray()
        value.endObject()
      }
    }
  }

  private static func nest(_ payload: String, _ value: inout NestedWriter) throws {
    let bytes = Array(payload.utf8)
    try value.beginObject()
    bytes.withUnsafeBufferPointer { value.key($0) }
    try value.beginArray()
    try bytes.withUnsafeBufferPointer { try value.text($0) }
    bytes.withUnsafeBufferPointer { value.missing($0) }
    value.endArray()
    value.endObject()
  }

  @Test("nothing of it becomes markup, in whatever place it stands", arguments: payloads)
  func payload(payload: String) async throws {
    var request = ExportRequest.fixed
    request.subject = DataSubject(id: payload, name: payload, email: payload)
    request.app.name = payload
    request.environment = payload
    request.requestID = payload
    request.information.contact = .init(name: payload, email: payload, website: payload)
    request.information.rights = [.init(name: payload, how: payload)]
    request.information.recipients = [.init(name: payload, purpose: payload)]
    var documents = PushingSource(name: "documents/Documents") { writer in
      for name in [payload.prefix(100).replacing("/", with: "_") + ".txt", "a.html", "b.svg", "c"] {
        let path = PathBytes(name.replacing("\u{0}", with: "_"))
        var description = DocumentDescription(path: path, kind: .file)
        description.size = 4
        try await writer.document(description) { content in
          let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 1)
          defer { bytes.deallocate() }
          bytes.copyBytes(from: "text".utf8)
          try await content.write(UnsafeRawBufferPointer(bytes))
        }
      }
    }
    documents.name = "documents/Documents"
    let view = try await ViewedBundle([Self.source(payload), documents], request: request)
    let ours = [ViewAsset.script, .searchScript, .pickScript].map { String(decoding: $0.bytes, as: UTF8.self) }
    for (path, page) in try view.pages {
      // Scripts and style are ours alone, byte for byte.
      let scripts = page.matches(of: /<script>([\s\S]*?)<\/script>/).map { String($0.1) }
      #expect(scripts.count == 1 && ours.contains(scripts[0]), "\(path)")
      #expect(page.matches(of: /<script/).count == 2, "\(path)")
      let text = PageText(PageText.withoutAssets(page))
      #expect(text.problems.isEmpty, "\(path): \(text.problems.prefix(3))")
      for tag in text.tags {
        let target = tag.attributes["href"] ?? tag.attributes["src"] ?? ""
        #expect(target.wholeMatch(of: /(https?:\/\/|mailto:|#|\.\.\/|index|view\/|[0-9]+\.html|data\/)?.*/) != nil)
        #expect(!target.lowercased().hasPrefix("javascript:") && !target.lowercased().hasPrefix("data:"), "\(path): \(target.prefix(60))")
        #expect(target.wholeMatch(of: /.*data\/documents\/.*\.(html|svg)/) == nil, "\(path): \(target)")
      }
      let data = try #require(page.firstMatch(of: /id="view-data">([\s\S]*?)<\/script>/)?.1)
      #expect(try JSONSerialization.jsonObject(with: Data(data.utf8)) is [String: Any])
    }
  }

  @Test("values are shown to a bound of depth, entries and length")
  func bounds() async throws {
    let source = PushingSource { writer in
      try await writer.collection(CollectionDescription("nested", columns: [.init("deep"), .init("wide"), .init("long")])) { records in
        try records.row { row in
          try row.nested { value in
            for _ in 0..<200 { try value.beginArray() }
            value.integer(1)
            for _ in 0..<200 { value.endArray() }
          }
          try row.nested { value in
            try value.beginArray()
            for number in 0..<9000 { value.integer(Int64(number)) }
            value.endArray()
          }
          row.text(String(repeating: "é", count: 12_000))
        }
      }
    }
    let view = try await ViewedBundle([source])
    let page = try view.page("view/1-1/1.html")
    #expect(PageText(page).problems.isEmpty)
    #expect(page.matches(of: /<li>/).count < TreeHTML.maximumEntries + 100)
    #expect(page.matches(of: /<details>/).count < TreeHTML.maximumDepth + 10)
    #expect(page.contains("<summary>9,000 entries</summary>"))
    #expect(page.contains("Show all 12,000 letters"))
    #expect(page.contains("Cut here. All 12,000 letters are in <code>data/records/Test/nested.json</code>."))
    #expect(page.contains(String(repeating: "é", count: 10_000) + "<p"))
  }
}
