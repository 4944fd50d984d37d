#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Bytes that libarchive has put out and nobody has taken yet: one run in one block of memory, which is used again.
///
/// The block comes from `realloc`, so that a large one grows in place, page by page, and never lies in memory twice.
struct PendingBytes: ~Copyable {
  private(set) var count = 0
  private var capacity = 0
  private var base: UnsafeMutableRawPointer?

  /// A block larger than this is given back once it is empty: only a central directory needs one.
  private static let kept = 4 << 20

  /// Who takes the bytes whenever there are this many, instead of letting them add up; says whether it could.
  var taker: ((UnsafeRawBufferPointer) -> Bool)?
  private static let taken = 1 << 20

  deinit { free(base) }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// Adds bytes; false when there is no memory for them.
  mutating func append(_ more: UnsafeRawBufferPointer) -> Bool {
    guard let source = more.baseAddress, more.count > 0 else { return true }
    guard reserve(more.count), let base else { return false }
    memcpy(base + count, source, more.count)
    count += more.count
    guard let taker, count >= Self.taken else { return true }
    defer { removeAll() }
    return taker(bytes)
  }

  private mutating func reserve(_ more: Int) -> Bool {
    let (needed, overflow) = count.addingReportingOverflow(more)
    guard !overflow, needed <= Int.max / 2 else { return false }
    guard needed > capacity else { return true }
    let wanted = max(needed, capacity + capacity / 2, 64 << 10)
    guard let grown = realloc(base, wanted) else { return false }
    base = grown
    capacity = wanted
    return true
  }

  /// Forgets the bytes.
  mutating func removeAll() {
    count = 0
    guard capacity > Self.kept else { return }
    free(base)
    base = nil
    capacity = 0
  }
}
