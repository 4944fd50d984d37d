import TestSupport
import Testing

@testable import AccountExport

@Suite("Collections as CSV")
struct CSVCollectionTests {
  private struct Broken: Error {}

  private var request: ExportRequest {
    var request = ExportRequest.fixed
    request.csv = true
    return request
  }

  private static let header = "\u{FEFF}"

  @Test("every collection has a CSV, lookups too, and none without being asked")
  func collections() async throws {
    for isAsked in [true, false] {
      var request = request
      request.csv = isAsked
      let staged = try await Staged(request: request) { writer in
        for isLookup in [false, true] {
          var description = CollectionDescription("note", columns: [.init("id"), .init("password")])
          description.isLookup = isLookup
          try await writer.collection(description) {
            try $0.row {
              $0.integer(7)
              $0.text("hunter2")
            }
          }
        }
      }
      let expected = ["note.json", "note.csv", "lookups/note.json", "lookups/note.csv"].filter { isAsked || $0.hasSuffix(".json") }
      #expect(staged.entries.map(\.draft.path) == expected.map { "records/Test/" + $0 })
      if isAsked { #expect(try staged.entry("note.csv").text == Self.header + "\"id\",\"password\"\r\n7,\"[secret]\"\r\n") }
    }
  }

  @Test("one that fails midway has the rows that its JSON has")
  func failing() async throws {
    let staged = try await Staged(request: request) { writer in
      try await writer.collection(CollectionDescription("note", columns: [.init("a"), .init("b")])) { records in
        for number in 0..<3 {
          try records.row { row in
            row.integer(Int64(number))
            if number == 2 { throw Broken() }
            row.text("=x")
          }
        }
      }
    }
    #expect(try staged.entry("note.csv").text == Self.header + "\"a\",\"b\"\r\n0,\"'=x\"\r\n1,\"'=x\"\r\n")
    guard case .csv(let draft) = try staged.entry("note.csv").draft.role else { throw Broken() }
    #expect(draft.rows == 2 && draft.types.map(\.description) == ["integer", "string"])
  }

  @Test("columns that are added late are empty in earlier rows, and one without columns has no CSV")
  func late() async throws {
    let staged = try await Staged(request: request) { writer in
      try await writer.collection(CollectionDescription("open", columns: [.init("a")])) { records in
        try records.row { $0.integer(1) }
        records.add(columns: [.init("b"), .init("c")])
        try records.row {
          $0.null()
          $0.boolean(true)
          $0.text("")
        }
      }
      try await writer.collection(CollectionDescription("bare", columns: [])) { _ in }
    }
    #expect(try staged.entry("open.csv").text == Self.header + "\"a\",\"b\",\"c\"\r\n1,,\r\n,true,\"\"\r\n")
    #expect(staged.entries.map(\.draft.path).filter { $0.contains("bare") } == ["records/Test/bare.json"])
  }

  @Test("its types hold for what stands there")
  func types() {
    let kinds: [ValueKinds] = [.integer, [.integer, .number], .text, .moment, .boolean, .object, .object, .array, [.integer, .text], []]
    let types = kinds.enumerated().map { $1.csvType(isMasked: $0 == 6).description }
    #expect(types == ["integer", "number", "string", "datetime", "boolean", "object", "string", "array", "any", "any"])
  }

  @Test("sources hold to all the rules with it: same bytes, cancellation, failing output")
  func conformance() async throws {
    let bundle = try await checkExportSource(outcome: .partial, request: request) { EverythingSource() }
    #expect(try bundle.files(under: "data/records/Everything").contains("data/records/Everything/things.csv"))
  }
}
