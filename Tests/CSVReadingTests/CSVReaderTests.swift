import CSVReading
import Testing

@Suite struct CSVReaderTests {
  @Test(arguments: [
    ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
    ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]),
    ("a,b\r1,2\r", [["a", "b"], ["1", "2"]]),
    ("a\nb\r\nc\rd", [["a"], ["b"], ["c"], ["d"]]),
    ("", []), ("\n\n\r\n", []), ("a", [["a"]]), ("a,", [["a", ""]]), (",", [["", ""]]),
    ("a\n\n\nb\n", [["a"], ["b"]]),
    ("\"a\"\"b\",\"c,d\",\"e\nf\"\n", [["a\"b", "c,d", "e\nf"]]),
    ("\"\"\n", [[""]]), ("\"\",\"\"\"\"\n", [["", "\""]]),
    ("a\"b,c\"\"d\n", [["a\"b", "c\"\"d"]]), ("\"a\"b\"c\",d\n", [["ab\"c\"", "d"]]), (" \"a\",b\n", [[" \"a\"", "b"]]),
    ("007,1e5,-0\n", [["007", "1e5", "-0"]]), ("a\u{0}b,\u{0}\n", [["a\u{0}b", "\u{0}"]]),
    ("\"a\r\nb\rc\"\r\nd", [["a\r\nb\rc"], ["d"]]), ("  \n", [["  "]]), ("\"a\"", [["a"]]), ("\"a\"\r", [["a"]]),
  ])
  func reads(text: String, expected: [[String]]) throws { #expect(try rows(text) == expected) }

  @Test(arguments: [
    (CSVDialect(delimiter: UInt8(ascii: ";")), "a;b,c\n", [["a", "b,c"]]),
    (CSVDialect(delimiter: UInt8(ascii: "\t")), "a\t\"b\tc\"\n", [["a", "b\tc"]]),
    (CSVDialect(quote: UInt8(ascii: "'")), "'a,''b',\"c\n", [["a,'b", "\"c"]]),
    (CSVDialect(quote: nil), "\"a,b\"\n", [["\"a", "b\""]]),
    (CSVDialect(escape: UInt8(ascii: "\\")), "\"a\\\"b\",c\\,d,e\\\\,\"\\n\"\n", [["a\"b", "c,d", "e\\", "n"]]),
    (CSVDialect(escape: UInt8(ascii: "\\")), "a\\\nb,\"c\"\"d\\\ne\"\n", [["a\nb", "c\"d\ne"]]),
    (CSVDialect(escape: UInt8(ascii: "\\")), "a\\", [["a\\"]]),
    (CSVDialect(doublesQuotes: false), "\"a\"\"b\",c\n", [["a\"b\"", "c"]]),
    (CSVDialect(doublesQuotes: false, escape: UInt8(ascii: "\\")), "\"a\\\"b\"\n", [["a\"b"]]),
  ])
  func readsDialects(dialect: CSVDialect, text: String, expected: [[String]]) throws { #expect(try rows(text, dialect) == expected) }

  @Test func countsLines() throws {
    let read = try read("a\r\n\"b\r\nc\rd\ne\"\n\n\nf\rg\n".utf8)
    #expect(read.rows == [["a"], ["b\r\nc\rd\ne"], ["f"], ["g"]])
    #expect(read.lines == [1, 2, 8, 9])
  }

  @Test func goesOnBehindAQuoteWithoutEnd() throws {
    let read = try read("id,note\n1,\"fine\"\n2,\"never, ended\n3,also fine\n4,\"x\"\n".utf8)
    #expect(read.rows == [["id", "note"], ["1", "fine"], ["2", "never, ended"], ["3", "also fine"], ["4", "x"]])
    #expect(read.problems == [3: .unterminatedQuote])
  }

  @Test func aQuoteWithoutEndMayBeLast() throws {
    #expect(try read("a\n\"b".utf8).rows == [["a"], ["b"]])
    #expect(try read("\"".utf8).problems == [1: .unterminatedQuote])
    #expect(try read("a,\"b\r\nc".utf8).rows == [["a", "b"], ["c"]])
  }

  /// Each line has a quote without an end: reading to the text's end for each of them would take time without bound.
  @Test func givesQuotesUp() throws {
    let text = String(repeating: "a,\"b\"c,\"\n", count: 1001)
    let read = try read(text.utf8, CSVDialect(), CSVLimits(repeatedBytes: 1000))
    #expect(read.problems.values.contains(.quotesGivenUp))
    #expect(read.problems.values.count { $0 == .quotesGivenUp } == 1)
    #expect(read.rows.last == ["a", "\"b\"c", "\""])
  }

  @Test func limitsWhatAQuoteMayHold() throws {
    let limits = CSVLimits(quotedBytes: 100)
    let read = try read(("\"" + String(repeating: "x", count: 200) + "\"\nb\n").utf8, CSVDialect(), limits)
    #expect(read.problems == [1: .unterminatedQuote])
    #expect(read.rows.map(\.count) == [1, 1])
    #expect(read.rows.last == ["b"])
  }

  @Test func limitsTheFields() throws {
    let read = try read("a,b,c,d\n1,2\n".utf8, CSVDialect(), CSVLimits(fields: 3))
    #expect(read.rows == [["a", "b", "c"], ["1", "2"]])
    #expect(read.problems == [1: .tooManyFields])
  }

  @Test(arguments: [1, 7, 64, 1000])
  func readsLongRecords(piece: Int) throws {
    let long = String(repeating: "with \"\"quotes\"\", commas,\nand lines ", count: 40)
    let content = String(repeating: "with \"quotes\", commas,\nand lines ", count: 40)
    let text = "a,\"\(long)\",b\n1,2,3\n\"x\",\(String(repeating: "y", count: 500)),\"\(long)\",\n"
    let read = try read(text.utf8, CSVDialect(), CSVLimits(recordBytes: 100), piece: piece)
    #expect(read.rows == [["a", content, "b"], ["1", "2", "3"], ["x", String(repeating: "y", count: 500), content, ""]])
    #expect(read.longRecords == 2)
  }

  @Test func tellsWhatIsEmpty() throws {
    var reader = CSVReader(source: source(Array("a,,\"\",\n,,\n".utf8)))
    #expect(try reader.nextRecord())
    #expect((0..<reader.fieldCount).map { reader.isEmpty($0) } == [false, true, true, true])
    #expect((0..<reader.fieldCount).map { reader.isQuoted($0) } == [false, false, true, false])
    #expect(reader.usedFieldCount == 3)
    #expect(try reader.nextRecord())
    #expect(reader.usedFieldCount == 0)
    #expect(try !reader.nextRecord())
    #expect(try !reader.nextRecord())
  }

  @Test func passesErrorsOn() throws {
    struct Gone: Error {}
    var reader = CSVReader { _, _ in throw Gone() }
    #expect(throws: Gone.self) { _ = try reader.nextRecord() }
  }

  @Test func beginsAnywhere() throws {
    var reader = CSVReader(at: 6, line: 2, source: source(Array("sep=;\na,b\n".utf8)))
    #expect(try reader.nextRecord())
    #expect(reader.recordLine == 2)
    #expect(reader.withField(1) { String(decoding: $0, as: UTF8.self) } == "b")
    #expect(reader.extent(1).offset == 8)
  }
}
