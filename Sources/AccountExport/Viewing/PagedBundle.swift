/// What the pages are made from: an export that is finished but for them.
package struct PagedBundle: Sendable {
  package let request: ExportRequest
  package let manifest: ExportManifest
  /// In the order of the bundle.
  package let sources: [PagedSource]
  /// 32 hexadecimal digits that nobody knows who hasn't the bundle: of the hash of all that lies below `data/`.
  package let key: String
  /// Files below `data/`, and their bytes.
  package let payloadFiles: Int, payloadBytes: UInt64
  /// Makes room for what can't be held in memory.
  package let makeScratch: @Sendable () -> PageScratch
}

/// One source, as the pages show it.
package struct PagedSource: Sendable {
  package let folder: String
  package let kind: String
  package let collections: [PagedCollection]
  package let values: [PagedValue]
  /// The rows of `documents.json`, a line each; nil where it has no documents.
  package let documents: KeptBytes?
}

/// One collection: all its rows counted, the first of them kept.
package struct PagedCollection: Sendable {
  package let description: CollectionDescription
  /// Where it lies below `data/`, and its length.
  package let path: String, bytes: Int
  /// Where it lies once more as CSV; nil where it doesn't.
  package let csv: String?
  package let rows: Int
  /// How many rows are kept, a line each.
  package let keptRows: Int
  package let content: KeptBytes
  package let kinds: [ValueKinds]
  /// How many rows each month has, by the column that says when; nil where none does.
  package let months: MonthCounts?
  /// The place of that column.
  package let dateColumn: Int?
}

/// One file of a JSON value: preferences and the like.
package struct PagedValue: Sendable {
  /// Its name in the account.
  package let title: String
  /// Where it lies below `data/`, and its length.
  package let path: String, bytes: Int
  /// The whole of it; nil where it is too large to be shown.
  package let content: KeptBytes?
}

/// Bytes that were kept, to be read where they wait.
package struct KeptBytes: Sendable {
  let slice: SpoolSlice

  package var count: Int { slice.length }

  /// Reads from a place, as much as fits; nothing only at the end.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
    let length = min(buffer.count, slice.length - offset)
    if length <= 0 { return 0 }
    let count = try slice.spool.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<length]), at: slice.offset + offset)
    if count == 0 { throw ExportError(.output, "the staging folder lost \(length) bytes of a spool") }
    return count
  }
}
