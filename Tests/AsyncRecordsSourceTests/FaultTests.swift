import AccountExport
import AsyncRecordsSource
import TestSupport
import Testing

/// Values that fail: nothing of them is told, nothing of them stays, and how deep they may lie is one count.
@Suite struct FaultTests {
  // MARK: What is told

  /// An error with content in all that it says of itself.
  struct Telling: Error, CustomStringConvertible {
    let description = "hunter2"
  }

  static let failures: [(Shape, String)] = [
    (
      Shape(
        "an encoding error",
        Custom { encoder in
          let path: [any CodingKey] = encoder.codingPath + [AnyKey("hunter2")]
          throw EncodingError.invalidValue("hunter2", .init(codingPath: path, debugDescription: "hunter2", underlyingError: Telling()))
        }), "EncodingError (column v, depth 2)"
    ),
    (
      Shape(
        "an encoding error without a place",
        Custom { _ in throw EncodingError.invalidValue("hunter2", .init(codingPath: [], debugDescription: "hunter2")) }),
      "EncodingError"
    ),
    (
      Shape(
        "an encoding error in a column that isn't known",
        Custom { _ in throw EncodingError.invalidValue("hunter2", .init(codingPath: [AnyKey("hunter2")], debugDescription: "")) }),
      "EncodingError (depth 1)"
    ),
    (Shape("another error", Custom { _ in throw Telling() }), "Telling"),
    (
      Shape("a fault of the row", ["hunter2": [RecordValue.number(digits: "hunter2")]]),
      "the digits are no JSON number (column v, depth 3)"
    ),
    (
      Shape(
        "a container out of its turn",
        [
          "hunter2": Custom { encoder in
            _ = encoder.unkeyedContainer()
            _ = encoder.container(keyedBy: AnyKey.self)
          }
        ]), "one place was given two values (column v, depth 2)"
    ),
  ]

  /// Errors hold values and keys, which are a person's data: the report names their type, a column that is known and how deep it was.
  @Test(arguments: failures) func nothingOfARecordIsTold(_ shape: Shape, _ expected: String) async throws {
    let exported = try await Exported.rows([["v": Shape("", 1)], ["v": shape]])
    #expect(exported.omissions == ["c: record 2 unreadable 1"])
    #expect(exported.warnings == [expected])
  }

  @Test func columnsThatAreNotKnownAreNotTold() async throws {
    let rows = [["hunter2": [RecordValue.number(digits: "x")]]]
    #expect(try await Exported.rows(rows).warnings == ["the digits are no JSON number (depth 2)"])
    #expect(try await Exported.rows(rows, columns: ["hunter2"]).warnings == ["the digits are no JSON number (column hunter2, depth 2)"])
  }

  /// What a model catches and passes on has nothing of the record in it either.
  @Test func faultsHoldNoKeys() async throws {
    let rows = [
      "v": [
        "hunter2": Custom { encoder in
          var single = encoder.singleValueContainer()
          let fault = #expect(throws: RecordFault.self) { try single.encode(RecordValue.number(digits: "hunter2")) }
          var text = "\(fault, default: "none") "
          dump(fault, to: &text)
          #expect(!text.contains("hunter2"))
        }
      ]
    ]
    _ = try await Exported.rows([rows])
  }

  // MARK: Forms that fail

  /// A row that tries one form and then another has nothing of the first, in whatever order the keys of the second come.
  @Test func columnsAfterAFormThatFailed() async throws {
    let rows = [false, true].map { fails in
      Custom { encoder in
        var single = encoder.singleValueContainer()
        if fails {
          do {
            try single.encode(
              Custom { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(1, forKey: "a")
                try container.encode(2, forKey: "b")
                throw Failing.Planned()
              })
          } catch is Failing.Planned {}
        }
        try single.encode(
          Custom { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            for key in fails ? ["b", "a", "c"] : ["a", "b", "c"] { try container.encode(key, forKey: AnyKey(key)) }
          })
      }
    }
    #expect(try await Exported.rows(rows).lines() == [#"{"a":"a","b":"b","c":"c"}"#, #"{"a":"a","b":"b","c":"c"}"#])
  }

  /// A dictionary that failed doesn't have what comes in its place sorted, or masked as it would be.
  @Test func orderAfterADictionaryThatFailed() async throws {
    let value = Custom { encoder in
      var single = encoder.singleValueContainer()
      do { try single.encode([Level.low: Failing()]) } catch is Failing.Planned {}
      try single.encode(["token", "size", "password", "color"])
    }
    #expect(try await Exported.value(value) == #"["token","size","password","color"]"#)
  }

  // MARK: Depth

  /// Containers opened in one another, with a value within: both count, whichever way they nest.
  @Test(arguments: 0..<2) func depthIsOneCount(_ beyond: Int) async throws {
    var request = ExportRequest.fixed
    request.limits.depth = 20
    let rows = [9, 18].map { containers in
      Custom { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        for _ in 0..<containers { container = container.nestedContainer(keyedBy: AnyKey.self, forKey: "d") }
        try container.encode(Deep(depth: 18 - containers + beyond), forKey: "d")
      }
    }
    let exported = try await Exported.rows(rows, request: request)
    #expect(exported.omissions.count == (beyond == 0 ? 0 : 2))
    #expect(try exported.rows().count == (beyond == 0 ? 2 : 0))
  }

  /// Values and containers in turn.
  @Test(arguments: 0..<2) func depthInTurns(_ beyond: Int) async throws {
    struct Turns: Encodable {
      let left: Int
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        if left < 2 { return try container.encode(left, forKey: "left") }
        var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: "d")
        try nested.encode(Turns(left: left - 2), forKey: "d")
      }
    }
    var request = ExportRequest.fixed
    request.limits.depth = 21
    let exported = try await Exported.rows([Turns(left: 20 + 2 * beyond)], request: request)
    #expect(exported.omissions.count == beyond)
    #expect(try exported.rows().count == 1 - beyond)
  }
}
