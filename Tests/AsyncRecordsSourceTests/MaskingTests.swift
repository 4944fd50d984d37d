import AccountExport
import AsyncRecordsSource
import Foundation
import TestSupport
import Testing

/// Secrets are masked by the names of their keys, at any depth, and large ones leave no file.
@Suite struct MaskingTests {
  private let masked = #"{"$redacted":"secret"}"#

  @Test func columns() async throws {
    struct User: Encodable {
      var id = 1, password = "hunter2", apiKey: String?, token: [String] = [], accessToken = ["a"], userPin = 1234,
        privateKey = Data(count: 9000)
    }
    let exported = try await Exported.rows([User()])
    #expect(
      try exported.lines() == [
        #"{"id":1,"password":\#(masked),"apiKey":null,"token":[],"accessToken":\#(masked),"userPin":\#(masked),"privateKey":\#(masked)}"#
      ])
    #expect(exported.files.keys.sorted() == ["c.json"], "a secret has left a file")
    #expect(exported.redactions == ["c.password": 1, "c.accessToken": 1, "c.userPin": 1, "c.privateKey": 1])
  }

  @Test func nested() async throws {
    struct Login: Encodable {
      var user = "m", password = "p", token: String?, secret = "", isAdmin = true, backup = ["password": ["a", "b"], "hint": ["c"]]
      var privateKey = Data(count: 9000), hash = "$2b$12$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234"
    }
    let exported = try await Exported.rows([["login": Login()]])
    #expect(
      try exported.lines() == [
        #"{"login":{"user":"m","password":\#(masked),"secret":"","isAdmin":true,"backup":{"hint":["c"],"password":\#(masked)},"#
          + #""privateKey":\#(masked),"hash":\#(masked)}}"#
      ])
    #expect(exported.redactions == ["c.login": 4])
    #expect(exported.files.keys.sorted() == ["c.json"])
  }

  /// A dictionary whose keys are no texts is an array of keys and values in turn: the key's text names the value behind it.
  @Test func dictionariesOfOtherKeys() async throws {
    enum Field: String, Encodable, Hashable { case color, password, token, privateKey, secret, pin }
    let fields: [Field: Shape] = [
      .color: Shape("", "red"), .password: Shape("", "hunter2"), .token: Shape("", ["a", "b"]), .privateKey: Shape("", Data(count: 9000)),
      .secret: Shape("", true), .pin: Shape("", Optional<Int>.none),
    ]
    let exported = try await Exported.rows([["v": fields]])
    #expect(
      try exported.lines() == [
        #"{"v":["color","red","password",\#(masked),"pin",null,"privateKey",\#(masked),"secret",true,"token",\#(masked)]}"#
      ])
    #expect(exported.redactions == ["c.v": 3])
    #expect(exported.files.keys.sorted() == ["c.json"], "a secret has left a file")
    let row = try await Exported.rows([[Field.password: "hunter2", .color: "password"]])
    #expect(try row.lines() == [#"{"value":["color","password","password",\#(masked)]}"#])
    #expect(row.redactions == ["c.value": 1])
  }

  /// Only keys name what stands behind them, not any text of an array or a set.
  @Test func textsThatAreNoKeys() async throws {
    let exported = try await Exported.rows([["v": Shape("", ["password", "a"]), "w": Shape("", Set(["password", "z"]))]])
    #expect(try exported.lines() == [#"{"v":["password","a"],"w":["password","z"]}"#])
    #expect(exported.redactions == [:])
  }

  /// A container that stays open beside others is masked as a whole, with what was masked in it.
  @Test func containersOpenedByThemselves() async throws {
    let row = Custom { encoder in
      var container = encoder.container(keyedBy: AnyKey.self)
      var outer = container.nestedContainer(keyedBy: AnyKey.self, forKey: "outer")
      var secrets = outer.nestedContainer(keyedBy: AnyKey.self, forKey: "secret")
      var none = outer.nestedUnkeyedContainer(forKey: "tokens")
      var top = container.nestedContainer(keyedBy: AnyKey.self, forKey: "login")
      try outer.encode("kept", forKey: "name")
      try secrets.encode("p", forKey: "password")
      try secrets.encode(Data(count: 5000), forKey: "blob")
      try top.encode("q", forKey: "password")
      try top.encode("r", forKey: "user")
      _ = none.count
      none = outer.nestedUnkeyedContainer(forKey: "tokens")
    }
    let exported = try await Exported.rows([row])
    #expect(
      try exported.lines() == [
        #"{"outer":{"secret":\#(masked),"tokens":[],"name":"kept"},"login":{"password":\#(masked),"user":"r"}}"#
      ])
    #expect(exported.redactions == ["c.outer": 1, "c.login": 1])
    #expect(exported.files.keys.sorted() == ["c.json"])
  }

  /// One value's text makes a secret of another's, whichever comes first.
  @Test(arguments: [["meta_key", "meta_value"], ["meta_value", "meta_key"]]) func namedByASibling(_ order: [String]) async throws {
    let rows = [("session_tokens", "abc"), ("color", "red"), ("api_key\"", "xyz")].map { pair in
      Custom { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        for key in order { try container.encode(key == "meta_key" ? pair.0 : pair.1, forKey: AnyKey(key)) }
      }
    }
    let exported = try await Exported.rows(rows)
    #expect(try exported.rows().map { ($0["meta_value"] as? String) ?? "masked" } == ["masked", "red", "masked"])
    #expect(exported.redactions == ["c.meta_value": 2])
  }

  /// A column that comes later can name an earlier one's value from its first row on.
  @Test func namingColumnThatComesLater() async throws {
    let exported = try await Exported.rows([["value": "a"], ["value": "b", "key": "password"], ["value": "c", "key": "size"]])
    #expect(
      try exported.lines() == [#"{"value":"a","key":null}"#, #"{"value":\#(masked),"key":"password"}"#, #"{"value":"c","key":"size"}"#])
  }

  @Test func describedKeysAndNoRules() async throws {
    var description = CollectionDescription("c", columns: [.init("token", isKey: true), .init("password")])
    description.primaryKey = ["token"]
    let described = description
    let rows = [["token": "t", "password": "p"]]
    let exported = try await Exported { try await $0.collection(described, of: rows) }
    #expect(try exported.lines() == [#"{"token":"t","password":\#(masked)}"#])
    var request = ExportRequest.fixed
    request.secrets.isEnabled = false
    let open = try await Exported.rows([["password": ["password": "p"]]], request: request)
    #expect(try open.lines() == [#"{"password":{"password":"p"}}"#])
  }

  // MARK: What names and texts tell

  /// Beside a sibling that names it, before or behind; in a text that is JSON; the counts are of what is masked in the end.
  @Test func siblingsAndTexts() async throws {
    struct Pair: Encodable {
      var value: String, name: String
      var more: [String: String]?
    }
    struct Late: Encodable { var name = "api_token", value = ["a": ["password": "p", "b": "c"]] }
    let exported = try await Exported.rows([
      ["v": Shape("", [Pair(value: "x", name: "session_token"), Pair(value: "red", name: "colour", more: ["value": "y", "key": "pin"])])],
      ["v": Shape("", [Late()])], ["v": Shape("", #" {"apiKey":"k","n":1}"#)],
      ["v": Shape("", ["t": #"{"name":"otp","value":1}"#, "u": "{no json", "$redacted": "secret"])],
    ])
    #expect(
      try exported.lines() == [
        #"{"v":[{"value":\#(masked),"name":"session_token"},{"value":"red","name":"colour","more":{"key":"pin","value":\#(masked)}}]}"#,
        #"{"v":[{"name":"api_token","value":\#(masked)}]}"#, #"{"v":" {\"apiKey\":\"[redacted]\",\"n\":1}"}"#,
        #"{"v":{"$$redacted":"secret","t":"{\"name\":\"otp\",\"value\":\"[redacted]\"}","u":"{no json"}}"#,
      ])
    #expect(exported.redactions == ["c.v": 5])
    #expect(exported.redactionsInText == ["c.v": 2])
  }

  @Test func largeDataThatASiblingNames() async throws {
    struct Entry: Encodable { var data: Data, key: String }
    let entries = ["colour", "apiKey", "size"].enumerated().map { Entry(data: Data(repeating: UInt8($0), count: 5000), key: $1) }
    let exported = try await Exported.rows([["v": entries]])
    #expect(exported.files.keys.sorted() == ["c.json", "files/c/1.bin", "files/c/3.bin"])
    #expect(try exported.lines()[0].contains(#"{"data":\#(masked),"key":"apiKey"}"#))
    #expect(exported.redactions == ["c.v": 1])
  }

  @Test func lawsAndThirdParties() async throws {
    struct Person: Encodable { var ssn = "1", details = ["iban": "DE", "password": "p"], sender = #"a"b"# }
    var request = ExportRequest.fixed
    request.law = "CCPA"
    request.thirdParty = ["records/Test": [.init(collection: "c", column: "sender", style: .pseudonym)]]
    request.pseudonymKey = Array("0123456789abcdef".utf8)
    let exported = try await Exported.rows([Person()], request: request)
    let regulated = #"{"$redacted":"regulated"}"#
    // HMAC-SHA-256 of the text under that key, by OpenSSL's own command.
    #expect(
      try exported.lines() == [
        #"{"ssn":\#(regulated),"details":{"iban":\#(regulated),"password":\#(masked)},"sender":{"$redacted":"third-party","pseudonym":"5a6ec356d151e3bf383b"}}"#
      ])
  }

  // MARK: Large values

  @Test func largeData() async throws {
    struct File: Encodable { var name: String, data: Data, parts: [Data] }
    let large = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0) })
    let exported = try await Exported.rows([
      File(name: "a", data: large, parts: [Data([1]), large, large]), File(name: "b", data: Data(), parts: []),
    ])
    let rows = try exported.rows()
    let file = try #require(rows[0]["data"] as? [String: Any])
    #expect(file["$file"] as? String == "records/Test/files/c/1.bin")
    #expect(file["bytes"] as? Int == 5000)
    let parts = try #require(rows[0]["parts"] as? [[String: Any]])
    #expect(parts.map { $0["$file"] as? String } == [nil, "records/Test/files/c/2.bin", "records/Test/files/c/3.bin"])
    #expect(rows[1]["data"] as? [String: String] == ["$base64": ""])
    #expect(exported.files.count == 4)
  }

  @Test func setsOfLargeData() async throws {
    let values = (0..<6).map { Data(repeating: UInt8($0), count: 5000) }
    let first = try await Exported.rows([["v": Set(values)]])
    let second = try await Exported.rows([["v": Set(values.reversed() + [values[0]])]])
    #expect(try first.text() == second.text())
    #expect(first.files.count == 7)
  }

  @Test func dataInContainersOfTheirOwn() async throws {
    let row = Custom { encoder in
      var container = encoder.container(keyedBy: AnyKey.self)
      var list = container.nestedUnkeyedContainer(forKey: "list")
      try container.encode(Data(repeating: 1, count: 5000), forKey: "data")
      try list.encode(Data(repeating: 2, count: 5000))
      try list.encode(3)
    }
    let exported = try await Exported.rows([row])
    let rows = try exported.rows()
    #expect((rows[0]["data"] as? [String: Any])?["$file"] as? String == "records/Test/files/c/2.bin")
    #expect((rows[0]["list"] as? [Any])?.last as? Int == 3)
    #expect(exported.files["files/c/1.bin"]?.text == String(repeating: "\u{2}", count: 5000))
  }
}
