internal import JSONReading

/// Checks a record's line while it passes: an object of one member `record`, which is an object, and no key twice anywhere in it.
struct RecordShape: JSONEventHandler {
  private var depth = 0
  private var hasRecord = false
  private var keys = OpenKeys()

  static let name: StaticString = "record"

  /// Begins a line.
  mutating func reset() {
    depth = 0
    hasRecord = false
    keys.removeAll()
  }

  private static func refusal(_ message: String) -> JSONError { JSONError(code: .refused, message: message) }

  /// At the outermost level stands the record alone.
  private func checkScalar() throws(JSONError) {
    if depth < 2 { throw Self.refusal("a record is no object") }
  }

  mutating func beginObject() throws(JSONError) {
    depth += 1
    keys.begin()
  }

  mutating func endObject() throws(JSONError) {
    depth -= 1
    keys.end()
  }

  mutating func beginArray() throws(JSONError) {
    try checkScalar()
    depth += 1
    keys.begin()
  }

  mutating func endArray() throws(JSONError) {
    depth -= 1
    keys.end()
  }

  mutating func key(_ utf8: UnsafeRawBufferPointer) throws(JSONError) {
    if depth == 1 {
      let isRecord = Self.name.withUTF8Buffer { $0.elementsEqual(utf8) }
      if hasRecord || !isRecord { throw Self.refusal("something stands beside the record") }
      hasRecord = true
      return
    }
    switch keys.add(utf8) {
    case .new: break
    case .known: throw Self.refusal("a key comes twice in one object")
    case .tooMany: throw Self.refusal("it has more than \(OpenKeys.most) keys")
    }
  }

  mutating func beginString() throws(JSONError) { try checkScalar() }
  mutating func number(_ text: UnsafeRawBufferPointer) throws(JSONError) { try checkScalar() }
  mutating func bool(_ value: Bool) throws(JSONError) { try checkScalar() }
  mutating func null() throws(JSONError) { try checkScalar() }
}

/// The keys of the objects that are open, as hashes: 8 bytes a key. The hash is seeded anew in every process, so nobody can make two keys meet.
struct OpenKeys {
  enum Answer { case new, known, tooMany }

  private var hashes: [Int] = []
  /// Where in `hashes` each open level begins.
  private var starts: [Int] = []
  /// The hashes of levels with many keys, each with its level's start mixed in.
  private var large: Set<Int> = []

  /// Keys that may be open at once.
  static let most = 1_000_000
  private static let few = 32

  mutating func removeAll() {
    hashes.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    if !large.isEmpty { large.removeAll() }
  }

  mutating func begin() { starts.append(hashes.count) }

  mutating func end() {
    let start = starts.removeLast()
    if hashes.count - start > Self.few {
      for hash in hashes[start...] { large.remove(hash &+ start) }
    }
    hashes.removeLast(hashes.count - start)
  }

  mutating func add(_ key: UnsafeRawBufferPointer) -> Answer {
    var hasher = Hasher()
    hasher.combine(bytes: key)
    let hash = hasher.finalize()
    let start = starts.last ?? 0
    let count = hashes.count - start
    if hashes.count >= Self.most { return .tooMany }
    if count < Self.few {
      for index in start..<hashes.count where hashes[index] == hash { return .known }
    } else {
      if count == Self.few { for hash in hashes[start...] { large.insert(hash &+ start) } }
      if !large.insert(hash &+ start).inserted { return .known }
    }
    hashes.append(hash)
    return .new
  }
}
