import AccountExport
import AsyncRecordsSource
import Foundation
import TestSupport
import Testing

/// Rows: their columns, those that fail, and sequences that end early.
@Suite struct RowTests {
  struct Note: Encodable, Sendable {
    var id: Int
    var title: String?
  }

  // MARK: Columns

  @Test func everyRowHasEveryKey() async throws {
    let exported = try await Exported.rows([Note(id: 1, title: nil), Note(id: 2, title: "b")])
    #expect(try exported.text() == "[\n{\"id\":1,\"title\":null},\n{\"id\":2,\"title\":\"b\"}\n]\n")
  }

  @Test func laterKeysBecomeColumnsAtTheEnd() async throws {
    let exported = try await Exported.rows([["b": 1], ["a": 2], ["b": 3, "c": 4], [:], ["$": 5]])
    #expect(
      try exported.text() == """
        [
        {"b":1,"a":null,"c":null,"$$":null},
        {"b":null,"a":2,"c":null,"$$":null},
        {"b":3,"a":null,"c":4,"$$":null},
        {"b":null,"a":null,"c":null,"$$":null},
        {"b":null,"a":null,"c":null,"$$":5}
        ]

        """)
    #expect(try exported.fields() == ["b integer", "a integer", "c integer", "$ integer"])
  }

  @Test func columnsAfterRowsWithoutAny() async throws {
    let exported = try await Exported.rows([[:], [:], ["a": 1]])
    #expect(try exported.lines() == [#"{"a":null}"#, #"{"a":null}"#, #"{"a":1}"#])
  }

  @Test func declaredColumnsComeFirst() async throws {
    let exported = try await Exported.rows([Note(id: 1, title: "a")], columns: ["title", "never", "id"])
    #expect(try exported.lines() == [#"{"title":"a","never":null,"id":1}"#])
    let empty = try await Exported.rows([Note](), columns: ["title", "id"])
    #expect(try empty.text() == "[]\n")
    #expect(try empty.fields() == ["title any", "id any"])
  }

  @Test func keysInAnyOrder() async throws {
    let other = Custom { encoder in
      var container = encoder.container(keyedBy: AnyKey.self)
      try container.encode("b", forKey: "title")
      try container.encode(2, forKey: "id")
    }
    let exported = try await Exported.rows([Shape("", Note(id: 1, title: "a")), Shape("", other)])
    #expect(try exported.lines() == [#"{"id":1,"title":"a"}"#, #"{"id":2,"title":"b"}"#])
  }

  @Test func valuesThatAreNoObjects() async throws {
    let rows = [
      Shape("", 1), Shape("", [1, 2]), Shape("", "t"), Shape("", Optional<Int>.none), Shape("", Set([3])), Shape("", ["k": true]),
    ]
    let exported = try await Exported.rows(rows)
    let values = ["1", "[1,2]", #""t""#, "null", "[3]", "null"]
    #expect(try exported.lines() == values.enumerated().map { #"{"value":\#($1),"k":\#($0 == 5 ? "true" : "null")}"# })
  }

  /// The second pass over rows meets them wherever the pieces it reads end.
  @Test(arguments: [1, 60_000, 65_520, 65_530, 65_536, 131_072]) func longRowsAreCompleted(_ length: Int) async throws {
    let text = String(repeating: "},\\n]", count: length / 5) + String(repeating: "x", count: length % 5)
    for shift in 0..<12 {
      let exported = try await Exported.rows([["a": String(repeating: "y", count: shift)], ["a": text], ["a": "z"], ["b": "1"]])
      #expect(
        try exported.rows() as NSArray == [
          ["a": String(repeating: "y", count: shift), "b": NSNull()], ["a": text, "b": NSNull()], ["a": "z", "b": NSNull()],
          ["a": NSNull(), "b": "1"],
        ] as NSArray)
    }
  }

  /// A value that fails and is caught doesn't shift the columns of those that follow.
  @Test func columnsAfterAnErrorThatIsCaught() async throws {
    let rows = [false, true, false].map { fails in
      Custom { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        do { try container.encode(Shape("", fails ? Custom { try Failing().encode(to: $0) } : 1), forKey: "a") } catch is Failing.Planned {}
        try container.encode(2, forKey: "b")
        if fails { try container.encode(3, forKey: "b") }
        try container.encode(4, forKey: "c")
      }
    }
    let exported = try await Exported.rows(rows)
    #expect(try exported.lines() == [#"{"a":1,"b":2,"c":4}"#, #"{"a":null,"b":3,"c":4}"#, #"{"a":1,"b":2,"c":4}"#])
  }

  @Test func manyColumnsInAnyOrder() async throws {
    let rows = (0..<40).map { row in Dictionary(uniqueKeysWithValues: (0..<100).map { ("key\(($0 * 7 + row * 3) % 300)", $0) }) }
    let exported = try await Exported.rows(rows)
    let written = try exported.rows()
    let columns = Set(rows.flatMap(\.keys))
    #expect(written.count == rows.count)
    for (row, expected) in zip(written, rows) {
      #expect(Set(row.keys) == columns)
      #expect(row.compactMapValues { $0 as? Int } == expected)
    }
  }

  // MARK: What fails

  struct Choosy: Encodable, Sendable {
    var id: Int
    var isGood: Bool

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: AnyKey.self)
      try container.encode(id, forKey: "id")
      if isGood { return try container.encode(Data(count: 5000), forKey: "data") }
      try container.encode(Data(count: 6000), forKey: "data")
      try container.encode(1, forKey: "begun")
      throw Planned("id \(id)")
    }
  }

  @Test func aRowThatFailsIsNamedAndTheRestGoesOn() async throws {
    let exported = try await Exported.rows((1...5).map { Choosy(id: $0, isGood: $0 % 2 == 1) })
    #expect(try exported.rows().map { $0["id"] as? Int } == [1, 3, 5])
    #expect(try exported.fields() == ["id integer", "data object"], "a row that failed has left a column")
    #expect(exported.omissions == ["c: record 2 unreadable 1", "c: record 4 unreadable 1"])
    #expect(exported.files.keys.sorted() == ["c.json", "files/c/1.bin", "files/c/2.bin", "files/c/3.bin"])
  }

  @Test func manyFailuresAreCounted() async throws {
    let exported = try await Exported.rows((1...1500).map { Choosy(id: $0, isGood: false) })
    #expect(try exported.text() == "[]\n")
    #expect(exported.omissions.count == 1001)
    #expect(exported.omissions.last == "c: further records unreadable 500")
  }

  @Test func aSequenceThatFailsKeepsItsRows() async throws {
    let records = AsyncThrowingStream<Note, any Error> { stream in
      for id in 1...3 { stream.yield(Note(id: id)) }
      stream.finish(throwing: Planned("connection lost"))
    }
    let exported = try await Exported {
      let outcome = try await $0.collection("c", of: records)
      #expect(outcome.rows == 3)
      #expect(outcome.failure as? Planned == Planned("connection lost"))
      try await $0.collection("next", of: [Note(id: 9)])
    }
    #expect(try exported.rows().count == 3)
    #expect(exported.omissions == ["c failed 3"])
    #expect(try exported.rows("next").count == 1)
  }

  @Test(arguments: [1, 2, 500]) func valuesThatLieTooDeep(_ beyond: Int) async throws {
    var request = ExportRequest.fixed
    request.limits.depth = 20
    let exported = try await Exported.rows(
      [["v": Deep(depth: 18)], ["v": Deep(depth: 18 + beyond)], ["v": Deep(depth: 0)]], request: request)
    #expect(try exported.rows().count == 2)
    #expect(exported.omissions == ["c: record 2 unreadable 1"])
  }

  /// Containers opened in one another without an end, in a loop or by calling oneself.
  @Test func endlessDepth() async throws {
    let loop = Custom { encoder in
      var container = encoder.container(keyedBy: AnyKey.self)
      for _ in 0..<100_000 { container = container.nestedContainer(keyedBy: AnyKey.self, forKey: "in") }
    }
    struct Endless: Encodable, Sendable {
      func encode(to encoder: any Encoder) throws {
        var single = encoder.singleValueContainer()
        try single.encode(self)
      }
    }
    let exported = try await Exported.rows([Shape("", loop), Shape("", Endless()), Shape("", ["a": 1])])
    #expect(try exported.lines() == [#"{"a":1}"#])
    #expect(exported.omissions.count == 2)
  }

  // MARK: Encoders used as they shouldn't be

  static let misuse: [Shape] = [
    Shape(
      "two kinds of container",
      Custom { encoder in
        _ = encoder.container(keyedBy: AnyKey.self)
        _ = encoder.unkeyedContainer()
      }),
    Shape(
      "two values",
      Custom { encoder in
        var single = encoder.singleValueContainer()
        try single.encode(1)
        try single.encode(2)
      }),
    Shape(
      "a container that was kept",
      Custom { encoder in
        var list = encoder.unkeyedContainer()
        let kept = Kept()
        try list.encode(Custom { kept.container = $0.unkeyedContainer() })
        try kept.container?.encode(1)
      }),
    Shape(
      "the parent within the child's turn",
      Custom { encoder in
        let kept = Kept()
        var list = encoder.unkeyedContainer()
        kept.container = list
        try list.encode(
          Custom { inner in
            try kept.container?.encode(1)
            try 2.encode(to: inner)
          })
      }),
    Shape("no number", RecordValue.number(digits: "1.")),
    Shape(
      "no number in an array",
      Custom { encoder in
        var list = encoder.unkeyedContainer()
        try list.encode(RecordValue.number(digits: "x"))
      }),
  ]

  @Test(arguments: misuse) func misuseFailsTheRow(_ shape: Shape) async throws {
    let exported = try await Exported.rows([["v": Shape("", 1)], ["v": shape], ["v": Shape("", [2])]])
    #expect(try exported.lines() == [#"{"v":1}"#, #"{"v":[2]}"#])
    #expect(exported.omissions == ["c: record 2 unreadable 1"])
  }

  /// What a value keeps of its encoder doesn't reach into later rows.
  @Test func encodersThatAreKept() async throws {
    let kept = Kept()
    let rows = (0..<10).map { number in
      Custom { encoder in
        do { try kept.container?.encode("stray") } catch is RecordFault {}
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(number, forKey: "n")
        var list = container.nestedUnkeyedContainer(forKey: "list")
        try list.encode(number)
        kept.container = list
      }
    }
    let exported = try await Exported.rows(rows)
    #expect(try exported.lines() == (0..<10).map { #"{"n":\#($0),"list":[\#($0)]}"# })
  }
}

/// Something that a value keeps beyond its turn. `@unchecked`: one test uses one.
final class Kept: @unchecked Sendable {
  var container: (any UnkeyedEncodingContainer)?
}
