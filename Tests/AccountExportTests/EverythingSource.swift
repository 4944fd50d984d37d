import AccountExport
import Files
import TestSupport

/// A source of collections that end well and badly, of values, and of large values.
struct EverythingSource: ExportSource {
  let name = "records/Everything"
  let kind = "test"
  var isEmpty = false

  func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
    try await things(&writer)
    if isEmpty { return }
    try await failing(&writer)
    try await lookups(&writer)
    try await values(&writer)
    writer.omit("things_index", .derived)
    writer.set(schema: .declared)
    writer.markSnapshot()
  }

  private func things(_ writer: inout EntryWriter) async throws {
    var description = CollectionDescription(
      "things", columns: ["id", "kind", "passwordHash", "setting_key", "setting_value", "body", "$price"].map { .init($0) })
    description.primaryKey = ["id"]
    description.foreignKeys = [.init(columns: ["kind"], collection: "kinds", referenced: ["id"], isSatisfied: true)]
    let count = isEmpty ? 0 : 40
    try await writer.collection(description) { records in
      for number in 0..<count {
        try records.row { row in
          row.integer(Int64(number))
          row.integer(Int64(number % 3))
          if number % 4 == 0 { row.null() } else { row.text("x\(number)") }
          row.text(number % 5 == 0 ? "session_token" : "colour")
          row.text("blue")
          try [UInt8](repeating: UInt8(number), count: number * 300).withUnsafeBytes { try row.bytes($0) }
          row.real(Double(number) / 4)
        }
      }
    }
  }

  private func failing(_ writer: inout EntryWriter) async throws {
    let outcome = try await writer.collection(CollectionDescription("Broken: half", columns: [.init("token"), .init("data")])) { records in
      for number in 0..<10 {
        try records.row { row in
          row.text("secret \(number)")
          try [UInt8](repeating: 1, count: 5000).withUnsafeBytes { try row.bytes($0) }
          if number == 5 { throw Planned("the sixth row can't be read") }
        }
      }
    }
    if outcome.rows != 5 { throw Planned("a failed collection kept \(outcome.rows) rows") }
  }

  private func lookups(_ writer: inout EntryWriter) async throws {
    var description = CollectionDescription("kinds", columns: [.init("id"), .init("name")])
    (description.primaryKey, description.isLookup) = (["id"], true)
    try await writer.collection(description) { records in
      for (number, name) in ["one", "two", "three"].enumerated() {
        try records.row { row in
          row.integer(Int64(number))
          row.text(name)
        }
      }
    }
  }

  private func values(_ writer: inout EntryWriter) async throws {
    try await writer.value("settings") { value in
      try value.beginObject()
      value.key("apiKey")
      value.text("abc")
      value.key("picture")
      try [UInt8](repeating: 9, count: 9000).withUnsafeBytes { try value.bytes($0) }
      value.endObject()
    }
    try await writer.value("Settings") { $0.null() }
    let isWritten = try await writer.value("unreadable") { value in
      try value.beginArray()
      throw Planned("this value can't be read")
    }
    if isWritten { throw Planned("a value that failed was written") }
  }
}

/// A source of documents of every kind, some of which can't be read.
struct EverythingDocuments: ExportSource {
  let name = "documents/Everything"
  let kind = "documents"
  var isEmpty = false

  func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
    if isEmpty { return }
    try await documents(&writer)
    writer.omit(path: PathBytes([0x66, 0xFF]), .unreadable, bytes: 7, detail: "only for the report")
  }

  private func documents(_ writer: inout EntryWriter) async throws {
    for (number, size) in [0, 5, 40, 2_000_000].enumerated() {
      var description = DocumentDescription(path: PathBytes("folder \(number)/file"), kind: .file)
      (description.size, description.modified) = (UInt64(size), Timestamp(seconds: 1_700_000_000, nanoseconds: 5))
      try await writer.document(description) { content in
        let piece = [UInt8](repeating: 0x61, count: max(1, size / 2))
        for _ in 0..<2 where size > 0 { try await piece.withContiguousBytes { try await content.write($0) } }
      }
    }
    var folder = DocumentDescription(path: "empty", kind: .folder)
    folder.isEmptyFolder = true
    try await writer.document(folder)
    var link = DocumentDescription(path: PathBytes([0xFE, 0x2F, 0x61]), kind: .link)
    link.target = "../elsewhere"
    try await writer.document(link)
    var lost = DocumentDescription(path: "lost", kind: .file)
    lost.size = 12
    try await writer.document(lost) { _ in throw Planned("this document can't be read") }
  }
}

extension [UInt8] {
  /// The array's bytes, for a body that awaits: they lie in memory of their own meanwhile.
  func withContiguousBytes<Result>(
    _ body: nonisolated(nonsending) (UnsafeRawBufferPointer) async throws -> Result
  ) async throws -> Result {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { copy.deallocate() }
    copy.copyBytes(from: self)
    return try await body(UnsafeRawBufferPointer(copy))
  }
}

extension String {
  func withContiguousBytes<Result>(
    _ body: nonisolated(nonsending) (UnsafeRawBufferPointer) async throws -> Result
  ) async throws -> Result {
    try await Array(utf8).withContiguousBytes(body)
  }
}
