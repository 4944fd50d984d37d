import CSVReading
import Testing

@Suite struct DetectionTests {
  private func guess(_ text: String, isWhole: Bool = true, delimiter: Character? = nil) -> CSVDialect.Guess {
    Array(text.utf8).withUnsafeBytes { CSVDialect().guess(from: $0, isWhole: isWhole, delimiter: delimiter?.asciiValue) }
  }

  @Test(arguments: [
    ("a,b\n1,2\n", ","), ("a;b\n1,5;2,5\n", ";"), ("a\tb\n1,2\t3\n", "\t"), ("a|b|c\n1|2|3\n", "|"), ("a\n1\n", ","), ("", ","),
    ("name;note\nx;\"a,b,c\"\ny;\"d,e\"\n", ";"), ("a,b;c\n1,2;3\n", ","), ("a;b,c;d\n1;2;3\n4;5;6\n", ";"),
    ("\"a;b\",c\n\"1;2\",3\n", ","),
  ])
  func tellsTheDelimiter(text: String, delimiter: Character) {
    #expect(guess(text).dialect.delimiter == delimiter.asciiValue)
  }

  @Test(arguments: [("sep=;\n", 6), ("sep=;\r\n", 7), ("sep=;\r", 6), ("\"sep=;\"\r\n", 9)])
  func takesExcelsFirstLine(line: String, length: Int) {
    let guess = guess(line + "a,b;c,d\n")
    #expect(guess.dialect.delimiter == UInt8(ascii: ";"))
    #expect(guess.offset == length)
    #expect(guess.line == 2)
    #expect(guess.fields == 2)
  }

  @Test func whatIsGivenGoesFirst() {
    #expect(guess("a;b\n1;2\n", delimiter: ",").dialect.delimiter == UInt8(ascii: ","))
    #expect(guess("sep=;\na,b\n", delimiter: ",").dialect.delimiter == UInt8(ascii: ","))
    #expect(guess("sep=;\na,b\n", delimiter: ",").offset == 6)
  }

  @Test func aCutRecordDoesNotCount() {
    let whole = guess("a,b\n1,2\n3")
    let cut = guess("a,b\n1,2\n3", isWhole: false)
    #expect((whole.records, whole.alike) == (3, 2))
    #expect((cut.records, cut.alike) == (2, 2))
  }

  /// Where the first record is all there is, or a part of it, that tells the delimiter.
  @Test(arguments: [("a\tb\tc, d", false), ("a\tb\t\"c, d", false), ("a\tb\t\"c, d\n1\t2\t3\n", true)])
  func aCutFirstRecordTellsTheDelimiter(text: String, isWhole: Bool) {
    let guess = guess(text, isWhole: isWhole)
    #expect(guess.dialect.delimiter == UInt8(ascii: "\t"))
    #expect((guess.records, guess.fields, guess.alike) == (1, 3, 1))
  }

  @Test(arguments: [
    ("a, b\tc\n1, 2\t3\n", "\t"), ("a, b, c\td\n1, 2, 3\t4\n", "\t"), ("a,b\tc\n1,2\n", ","), ("a;b\n1;2\n", ";"), ("a\n", "\t"),
  ])
  func takesWhatIsPreferredWhereItFits(text: String, delimiter: Character) {
    let guess = Array(text.utf8).withUnsafeBytes { CSVDialect().guess(from: $0, isWhole: true, preferred: UInt8(ascii: "\t")) }
    #expect(guess.dialect.delimiter == delimiter.asciiValue)
  }

  @Test func makesNamesOfBytes() {
    var header = CSVHeader()
    for name in [Array("id".utf8), [0x61, 0xFF], Array("abcdé".utf8), Array("abcde".utf8), Array("abcdef".utf8), []] {
      header.add(name, longest: 5)
    }
    #expect(header.names == ["id", "a\u{FFFD}", "abcd", "abcde", "abcde-2", "column 6"])
    #expect(header.changes.map(\.column) == [2, 3, 5, 6])
    header.rename(0, "abcd")
    #expect(header.names[0] == "abcd-2")
    #expect(header.changes.last.map { [$0.original, "\($0.column)"] } == ["id", "1"])
  }

  @Test func makesNamesUnique() {
    var header = CSVHeader()
    for name in ["id", "", "id", "id-2", "column 2", "é", "e\u{301}"] { header.add(name) }
    header.widen(to: 8)
    #expect(
      header.names.map { Array($0.utf8) }
        == ["id", "column 2", "id-2", "id-2-2", "column 2-2", "é", "e\u{301}", "column 8"].map { Array($0.utf8) })
    #expect(header.changes.map(\.column) == [2, 3, 4, 5])
    #expect(header.changes.map(\.original) == ["", "id", "id-2", "column 2"])
    header.narrow(to: 2)
    #expect(header.names == ["id", "column 2"])
    #expect(header.changes.map(\.column) == [2])
  }
}
