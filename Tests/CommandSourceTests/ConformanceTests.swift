import AccountExport
import CommandSource
import Files
import Foundation
import TestSupport
import Testing

/// What every source must hold to, on the sample programs.
@Suite struct ConformanceTests {
  private static let folder = PathBytes(
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Samples/commands").path)

  private static func sample(_ program: String, _ output: CommandSource.Output = .records, _ arguments: [PathBytes] = []) -> CommandSource {
    var source = CommandSource([PathBytes("./" + program)] + arguments, named: "Sample", writing: output)
    source.folder = folder
    return source
  }

  private static var request: ExportRequest {
    var request = ExportRequest.fixed
    request.subject = DataSubject(id: "42", name: "Mira Okafor")
    return request
  }

  @Test func records() async throws {
    let empty = CommandSource(["printf", #"{"protocol":1}\n{"end":true}\n"#], named: "Empty")
    let bundle = try await checkExportSource(request: Self.request, empty: { empty }) { Self.sample("logins.sh") }
    #expect(
      try bundle.text("data/records/Sample/logins.json")
        == #"[\#n{"at":"2026-11-01T08:00:00Z","address":"192.0.2.7"},\#n{"at":"2026-11-02T08:15:00Z","address":"192.0.2.7"}\#n]\#n"#)
  }

  @Test func recordsOfPython() async throws {
    let bundle = try await checkExportSource(outcome: .partial, request: Self.request) { Self.sample("purchases.py") }
    let rows = try bundle.rows("data/records/Sample/purchases.json")
    #expect(rows.map { $0["item"] as? String } == ["Lamp", "Chair"])
    #expect((rows[0]["receipt"] as? [String: String]) == ["$base64": "JVBERi0xLjQg//4="])
  }

  @Test func documents() async throws {
    let bundle = try await checkExportSource(request: Self.request) { Self.sample("letters.py", .documents) }
    #expect(try bundle.text("data/documents/Sample/2026/welcome.txt") == "Dear Mira Okafor,\nwelcome.\n")
  }

  @Test func documentsOfAFolder() async throws {
    let account = PathBytes(Self.folder.bytes + Array("/../container/Documents".utf8))
    let bundle = try await checkExportSource(
      request: Self.request, empty: { CommandSource(["head", "-c", "10240", "/dev/zero"], named: "Empty", writing: .documents) }
    ) {
      Self.sample("pictures.sh", .documents, [account])
    }
    #expect(try bundle.files(under: "data/documents/Sample/").count > 5)
  }
}
