internal import Checksums

/// What was found of each file of a bundle: its hash and size, about 60 bytes and the path each.
struct EntryIndex: Sendable {
  /// 40 bytes, since there is one of each file: the marks stand in bits that no size needs.
  struct Found: Sendable {
    let digest: SHA256Digest
    private var bits: UInt64

    private static let listed: UInt64 = 1 << 63, described: UInt64 = 1 << 62

    fileprivate init(digest: SHA256Digest, size: UInt64) { (self.digest, bits) = (digest, size & ~(Self.listed | Self.described)) }

    var size: UInt64 { bits & ~(Self.listed | Self.described) }
    var isListed: Bool { bits & Self.listed != 0 }
    var isDescribed: Bool { bits & Self.described != 0 }
    fileprivate mutating func markListed() { bits |= Self.listed }
    fileprivate mutating func markDescribed() { bits |= Self.described }
  }

  /// Open addressing: places plus 1, by the hash of the path; 0 is free.
  private var slots = [UInt32](repeating: 0, count: 64)
  private(set) var found: [Found] = []
  private var names: [UInt8] = []
  private var nameEnds: [Int] = []
  /// The hash is seeded anew in each process, so that no one can prepare paths that collide.
  private var seed = Hasher()

  init() { seed.combine(0) }

  /// Takes a file; false where its path is known already.
  mutating func add(_ path: UnsafeRawBufferPointer, _ digest: SHA256Digest, size: UInt64) -> Bool {
    if 3 * (found.count + 1) > 2 * slots.count { grow() }
    let slot = slot(of: path)
    if slots[slot] != 0 { return false }
    found.append(Found(digest: digest, size: size))
    slots[slot] = UInt32(found.count)
    names.append(contentsOf: path)
    nameEnds.append(names.count)
    return true
  }

  /// The slot where a path is, or would be.
  private func slot(of path: UnsafeRawBufferPointer) -> Int {
    var hasher = seed
    hasher.combine(bytes: path)
    var slot = Int(UInt(bitPattern: hasher.finalize()) & UInt(slots.count - 1))
    while slots[slot] != 0, !withPath(at: Int(slots[slot]) - 1, { $0.equals(path) }) { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    for place in found.indices { slots[withPath(at: place) { slot(of: $0) }] = UInt32(place + 1) }
  }

  /// The place of a path; nil where no such file is inside.
  func place(of path: UnsafeRawBufferPointer) -> Int? {
    let place = Int(slots[slot(of: path)])
    return place == 0 ? nil : place - 1
  }

  /// The place of a path; nil where no such file is inside.
  func place(of path: String) -> Int? {
    Array(path.utf8).withBytes { place(of: $0) }
  }

  /// The path at a place.
  func path(at place: Int) -> String { withPath(at: place) { String(decoding: $0, as: UTF8.self) } }

  /// Calls `body` with the bytes of the path at a place.
  func withPath<Result, Failure: Error>(
    at place: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try names.withBytes { (bytes) throws(Failure) in
      try body(UnsafeRawBufferPointer(rebasing: bytes[(place == 0 ? 0 : nameEnds[place - 1])..<nameEnds[place]]))
    }
  }

  /// Whether the file at a place is one of the payload.
  func isPayload(at place: Int) -> Bool { withPath(at: place) { $0.starts(with: "data/".utf8) } }

  /// Marks a file as listed; false where it was.
  mutating func markListed(_ place: Int) -> Bool {
    defer { found[place].markListed() }
    return !found[place].isListed
  }

  mutating func markDescribed(_ place: Int) { found[place].markDescribed() }

  var count: Int { found.count }
}
