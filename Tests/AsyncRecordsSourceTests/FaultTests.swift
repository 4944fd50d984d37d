import AccountExport
import AsyncRecordsSource
import TestSupport
import Testing

/// Values that fail: nothing of them is told, nothing of them stays, and how deep they may lie is one count.
@Suite struct FaultTests {
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
}
