/// Writes what the readers of XML and OpenStep lists find as a binary list in memory, so that every list is walked by the same code.
///
/// References take 4 bytes, offsets 8. Text is UTF-8; text with unpaired surrogates has each of them as three bytes.
struct ObjectBuilder {
  private(set) var bytes: [UInt8] = Array("bplist00".utf8)
  private var offsets: [Int] = []
  /// References to finished objects whose collection is still open.
  private var pending: [UInt32] = []
  private var open: [(start: Int, isDictionary: Bool)] = []
  private let limits: PropertyListLimits

  init(_ limits: PropertyListLimits) { self.limits = limits }

  /// Collections that are open.
  var depth: Int { open.count }

  private mutating func begin(_ marker: UInt8, at source: Int) throws(PropertyListError) {
    if offsets.count >= min(limits.objects, Int(UInt32.max)) { throw PropertyListError(.tooManyObjects, at: source) }
    pending.append(UInt32(offsets.count))
    offsets.append(bytes.count)
    bytes.append(marker)
  }

  private mutating func append(_ value: UInt64, size: Int) {
    for index in 1...size { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * (size - index)))) }
  }

  private mutating func begin(_ kind: UInt8, length: Int, at source: Int) throws(PropertyListError) {
    try begin(kind << 4 | UInt8(min(length, 15)), at: source)
    if length >= 15 {
      bytes.append(0x13)
      append(UInt64(length), size: 8)
    }
  }

  mutating func add(_ value: Bool, at source: Int) throws(PropertyListError) { try begin(value ? 0x09 : 0x08, at: source) }

  mutating func add(_ value: Int64, at source: Int) throws(PropertyListError) {
    try begin(0x13, at: source)
    append(UInt64(bitPattern: value), size: 8)
  }

  mutating func add(_ value: UInt64, at source: Int) throws(PropertyListError) {
    try begin(0x14, at: source)
    append(0, size: 8)
    append(value, size: 8)
  }

  mutating func add(_ value: Double, at source: Int) throws(PropertyListError) {
    try begin(0x23, at: source)
    append(value.bitPattern, size: 8)
  }

  mutating func add(secondsSince2001 value: Double, at source: Int) throws(PropertyListError) {
    try begin(0x33, at: source)
    append(value.bitPattern, size: 8)
  }

  mutating func add(data: [UInt8], at source: Int) throws(PropertyListError) {
    try begin(0x4, length: data.count, at: source)
    bytes.append(contentsOf: data)
  }

  mutating func add(text: some Collection<UInt8>, at source: Int) throws(PropertyListError) {
    try begin(0x7, length: text.count, at: source)
    bytes.append(contentsOf: text)
  }

  /// Opens an array, or a dictionary, whose keys and values then come by turns.
  mutating func open(dictionary: Bool, at source: Int) throws(PropertyListError) {
    if open.count >= limits.depth { throw PropertyListError(.tooDeep, at: source) }
    open.append((pending.count, dictionary))
  }

  /// Closes the collection opened last.
  mutating func close(at source: Int) throws(PropertyListError) {
    let (start, isDictionary) = open.removeLast()
    // By index: a slice of `pending` would make the removal below copy all of it, for each collection.
    let children = start..<pending.count
    let own = offsets.count
    try begin(isDictionary ? 0xD : 0xA, length: isDictionary ? children.count / 2 : children.count, at: source)
    if isDictionary {
      for key in stride(from: children.lowerBound, to: children.upperBound, by: 2) { append(UInt64(pending[key]), size: 4) }
      for key in stride(from: children.lowerBound, to: children.upperBound, by: 2) { append(UInt64(pending[key + 1]), size: 4) }
    } else {
      for child in children { append(UInt64(pending[child]), size: 4) }
    }
    pending.removeSubrange(start...)
    pending.append(UInt32(own))
  }

  /// The whole list; its root is the value that was finished last.
  consuming func finish() -> [UInt8] {
    let table = bytes.count
    for offset in offsets { append(UInt64(offset), size: 8) }
    bytes.append(contentsOf: [0, 0, 0, 0, 0, 0, 8, 4])
    append(UInt64(offsets.count), size: 8)
    append(UInt64(offsets.count - 1), size: 8)
    append(UInt64(table), size: 8)
    return bytes
  }
}
