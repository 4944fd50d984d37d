public import AccountExport

/// A source whose collections are sequences of `Encodable` values: a model query, a decoded row stream, an array.
///
/// ```swift
/// let shop = AsyncRecords(named: "shop") { shop, subject in
///   try await shop.collection("orders", of: Order.query(on: db).filter(\.$customer == subject.id).all())
/// }
/// ```
///
/// The closure runs once an export, and pushes as many collections as it likes with
/// `EntryWriter.collection(_:of:)`. An actor or a class of a global actor that has state of its
/// own conforms to `ExportSource` instead, and calls the same.
public struct AsyncRecords: ExportSource {
  /// `records/` and the source's name.
  public let name: String
  /// `records`
  public var kind: String { "records" }

  private let push: @Sendable (inout EntryWriter, DataSubject) async throws -> Void

  /// A source.
  /// - Parameters:
  ///   - name: What it is called in the bundle: its collections lie in `records/<name>/`.
  ///   - push: Pushes what there is of the subject. What it throws makes the source a failed one; what it has pushed by then stays.
  public init(named name: String, _ push: @escaping @Sendable (inout EntryWriter, DataSubject) async throws -> Void) {
    self.name = "records/" + name
    self.push = push
  }

  /// Pushes everything into the writer.
  public func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
    try await push(&writer, subject)
  }
}
