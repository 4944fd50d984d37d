import Foundation
import PropertyLists
import Testing

@Suite struct OpenStepListTests {
  private static let values: [(String, String)] = [
    ("{}", "{}"), ("()", "[]"), ("( a, \"b c\", 'd', )", "['a','b c','d']"), ("{ b = 1; a = (x); }", "{b:'1',a:['x']}"),
    ("{ a = 1 }", "{a:'1'}"),
    ("{ a; \"b c\"; }", "{a:'a',b c:'b c'}"), ("\"a string\"", "'a string'"), ("<>", "data()"),
    ("<0fBD 77\n1c2735ae>", "data(0fbd771c2735ae)"),
    ("a = 1; \"b\" = \"2\";", "{a:'1',b:'2'}"),
    ("/* Title */ \"Save\" = \"Sichern\";\n// next\n\"Quit\";\n", "{Save:'Sichern',Quit:'Quit'}"),
    ("{ path = /usr/local/lib; url = http://example.org/; }", "{path:'/usr/local/lib',url:'http://example.org/'}"),
    ("{ a = b; // end\n /* c */ d /* e */ = /* f */ e; }", "{a:'b',d:'e'}"), ("{ a = 1; a = 2; }", "pairs[['a':,'1'],['a':,'2']]"),
    ("(\"\\a\\b\\t\\n\\v\\f\\r\\\"\\'\\\\\\q\\\nx\")", "['\u{7}\u{8}\t\n\u{B}\u{C}\r\"'\\q\nx']"),
    ("(\"\\101\\7\\0012\\341\\201\")", "['A\u{7}\u{1}2ÆÀ']"), ("(\"\\U00e9\\u4321\\Ud83d\\Ude00\")", "['é䌡😀']"),
    ("(\"\\Ud83d\")", "[malformed(eda0bd)]"),
    ("(\"\\Ude00\\Ud83d\")", "[malformed(edb880eda0bd)]"), ("(YES, 5, -1.5)", "['YES','5','-1.5']"), ("(もじ, \"れつ\")", "['もじ','れつ']"),
    ("(<*I5>, <*I-7>, <*I\"18446744073709551615\">)", "[5,-7,unsigned(18446744073709551615)]"), ("(<*BY>, <*BN>)", "[true,false]"),
    ("(<*R3.25>, <*R\"-0\">, <*Rnan>)", "[3.25,-0.0,nan]"), ("<*D2001-01-01 00:00:00 +0000>", "date(0.0)"),
    ("<*D2011-11-28 09:21:30 +0130>", "date(344159490.0)"), ("<*D\"2001-01-01 00:00:00 -0100\">", "date(3600.0)"),
    ("<[qqq7u8zM]>", "data(aaaabbbbcccc)"),
    ("({a=({b=<00>;});},)", "[{a:[{b:data(00)}]}]"),
  ]

  @Test(arguments: values)
  func `every form is read`(text: String, expected: String) throws {
    #expect(try Transcript.of(Array(text.utf8)) == expected)
    #expect(try Transcript.of(Array(" \n\(text)\u{2028}".utf8)) == expected)
  }

  private static let errors: [(String, PropertyListError.Code, Int)] = [
    ("", .missingValue, 0), (" \n", .missingValue, 2), ("/* only */", .missingValue, 10), ("x", .notAPropertyList, 1),
    ("hello world", .notAPropertyList, 6),
    ("plain text, with a comma", .notAPropertyList, 6), (",", .notAPropertyList, 0), ("\"a\" b", .notAPropertyList, 4),
    ("{", .truncated, 0), ("(", .truncated, 0), ("(a", .truncated, 0), ("{a", .truncated, 2), ("{a=", .truncated, 3),
    ("{a=1", .truncated, 0), ("{a=1;", .truncated, 0),
    ("a=1", .truncated, 0), ("\"abc", .truncated, 0), ("(\"a\\", .truncated, 1), ("<00", .truncated, 0), ("(/* a", .truncated, 1),
    ("{a=1}x", .trailingContent, 5), ("(a)(b)", .trailingContent, 3), ("(a b)", .unexpectedCharacter, 3), ("(,)", .unexpectedCharacter, 1),
    ("{=1;}", .unexpectedCharacter, 1),
    ("{\"a\":1;}", .unexpectedCharacter, 4), ("{a=;}", .unexpectedCharacter, 3), ("{a=1,b=2}", .unexpectedCharacter, 4),
    ("(a;b)", .unexpectedCharacter, 2),
    ("{(a)=1;}", .unexpectedCharacter, 1), ("<0>", .badData, 2), ("<0g>", .badData, 2), ("<[A]>", .badData, 3), ("<[AAAA>", .badData, 0),
    ("<*I>", .badInteger, 0), ("<*I1.5>", .badInteger, 0), ("<*I18446744073709551616>", .integerTooLarge, 0), ("<*R>", .badReal, 0),
    ("<*B1>", .unexpectedCharacter, 0),
    ("<*D2011-13-28 09:21:30 +0000>", .badDate, 0), ("<*X1>", .unexpectedCharacter, 0), ("<*>", .unexpectedCharacter, 0),
    ("(\"\\400\")", .unexpectedCharacter, 2),
    ("(\"\\376\")", .unexpectedCharacter, 2), ("(\"\\Ux\")", .unexpectedCharacter, 2), ("{\0}", .unexpectedCharacter, 1),
  ]

  @Test(arguments: errors)
  func `what is no list is an error with its place`(text: String, code: PropertyListError.Code, offset: Int) {
    let found = #expect(throws: PropertyListError.self) { try Transcript.of(Array(text.utf8)) }
    #expect(found?.code == code)
    #expect(found?.offset == offset)
  }

  @Test(arguments: 0...255 as ClosedRange<UInt8>)
  func `a file of one byte is no list`(byte: UInt8) {
    #expect(throws: PropertyListError.self) { try Transcript.of([byte]) }
  }

  @Test func `text without a mark that is no UTF-8 is NeXTSTEP`() throws {
    for byte in 0x80...0xFD as ClosedRange<UInt8> {
      let expected = try #require(String(data: Data([byte]), encoding: .nextstep))
      #expect(try Transcript.of(Array("(\"".utf8) + [byte] + Array("\")".utf8)) == "['\(expected)']")
    }
    for byte in [0xFE, 0xFF] as [UInt8] {
      let found = #expect(throws: PropertyListError.self) { try Transcript.of(Array("(\"".utf8) + [byte] + Array("\")".utf8)) }
      #expect(found?.code == .invalidText)
      #expect(found?.offset == 2)
    }
  }

  @Test func `many collections side by side are read alike from text and XML`() throws {
    let rows = 0..<20_000
    let expected = "[" + rows.map { "{n:'\($0)',l:['x']}" }.joined(separator: ",") + "]"
    let text = "(" + rows.map { "{n=\($0);l=(x);}" }.joined(separator: ",") + ")"
    #expect(try Transcript.of(Array(text.utf8)) == expected)
    let xml = rows.map { "<dict><key>n</key><string>\($0)</string><key>l</key><array><string>x</string></array></dict>" }.joined()
    #expect(try Transcript.of(Array("<plist><array>\(xml)</array></plist>".utf8)) == expected)
  }
}
