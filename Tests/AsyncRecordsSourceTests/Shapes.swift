import Foundation

/// Values of every shape that `Encodable` allows, of which JSON readers must see the same as of Foundation's encoder.
enum Shapes {
  static let all: [Shape] = plain + containers + interleaved + classes

  static let plain = [
    Shape("integers", [Int64.min, 0, Int64.max]),
    Shape("unsigned", [UInt64.max, 1]),
    Shape("small integers", Small()),
    Shape("doubles", [0.1, -2.5, 1e300, Double.leastNonzeroMagnitude, 1.0]),
    Shape("floats", [Float(0.1), 16_777_216, -.leastNonzeroMagnitude]),
    Shape("truth", [true, false]),
    Shape("texts", ["", "a\"\\\n\u{0}é👍\u{2028}", String(repeating: "long ", count: 2000)]),
    Shape("text alone", "text"),
    Shape("number alone", 12),
    Shape("optional texts", ["a", nil, "b"] as [String?]),
    Shape("optional of optional", [.some(.some(1)), .some(nil)] as [Int??]),
    Shape("structure", Person(name: "Mira", age: 31, address: Address(street: "Lane 1", city: nil), tags: ["a", "b"])),
    Shape("structure without options", Person(name: "Ola", age: nil, address: nil, tags: [])),
    Shape(
      "structures in arrays", (0..<20).map { (number: Int) in Person(name: "P\(number)", age: number, address: nil, tags: ["\(number)"]) }),
    Shape("raw values", [Level.low, .high]),
    Shape("UUID", UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!),
    Shape("range", 1..<5),
    Shape("nothing in it", Nothing()),
  ]

  static let containers = [
    Shape("text keys", ["a": 1, "b": 2, "é \"": 3]),
    Shape("integer keys", [1: "a", -20: "b"]),
    Shape("other keys", [Level.low: 1]),
    Shape("dictionary of arrays", ["a": [1, 2], "b": []]),
    Shape("many keys", Dictionary(uniqueKeysWithValues: (0..<500).map { ("key\($0)", $0) })),
    Shape("set", Set([7])),
    Shape("associated values", [Event.started, .moved(x: 1, y: -1), .named("n"), .nested(.moved(x: 2, y: 2))]),
    Shape("dictionary of enums", ["a": Event.moved(x: 1, y: 2), "b": .started]),
    Shape("empty array and object", [["a": [Int]()], [:]]),
    Shape("bytes as numbers", [UInt8](0..<255)),
    Shape("deep", Deep(depth: 60)),
    Shape("writes nothing", Custom { _ in }),
    Shape("array of what writes nothing", [Custom { _ in }, Custom { _ in }]),
    Shape("opens and leaves", Custom { _ = $0.container(keyedBy: AnyKey.self) }),
    Shape("opens an array and leaves", Custom { _ = $0.unkeyedContainer() }),
  ]

  static let interleaved = [
    Shape(
      "columns side by side",
      Custom { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        var (x, y) = (container.nestedUnkeyedContainer(forKey: "x"), container.nestedUnkeyedContainer(forKey: "y"))
        for number in 0..<50 {
          try x.encode(number)
          try y.encode("\(number)")
          if number == 20 { try container.encode(true, forKey: "between") }
        }
      }),
    Shape(
      "parent goes on before the child",
      Custom { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        var child = container.nestedContainer(keyedBy: AnyKey.self, forKey: "child")
        try container.encode(1, forKey: "one")
        var grandchild = child.nestedUnkeyedContainer(forKey: "list")
        try container.encode(["a", "b"], forKey: "two")
        try child.encode(Person(name: "x", age: 1, address: nil, tags: []), forKey: "person")
        try grandchild.encode(contentsOf: [1, 2, 3])
        var row = grandchild.nestedContainer(keyedBy: AnyKey.self)
        try grandchild.encodeNil()
        try row.encode(2.5, forKey: "late")
        try container.encode(3, forKey: "three")
      }),
    Shape(
      "super encoders written late",
      Custom { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        let (base, other, never) = (
          container.superEncoder(), container.superEncoder(forKey: "other"), container.superEncoder(forKey: "never")
        )
        try container.encode(1, forKey: "one")
        var single = other.singleValueContainer()
        try single.encode("scalar")
        var keyed = base.container(keyedBy: AnyKey.self)
        try keyed.encode(2, forKey: "two")
        _ = never
      }),
    Shape(
      "super encoders of arrays",
      Custom { encoder in
        var container = encoder.unkeyedContainer()
        let (first, second) = (container.superEncoder(), container.superEncoder())
        try container.encode("last")
        try [3].encode(to: second)
        try "first".encode(to: first)
      }),
    Shape(
      "the same key twice",
      Custom { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(1, forKey: "a")
        try container.encode("x", forKey: "b")
        try container.encode([1, 2, 3], forKey: "a")
        try container.encode(true, forKey: "b")
        try container.encode(false, forKey: "c")
        try container.encode(4, forKey: "a")
      }),
    Shape(
      "the same nested container twice",
      Custom { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        var one = container.nestedContainer(keyedBy: AnyKey.self, forKey: "attributes")
        try one.encode(1, forKey: "one")
        try container.encode(0, forKey: "between")
        var two = container.nestedContainer(keyedBy: AnyKey.self, forKey: "attributes")
        try two.encode(2, forKey: "two")
        try one.encode(3, forKey: "three")
      }),
    Shape(
      "the same container asked for twice",
      Custom { encoder in
        var one = encoder.container(keyedBy: AnyKey.self)
        try one.encode(1, forKey: "one")
        var two = encoder.container(keyedBy: AnyKey.self)
        try two.encode(2, forKey: "two")
        try one.encode(3, forKey: "three")
      }),
    Shape(
      "an error that is caught leaves nothing",
      Custom { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(1, forKey: "one")
        do { try container.encode(Failing(), forKey: "failed") } catch is Failing.Planned {}
        var list = container.nestedUnkeyedContainer(forKey: "list")
        try list.encode(1)
        do { try list.encode(Failing()) } catch is Failing.Planned {}
        try list.encode(2)
        try container.encode(2, forKey: "two")
      }),
    Shape(
      "single value in a single value",
      Custom { encoder in
        var single = encoder.singleValueContainer()
        try single.encode(
          Custom { inner in
            var single = inner.singleValueContainer()
            try single.encode(["a": 1])
          })
      }),
  ]

  static let classes = [
    Shape("subclass that shares the container", Sub()),
    Shape("subclass with a super encoder", SuperSub()),
    Shape("subclass in arrays", [SuperSub(), SuperSub()]),
  ]
}

struct Person: Encodable, Sendable {
  var name: String
  var age: Int?
  var address: Address?
  var tags: [String]
}

struct Address: Encodable, Sendable {
  var street: String
  var city: String?
}

struct Nothing: Encodable, Sendable {}

struct Small: Encodable, Sendable {
  var a = Int8.min, b = Int16.min, c = Int32.min, d = UInt8.max, e = UInt16.max, f = UInt32.max, g = UInt.max, h = Int.min
}

enum Level: String, Encodable, Hashable, Sendable { case low, high }

indirect enum Event: Encodable, Hashable, Sendable {
  case started
  case moved(x: Int, y: Int)
  case named(String)
  case nested(Event)
}

struct Deep: Encodable, Sendable {
  let depth: Int

  func encode(to encoder: any Encoder) throws {
    if depth == 0 { return try "bottom".encode(to: encoder) }
    if depth % 2 == 0 {
      var container = encoder.container(keyedBy: AnyKey.self)
      try container.encode(Deep(depth: depth - 1), forKey: "d")
    } else {
      var container = encoder.unkeyedContainer()
      try container.encode(Deep(depth: depth - 1))
    }
  }
}

struct Failing: Encodable {
  struct Planned: Error {}

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnyKey.self)
    try container.encode([1, 2], forKey: "begun")
    var nested = container.nestedUnkeyedContainer(forKey: "nested")
    try nested.encode("x")
    throw Planned()
  }
}

class Base: Encodable, @unchecked Sendable {
  let base = "b"
}

final class Sub: Base, @unchecked Sendable {
  enum CodingKeys: String, CodingKey { case own }

  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(1, forKey: .own)
  }
}

final class SuperSub: Base, @unchecked Sendable {
  enum CodingKeys: String, CodingKey { case own, later }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(1, forKey: .own)
    try super.encode(to: container.superEncoder())
    try container.encode(2, forKey: .later)
  }
}
