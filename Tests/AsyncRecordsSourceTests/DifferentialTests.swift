import AsyncRecordsSource
import Foundation
import Testing

/// Values of random shape, written in random ways: whole, piece by piece with several containers open, by super encoders, and again.
@Suite struct DifferentialTests {
  @Test(arguments: 0..<40) func randomShapes(_ seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let rows = (0..<60).map { _ in Wild.object(&generator, depth: 4) }
    let exported = try await Exported.rows(rows)
    #expect(exported.omissions == [])
    let written = try exported.rows()
    #expect(written.count == rows.count)
    for (row, expected) in zip(written, rows) {
      let wanted = try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(expected)) as? [String: Any])
      let present = row.filter { !($0.value is NSNull && wanted[$0.key] == nil) }
      #expect(present as NSDictionary == wanted as NSDictionary)
    }
  }
}

/// A value that is written as a program says: the program is the same for every encoder.
indirect enum Wild: Encodable, Sendable {
  case integer(Int), unsigned(UInt64), real(Double), text(String), flag(Bool), null, date
  case wholeArray([Wild]), wholeObject([String: Wild])
  case single(Wild)
  /// An object or an array whose members are written in turns: each turn goes on with one of the containers that are open.
  case turns(isObject: Bool, seed: UInt64, parts: [Wild])

  static func object(_ generator: inout SeededGenerator, depth: Int) -> Wild {
    .turns(isObject: true, seed: generator.next(), parts: parts(&generator, depth: depth))
  }

  private static func parts(_ generator: inout SeededGenerator, depth: Int) -> [Wild] {
    (0..<Int.random(in: 0...8, using: &generator)).map { _ in value(&generator, depth: depth - 1) }
  }

  static func value(_ generator: inout SeededGenerator, depth: Int) -> Wild {
    switch Int.random(in: 0..<(depth > 0 ? 12 : 6), using: &generator) {
    case 0: .integer(Int.random(in: -1_000_000...1_000_000, using: &generator))
    case 1: .unsigned(UInt64(UInt32.random(in: 0 ... .max, using: &generator)))
    case 2: .real(Double(Int.random(in: -1_000_000...1_000_000, using: &generator)) / 1024)
    case 3: .text(["", "a", "é\"\\", "\u{1}", String(repeating: "x", count: 700)].randomElement(using: &generator) ?? "")
    case 4: .flag(Bool.random(using: &generator))
    case 5: .null
    case 6: .wholeArray(parts(&generator, depth: depth))
    case 7:
      .wholeObject(Dictionary(parts(&generator, depth: depth).enumerated().map { ("k\($0)", $1) }) { first, _ in first })
    case 8: .single(value(&generator, depth: depth - 1))
    case 9: .turns(isObject: false, seed: generator.next(), parts: parts(&generator, depth: depth))
    default: object(&generator, depth: depth)
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .integer(let value): try value.encode(to: encoder)
    case .unsigned(let value): try value.encode(to: encoder)
    case .real(let value): try value.encode(to: encoder)
    case .text(let value): try value.encode(to: encoder)
    case .flag(let value): try value.encode(to: encoder)
    case .null: try Int?.none.encode(to: encoder)
    case .date: try 0.encode(to: encoder)
    case .wholeArray(let values): try values.encode(to: encoder)
    case .wholeObject(let values): try values.encode(to: encoder)
    case .single(let value):
      var single = encoder.singleValueContainer()
      try single.encode(value)
    case .turns(let isObject, let seed, let parts):
      var turns = Turns(generator: SeededGenerator(seed: seed))
      if isObject { turns.objects.append(encoder.container(keyedBy: AnyKey.self)) } else { turns.arrays.append(encoder.unkeyedContainer()) }
      for part in parts { try turns.write(part) }
    }
  }
}

/// Containers that are open side by side, and a random choice among them.
struct Turns {
  var generator: SeededGenerator
  var objects: [KeyedEncodingContainer<AnyKey>] = []
  var arrays: [any UnkeyedEncodingContainer] = []
  private var keys = 0

  init(generator: SeededGenerator) { self.generator = generator }

  mutating func write(_ part: Wild) throws {
    let choice = Int.random(in: 0..<(objects.count + arrays.count), using: &generator)
    let how = Int.random(in: 0..<8, using: &generator)
    if choice < objects.count { try write(part, object: choice, how) } else { try write(part, array: choice - objects.count, how) }
  }

  private mutating func write(_ part: Wild, object index: Int, _ how: Int) throws {
    keys += 1
    let key = AnyKey("k\(keys)")
    switch how {
    case 0: objects.append(objects[index].nestedContainer(keyedBy: AnyKey.self, forKey: key))
    case 1: arrays.append(objects[index].nestedUnkeyedContainer(forKey: key))
    case 2: try part.encode(to: objects[index].superEncoder(forKey: key))
    case 3: try objects[index].encode(part, forKey: "again")
    case 4: try objects[index].encodeIfPresent(keys % 2 == 0 ? part : nil, forKey: key)
    case 5: try objects[index].encodeIfPresent(keys % 2 == 0 ? keys : nil, forKey: "maybe")
    default: try objects[index].encode(part, forKey: key)
    }
  }

  private mutating func write(_ part: Wild, array index: Int, _ how: Int) throws {
    switch how {
    case 0: objects.append(arrays[index].nestedContainer(keyedBy: AnyKey.self))
    case 1: arrays.append(arrays[index].nestedUnkeyedContainer())
    case 2: try part.encode(to: arrays[index].superEncoder())
    default: try arrays[index].encode(part)
    }
  }
}
