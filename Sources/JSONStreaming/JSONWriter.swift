/// Appends JSON (RFC 8259, UTF-8, compact) to one growing buffer of bytes that it owns and reuses.
///
/// There is no tree of values and no allocation per value: what is written lands in the buffer at once, and the owner takes the bytes with
/// ``withBytes(_:)`` and empties the buffer with ``removeAll()`` as often as it likes, in the middle of a value too. Commas come by
/// themselves. A caller that frames rows itself (`[` newline, `{…},` newline, … `]`) writes the frame with ``raw(_:)-(StaticString)`` and
/// calls ``resetStructure()`` before each row: the row then starts fresh, without a comma.
///
/// Writing a value where none may stand (a value in an object without a key, an end that doesn't match its begin) is a fault of the
/// program and stops it.
///
/// `@unchecked Sendable`: the compiler can't see that the pointer is safe to hand over. It is: the struct can't be copied, never gives the
/// pointer away beyond a call, and is the only one that frees it, so whoever holds the writer holds the memory alone.
public struct JSONWriter: ~Copyable, @unchecked Sendable {
  /// How many bytes stand in the buffer.
  public internal(set) var count = 0
  /// How many bytes the buffer holds before it grows.
  public private(set) var capacity: Int

  /// A buffer that grew beyond this many bytes is given back by ``removeAll()``.
  public static let retainedCapacity = 1 << 20

  var storage: UnsafeMutablePointer<UInt8>
  var nesting = Nesting()
  var piece = Piece()
  private let firstCapacity: Int

  /// A writer with an empty buffer of `capacity` bytes, which grows as needed.
  public init(capacity: Int = 65536) {
    firstCapacity = max(capacity, 64)
    self.capacity = firstCapacity
    storage = .allocate(capacity: firstCapacity)
  }

  deinit {
    storage.deallocate()
  }

  /// Calls `body` with what stands in the buffer. The pointer is valid during the call only.
  public func withBytes<R: ~Copyable, E>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try body(UnsafeRawBufferPointer(start: storage, count: count))
  }

  /// Empties the buffer and keeps its memory, unless it has grown beyond ``retainedCapacity``.
  ///
  /// The structure stays as it is: open objects and arrays, and a value that comes in pieces, go on where they were.
  public mutating func removeAll() {
    count = 0
    if capacity > max(Self.retainedCapacity, firstCapacity) {
      storage.deallocate()
      storage = .allocate(capacity: firstCapacity)
      capacity = firstCapacity
    }
  }

  /// Drops the bytes behind the first `length`. The structure stays as it is; see ``rewind(to:)`` for both.
  public mutating func truncate(to length: Int) {
    precondition(length >= 0 && length <= count, "truncate(to:) can't go beyond what was written")
    count = length
  }

  /// Puts `bytes` in the place of those from offset `from` up to offset `to`. The structure stays as it is.
  ///
  /// `bytes` must not lie in this writer's own buffer.
  public mutating func replace(from: Int, to: Int, with bytes: UnsafeRawBufferPointer) {
    precondition(from >= 0 && from <= to && to <= count, "replace(from:to:with:) needs a range that was written")
    let tail = count - to
    let length = from + bytes.count + tail
    if length > count {
      _ = reserve(length - count)
    }
    (storage + from + bytes.count).update(from: storage + to, count: tail)
    if let source = bytes.baseAddress {
      UnsafeMutableRawPointer(storage + from).copyMemory(from: source, byteCount: bytes.count)
    }
    count = length
  }

  // MARK: - The buffer

  /// Makes room for `room` more bytes and returns where they go. `count` is the caller's to move.
  @inline(__always)
  mutating func reserve(_ room: Int) -> UnsafeMutablePointer<UInt8> {
    if capacity &- count < room {
      grow(by: room)
    }
    return storage + count
  }

  @inline(never)
  private mutating func grow(by room: Int) {
    let next = max(count + room, capacity * 2)
    let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: next)
    grown.update(from: storage, count: count)
    storage.deallocate()
    storage = grown
    capacity = next
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1).pointee = byte
    count &+= 1
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, bytes.count > 0 else { return }
    UnsafeMutableRawPointer(reserve(bytes.count)).copyMemory(from: source, byteCount: bytes.count)
    count &+= bytes.count
  }

  @inline(__always)
  mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { append(UnsafeRawBufferPointer($0)) }
  }
}
