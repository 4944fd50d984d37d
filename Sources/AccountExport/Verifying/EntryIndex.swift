internal import Checksums

/// What was found of each file of a bundle: its hash and size, about 100 bytes and the path each.
struct EntryIndex: Sendable {
  struct Found: Sendable {
    var digest: SHA256Digest
    var size: UInt64
    var isListed = false
    var isDescribed = false
  }

  private var places: [UInt64: Int32] = [:]
  private(set) var found: [Found] = []
  private var names: [UInt8] = []
  private var nameEnds: [Int] = []
  /// The hash is seeded anew in each process, so that no one can make two paths of a bundle meet.
  private var seed = Hasher()

  init() { seed.combine(0) }

  /// Takes a file; false where its path is known already.
  mutating func add(_ path: UnsafeRawBufferPointer, _ digest: SHA256Digest, size: UInt64) -> Bool {
    let key = key(path)
    if places[key] != nil { return false }
    places[key] = Int32(found.count)
    found.append(Found(digest: digest, size: size))
    names.append(contentsOf: path)
    nameEnds.append(names.count)
    return true
  }

  private func key(_ path: UnsafeRawBufferPointer) -> UInt64 {
    var hasher = seed
    hasher.combine(bytes: path)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  /// The place of a path; nil where no such file is inside.
  func place(of path: UnsafeRawBufferPointer) -> Int? { places[key(path)].map(Int.init) }

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

  mutating func markListed(_ place: Int) -> Bool {
    let was = found[place].isListed
    found[place].isListed = true
    return !was
  }

  mutating func markDescribed(_ place: Int) { found[place].isDescribed = true }

  var count: Int { found.count }
}
