import AccountExport
import AsyncRecordsSource
import Foundation
import Testing

/// Values of every shape: what a reader of JSON sees is what Foundation's encoder would have had it see.
@Suite struct ShapeTests {
  @Test(arguments: Shapes.all) func inAColumn(_ shape: Shape) async throws {
    let row = ["v": shape]
    let exported = try await Exported.rows([row, row])
    #expect(exported.omissions == [])
    let (text, expected) = (try exported.text(), try JSONSerialization.jsonObject(with: JSONEncoder().encode([row, row])))
    #expect(try exported.rows() as NSArray == expected as? NSArray, "\(text)")
  }

  /// A row of keys is that row, with null where Foundation leaves a key out; anything else is the column `value`.
  @Test(arguments: Shapes.all.filter { $0.testDescription != "writes nothing" }) func asARow(_ shape: Shape) async throws {
    let exported = try await Exported.rows([shape, shape])
    #expect(exported.omissions == [])
    let row = try JSONSerialization.jsonObject(with: JSONEncoder().encode(shape), options: .fragmentsAllowed)
    let (text, expected) = (try exported.text(), row as? [String: Any] ?? ["value": row])
    for row in try exported.rows() {
      let present = row.filter { !($0.value is NSNull && expected[$0.key] == nil) }
      #expect(present as NSDictionary == expected as NSDictionary, "\(text)")
    }
  }

  @Test func aRowThatWritesNothing() async throws {
    #expect(try await Exported.rows([Shape("", ["a": 1]), Shape("", Custom { _ in })]).lines() == [#"{"a":1}"#, #"{"a":null}"#])
  }

  static let goldens: [(Shape, String)] = [
    (Shape("whole double", 1.0), "1.0"),
    (Shape("float", Float(0.1)), "0.1"),
    (Shape("NaN", Double.nan), #"{"$number":"NaN"}"#),
    (Shape("infinity", -Float.infinity), #"{"$number":"-Infinity"}"#),
    (Shape("unsigned", UInt64.max), "18446744073709551615"),
    (Shape("wide", [Int128.min]), "[-170141183460469231731687303715884105728]"),
    (Shape("wide unsigned", ["a": UInt128.max]), #"{"a":340282366920938463463374607431768211455}"#),
    (Shape("dollar key", ["$date": 1, "$$": 2]), #"{"$$$":2,"$$date":1}"#),
    (Shape("date", Date(timeIntervalSinceReferenceDate: 0.25)), #""2001-01-01T00:00:00.25Z""#),
    (Shape("date before", Date(timeIntervalSince1970: -1)), #""1969-12-31T23:59:59Z""#),
    (Shape("date far away", Date(timeIntervalSince1970: 253_402_300_800)), #"{"$date":253402300800.0}"#),
    (Shape("optional date", [Date(timeIntervalSince1970: 0), nil] as [Date?]), #"["1970-01-01T00:00:00Z",null]"#),
    (Shape("data", Data([1, 2, 3])), #"{"$base64":"AQID"}"#),
    (Shape("no data", Data()), #"{"$base64":""}"#),
    (Shape("slice of data", Data([0, 1, 2, 3])[1...]), #"{"$base64":"AQID"}"#),
    (Shape("URL", URL(string: "https://example.org/a?b=c#d")!), #""https://example.org/a?b=c#d""#),
    (
      Shape("relative URL", URL(string: "b", relativeTo: URL(string: "https://example.org/a/"))!),
      #"{"relative":"b","base":"https://example.org/a/"}"#
    ),
    (Shape("decimal", Decimal(string: "12345678901234567890.0123")!), "12345678901234567890.0123"),
    (Shape("small decimal", Decimal(string: "-0.00012")!), "-0.00012"),
    (Shape("large decimal", Decimal(string: "12e20")!), "1200000000000000000000"),
    (Shape("no decimal", Decimal.nan), #"{"$number":"NaN"}"#),
    (Shape("zero decimal", Decimal(0)), "0"),
    (Shape("UUID", UUID(uuidString: "e621e1f8-c36c-495a-93fc-0c247a3e6e5f")!), #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#),
    (Shape("number with its digits", RecordValue.number(digits: "1.50")), "1.50"),
    (Shape("moment", RecordValue.moment(.init(seconds: 1, nanoseconds: 5))), #""1970-01-01T00:00:01.000000005Z""#),
    (Shape("bytes", [RecordValue.bytes([255])]), #"[{"$base64":"/w=="}]"#),
    (Shape("null", RecordValue.null), "null"),
    (Shape("sorted", ["b": 1, "a": 2, "aa": 3, "a b": 4]), #"{"a":2,"a b":4,"aa":3,"b":1}"#),
    (Shape("sorted pairs", [Level.low: Level.low, .high: .high]), #"["high","high","low","low"]"#),
    (
      Shape("sorted set", Set([Event.moved(x: 2, y: 1), .moved(x: 1, y: 1), .started])),
      #"[{"moved":{"x":1,"y":1}},{"moved":{"x":2,"y":1}},{"started":{}}]"#
    ),
    (Shape("superclass", SuperSub()), #"{"own":1,"super":{"base":"b"},"later":2}"#),
  ]

  @Test(arguments: goldens) func golden(_ shape: Shape, _ expected: String) async throws {
    #expect(try await Exported.value(shape) == expected)
  }

  @Test func kindsOfValues() async throws {
    struct Row: Encodable {
      var id = 1, price = 1.5, at = Date(timeIntervalSince1970: 0), text = "t", flag = true, list = [1], object = ["a": 1], mixed: Shape
      var later: Date?
    }
    let exported = try await Exported.rows([Row(mixed: Shape("", 1)), Row(mixed: Shape("", "t"), later: Date(timeIntervalSince1970: 1))])
    #expect(
      try exported.fields() == [
        "id integer", "price number", "at datetime", "text string", "flag boolean", "list array", "object object", "mixed any",
        "later datetime",
      ])
  }

  /// The user's own forms come before anything else, wherever the value stands.
  @Test func formsAndUserInfo() async throws {
    struct Money: Encodable { var cents: Int }
    let key = try #require(CodingUserInfoKey(rawValue: "currency"))
    var encoding = RecordEncoding(userInfo: [key: "EUR"])
    encoding.write(Money.self) { .number(digits: "\($0.cents / 100).\($0.cents % 100)") }
    encoding.write(UUID.self) { .text($0.uuidString.lowercased()) }
    let seen = Custom { encoder in
      var container = encoder.container(keyedBy: AnyKey.self)
      try container.encode(encoder.userInfo[key] as? String, forKey: "currency")
      try container.encode([Money(cents: 1250)], forKey: "amounts")
      try container.encode(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"), forKey: "id")
    }
    let exported = try await Exported.rows([seen], encoding: encoding)
    #expect(try exported.lines() == [#"{"currency":"EUR","amounts":[12.50],"id":"e621e1f8-c36c-495a-93fc-0c247a3e6e5f"}"#])
  }

  @Test func codingPaths() async throws {
    let told = Custom { encoder in
      var container = encoder.container(keyedBy: AnyKey.self)
      var list = container.nestedUnkeyedContainer(forKey: "list")
      try list.encode(0)
      try list.encode(
        Custom { inner in
          var single = inner.singleValueContainer()
          try single.encode(inner.codingPath.map(\.stringValue).joined(separator: "/"))
        })
      try container.encode(
        Custom { inner in
          try inner.codingPath.map { $0 is AnyKey }.encode(to: inner)
        }, forKey: "own")
    }
    #expect(try await Exported.rows([told]).lines() == [#"{"list":[0,"list/1"],"own":[true]}"#])
  }
}
