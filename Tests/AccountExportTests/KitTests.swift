import AccountExport
import Files
import TestSupport
import Testing

/// The conformance kit, on sources of every isolation and with every kind of entry.
@Suite struct KitTests {
  @Test func plainSource() async throws {
    let bundle = try await checkExportSource(outcome: .partial, empty: { EverythingSource(isEmpty: true) }) { EverythingSource() }
    #expect(try bundle.rows("data/records/Everything/things.json").count == 40)
  }

  @Test func documents() async throws {
    let bundle = try await checkExportSource(outcome: .partial, empty: { EverythingDocuments(isEmpty: true) }) { EverythingDocuments() }
    #expect(try bundle.rows("data/documents.json").count == 7)
  }

  /// What a source of documents may not do, and another may: each fails alone, and the bundle is sound.
  @Test(arguments: ["documents/Mixed", "records/Mixed"]) func documentsAndRecordsInOneSource(_ name: String) async throws {
    try await checkExportSource(outcome: .partial) { MixedSource(name: name) }
  }

  @Test func actorSource() async throws {
    let bundle = try await checkExportSource(empty: { ActorSource(titles: []) }) { ActorSource(titles: ["a", "b"]) }
    #expect(try bundle.text("data/records/Actor/titles.json") == "[\n{\"title\":\"a\"},\n{\"title\":\"b\"}\n]\n")
    #expect(try bundle.text("data/records/Actor/state.json") == "{\"visits\":1}\n")
  }

  @Test func mainActorSource() async throws {
    let bundle = try await checkExportSource(empty: { await MainActorSource(titles: []) }) { await MainActorSource(titles: ["a", "b"]) }
    #expect(try bundle.text("data/records/Main/titles.json") == "[\n{\"title\":\"a\"},\n{\"title\":\"b\"}\n]\n")
  }

  @Test func mainActorDocuments() async throws {
    let bundle = try await checkExportSource { await MainActorSource(titles: [], note: "hello") }
    #expect(try bundle.text("data/documents/Main/note") == "hello")
  }
}

/// A source that lives in an actor, and reads its state while it writes.
actor ActorSource: ExportSource {
  nonisolated let name = "records/Actor"
  nonisolated let kind = "test"
  private let titles: [String]
  private var visits: Int64 = 0

  init(titles: [String]) { self.titles = titles }

  func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
    visits = 1
    try await writer.collection(CollectionDescription("titles", columns: [.init("title")])) { records in
      for title in titles { try records.row { $0.text(title) } }
    }
    try await writer.value("state") { value in
      try value.beginObject()
      value.key("visits")
      value.integer(visits)
      value.endObject()
    }
  }
}

/// A source that lives on the main actor, as one that reads views' models would.
@MainActor
final class MainActorSource: ExportSource {
  nonisolated let name: String
  nonisolated let kind = "test"
  private let titles: [String]
  private var note: String?

  init(titles: [String], note: String? = nil) {
    name = note == nil ? "records/Main" : "documents/Main"
    (self.titles, self.note) = (titles, note)
  }

  @MainActor func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
    MainActor.assertIsolated()
    guard let note else { return try await exportTitles(into: &writer) }
    var description = DocumentDescription(path: "note", kind: .file)
    description.size = UInt64(note.utf8.count)
    try await writer.document(description) { content in
      MainActor.assertIsolated()
      try await note.withContiguousBytes { try await content.write($0) }
    }
  }

  private func exportTitles(into writer: inout EntryWriter) async throws {
    try await writer.collection(CollectionDescription("titles", columns: [.init("title")])) { records in
      MainActor.assertIsolated()
      for title in titles { try records.row { $0.text(title) } }
    }
  }
}

/// A source that pushes something that its folder may hold, then something that it may not.
private struct MixedSource: ExportSource {
  let name: String
  let kind = "test"

  func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
    let hasDocuments = name.hasPrefix("documents/")
    if hasDocuments { try await writer.document(DocumentDescription(path: "pipe", kind: .special)) }
    try await writer.value("settings") { $0.integer(1) }
    try await writer.document(DocumentDescription(path: "pipe", kind: .special))
  }
}
