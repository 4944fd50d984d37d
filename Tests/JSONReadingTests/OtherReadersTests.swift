import Foundation
import JSONReading
import TestSupport
import Testing

/// The readers here against Python's and Foundation's.
@Suite struct OtherReadersTests {
  /// Accepts and refuses what Python does, and reads the same out of it: keys, order, digits, half surrogate pairs.
  @Test func pythonReadsTheSame() throws {
    var random = SeededGenerator(seed: 21)
    var texts = (0..<3000).map { _ in RandomText(random: &random).text }
    texts += (0..<3000).map { _ in mutated(RandomText(random: &random).text, &random) }
    texts += (strictTexts + notStrictTexts).map { Array($0.utf8) } + notUTF8.map { [0x22] + $0 + [0x22] }
    let answers = try python(readingScript, input: texts.map { hexadecimal($0) + "\n" }.joined())
    #expect(answers.count == texts.count)
    var accepted = 0
    for (text, answer) in zip(texts, answers) {
      let parsed = parsedAndDescribed(text)
      #expect(parsed == answer, "\(hexadecimal(text))")
      let scanned = scan(text)
      let isHalfPair = scanned.error?.code == .unpairedSurrogate
      #expect(isHalfPair || (scanned.error == nil) == (answer != "-"), "\(hexadecimal(text))")
      accepted += answer == "-" ? 0 : 1
    }
    #expect(accepted > 3500 && accepted < texts.count - 1000)
  }

  /// Foundation loses digits, order and duplicates, so only what is left is compared.
  @Test func foundationReadsTheSame() throws {
    var random = SeededGenerator(seed: 22)
    for _ in 0..<1500 {
      let text = RandomText(random: &random, halfPairs: false, hugeNumbers: false).text
      let tree = try JSONParser.parse(text, duplicateKeys: .kept)
      let other = try JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
      #expect(isSame(tree, other), "\(String(decoding: text, as: UTF8.self))")
    }
  }

  private func isSame(_ tree: JSONValue, _ other: Any) -> Bool {
    switch (tree, other) {
    case (.null, is NSNull): true
    case (.string(let text), let other as String): text.utf8.elementsEqual(other.utf8)
    case (.bool(let value), let other as Bool): value == other
    case (.number(let text), let other as NSNumber):
      // Foundation reads into a Decimal and rounds it to a double less than exactly.
      Double(text).map { abs($0 - other.doubleValue) <= abs($0) * 1e-14 } ?? false
    case (.array(let elements), let other as [Any]): elements.count == other.count && zip(elements, other).allSatisfy { isSame($0, $1) }
    case (.object(let members), let other as [String: Any]):
      // Swift's dictionary takes keys in NFC and NFD for the same; the random keys hold none such.
      members.allSatisfy { member in
        members.count { $0.key == member.key } > 1 || other[member.key].map { isSame(member.value, $0) } ?? false
      }
    default: false
    }
  }
}

/// What the parser reads, or a dash for an error.
private func parsedAndDescribed(_ text: [UInt8]) -> String {
  switch Result(catching: { try JSONParser.parse(text, duplicateKeys: .kept) }) {
  case .success(let tree): described(tree)
  case .failure: "-"
  }
}

private func described(_ value: JSONValue) -> String {
  switch value {
  case .null: "null"
  case .bool(let value): "\(value)"
  case .number(let text): text
  case .string(let text): "s" + hexadecimal(text.utf8)
  case .invalidString(let bytes): "s" + hexadecimal(bytes)
  case .array(let elements): "[" + elements.map { described($0) }.joined(separator: ",") + "]"
  case .object(let members):
    "{" + members.map { hexadecimal($0.invalidKey ?? Array($0.key.utf8)) + ":" + described($0.value) }.joined(separator: ",") + "}"
  }
}

private let readingScript = """
  import json, sys

  class Number(str):
      pass

  class Pairs(list):
      pass

  def refuse(name):
      raise ValueError(name)

  def hexadecimal(text):
      return text.encode("utf-8", "surrogatepass").hex()

  def described(value):
      if value is None:
          return "null"
      if isinstance(value, bool):
          return str(value).lower()
      if isinstance(value, Number):
          return str(value)
      if isinstance(value, str):
          return "s" + hexadecimal(value)
      if isinstance(value, Pairs):
          return "{" + ",".join(hexadecimal(k) + ":" + described(v) for k, v in value) + "}"
      return "[" + ",".join(map(described, value)) + "]"

  for line in open(sys.argv[1]):
      try:
          text = bytes.fromhex(line.strip()).decode("utf-8")
          value = json.loads(text, parse_int=Number, parse_float=Number, parse_constant=refuse, object_pairs_hook=Pairs)
      except ValueError:
          print("-")
          continue
      print(described(value))
  """

private func mutated(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
  let bytes = Array("{}[]:,\"\\/0123456789.-+eEtrufalsn \n\t".utf8) + [0xC3, 0xED, 0xA0, 0xF0, 0x9F, 0x00, 0x1F, 0x80]
  var text = text
  for _ in 0..<Int.random(in: 1...2, using: &random) where !text.isEmpty {
    let place = Int.random(in: 0..<text.count, using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: text[place] = bytes.randomElement(using: &random) ?? 0
    case 1: text.remove(at: place)
    default: text.insert(bytes.randomElement(using: &random) ?? 0, at: place)
    }
  }
  return text
}

/// A random JSON text with random white space, escapes and numbers.
private struct RandomText {
  private(set) var text: [UInt8] = []
  private let halfPairs: Bool
  private let hugeNumbers: Bool

  init(random: inout SeededGenerator, halfPairs: Bool = true, hugeNumbers: Bool = true) {
    self.halfPairs = halfPairs
    self.hugeNumbers = hugeNumbers
    addSpace(&random)
    addValue(&random, depth: 0)
    addSpace(&random)
  }

  private mutating func add(_ part: String) {
    text.append(contentsOf: part.utf8)
  }

  private mutating func addSpace(_ random: inout SeededGenerator) {
    add(["", "", "", " ", "\n", "\t", "\r\n"].randomElement(using: &random) ?? "")
  }

  private mutating func addValue(_ random: inout SeededGenerator, depth: Int) {
    switch Int.random(in: 0..<(depth > 5 ? 5 : 9), using: &random) {
    case 0: add(["null", "true", "false"].randomElement(using: &random) ?? "")
    case 1, 2: addNumber(&random)
    case 3, 4: addString(&random)
    case 5, 6: addEntries("[", "]", &random, depth: depth)
    default: addEntries("{", "}", &random, depth: depth)
    }
  }

  private mutating func addEntries(_ opening: String, _ closing: String, _ random: inout SeededGenerator, depth: Int) {
    add(opening)
    addSpace(&random)
    for entry in 0..<Int.random(in: 0...4, using: &random) {
      if entry > 0 { add(",") }
      addSpace(&random)
      if opening == "{" {
        addString(&random)
        addSpace(&random)
        add(":")
        addSpace(&random)
      }
      addValue(&random, depth: depth + 1)
      addSpace(&random)
    }
    add(closing)
  }

  private mutating func addNumber(_ random: inout SeededGenerator) {
    func digits(_ most: Int) -> String {
      (0..<Int.random(in: 1...most, using: &random)).map { _ in "\(Int.random(in: 0...9, using: &random))" }.joined()
    }
    let whole = digits(hugeNumbers ? 40 : 15)
    add(Bool.random(using: &random) ? "-" : "")
    add(whole.first == "0" ? "0" : whole)
    if Bool.random(using: &random) { add("." + digits(hugeNumbers ? 40 : 10)) }
    if Bool.random(using: &random) { add((["e", "E", "e+", "E-"].randomElement(using: &random) ?? "e") + digits(hugeNumbers ? 5 : 1)) }
  }

  private mutating func addString(_ random: inout SeededGenerator) {
    add("\"")
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: add(["\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t"].randomElement(using: &random) ?? "")
      case 1:
        let unit = UInt16.random(in: 0...0xFFFF, using: &random)
        if halfPairs || !(0xD800...0xDFFF ~= unit) { addEscape(unit) }
      case 2:
        addEscape(UInt16.random(in: 0xD800...0xDBFF, using: &random))
        addEscape(UInt16.random(in: 0xDC00...0xDFFF, using: &random))
      case 3: add(["é", "€", "😀", "\u{7F}", "\u{10FFFF}", "中文"].randomElement(using: &random) ?? "")
      default: add(["a", "plain text", "0", "$"].randomElement(using: &random) ?? "")
      }
    }
    add("\"")
  }

  private mutating func addEscape(_ unit: UInt16) {
    let digits = String(unit, radix: 16, uppercase: unit % 2 == 0)
    add("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
  }
}
