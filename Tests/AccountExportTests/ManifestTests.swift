import Foundation
import TestSupport
import Testing

@testable import AccountExport

/// What the bundle says of itself, to the byte, for a small made-up account at a fixed time.
@Suite struct ManifestTests {
  private struct Notes: ExportSource {
    let name = "records/Notes"
    let kind = "sqlite"

    func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
      writer.set(schema: .declared)
      writer.markSnapshot()
      var folder = CollectionDescription("folder", columns: [.init("id", isKey: true), .init("name")])
      folder.primaryKey = ["id"]
      try await writer.collection(folder) {
        try $0.row {
          $0.integer(1); $0.text("Home")
        }
      }
      var note = CollectionDescription(
        "note?", columns: [.init("id", isKey: true), .init("folder_id", isKey: true), .init("pin_code"), .init("$x")])
      note.primaryKey = ["id"]
      note.foreignKeys = [
        .init(columns: ["folder_id"], collection: "folder", referenced: ["id"], isSatisfied: true),
        .init(columns: ["id"], collection: "gone", referenced: ["id"], isSatisfied: false),
      ]
      try await writer.collection(note) { records in
        for number in 0..<2 {
          try records.row { row in
            row.integer(Int64(number))
            row.integer(1)
            row.text("1234")
            if number == 0 { row.null() } else { try [UInt8](repeating: 0, count: 5000).withUnsafeBytes { try row.bytes($0) } }
          }
        }
      }
      try await writer.collection(CollectionDescription("empty", columns: [.init("a")])) { _ in }
      writer.omit("note_index", .derived)
    }
  }

  private static func bundle() async throws -> (CheckedBundle, ExportReceipt) {
    let folder = try TemporaryFolder()
    var request = ExportRequest.fixed
    request.app = AppInformation(name: "Notes", version: "3.1", bundleIdentifier: "com.example.notes")
    request.information.controller = .init(name: "Example GmbH", email: "privacy@example.com")
    request.information.contact = .init(email: "help@example.com")
    request.information.recipients = []
    var told = ProcessingInformation.CollectionInformation(collection: "records")
    told.purposes = ["to keep notes"]
    request.information.collections = [told]
    let receipt = try await AccountExporter(sources: [Notes()]).export(request, to: folder.path("data.zip"))
    return (try CheckedBundle(folder.path("data.zip")), receipt)
  }

  @Test func accountExportAndResources() async throws {
    let (bundle, receipt) = try await Self.bundle()
    #expect(bundle.top.lastPathComponent == "account-export-20261130T101500Z")
    let text = try bundle.text("datapackage.json")
    for line in Self.lines { #expect(text.contains(line), "no \(line)") }
    let object = try #require(text.split(separator: "\"accountExport\": ").last)
    #expect(String(object).hasPrefix(Self.accountExport), "\(object)")
    #expect(receipt.outcome == .complete && receipt.manifest.omissions.count == 1)
  }

  private static let lines = [
    #""name": "account-export-20261130t101500z","#, #""created": "2026-11-30T10:15:00Z","#,
    #"{"name":"records/notes/folder","path":"data/records/Notes/folder.json","type":"table","format":"json","encoding":"utf-8","#
      + #""schema":{"fields":[{"name":"id","type":"integer"},{"name":"name","type":"string"}],"missingValues":[],"primaryKey":["id"]},"#
      + #""mediatype":"application/json","#,
    #"{"name":"records/notes/note_","path":"data/records/Notes/note_.json","title":"note?","type":"table","format":"json","#
      + #""encoding":"utf-8","schema":{"fields":[{"name":"id","type":"integer"},{"name":"folder_id","type":"integer"},"#
      + #"{"name":"pin_code","type":"object"},{"name":"$$x","type":"object"}],"missingValues":[],"primaryKey":["id"],"#
      + #""foreignKeys":[{"fields":["folder_id"],"reference":{"resource":"records/notes/folder","fields":["id"]}}]},"#,
    #"{"name":"records/notes/empty","path":"data/records/Notes/empty.json","format":"JSON","schema":{"fields":[{"name":"a","type":"any"}],"missingValues":[]},"#,
    #"{"name":"value-0","path":"data/records/Notes/files/note_/1.bin","mediatype":"application/octet-stream","bytes":5000,"#,
  ]

  private static let accountExport =
    #"{"formatVersion":"1.0","outcome":"complete","subject":{"id":"person-1"},"requestID":"request-1","#
    + #""snapshot":{"started":"2026-11-30T10:15:00Z","finished":"2026-11-30T10:15:00Z"},"compression":"\#(CompressionLevel.fast.engine)","#
    + #""sources":[{"name":"records/Notes","kind":"sqlite","outcome":"complete","items":3,"#

  @Test func bagInformation() async throws {
    let (bundle, _) = try await Self.bundle()
    let lines = try bundle.text("bag-info.txt").split(separator: "\n").map(String.init)
    for line in [
      "Bagging-Date: 2026-11-30", "External-Identifier: request-1", "Source-Organization: Example GmbH", "Contact-Email: help@example.com",
    ] {
      #expect(lines.contains(line))
    }
  }

  @Test func metadataAndWhatWasNotProvided() async throws {
    let (bundle, receipt) = try await Self.bundle()
    let expected =
      #"{"formatVersion":"1.0","exportDate":"2026-11-30T10:15:00Z","tool":{"name":"account-export","version":"\#(AccountExporter.version)"},"#
      + #""language":"en","app":{"name":"Notes","version":"3.1","bundleIdentifier":"com.example.notes"},"environment":null,"#
      + #""subject":{"id":"person-1"},"request":{"id":"request-1","law":null,"received":null,"due":null,"extended":null},"#
      + #""information":{"controller":{"name":"Example GmbH","email":"privacy@example.com"},"contact":{"email":"help@example.com"},"#
      + #""dataProtectionOfficer":null,"collections":{"#
    #expect(try bundle.text("data/metadata.json").hasPrefix(expected))
    let told = receipt.manifest.notProvided
    for pointer in [
      "/environment", "/request/law", "/request/received", "/request/due", "/information/dataProtectionOfficer",
      "/information/collections/records~1Notes~1folder/legalBasis", "/information/transfers", "/information/soldOrShared",
    ] {
      #expect(told.contains(pointer), "\(pointer) is missing among \(told)")
    }
    #expect(!told.contains { $0.hasSuffix("/purposes") || $0.hasSuffix("/recipients") || $0.hasSuffix("/extended") })
    #expect(Set(told).count == told.count)
  }

  @Test func namesWithPointerCharacters() {
    var file = MetadataFile()
    var request = ExportRequest.fixed
    request.requestID = nil
    let bytes = file.write(request, exported: Timestamp(seconds: 0), collections: ["records/a~b", "c/\u{301}~\u{302}"])
    let told = file.notProvided
    #expect(told.contains("/information/collections/records~1a~0b"))
    #expect(told.contains { $0.utf8.elementsEqual("/information/collections/c~1\u{301}~0\u{302}".utf8) })
    #expect(told.contains("/request/id"))
    #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("}\n"))
  }

  @Test func identifierThatWouldBeginALine() async throws {
    let folder = try TemporaryFolder()
    var request = ExportRequest.fixed
    request.requestID = "one\nPayload-Oxum: 1.1\r\u{85}two"
    _ = try await AccountExporter(sources: [NeighbourSource("records/A")]).export(request, to: folder.path("data.zip"))
    let bundle = try CheckedBundle(folder.path("data.zip"))
    #expect(try bundle.text("bag-info.txt").contains("External-Identifier: one Payload-Oxum: 1.1  two\n"))
  }
}

@Suite struct RowFramerTests {
  @Test(arguments: [
    ([], "[]\n"), ([""], "[]\n"), (["{}\n"], "[\n{}\n]\n"), (["1\n2\n"], "[\n1,\n2\n]\n"), (["1\n", "2\n3\n"], "[\n1,\n2,\n3\n]\n"),
    (["", "1\n", "", "2\n", ""], "[\n1,\n2\n]\n"),
  ])
  func frames(_ lines: (given: [String], framed: String)) throws {
    let folder = try TemporaryFolder()
    let staging = try StagingFolder(in: folder.path)
    let out = Spool(staging: staging, memoryLimit: 10)
    var framer = RowFramer(out: out)
    for text in lines.given {
      let spool = Spool(staging: staging, memoryLimit: 0)
      try Array(text.utf8).withUnsafeBytes { try spool.append($0) }
      try framer.add(spool)
    }
    try framer.end()
    #expect(String(decoding: try out.whole.bytes(), as: UTF8.self) == lines.framed)
  }

  @Test func longerThanOneRead() throws {
    let folder = try TemporaryFolder()
    let staging = try StagingFolder(in: folder.path)
    let (out, spool) = (Spool(staging: staging, memoryLimit: 0), Spool(staging: staging, memoryLimit: 0))
    let lines = (0..<30_000).map { "{\"n\":\($0)}" }
    try Array((lines.joined(separator: "\n") + "\n").utf8).withUnsafeBytes { try spool.append($0) }
    var framer = RowFramer(out: out)
    try framer.add(spool)
    try framer.end()
    #expect(String(decoding: try out.whole.bytes(), as: UTF8.self) == "[\n" + lines.joined(separator: ",\n") + "\n]\n")
  }
}
