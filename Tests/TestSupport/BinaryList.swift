/// A property list's value, to be written as a binary list: for fixtures that must not be made by the code that they test.
public indirect enum ListValue: Sendable {
  case text(String)
  case integer(Int64)
  case real(Double)
  case boolean(Bool)
  case data([UInt8])
  case uid(Int)
  case array([ListValue])
  case dictionary([(key: String, value: ListValue)])

  /// The value as a binary property list (`bplist00`).
  public var binary: [UInt8] {
    var objects: [[UInt8]] = []
    let top = add(to: &objects)
    var file = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(file.count)
      file += object
    }
    let table = file.count
    for offset in offsets { file += Self.bytes(of: offset, 4) }
    return file + [0, 0, 0, 0, 0, 0, 4, 4] + Self.bytes(of: objects.count, 8) + Self.bytes(of: top, 8) + Self.bytes(of: table, 8)
  }

  private func add(to objects: inout [[UInt8]]) -> Int {
    let object: [UInt8]
    switch self {
    case .text(let text):
      let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
      object =
        isPlain
        ? Self.marked(0x5, text.utf8.count) + text.utf8
        : Self.marked(0x6, text.utf16.count) + text.utf16.flatMap { Self.bytes(of: Int($0), 2) }
    case .integer(let value): object = [0x13] + Self.bytes(of: Int(value), 8)
    case .real(let value): object = [0x23] + Self.bytes(of: Int(truncatingIfNeeded: value.bitPattern), 8)
    case .boolean(let value): object = [value ? 0x09 : 0x08]
    case .data(let bytes): object = Self.marked(0x4, bytes.count) + bytes
    case .uid(let value): object = [0x83] + Self.bytes(of: value, 4)
    case .array(let values):
      let references = values.map { $0.add(to: &objects) }
      object = Self.marked(0xA, values.count) + references.flatMap { Self.bytes(of: $0, 4) }
    case .dictionary(let members):
      let keys = members.map { ListValue.text($0.key).add(to: &objects) }
      let values = members.map { $0.value.add(to: &objects) }
      object = Self.marked(0xD, members.count) + (keys + values).flatMap { Self.bytes(of: $0, 4) }
    }
    objects.append(object)
    return objects.count - 1
  }

  private static func marked(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind << 4 | UInt8(count)] : [kind << 4 | 15, 0x12] + bytes(of: count, 4)
  }

  private static func bytes(of number: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}

/// A keyed archive that is being put together: objects refer to each other by their place.
public struct ArchiveFixture {
  private var objects: [ListValue] = [.text("$null")]
  private var known: [String: Int] = [:]

  /// An archive with nothing in it.
  public init() {}

  /// Adds an object.
  public mutating func add(_ object: ListValue) -> ListValue {
    objects.append(object)
    return .uid(objects.count - 1)
  }

  /// Makes room for an object that refers to itself, or to later ones.
  public mutating func reserve() -> Int {
    objects.append(.text("reserved"))
    return objects.count - 1
  }

  /// Fills the room.
  public mutating func fill(_ place: Int, _ object: ListValue) { objects[place] = object }

  /// A text, once whatever the number of its places; nil is the archive's null.
  public mutating func text(_ text: String?) -> ListValue {
    guard let text else { return .uid(0) }
    return once("text " + text) { .text(text) }
  }

  /// The description of a class and of one above it.
  public mutating func described(_ name: String, above: String = "NSObject") -> ListValue {
    once("class " + name) { .dictionary([("$classname", .text(name)), ("$classes", .array([.text(name), .text(above)]))]) }
  }

  private mutating func once(_ key: String, _ make: () -> ListValue) -> ListValue {
    if let place = known[key] { return .uid(place) }
    objects.append(make())
    known[key] = objects.count - 1
    return .uid(objects.count - 1)
  }

  /// An object of a class.
  public mutating func object(_ name: String, above: String = "NSObject", _ fields: [(key: String, value: ListValue)]) -> ListValue {
    add(.dictionary(fields + [("$class", described(name, above: above))]))
  }

  /// An archived dictionary.
  public mutating func dictionary(_ members: [(key: String, value: ListValue)]) -> ListValue {
    let keys = members.map { text($0.key) }
    return object("NSDictionary", [("NS.keys", .array(keys)), ("NS.objects", .array(members.map(\.value)))])
  }

  /// The archive's bytes.
  public func bytes(root: ListValue) -> [UInt8] {
    ListValue.dictionary([
      ("$version", .integer(100_000)), ("$archiver", .text("NSKeyedArchiver")), ("$top", .dictionary([("root", root)])),
      ("$objects", .array(objects)),
    ]).binary
  }
}

/// Bytes as raw deflate data (RFC 1951), in stored blocks: nothing of zlib is needed to write them.
public func storedDeflate(_ bytes: [UInt8]) -> [UInt8] {
  var deflated: [UInt8] = []
  var rest = bytes[...]
  repeat {
    let block = rest.prefix(65_535)
    rest = rest.dropFirst(block.count)
    let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
    deflated += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + block
  } while !rest.isEmpty
  return deflated
}
