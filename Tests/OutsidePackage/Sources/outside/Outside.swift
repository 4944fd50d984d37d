import AccountExport
import DocumentsSource
import Glibc
import PreferencesSource

/// Exports the preferences and documents of an app's folder, and reads the bundle back: `outside FOLDER BUNDLE`.
@main
struct Outside {
  struct Failure: Error { let message: String }

  static func main() async throws {
    guard CommandLine.arguments.count == 3 else { throw Failure(message: "usage: outside FOLDER BUNDLE") }
    let (folder, bundle) = (CommandLine.arguments[1], CommandLine.arguments[2])
    let exporter = AccountExporter(sources: [
      PreferencesSource(files: [PathBytes(folder + "/Library/Preferences")]),
      DocumentsSource(PathBytes(folder + "/Documents")),
    ])
    var request = ExportRequest()
    request.subject = DataSubject(id: "42", name: "Mira Okafor")
    let receipt = try await exporter.export(request, to: PathBytes(bundle))
    print("\(receipt.outcome.rawValue): \(receipt.manifest.sources.map(\.name).joined(separator: ", "))")

    let report = try verify(bundle)
    print(report.isIntact ? "intact" : report.problems.joined(separator: "\n"))
    print(report.digest == receipt.digest ? "the digest is the receipt's" : "another digest")
  }

  private static func verify(_ bundle: String) throws -> VerificationReport {
    guard let file = fopen(bundle, "r") else { throw Failure(message: "the bundle can't be opened") }
    defer { fclose(file) }
    var verifier = try BundleVerifier()
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { return try verifier.finish() }
      buffer.withUnsafeBytes { verifier.feed(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }
}
