/// Writes binary property lists object by object, right or wrong: references take one byte unless told otherwise.
struct BinaryFixture {
  var objects: [[UInt8]]
  var top = 0
  var offsetSize = 2
  var referenceSize = 1

  /// A list of raw objects; the first is the root.
  init(_ objects: [UInt8]...) { self.objects = objects }

  init(objects: [[UInt8]]) { self.objects = objects }

  var bytes: [UInt8] {
    var file = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(file.count)
      file += object
    }
    let table = file.count
    for offset in offsets { file += Self.number(offset, offsetSize) }
    file += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    file += Self.number(objects.count, 8) + Self.number(top, 8) + Self.number(table, 8)
    return file
  }

  static func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func number(_ value: UInt64) -> [UInt8] {
    (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }

  private static func counted(_ kind: UInt8, _ count: Int, _ body: [UInt8]) -> [UInt8] {
    count < 15 ? [kind << 4 | UInt8(count)] + body : [kind << 4 | 15, 0x12] + number(count, 4) + body
  }

  static func integer(_ value: Int64) -> [UInt8] { [0x13] + number(UInt64(bitPattern: value)) }
  static func wide(_ high: UInt64, _ low: UInt64) -> [UInt8] { [0x14] + number(high) + number(low) }
  static func real(_ value: Double) -> [UInt8] { [0x23] + number(value.bitPattern) }
  static func single(_ value: Float) -> [UInt8] { [0x22] + number(Int(value.bitPattern), 4) }
  static func date(_ value: Double) -> [UInt8] { [0x33] + number(value.bitPattern) }
  static func data(_ bytes: [UInt8]) -> [UInt8] { counted(0x4, bytes.count, bytes) }
  static func text(_ text: String) -> [UInt8] { counted(0x5, text.utf8.count, Array(text.utf8)) }
  static func utf16(_ units: [UInt16]) -> [UInt8] { counted(0x6, units.count, units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }) }
  static func uid(_ value: Int) -> [UInt8] { value < 256 ? [0x80, UInt8(value)] : [0x83] + number(value, 4) }
  static func array(_ references: [UInt8]) -> [UInt8] { counted(0xA, references.count, references) }
  static func set(_ references: [UInt8]) -> [UInt8] { counted(0xC, references.count, references) }
  static func orderedSet(_ references: [UInt8]) -> [UInt8] { counted(0xB, references.count, references) }

  /// Members as key reference, value reference, by turns.
  static func dictionary(_ members: (UInt8, UInt8)...) -> [UInt8] {
    counted(0xD, members.count, members.map(\.0) + members.map(\.1))
  }
}

/// A property list's value, written as a binary list that shares nothing: for archives, whose objects share by UIDs.
enum Plain {
  case text(String)
  case integer(Int64)
  case real(Double)
  case boolean(Bool)
  case data([UInt8])
  case uid(Int)
  case array([Plain])
  case members(keys: [String], values: [Plain])

  var binary: [UInt8] {
    var fixture = BinaryFixture(objects: [])
    (fixture.offsetSize, fixture.referenceSize) = (4, 2)
    fixture.top = add(to: &fixture)
    return fixture.bytes
  }

  private func add(to fixture: inout BinaryFixture) -> Int {
    func references(_ values: [Plain]) -> [UInt8] { values.map { $0.add(to: &fixture) }.flatMap { BinaryFixture.number($0, 2) } }
    let object: [UInt8]
    switch self {
    case .text(let value):
      object = value.utf8.allSatisfy { $0 < 0x80 } ? BinaryFixture.text(value) : BinaryFixture.utf16(Array(value.utf16))
    case .integer(let value): object = BinaryFixture.integer(value)
    case .real(let value): object = BinaryFixture.real(value)
    case .boolean(let value): object = [value ? 0x09 : 0x08]
    case .data(let bytes): object = BinaryFixture.data(bytes)
    case .uid(let value): object = BinaryFixture.uid(value)
    case .array(let values): object = [0xAF, 0x11] + BinaryFixture.number(values.count, 2) + references(values)
    case .members(let keys, let values):
      object = [0xDF, 0x11] + BinaryFixture.number(keys.count, 2) + references(keys.map { .text($0) }) + references(values)
    }
    fixture.objects.append(object)
    return fixture.objects.count - 1
  }

  static func dictionary(_ members: [(String, Plain)]) -> Plain { .members(keys: members.map(\.0), values: members.map(\.1)) }

  /// A keyed archive whose `$top.root` is object 1.
  static func archive(_ objects: [Plain], top: [(String, Plain)] = [("root", .uid(1))]) -> Plain {
    .dictionary([
      ("$version", .integer(100_000)), ("$archiver", .text("NSKeyedArchiver")), ("$top", .dictionary(top)),
      ("$objects", .array([.text("$null")] + objects)),
    ])
  }

  /// The object that describes a class.
  static func described(_ name: String) -> Plain {
    .dictionary([("$classname", .text(name)), ("$classes", .array([.text(name), .text("NSObject")]))])
  }

  /// An object of a class that stands at an index.
  static func object(class index: Int, _ fields: [(String, Plain)]) -> Plain {
    .dictionary([("$class", .uid(index))] + fields)
  }
}
