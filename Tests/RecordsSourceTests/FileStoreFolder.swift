import AccountExport
import Files
import Foundation
import Testing

@testable import RecordsSource

extension StoreFolder {
  /// Writes a file of records.
  @discardableResult
  func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> PathBytes {
    try Data(bytes).write(to: url.appendingPathComponent(name))
    return path(name)
  }

  /// Exports a file of records, in whatever format it is found to be.
  func exportFile(
    _ name: String, _ options: FileStoreOptions = FileStoreOptions(), limits: ExportLimits = ExportLimits()
  ) async throws -> ExportedStore {
    let source = try #require(try FileRecordsSource(recognising: path(name), options: options), "\(name) is no file store")
    var request = ExportRequest()
    request.fixedTime = Timestamp(seconds: 1_796_000_000)
    request.limits = limits
    let output = path("bundle-\(UInt64.random(in: 0 ... .max)).zip")
    let receipt = try await AccountExporter(sources: [source]).export(request, to: output)
    return try ExportedStore(output, receipt)
  }

  /// Exports a text of records, and gives the bundle.
  func export(text: String, as name: String, _ options: FileStoreOptions = FileStoreOptions()) async throws -> ExportedStore {
    try write(name, text.utf8)
    return try await exportFile(name, options)
  }
}
