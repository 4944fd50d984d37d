/// The table of suffixes, sorted for searching, and the signatures with their types. Built once.
struct MediaTypeIndex: Sendable {
  static let shared = MediaTypeIndex()

  /// A suffix in lower case, its bytes at the high end: 16 are enough for all.
  private struct Suffix: Comparable, Sendable {
    var high: UInt64 = 0
    var low: UInt64 = 0

    /// Nil where it is empty or longer than any in the table.
    init?(_ bytes: Span<UInt8>) {
      if bytes.isEmpty || bytes.count > 16 { return nil }
      for index in bytes.indices {
        let byte = bytes[unchecked: index]
        let lower = UInt64((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
        let shift = UInt64(56 - index % 8 * 8)
        if index < 8 { high |= lower << shift } else { low |= lower << shift }
      }
    }

    static func < (a: Suffix, b: Suffix) -> Bool { (a.high, a.low) < (b.high, b.low) }
  }

  private var suffixes: [(suffix: Suffix, type: MediaType)] = []
  private var names: [String: MediaType] = [:]
  private var signatures: [Signature] = []
  private var weakSignatures: [Signature] = []
  private(set) var octetStream = MediaType(start: 0, length: 0, flags: Span())
  private(set) var text = MediaType(start: 0, length: 0, flags: Span())

  private init() {
    let table = UnsafeBufferPointer(start: mediaTypeTable.utf8Start, count: mediaTypeTable.utf8CodeUnitCount)
    var start = 0
    while start < table.count {
      let end = table[start...].firstIndex(of: UInt8(ascii: "\n")) ?? table.count
      add(line: start..<end, of: table)
      start = end + 1
    }
    suffixes.sort { $0.suffix < $1.suffix }
    octetStream = named("application/octet-stream")
    text = named("text/plain")
    signatures = Signature.strong.map { $0.resolved(named($0.name)) }
    weakSignatures = Signature.weak.map { $0.resolved(named($0.name)) }
  }

  private mutating func add(line: Range<Int>, of table: UnsafeBufferPointer<UInt8>) {
    let words = table[line].split(separator: UInt8(ascii: " ")).map(\.indices)
    let type = MediaType(start: words[0].lowerBound, length: words[0].count, flags: table.extracting(words[1]).span)
    names[type.name] = type
    for word in words[2...] {
      if let suffix = Suffix(table.extracting(word).span) { suffixes.append((suffix, type)) }
    }
  }

  /// A type by its name, which the table must have.
  private func named(_ name: String) -> MediaType {
    guard let type = names[name] else { preconditionFailure("the table of media types has no \(name)") }
    return type
  }

  /// How many suffixes there are.
  var count: Int { suffixes.count }

  /// The type that the part after the last dot stands for; a name that begins with its only dot has none.
  func type(forSuffixOf name: Span<UInt8>) -> MediaType? {
    var dot = name.count - 1
    while dot > 0 && name[unchecked: dot] != UInt8(ascii: ".") { dot -= 1 }
    guard dot > 0, let suffix = Suffix(name.extracting((dot + 1)..<name.count)) else { return nil }
    var (low, high) = (0, suffixes.count)
    while low < high {
      let middle = (low + high) / 2
      if suffixes[middle].suffix < suffix { low = middle + 1 } else { high = middle }
    }
    return low < suffixes.count && suffixes[low].suffix == suffix ? suffixes[low].type : nil
  }

  /// The signature that `head` begins with.
  func signature(of head: Span<UInt8>, isText: Bool) -> Signature? {
    guard let found = signatures.first(where: { (!isText || $0.mayBeText) && $0.matches(head) }) else { return nil }
    return found.container == "z" ? zipSignature(head) ?? found : found
  }

  func weakSignature(of head: Span<UInt8>) -> MediaType? {
    weakSignatures.first { $0.matches(head) }?.type
  }

  /// OpenDocument and EPUB name their type in a first entry `mimetype`, stored as it is.
  private func zipSignature(_ head: Span<UInt8>) -> Signature? {
    guard Signature.holds(head, "mimetype", at: 30), head.count > 38 else { return nil }
    let length = Int(head[18]) | Int(head[19]) << 8
    guard length > 0, length < 128, 38 + length <= head.count else { return nil }
    var name = ""
    for index in 38..<(38 + length) { name.unicodeScalars.append(Unicode.Scalar(head[index])) }
    return names[name].map { Signature(0, [], name, container: "z").resolved($0) }
  }

  /// What a text without suffix is, where its beginning says so.
  func markup(_ head: Span<UInt8>) -> MediaType? {
    var start = 0
    while start < head.count && (head[start] <= 0x20 || head[start] >= 0xBB) { start += 1 }
    let forms = [("<?xml", "application/xml"), ("<!DOCTYPE html", "text/html"), ("<!doctype html", "text/html"), ("<html", "text/html")]
    return forms.first { Signature.holds(head, $0.0, at: start) }.map { named($0.1) }
  }
}
