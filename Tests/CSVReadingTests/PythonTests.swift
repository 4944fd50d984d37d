import Files
import Foundation
import TestSupport
import Testing

@testable import CSVReading

/// The reader against Python's, on texts made of what matters in CSV.
@Suite struct PythonTests {
  private static let script = """
    import csv, json, sys
    cases = json.load(open(sys.argv[1]))
    out = []
    for text, delimiter, quote, escape, doubles in cases:
        csv.field_size_limit(1 << 20)
        reader = csv.reader(text.splitlines(keepends=True), delimiter=delimiter, quotechar=quote, escapechar=escape, doublequote=doubles)
        out.append([row for row in reader if row])
    json.dump(out, sys.stdout)
    """

  private struct Case {
    let text: String
    let dialect: CSVDialect
    let json: [Any]
  }

  private func cases() -> [Case] {
    var random = SeededGenerator(seed: 20_261_130)
    return (0..<4000).map { number in
      let delimiter = Array(",;\t|")[number % 4]
      let escape: Character? = number % 5 == 0 ? "\\" : nil
      let parts = [String(delimiter), String(delimiter), "\"", "\"\"", "\n", "\r\n", "a", "b c", "é", "日", "0", "", "\\"]
      var text = ""
      for _ in 0..<Int.random(in: 0...40, using: &random) { text += parts.randomElement(using: &random) ?? "" }
      let dialect = CSVDialect(delimiter: delimiter.asciiValue ?? 0, escape: escape?.asciiValue)
      return Case(text: text, dialect: dialect, json: [text, String(delimiter), "\"", escape.map { String($0) } ?? NSNull(), true])
    }
  }

  @Test func readsAsPythonDoes() throws {
    let cases = cases()
    let folder = try TemporaryFolder()
    let input = try folder.write(try JSONSerialization.data(withJSONObject: cases.map(\.json)), to: "cases.json")
    let result = try runProgram("python3", ["-c", Self.script, input.text ?? ""])
    try #require(result.status == 0, "\(result.output)")
    let expected = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[[String]]])
    #expect(expected.count == cases.count)
    var compared = 0
    for (number, (known, rows)) in zip(cases, expected).enumerated() {
      let read = try read(known.text.utf8, known.dialect, CSVLimits(recordBytes: 64 + number % 64), piece: 1 + number % 30)
      // Python takes a quote without an end for one that goes to the end of the text, and an escape at the very end for a line's end.
      if !read.problems.isEmpty || known.dialect.escape != nil && known.text.hasSuffix("\\") { continue }
      #expect(read.rows == rows, "\(known.text.debugDescription)")
      compared += 1
    }
    #expect(compared > 2000)
  }

  @Test func comesBackWhateverTheBytes() {
    var random = SeededGenerator(seed: 7)
    let alphabet = Array(",,;\"\"\n\r\\'ab\u{0}\t|sep=".utf8) + [0xFF, 0xC3]
    for length in 0..<3000 {
      let bytes = (0..<(length % 150)).map { place in
        place < 2 ? UInt8.random(in: 0...255, using: &random) : alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }
      readCSVByAllMeans(bytes)
    }
  }
}
