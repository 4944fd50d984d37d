import AccountExport

/// Answers people's requests for their data.
struct ExportEndpoint: Sendable {
  let sources: @Sendable (DataSubject) -> [any ExportSource]

  func bundle(for subject: DataSubject, requestID: String) -> ExportByteStream {
    var request = ExportRequest()
    request.subject = subject
    request.requestID = requestID
    request.law = "GDPR"
    request.app = AppInformation(name: "Shop", version: "4.2.1")
    let exporter = AccountExporter(sources: sources(subject))
    return exporter.stream(request) { receipt in
      print("\(requestID): \(receipt.outcome.rawValue), \(receipt.bytes) bytes, SHA-256 \(receipt.digest)")
    }
  }
}

/// What a response's body is written to, whatever the framework calls it.
protocol ResponseWriter {
  mutating func write(_ bytes: [UInt8]) async throws
}

/// Sends a bundle. An error is thrown on: the connection must break then, so that nobody takes a part for the whole.
func send(_ bundle: ExportByteStream, to writer: inout some ResponseWriter) async throws {
  for try await chunk in bundle { try await writer.write(chunk) }
}
