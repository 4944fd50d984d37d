import TestSupport
import Testing

@testable import AccountExport

/// What is masked of a collection's columns as a whole: keys that stay keys, other persons' data, what a law forbids to send, what is made from secrets.
@Suite struct MaskedColumnTests {
  private static let m = #"{"$redacted":"secret"}"#
  private typealias Row = (inout RowWriter) throws -> Void

  private static func collection(
    _ columns: [CollectionDescription.Column], request: ExportRequest = .fixed, named name: String = "c", _ rows: [Row],
    describe: (inout CollectionDescription) -> Void = { _ in }
  ) async throws -> (lines: [String], staged: Staged) {
    var description = CollectionDescription(name, columns: columns)
    describe(&description)
    let staged = try await Staged(request: request) { writer in
      try await writer.collection(description) { records in for row in rows { try records.row(row) } }
    }
    return (try lines(staged, name), staged)
  }

  private static func lines(_ staged: Staged, _ name: String) throws -> [String] {
    try staged.entry(name + ".json").text.split(separator: "\n").dropFirst().dropLast().map {
      $0.hasSuffix(",") ? String($0.dropLast()) : String($0)
    }
  }

  private static func texts(_ texts: String...) -> Row {
    { row in for text in texts { row.text(text) } }
  }

  // MARK: Keys

  @Test func aMaskedKeyIsItsRowsNumber() async throws {
    let (lines, staged) = try await Self.collection(
      [.init("token", isPrimary: true), .init("agent")],
      [
        Self.texts("a", "x"),
        {
          $0.text(""); $0.text("y")
        },
        {
          $0.null(); $0.text("z")
        },
        {
          $0.integer(7); $0.text("u")
        },
        { row in
          try [1 as UInt8].withUnsafeBytes { try row.bytes($0) }
          row.text("v")
        },
      ]
    ) { $0.primaryKey = ["token"] }
    #expect(
      lines == [
        #"{"token":1,"agent":"x"}"#, #"{"token":"","agent":"y"}"#, #"{"token":null,"agent":"z"}"#, #"{"token":4,"agent":"u"}"#,
        #"{"token":5,"agent":"v"}"#,
      ])
    let table = try #require(try staged.entry("c.json").table)
    #expect(table.kinds == [[.integer, .text], .text])
    #expect(table.description.primaryKey == [])
    let redacted = try #require(staged.tally.redactions.first)
    #expect(redacted.key.path == "c.token" && redacted.value == .init(count: 3, asNumber: 3))
  }

  /// A key of two columns, and what refers to a key: the same secret is the same number all over the source.
  @Test func aMaskedKeyIsTheSameNumberWhereverItStands() async throws {
    let (one, two) = (TextLookTests.jwt, TextLookTests.jwt + "X")
    let staged = try await Staged { writer in
      let devices = CollectionDescription("devices", columns: [.init("user", isPrimary: true), .init("device_token", isPrimary: true)])
      try await writer.collection(devices) { records in
        for (user, token) in [(1, "a"), (1, "b"), (2, "a")] as [(Int64, String)] {
          try records.row {
            $0.integer(user); $0.text(token)
          }
        }
      }
      try await writer.collection(CollectionDescription("event", columns: [.init("session", isKey: true), .init("note")])) { records in
        for key in [two, one, "plain", two] { try records.row(Self.texts(key, one)) }
      }
      try await writer.collection(CollectionDescription("session", columns: [.init("jwt", isKey: true, isPrimary: true)])) { records in
        for key in [one, two] { try records.row(Self.texts(key)) }
      }
    }
    #expect(
      try Self.lines(staged, "devices") == [
        #"{"user":1,"device_token":1}"#, #"{"user":1,"device_token":2}"#, #"{"user":2,"device_token":1}"#,
      ])
    #expect(
      try Self.lines(staged, "event") == [
        #"{"session":3,"note":\#(Self.m)}"#, #"{"session":4,"note":\#(Self.m)}"#, #"{"session":"plain","note":\#(Self.m)}"#,
        #"{"session":3,"note":\#(Self.m)}"#,
      ])
    #expect(try Self.lines(staged, "session") == [#"{"jwt":4}"#, #"{"jwt":3}"#])
    #expect(staged.redactions == ["devices.device_token": 3, "event.session": 3, "event.note": 4, "session.jwt": 2])
  }

  // MARK: Other persons' data

  private static func request(_ columns: [ThirdPartyColumn], key: [UInt8]? = nil) -> ExportRequest {
    var request = ExportRequest.fixed
    request.thirdParty = ["records/Test": columns]
    request.pseudonymKey = key
    return request
  }

  @Test func everyKindOfValueOfAnotherPerson() async throws {
    let (lines, staged) = try await Self.collection(
      [.init("id"), .init("sender")], request: Self.request([.init(collection: "C", column: "Sender")]),
      [
        {
          $0.integer(1); $0.text("Bo")
        },
        {
          $0.integer(2); $0.integer(42)
        },
        {
          $0.integer(3); $0.boolean(true)
        },
        {
          $0.integer(4); $0.null()
        },
        {
          $0.integer(5); $0.text("")
        },
        {
          $0.integer(6); $0.moment(Timestamp(seconds: 0))
        },
        {
          $0.integer(7); $0.real(0.5)
        },
        { row in
          row.integer(8)
          try row.nested { nested in
            try nested.beginObject()
            Array("name".utf8).withUnsafeBufferPointer { nested.key($0) }
            nested.null()
            nested.endObject()
          }
        },
        { row in
          row.integer(9)
          try [UInt8](repeating: 1, count: 9000).withUnsafeBytes { try row.bytes($0) }
        },
        { row in
          row.integer(10)
          _ = try row.largeText { _ in 0 }
        },
      ])
    let mask = #"{"$redacted":"third-party"}"#
    let values = [mask, mask, mask, "null", #""""#, mask, mask, mask, mask, mask]
    #expect(lines == values.enumerated().map { #"{"id":\#($0 + 1),"sender":\#($1)}"# })
    #expect(staged.tally.redactions == [.init(path: "c.sender", reason: .thirdParty): .init(count: 8)])
    #expect(staged.entries.count == 1)
  }

  @Test func pseudonymsAreTheSameInOneBundleOnly() async throws {
    func export(key: [UInt8]?) async throws -> [String] {
      let columns: [ThirdPartyColumn] = [
        .init(collection: "c", column: "sender", style: .pseudonym), .init(collection: "d", column: "who", style: .pseudonym),
      ]
      let staged = try await Staged(request: Self.request(columns, key: key)) { writer in
        try await writer.collection(CollectionDescription("c", columns: [.init("sender")])) { records in
          for row in [Self.texts("Bo"), Self.texts("Cy"), Self.texts("Bo"), { $0.integer(42) }] { try records.row(row) }
        }
        try await writer.collection(CollectionDescription("d", columns: [.init("who")])) { records in
          for text in ["Cy", "42"] { try records.row(Self.texts(text)) }
        }
      }
      #expect(staged.redactions == ["c.sender": 4, "d.who": 2])
      let values = try (Self.lines(staged, "c") + Self.lines(staged, "d")).map { line in
        let parts = line.split(separator: "\"")
        #expect(line.contains(#":{"$redacted":"third-party","pseudonym":""#))
        return String(try #require(parts.dropLast().last))
      }
      #expect(values[0] == values[2] && values[1] == values[4] && values[3] == values[5])
      #expect(Set(values).count == 3 && values.allSatisfy { $0.count == 20 })
      return values
    }
    let (first, second) = (try await export(key: nil), try await export(key: nil))
    #expect(Set(first).isDisjoint(with: second))
    let key = Array("0123456789abcdef".utf8)
    #expect(try await export(key: key) == export(key: key))
    // HMAC-SHA-256 of "Bo" under that key, by OpenSSL's own command.
    #expect(try await export(key: key)[0] == "5ec51a99d5695fb13ac3")
  }

  @Test func aKeyOfAnotherPersonIsPromisedToNoReader() async throws {
    let (_, staged) = try await Self.collection(
      [.init("id", isKey: true, isPrimary: true), .init("sender_id", isKey: true)],
      request: Self.request([
        .init(collection: "c", column: "sender_id"), .init(collection: "users", column: "id"), .init(collection: "x", column: "y"),
      ]),
      [
        {
          $0.integer(1); $0.integer(2)
        }
      ]
    ) {
      $0.primaryKey = ["id"]
      $0.foreignKeys = [
        .init(columns: ["sender_id"], collection: "people", referenced: ["id"], isSatisfied: true),
        .init(columns: ["id"], collection: "users", referenced: ["id"], isSatisfied: true),
        .init(columns: ["id"], collection: "other", referenced: ["id"], isSatisfied: true),
      ]
    }
    let table = try #require(try staged.entry("c.json").table)
    #expect(table.description.primaryKey == ["id"])
    #expect(table.description.foreignKeys.map(\.isSatisfied) == [false, false, true])
  }

  @Test(arguments: [
    ("messages.sender_name", "messages", "sender_name"), ("app.messages.sender", "app.messages", "sender"), ("a.b", "a", "b"),
  ])
  func columnsByName(_ name: (text: String, collection: String, column: String)) {
    #expect(ThirdPartyColumn(name.text) == ThirdPartyColumn(collection: name.collection, column: name.column))
  }

  @Test(arguments: ["", ".", "a", "a.", ".a"]) func noColumns(_ name: String) { #expect(ThirdPartyColumn(name) == nil) }

  // MARK: What a law forbids to send

  @Test(arguments: ["CCPA", "GDPR", nil]) func regulated(_ law: String?) async throws {
    var request = ExportRequest.fixed
    request.law = law
    let (lines, staged) = try await Self.collection(
      [.init("ssn"), .init("password"), .init("key"), .init("value"), .init("json")], request: request,
      [Self.texts("1", "2", "passport_number", "3", #"{"iban":"DE","pin":1}"#)])
    if law == "CCPA" {
      let r = #"{"$redacted":"regulated"}"#
      #expect(
        lines == [
          #"{"ssn":\#(r),"password":\#(Self.m),"key":"passport_number","value":\#(r),"json":"{\"iban\":\"[redacted]\",\"pin\":\"[redacted]\"}"}"#
        ])
      #expect(staged.tally.redactions.count == 5)
      #expect(staged.tally.redactions[.init(path: "c.json", reason: .regulated)] == .init(count: 1, inText: 1))
      #expect(staged.tally.redactions[.init(path: "c.json", reason: .secret)] == .init(count: 1, inText: 1))
      #expect(staged.tally.redactions[.init(path: "c.ssn", reason: .regulated)] == .init(count: 1))
    } else {
      #expect(
        lines == [
          #"{"ssn":"1","password":\#(Self.m),"key":"passport_number","value":"3","json":"{\"iban\":\"DE\",\"pin\":\"[redacted]\"}"}"#
        ])
    }
  }

  /// The owner of a store may have its secrets, but the law holds for it all the same.
  @Test func secretsSwitchedOffLeaveTheLaw() async throws {
    var request = ExportRequest.fixed
    (request.law, request.secrets.isEnabled) = ("CCPA", false)
    let (lines, _) = try await Self.collection(
      [.init("ssn"), .init("password"), .init("json")], request: request, [Self.texts("1", "2", #"{"ssn":1,"pin":2}"#)])
    #expect(lines == [#"{"ssn":{"$redacted":"regulated"},"password":"2","json":"{\"ssn\":\"[redacted]\",\"pin\":2}"}"#])
  }

  // MARK: What the configuration allows, what is made from secrets

  @Test func anAllowedColumnHasNoSecrets() async throws {
    var request = ExportRequest.fixed
    request.secrets.allow(name: "c.token")
    request.secrets.allow(name: "c.value")
    let (lines, _) = try await Self.collection(
      [.init("token"), .init("key"), .init("value"), .init("other_token")], request: request,
      [Self.texts(TextLookTests.jwt, "pin", #"{"pin":1}"#, "x")])
    #expect(lines == [#"{"token":"\#(TextLookTests.jwt)","key":"pin","value":"{\"pin\":1}","other_token":\#(Self.m)}"#])
  }

  @Test(
    arguments: [
      ("upper(password)", m), (#""Password" || ''"#, m), ("[password]", m), ("coalesce(`title`, 'x')", #""made""#),
      ("json_extract(title, '$.api_key')", m), ("title ->> 'token'", m), ("json_extract(title, '$.tokens_count')", #""made""#),
      ("length(title) -- password", #""made""#), ("title /* password */ || 'my password hint'", #""made""#), ("passwords", #""made""#),
    ])
  func generatedColumns(_ column: (expression: String, value: String)) async throws {
    let (lines, _) = try await Self.collection(
      [.init("made", expression: column.expression), .init("title"), .init("password")], [Self.texts("made", "t", "p")])
    #expect(lines == [#"{"made":\#(column.value),"title":"t","password":\#(Self.m)}"#])
  }

  /// What was found to be a secret in this row makes secrets of what is made from it: in this row, before it or behind it, through several columns.
  @Test func madeFromASecretOfTheRow() async throws {
    let columns: [CollectionDescription.Column] = [
      .init("twice", expression: "once || once"), .init("once", expression: "upper(note)"), .init("note"),
      .init("after", expression: "lower(note)"),
      .init("key"), .init("value"), .init("shown", expression: "\"value\""),
    ]
    let (lines, staged) = try await Self.collection(
      columns,
      [
        Self.texts("1", "2", TextLookTests.jwt, "3", "colour", "v", "4"), Self.texts("1", "2", "n", "3", "pin", "v", "4"),
        Self.texts("1", "2", "n", "3", "colour", "v", "4"),
      ])
    let m = Self.m
    #expect(
      lines == [
        #"{"twice":\#(m),"once":\#(m),"note":\#(m),"after":\#(m),"key":"colour","value":"v","shown":"4"}"#,
        #"{"twice":"1","once":"2","note":"n","after":"3","key":"pin","value":\#(m),"shown":\#(m)}"#,
        #"{"twice":"1","once":"2","note":"n","after":"3","key":"colour","value":"v","shown":"4"}"#,
      ])
    #expect(staged.redactions == ["c.twice": 1, "c.once": 1, "c.note": 1, "c.after": 1, "c.value": 1, "c.shown": 1])
  }

  @Test(
    arguments: [
      ("", []), ("a", [.name("a")]), ("a_1 || 'it''s'", [.name("a_1"), .mark(0x7C), .mark(0x7C), .text("it's")]),
      (#""a""b" `c` [d e]"#, [.name("a\"b"), .name("c"), .name("d e")]),
      ("f(x)--y\n+z", [.name("f"), .mark(0x28), .name("x"), .mark(0x29), .mark(0x2B), .name("z")]),
      ("/* a */b/* c", [.name("b")]), ("'open", [.text("open")]), ("[open", [.name("open")]), ("é$1", [.name("é$1")]),
      ("'a' 'b'", [.text("a"), .text("b")]),
    ] as [(String, [SQLTokens.Token])])
  func tokens(_ sql: (text: String, tokens: [SQLTokens.Token])) {
    var tokens = SQLTokens(sql.text)
    var found: [SQLTokens.Token] = []
    while let token = tokens.next() { found.append(token) }
    #expect(found == sql.tokens)
  }
}
