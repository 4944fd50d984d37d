import AccountExport
import Files

/// An error that a test throws.
public struct Planned: Error, Equatable, CustomStringConvertible {
  /// What it says.
  public let description: String

  /// An error with a text.
  public init(_ description: String) { self.description = description }
}

/// A source of a few known rows, to stand beside one that is checked.
public struct NeighbourSource: ExportSource {
  /// Its folder.
  public let name: String
  /// Its kind.
  public let kind = "test"
  /// What its one collection looks like in the bundle.
  public static let rows = "[\n{\"n\":0},\n{\"n\":1},\n{\"n\":2}\n]\n"

  /// A neighbour.
  public init(_ name: String) { self.name = name }

  /// Pushes three rows.
  public func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
    try await writer.collection(CollectionDescription("numbers", columns: [.init("n")])) { records in
      for number in 0..<3 { try records.row { $0.integer(Int64(number)) } }
    }
  }
}

/// A source that throws before or after another has pushed what it holds.
struct ThrowingSource: ExportSource {
  let inner: any ExportSource
  let isAfter: Bool

  var name: String { inner.name }
  var kind: String { inner.kind }

  func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
    if isAfter { try await inner.export(for: subject, into: &writer) }
    throw Planned("as planned")
  }
}

extension ExportRequest {
  /// A request with a fixed time, so that bundles can be compared.
  public static var fixed: ExportRequest {
    var request = ExportRequest()
    request.fixedTime = Timestamp(seconds: 1_796_033_700)
    request.requestID = "request-1"
    request.subject = DataSubject(id: "person-1")
    return request
  }
}
