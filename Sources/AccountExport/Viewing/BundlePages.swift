/// The pages of a bundle that people open. An export without them has one plain page.
///
/// What makes them is a room of its own (`BundleView`): who embeds the core alone links nothing of it.
public struct BundlePages: Sendable {
  package let limits: KeptLimits
  package let maker: any PageMaker

  package init(limits: KeptLimits, maker: any PageMaker) { (self.limits, self.maker) = (limits, maker) }
}

/// Makes pages from what was kept of an export.
package protocol PageMaker: Sendable {
  /// Makes all pages, `index.html` among them, in an order of their own that is always the same.
  /// - Parameter pack: Packs a page beside `data/`.
  nonisolated(nonsending) func write(
    _ bundle: PagedBundle, pack: nonisolated(nonsending) (_ path: String, _ page: [UInt8]) async throws -> Void
  ) async throws
}

/// How much of the account is kept for the pages.
package struct KeptLimits: Sendable, Hashable {
  /// Rows of each collection.
  package var rows: Int
  /// Bytes of one collection's rows, and of all rows and values of a source.
  package var collectionBytes = 16 << 20, sourceBytes = 64 << 20
  /// Bytes of a file of one JSON value.
  package var valueBytes = 1 << 20

  package init(rows: Int) { self.rows = rows }
}
