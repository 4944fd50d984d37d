internal import CFiles

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension FileDescriptor {
  /// Calls `body` with each name in this folder but `.` and `..`, in the order in which the folder keeps them. The name ends with a NUL at
  /// `name[length]` and is valid only during the call; `kind` is nil where the folder doesn't tell (ask `status(of:)` then) and a hint
  /// where it does: the name may mean something else by now.
  public borrowing func forEachEntry(
    _ body: (_ name: UnsafePointer<CChar>, _ length: Int, _ kind: FileStatus.Kind?) throws(FileError) -> Void
  ) throws(FileError) {
    var listing: OpaquePointer?
    let code = cfiles_listing_open(raw, &listing)
    if code != 0 { throw FileError("list", path, code: code) }
    defer { cfiles_listing_close(listing) }
    var entry = cfiles_entry()
    while true {
      let found = cfiles_listing_next(listing, &entry)
      if found < 0 { throw FileError("list", path, code: -found) }
      if found == 0 { return }
      try body(entry.name, Int(entry.length), FileStatus.Kind(hint: entry.kind))
    }
  }
}

/// The names in a folder, sorted by their bytes, all in one buffer: 9 bytes beside each name's own, however many there are.
public struct FolderListing: ~Copyable {
  /// How many names there are.
  public private(set) var count = 0
  private var names = Growing<CChar>()
  /// A name each: where it begins in `names` (48 bits), its length (12 bits; no system has names beyond 1,023 bytes), its kind (4 bits).
  private var entries = Growing<UInt64>()

  /// Reads a folder from its beginning to its end.
  public init(of folder: borrowing FileDescriptor) throws(FileError) {
    var names = Growing<CChar>()
    var entries = Growing<UInt64>()
    try folder.forEachEntry { (name, length, kind) throws(FileError) in
      let place = UInt64(names.count) << 16 | UInt64(length) << 4 | UInt64(kind.hint)
      guard length < 1 << 12, names.append(name, count: length + 1), withUnsafePointer(to: place, { entries.append($0, count: 1) }) else {
        throw FileError("list", folder.path, code: ENOMEM)
      }
    }
    names.trim()
    entries.trim()
    count = entries.count
    if let base = names.base {
      // `strcmp` compares bytes, not characters, whatever the locale; the NUL puts a name before those that it begins.
      var sorted = entries.elements
      sorted.sort { strcmp(base + Int($0 >> 16), base + Int($1 >> 16)) < 0 }
    }
    self.names = names
    self.entries = entries
  }

  private static func length(_ entry: UInt64) -> Int { Int(entry >> 4 & 0xFFF) }

  /// What the folder says the name at `index` is; nil where it doesn't tell. A hint: ask the system before relying on it.
  public func kind(at index: Int) -> FileStatus.Kind? {
    FileStatus.Kind(hint: UInt8(entries.elements[index] & 0xF))
  }

  /// The name at `index`.
  public func name(at index: Int) -> PathBytes {
    withName(at: index) { PathBytes(UnsafeRawBufferPointer(start: $0, count: $1)) }
  }

  /// Calls `body` with the name at `index`, which ends with a NUL at `name[length]`.
  public func withName<Result: ~Copyable, Failure: Error>(
    at index: Int, _ body: (_ name: UnsafePointer<CChar>, _ length: Int) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let entry = entries.elements[index]
    return try body(UnsafePointer(names.base! + Int(entry >> 16)), Self.length(entry))
  }
}

/// Elements that grow in place: `realloc` moves pages of large blocks instead of copying them, so the peak is not twice the size.
private struct Growing<Element: BitwiseCopyable>: ~Copyable {
  private(set) var base: UnsafeMutablePointer<Element>?
  private(set) var count = 0
  private var capacity = 0

  deinit { free(base) }

  var elements: UnsafeMutableBufferPointer<Element> { UnsafeMutableBufferPointer(start: base, count: count) }

  /// Whether there was memory for them.
  mutating func append(_ added: UnsafePointer<Element>, count more: Int) -> Bool {
    if count + more > capacity, !resize(to: max(count + more, capacity * 2, 64)) { return false }
    (base! + count).update(from: added, count: more)
    count += more
    return true
  }

  /// Gives back what was reserved and not used.
  mutating func trim() {
    if count < capacity && count > 0 { _ = resize(to: count) }
  }

  private mutating func resize(to capacity: Int) -> Bool {
    guard let moved = realloc(base, capacity * MemoryLayout<Element>.stride) else { return false }
    base = moved.assumingMemoryBound(to: Element.self)
    self.capacity = capacity
    return true
  }
}

extension FileStatus.Kind {
  init?(hint: UInt8) {
    switch hint {
    case 1: self = .file
    case 2: self = .folder
    case 3: self = .link
    case 4: self = .special
    default: return nil
    }
  }
}

extension FileStatus.Kind? {
  fileprivate var hint: UInt8 {
    switch self {
    case .file: 1
    case .folder: 2
    case .link: 3
    case .special: 4
    case nil: 0
    }
  }
}
