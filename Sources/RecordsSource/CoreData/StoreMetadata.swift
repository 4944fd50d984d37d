import AccountExport
import PropertyListWriting
import PropertyLists
import SQLiteReading

/// What a store says of itself: the property list in `Z_METADATA`.
struct StoreMetadata {
  let table: SQLiteTable

  /// Writes `metadata.json`; false where the table holds something else, or more, and must be written as it is.
  func export(_ store: OpenStore, into writer: inout EntryWriter) async throws -> Bool {
    let value: SingleValue
    let list: PropertyList
    do {
      value = try SingleValue("Z_PLIST", in: table, of: store)
      guard let bytes = value.bytes else { return false }
      list = try PropertyList(bytes)
    } catch is PropertyListError {
      return false
    } catch is SQLiteError {
      return false  // the plain table meets the same error, and names it
    }
    let isWritten = try await writer.value("metadata", original: table.name.exported) { writer in
      try ListValues.lend(&writer) { try list.visit(&$0) }
    }
    return isWritten && !value.isFirstOfMany
  }
}
