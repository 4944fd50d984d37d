import Foundation
import JSONReading
import JSONStreaming
import TestSupport
import Testing

/// What is written here, read by Python, Foundation and the parser here.
@Suite struct OtherReadersTests {
  @Test func everyReaderReadsWhatWasWritten() throws {
    var random = SeededGenerator(seed: 31)
    var lines = ""
    var expected: [String] = []
    for round in 0..<3000 {
      // Some very deep; Python's reader goes about a thousand levels down.
      let value = round % 400 == 0 ? deepValue(levels: 300) : RandomValue.any(&random, depth: 0)
      let line = written { value.write(to: &$0) }
      lines += line + "\n"
      expected.append(value.described)
      #expect(try described(JSONParser.parse(Array(line.utf8))) == value.described)
      let other = try JSONSerialization.jsonObject(with: Data(line.utf8), options: .fragmentsAllowed)
      #expect(value.isSame(as: other), "\(line)")
    }
    let read = try python(readingScript, input: lines)
    #expect(read.count == expected.count)
    for (read, expected) in zip(read, expected) where read != expected {
      Issue.record("\(read) is not \(expected)")
    }
  }

  /// Python's repr is the shortest text too; compared by its digits.
  @Test func doublesHaveTheDigitsOfPython() throws {
    var random = SeededGenerator(seed: 32)
    var input = ""
    var writer = JSONWriter()
    for _ in 0..<100_000 {
      let value = Double(bitPattern: random.next())
      if !value.isFinite { continue }
      writer.removeAll()
      writer.resetStructure()
      writer.double(value)
      input += "\(value.bitPattern) " + writer.withBytes { String(decoding: $0, as: UTF8.self) } + "\n"
    }
    #expect(try python(doublesScript, input: input) == [])
  }

  private func deepValue(levels: Int) -> RandomValue {
    (0..<levels).reduce(.null) { inner, level in level % 2 == 0 ? .array([inner, .null]) : .object([("k", inner)]) }
  }
}

private let doublesScript = """
  import struct, sys

  def digits(text):
      mantissa = text.lower().lstrip("-").split("e")[0].replace(".", "")
      return mantissa.strip("0")

  for line in open(sys.argv[1]):
      bits, text = line.split()
      value = struct.unpack("d", struct.pack("Q", int(bits)))[0]
      if float(text) != value or digits(text) != digits(repr(value)) or not ("." in text or "e" in text):
          print(line.strip())
  """

private let readingScript = """
  import json, struct, sys

  class Number(str):
      pass

  def refuse(name):
      raise ValueError(name)

  def described(value):
      if value is None:
          return "null"
      if isinstance(value, bool):
          return str(value).lower()
      if isinstance(value, Number):
          if "." in value or "e" in value:
              return "d%d" % struct.unpack("Q", struct.pack("d", float(value)))
          return "i" + value
      if isinstance(value, str):
          return "s" + value.encode().hex()
      if isinstance(value, list):
          return "[" + ",".join(map(described, value)) + "]"
      return "{" + ",".join(k.encode().hex() + ":" + described(v) for k, v in value.items()) + "}"

  for line in open(sys.argv[1], "rb"):
      print(described(json.loads(line.decode(), parse_int=Number, parse_float=Number, parse_constant=refuse)))
  """

/// A description that keeps every bit, as the Python script makes it too.
private func described(_ value: JSONValue) -> String {
  switch value {
  case .null: "null"
  case .bool(let value): "\(value)"
  case .number(let text): text.contains { $0 == "." || $0 == "e" } ? "d\(value.double?.bitPattern ?? 0)" : "i" + text
  case .string(let text): "s" + hexadecimal(text.utf8)
  case .invalidString: "half a surrogate pair"
  case .array(let elements): "[" + elements.map { described($0) }.joined(separator: ",") + "]"
  case .object(let members): "{" + members.map { hexadecimal($0.key.utf8) + ":" + described($0.value) }.joined(separator: ",") + "}"
  }
}

/// A random value that knows how to write itself, and what should come of it.
private enum RandomValue {
  case null, bool(Bool), signed(Int64), unsigned(UInt64), double(Double), string(String), bytes([UInt8]), array([RandomValue]), object(
    [(String, RandomValue)])

  static func any(_ random: inout SeededGenerator, depth: Int) -> RandomValue {
    switch Int.random(in: 0..<(depth > 6 ? 8 : 12), using: &random) {
    case 0: return Bool.random(using: &random) ? .null : .bool(Bool.random(using: &random))
    case 1: return .signed(Int64(truncatingIfNeeded: random.next()) >> Int64.random(in: 0..<64, using: &random))
    case 2: return .unsigned(random.next() >> UInt64.random(in: 0..<64, using: &random))
    case 3, 4:
      let value =
        Bool.random(using: &random) ? Double(bitPattern: random.next()) : Double(Int.random(in: -9999...9999, using: &random)) / 100
      return .double(value.isFinite ? value : 0)
    case 5, 6: return .string(text(&random))
    case 7: return .bytes((0..<Int.random(in: 0...9, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
    case 8, 9: return .array((0..<Int.random(in: 0...4, using: &random)).map { _ in any(&random, depth: depth + 1) })
    default:
      // Numbered, so that no key comes twice.
      return .object((0..<Int.random(in: 0...4, using: &random)).map { ("\($0)" + text(&random), any(&random, depth: depth + 1)) })
    }
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...14, using: &random) {
      let value = UInt32.random(in: 0...0x10FFFF, using: &random) >> UInt32.random(in: 0...16, using: &random)
      text.unicodeScalars.append(Unicode.Scalar(value) ?? "\u{FFFD}")
    }
    return text
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .signed(let value): writer.integer(value)
    case .unsigned(let value): writer.integer(value)
    case .double(let value): writer.double(value)
    case .string(let text): writer.text(Array(text.utf8))
    case .bytes(let bytes): writer.bytes(bytes)
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for (key, value) in members {
        writer.key(key)
        value.write(to: &writer)
      }
      writer.endObject()
    }
  }

  var described: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .signed(let value): "i\(value)"
    case .unsigned(let value): "i\(value)"
    case .double(let value): "d\(value.bitPattern)"
    case .string(let text): "s" + hexadecimal(text.utf8)
    case .bytes(let bytes): "{" + hexadecimal("$base64".utf8) + ":s" + hexadecimal(Data(bytes).base64EncodedString().utf8) + "}"
    case .array(let elements): "[" + elements.map(\.described).joined(separator: ",") + "]"
    case .object(let members): "{" + members.map { hexadecimal($0.0.utf8) + ":" + $0.1.described }.joined(separator: ",") + "}"
    }
  }

  /// Foundation rounds what it reads into a Decimal less than exactly, hence the tolerance.
  func isSame(as other: Any) -> Bool {
    switch (self, other) {
    case (.null, is NSNull): true
    case (.bool(let value), let other as Bool): value == other
    case (.signed(let value), let other as NSNumber): other.int64Value == value
    case (.unsigned(let value), let other as NSNumber): other.uint64Value == value
    case (.double(let value), let other as NSNumber): abs(value - other.doubleValue) <= abs(value) * 1e-14
    case (.string(let text), let other as String): text.utf8.elementsEqual(other.utf8)
    case (.bytes(let bytes), let other as [String: String]): other == ["$base64": Data(bytes).base64EncodedString()]
    case (.array(let elements), let other as [Any]): elements.count == other.count && zip(elements, other).allSatisfy { $0.isSame(as: $1) }
    case (.object(let members), let other as [String: Any]):
      members.count == other.count && members.allSatisfy { key, value in other[key].map { value.isSame(as: $0) } ?? false }
    default: false
    }
  }
}
