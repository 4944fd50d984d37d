/// Keyed archives: what `NSKeyedArchiver` writes, a property list whose `$objects` refer to each other by UIDs (in XML by `{CF$UID: n}`).
///
/// Foundation's strings, numbers, data, dates, UUIDs, URLs, nulls, arrays, sets and dictionaries become plain values; objects of other classes come
/// as `beginObject` with their fields. An array, set, dictionary or object that came before, or that holds the place where it is
/// referred to, is a `reference`. Where an object of one of these classes has fields beyond the known ones it comes as an object, so that none is lost.
public enum KeyedArchive {
  /// Whether bytes are a keyed archive. Of a binary list it looks only at the root's keys; anything that is no list is told from its first bytes.
  public static func isArchive(_ bytes: Span<UInt8>, limits: PropertyListLimits = .standard) -> Bool {
    bytes.withUnsafeBufferPointer { pointer in
      do {
        return try withSource(pointer, limits) { source throws(PropertyListError) in
          try ArchiveLayout(source.table, isText: source.isText) != nil
        }
      } catch {
        return false  // broken as a list, so no archive: the question is answered
      }
    }
  }

  /// Passes bytes that are a keyed archive to a visitor, by its `archive`. Returns false, and passes nothing, where they
  /// are none or can't be decoded within the limits. Throws only what the visitor throws.
  public static func decode<Visitor: PropertyListVisitor & ~Copyable>(
    _ bytes: Span<UInt8>, limits: PropertyListLimits = .standard, into visitor: inout Visitor
  ) throws -> Bool {
    try bytes.withUnsafeBufferPointer { pointer in
      var allowance = ArchiveAllowance(limits)
      return try decode(pointer, limits, &allowance, depth: 0, into: &visitor)
    }
  }

  /// A list that may be an archive: its file, and the binary form of it.
  struct Source {
    let bytes: UnsafeBufferPointer<UInt8>
    let table: ObjectTable
    let isText: Bool
  }

  /// Decodes data inside another list.
  static func decode<Visitor: PropertyListVisitor & ~Copyable>(
    _ bytes: UnsafeBufferPointer<UInt8>, _ limits: PropertyListLimits, _ allowance: inout ArchiveAllowance, depth: Int,
    into visitor: inout Visitor
  ) throws -> Bool {
    let kind = Kind(bytes)
    if kind == .binary {
      guard let table = checked({ () throws(PropertyListError) in try ObjectTable(bytes, limits: limits) }) else { return false }
      return try decode(Source(bytes: bytes, table: table, isText: false), limits, &allowance, depth: depth, into: &visitor)
    }
    guard kind == .xml, let binary = checked({ () throws(PropertyListError) in try XMLReader.read(Array(bytes), limits) }) else {
      return false
    }
    return try binary.withUnsafeBufferPointer { pointer in
      guard let table = checked({ () throws(PropertyListError) in try ObjectTable(pointer, limits: .unlimitedSize(limits)) }) else {
        return false
      }
      return try decode(Source(bytes: bytes, table: table, isText: true), limits, &allowance, depth: depth, into: &visitor)
    }
  }

  /// Decodes once for nothing, to see whether it can be done, then for the visitor.
  static func decode<Visitor: PropertyListVisitor & ~Copyable>(
    _ source: Source, _ limits: PropertyListLimits, _ allowance: inout ArchiveAllowance, depth: Int, into visitor: inout Visitor
  ) throws -> Bool {
    guard let layout = checked({ () throws(PropertyListError) in try ArchiveLayout(source.table, isText: source.isText) }) ?? nil else {
      return false
    }
    let budget = allowance.budget(forBytes: source.bytes.count, isWhole: depth == 0)
    // The trial leaves archives inside this one alone: each has its own. So the effort grows with the levels, not with their power of two.
    var trial = ArchiveWalk(layout, limits, budget, archives: nil, depth: depth)
    let isDecodable = checked { () throws(PropertyListError) in try silently { try trial.root(into: &$0) } } != nil
    allowance.charge(budget, left: trial.walk.budget)
    if !isDecodable { return false }
    var walk = ArchiveWalk(layout, limits, budget, archives: allowance, depth: depth)
    try visitor.archive(source.bytes.span) { (visitor) in try walk.root(into: &visitor) }
    allowance = walk.walk.archives ?? allowance
    return true
  }

  /// The value, or nil where the bytes are no list: then they are plain data, which is no error here.
  private static func checked<Value>(_ body: () throws(PropertyListError) -> Value) -> Value? {
    do { return try body() } catch { return nil }
  }

  private static func withSource(
    _ bytes: UnsafeBufferPointer<UInt8>, _ limits: PropertyListLimits, _ body: (Source) throws(PropertyListError) -> Bool
  ) throws(PropertyListError) -> Bool {
    switch Kind(bytes) {
    case .binary: return try body(Source(bytes: bytes, table: try ObjectTable(bytes, limits: limits), isText: false))
    case .xml:
      let binary = try XMLReader.read(Array(bytes), limits)
      return try binary.withUnsafeBufferPointer { (pointer) throws(PropertyListError) in
        try body(Source(bytes: bytes, table: try ObjectTable(pointer, limits: .unlimitedSize(limits)), isText: true))
      }
    case .other: return false
    }
  }

  /// What data can be, judged by a look at its bytes.
  private enum Kind {
    case binary, xml, other

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
      if bytes.starts(with: "bplist0".utf8) {
        self = .binary
        return
      }
      let head = bytes.prefix(64).drop { isSpace($0) || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
      let isMarkup = head.starts(with: "<?xml".utf8) || head.starts(with: "<plist".utf8) || head.starts(with: "<!DOCTYPE".utf8)
      self = isMarkup && Self.mentionsArchiver(bytes) ? .xml : .other
    }

    private static func mentionsArchiver(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
      var rest = bytes[...]
      while let dollar = rest.firstIndex(of: UInt8(ascii: "$")) {
        if rest[dollar...].starts(with: "$archiver".utf8) { return true }
        rest = rest[(dollar + 1)...]
      }
      return false
    }
  }
}

extension PropertyListLimits {
  /// The same limits for the binary form of a text list, which may take more bytes than its file.
  static func unlimitedSize(_ limits: PropertyListLimits) -> PropertyListLimits {
    var limits = limits
    limits.bytes = .max
    return limits
  }
}

/// What attempts to decode archives inside a list may still cost, all together. When it is used up, what remains stays the data that it is.
struct ArchiveAllowance {
  private var left: Budget

  init(_ limits: PropertyListLimits) { left = Budget(limits) }

  /// A share for one attempt: for the whole list all of it, for data inside in proportion to its size.
  func budget(forBytes count: Int, isWhole: Bool) -> Budget {
    if isWhole { return left }
    return Budget(values: min(left.values, 64 << 10 + 32 * count), bytes: min(left.bytes, 4 << 20 + 32 * count))
  }

  mutating func charge(_ given: Budget, left rest: Budget) {
    left.values -= given.values - rest.values
    left.bytes -= given.bytes - rest.bytes
  }
}
