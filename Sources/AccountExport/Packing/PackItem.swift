internal import Checksums

/// What goes from a source to the packer, in order.
enum PackItem: Sendable {
  /// An entry whose content is complete.
  case entry(EntryDraft, EntryContent, SHA256Digest)
  /// A collection's large values, each an entry.
  case values(ValueBatch)
  /// A document that streams: its size is declared, chunks follow, then the hash of what was written.
  case open(EntryDraft)
  case chunk([UInt8])
  case close(SHA256Digest)
}

/// Where a complete entry's content waits.
enum EntryContent: Sendable {
  case bytes([UInt8])
  case spooled(SpoolSlice)

  var count: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .spooled(let slice): slice.length
    }
  }
}

/// An entry of the bundle before it is written.
struct EntryDraft: Sendable {
  /// The path below `data/`, with a slash at the end for an empty folder.
  var path: String
  /// The size of its content, declared before it.
  var size: UInt64
  /// A document's own time; nil is the export's.
  var modified: Int64?
  /// Whether it is compressed already, so that deflating it again is a waste.
  var isCompressed = false
  /// How the manifest describes it.
  var role: Role

  /// What an entry is to the manifest.
  enum Role: Sendable {
    /// A document: a row of `documents.json` describes it.
    case document
    /// A collection of records.
    case table(TableDraft)
    /// The same collection as CSV.
    case csv(CSVDraft)
    /// A large value of a record.
    case value
    /// Anything else, with a title where its name had to change.
    case file(mediaType: String, title: String?)
  }
}
