import AccountExport
import NamedFiles

/// A way to read a store's tables as records. Which one fits is told by what the store holds, not by its name.
protocol StoreDecoder {
  /// Pushes all that the store holds.
  func export(_ store: OpenStore, into writer: inout EntryWriter) async throws

  /// Says what the store holds.
  func plan(_ store: OpenStore) throws -> SourcePlan
}

/// The formats of stores.
enum StoreFormat {
  /// The decoder for a store. Every store is a set of plain tables, at least.
  static func decoder(for store: OpenStore, _ files: FileColumns) throws(ExportError) -> any StoreDecoder {
    guard let decoder = CoreDataTables(store) else { return PlainTables(files: files) }
    if let file = files.columns.first {
      throw ExportError(
        .configuration, "\(store.path.display) is a Core Data store, of which no column can name files: \(file.column)",
        hint: "export the folder of files with --documents")
    }
    return decoder
  }
}
