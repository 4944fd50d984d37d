import AccountExport
import BundleSchemas
import Files
import JSONReading
import Ownership
import Testing

@testable import AccountExportCommand

@Suite("Reading a configuration")
struct ConfigurationTests {
  private func read(_ text: String) throws -> Configuration {
    let folder = try Scratch()
    return try Configuration(readingFrom: folder.write("c.json", text))
  }

  @Test(
    "what is wrong is named with its place",
    arguments: [
      ("{ sources: { documnts: [] } }", "1:14: unknown key documnts in sources", "did you mean documents?"),
      (
        "{\n  sources: {\n    x: 1 } }", "3:5: unknown key x in sources",
        "known here: container, app, preferences, documents, records, commands"
      ),
      ("{ sourcse: {} }", "1:3: unknown key sourcse", "did you mean sources?"),
      (
        "{ sources: { documents: [{ path: 'd', exlude: [] }] } }", "1:39: unknown key exlude in sources.documents[0]",
        "did you mean exclude?"
      ),
      ("{ level: 'high' }", "1:10: level must be fast or 0 or 1 or 2 or 3 or 4 or 5 or 6 or 7 or 8 or 9", nil),
      ("{ level: 6.5 }", "1:10: level must be fast or 0 or 1 or 2 or 3 or 4 or 5 or 6 or 7 or 8 or 9", nil),
      ("{ level: 99 }", "1:10: level must be fast or 0 or 1 or 2 or 3 or 4 or 5 or 6 or 7 or 8 or 9", nil),
      ("{ level: -1 }", "1:10: level must be fast or 0 or 1 or 2 or 3 or 4 or 5 or 6 or 7 or 8 or 9", nil),
      ("{ out: '' }", "1:8: out must not be empty", nil),
      ("{ out: 'a\\0b' }", "1:8: out must not hold a NUL", nil),
      ("{ out: '\\ud800' }", "1:8: out holds half a surrogate pair", nil),
      ("{ subject: { id: 42 } }", "1:18: subject.id must be a string, not a number", nil),
      ("{ subject: { name: 'A' } }", "1:12: subject lacks id", nil),
      ("{ sources: { records: 'a' } }", "1:23: sources.records must be an array, not a string", nil),
      ("{ sources: { records: [7] } }", "1:23: sources.records[0] must be a string or an object, not a number", nil),
      ("{ sources: { records: ['a', { name: 'b' }] } }", "1:23: sources.records[1] lacks path", nil),
      (
        "{ sources: { records: [{ path: 'a', name: 'b/c' }] } }", "1:43: sources.records[0].name is not as it should be",
        "Its name in the bundle; by default its file name."
      ),
      (
        "{ sources: { records: [{ path: 'a', subject: ['42'] }] } }", "1:46: sources.records[0].subject[0] is not as it should be",
        "It is written table.column=value. Example: users.id=42"
      ),
      (
        "{ sources: { records: [{ path: 'a', roles: { 'a.b': 'boss' } }] } }",
        "1:53: sources.records[0].roles.a.b must be identity or actor or owner or party or undecided", nil
      ),
      (
        "{ sources: { records: [{ path: 'a', references: [{ from: 'a.b', to: 'c.d', when: { 'a.x': '1', 'a.y': '2' } }] }] } }",
        "1:82: sources.records[0].references[0].when must not have more than 1", nil
      ),
      ("{ request: { law: 'gdpr' } }", "1:19: request.law must be GDPR or CCPA", nil),
      (
        "{ request: { received: 'yesterday' } }", "1:24: request.received is not as it should be",
        "A day, or a moment in UTC (RFC 3339). Example: 2026-11-02"
      ),
      ("{ information: { rights: [] } }", "1:26: information.rights must not be empty", nil),
      ("{ information: { contact: {} } }", "1:27: information.contact must not be empty", nil),
      (
        "{ information: { collections: { 'records/x': { purpose: [] } } } }",
        "1:48: unknown key purpose in information.collections.records/x", "did you mean purposes?"
      ),
      ("{ masking: { secrets: 'no' } }", "1:23: masking.secrets must be true or false, not a string", nil),
      ("[]", "1:1: the configuration must be an object, not an array", nil),
      ("{ level: 6, level: 7 }", "1:13: the key \"level\" comes twice in one object", nil),
    ] as [(String, String, String?)])
  func faults(text: String, message: String, hint: String?) throws {
    let folder = try Scratch()
    let path = try folder.write("c.json", text)
    let error = try #require(throws: CommandError.self) { try Configuration(readingFrom: path) }
    #expect(error.status == .badInput)
    #expect(error.message == "\(path.display):\(message)")
    #expect(error.hint == hint)
  }

  @Test("a file that isn't there, a folder, and one that is no JSON are bad input")
  func files() throws {
    let folder = try Scratch()
    for path in [folder.path.appending("none.json"), folder.path, try folder.write("cut.json", "{ sources: [")] {
      let error = try #require(throws: CommandError.self) { try Configuration(readingFrom: path) }
      #expect(error.status == .badInput)
      #expect(error.message.hasPrefix(path.display + ":"))
    }
  }

  @Test("relative paths count from the file's folder, absolute ones and - stay")
  func paths() throws {
    let folder = try Scratch()
    let path = try folder.write(
      "c.json", "{ out: '../a.zip', report: '/tmp/r.json', sources: { records: ['b.db', { path: '/c.db', name: 'C' }] } }")
    let configuration = try Configuration(readingFrom: path)
    #expect(configuration.out == folder.path.appending("../a.zip"))
    #expect(configuration.report == "/tmp/r.json")
    #expect(configuration.sources.records == [.init(path: folder.path.appending("b.db")), .init(path: "/c.db", name: "C")])
    #expect(try read("{ out: '-' }").out == "-")
  }

  @Test("a store can say whose its rows are")
  func sharedStore() throws {
    let store = try #require(
      try read(
        """
        { sources: { records: [{ path: '/a.db', subject: ['users.id=4=2', { place: 'c.email', sameAs: { store: 'b', place: 'u.email' } }],
          references: [
            { from: 'notes.owner_id', when: { 'notes.owner_type': 'User' }, to: 'users.id', role: 'owner' },
            { from: ['a.x', 'a.y'], to: ['b.x', 'b.y'] }, { from: 'a.l', elements: true, to: 'b.x' }, { from: 'a.j', path: '$.z', to: 'b.x' }],
          roles: { 'o.by': 'actor', 'o.r, o.c': { role: 'party', to: 'users' } }, people: { contacts: false }, exclude: { log: 'why' } }] } }
        """
      ).sources.records.first)
    var expected = SubjectSelection(starts: [.init(place: "users.id", value: "4=2")])
    expected.references = [
      .init(from: ["notes.owner_id"], to: ["users.id"], condition: .init(column: "notes.owner_type", value: "User"), role: .owner),
      .init(from: ["a.x", "a.y"], to: ["b.x", "b.y"]), .init(from: ["a.l"], to: ["b.x"], access: .arrayElements),
      .init(from: ["a.j"], to: ["b.x"], access: .jsonPath("$.z")),
    ]
    expected.roles = [.init(columns: ["o.by"], role: .actor), .init(columns: ["o.r", "o.c"], parent: "users", role: .party)]
    expected.people = ["contacts": false]
    expected.exclusions = ["log": "why"]
    #expect(store.subject == expected)
    #expect(store.links == [.init(place: "c.email", store: "b", otherPlace: "u.email")])
    #expect(try read("{ sources: { records: [{ path: 'a' }] } }").sources.records.first?.subject == nil)
  }

  @Test("documents have patterns, and may be listed only")
  func documents() throws {
    let sources = try read("{ sources: { documents: ['a', { path: '/b', include: ['*.txt'], exclude: ['x/'], manifestOnly: true }] } }")
      .sources
    #expect(sources.documents.count == 2)
    #expect(!sources.documents[0].manifestOnly)
    #expect(sources.documents[1] == .init(place: .init(path: "/b"), include: ["*.txt"], exclude: ["x/"], manifestOnly: true))
  }

  @Test("everything that a request can be told is told")
  func request() throws {
    var request = ExportRequest()
    try read(wholeConfiguration).apply(to: &request)
    #expect(request.level.number == 9)
    #expect(request.language == "de-AT")
    #expect(request.app == AppInformation(name: "Notes", version: "1", bundleIdentifier: "com.example.notes"))
    #expect(request.environment == "staging")
    #expect(request.subject == DataSubject(id: "42", name: "Mira", email: "m@example.com", phone: "1", username: "mira"))
    #expect([request.requestID, request.law, request.received, request.due] == ["r", "CCPA", "2026-01-01", "2026-02-01T00:00:00Z"])
    #expect(request.extended == .init(until: "2026-03-01", reason: "much"))
    let told = request.information
    #expect(told.controller == .init(name: "C", address: "A", email: "e", phone: "p", website: "w"))
    #expect(told.contact == .init(email: "e"))
    #expect(told.dataProtectionOfficer == .init(name: "D"))
    var collection = ProcessingInformation.CollectionInformation(collection: "records/x")
    (collection.purposes, collection.legalBasis, collection.categories) = (["p"], "l", ["c"])
    (collection.source, collection.retention) = ("s", "r")
    #expect(told.collections == [collection])
    #expect(told.recipients == [.init(name: "R", category: "c", purpose: "p", country: "l")])
    #expect(told.transfers == [.init(to: "T", safeguards: "s", recipient: "r", copy: "c")])
    #expect(told.automatedDecisions == [.init(name: "N", logic: "l", significance: "s", consequences: "c")])
    #expect(told.rights == [.init(name: "erasure", how: "h")])
    #expect(told.supervisoryAuthority == .init(name: "S"))
    #expect(told.soldOrShared == .init(sold: true, shared: false, categories: ["c"], thirdParties: ["t"]))
  }

  @Test("what isn't given isn't told, and an empty list is told")
  func nothing() throws {
    var request = ExportRequest()
    try read("{ information: { recipients: [] } }").apply(to: &request)
    #expect(request.information.recipients == [])
    #expect(request.information.transfers == nil)
    #expect(request.information.soldOrShared == nil)
    #expect(request.requestID == nil)
    #expect(request.level == .fast)
  }

  @Test("masking can be widened, narrowed, switched off and given other rules")
  func masking() throws {
    var request = ExportRequest()
    #expect(request.secrets.isSecret(name: "password"))
    #expect(!request.secrets.isSecret(name: "doorCode"))
    try read("{ masking: { add: ['door code'], allow: ['password'] } }").apply(to: &request)
    #expect(request.secrets.isSecret(name: "doorCode"))
    #expect(!request.secrets.isSecret(name: "password"))
    try read("{ masking: { secrets: false } }").apply(to: &request)
    #expect(!request.secrets.isEnabled)
    try read("{ masking: { allow: ['users.api_key'] } }").apply(to: &request)
    #expect(request.secrets.isSecret(name: "api_key"))
    let folder = try Scratch()
    _ = try folder.write("short", "0123456789")
    _ = try folder.write("key", "0123456789abcdef")
    try Configuration(readingFrom: folder.write("k.json", "{ masking: { pseudonymKey: 'key' } }")).apply(to: &request)
    #expect(request.pseudonymKey == Array("0123456789abcdef".utf8))
    let short = try Configuration(readingFrom: folder.write("k.json", "{ masking: { pseudonymKey: 'short' } }"))
    #expect(try #require(throws: CommandError.self) { try short.apply(to: &request) }.status == .badInput)
    _ = try folder.write("rules.json", "{}")
    let configuration = try Configuration(readingFrom: folder.write("c.json", "{ masking: { rules: 'rules.json' } }"))
    let error = try #require(throws: CommandError.self) { try configuration.apply(to: &request) }
    #expect(error.status == .badInput)
    #expect(error.message.contains("rules.json"))
  }

  private let wholeConfiguration = """
    {
      $schema: "x", level: 9, language: "de-AT", app: { name: "Notes", version: "1", bundleIdentifier: "com.example.notes" },
      environment: "staging", subject: { id: "42", name: "Mira", email: "m@example.com", phone: "1", username: "mira" },
      request: { id: "r", law: "CCPA", received: "2026-01-01", due: "2026-02-01T00:00:00Z", extended: { until: "2026-03-01", reason: "much" } },
      information: {
        controller: { name: "C", address: "A", email: "e", phone: "p", website: "w" }, contact: { email: "e" },
        dataProtectionOfficer: { name: "D" },
        collections: { "records/x": { purposes: ["p"], legalBasis: "l", categories: ["c"], source: "s", retention: "r" } },
        recipients: [{ name: "R", category: "c", purpose: "p", country: "l" }],
        transfers: [{ to: "T", recipient: "r", safeguards: "s", copy: "c" }],
        automatedDecisions: [{ name: "N", logic: "l", significance: "s", consequences: "c" }],
        rights: [{ name: "erasure", how: "h" }], supervisoryAuthority: { name: "S" },
        soldOrShared: { sold: true, shared: false, categories: ["c"], thirdParties: ["t"] },
      },
    }
    """
}

@Suite("The configuration's schema")
struct ConfigurationShapeTests {
  @Test("has no keyword that isn't understood")
  func keywords() throws {
    var unknown: Set<String> = []
    collect(try JSONParser.parse(BundleSchemas.configuration), into: &unknown)
    #expect(unknown.subtracting(ConfigurationShape.keywords).subtracting(ConfigurationShape.annotations) == [])
  }

  /// Collects the keywords of a schema and of those inside it.
  private func collect(_ schema: JSONValue, into keywords: inout Set<String>) {
    for member in schema.members ?? [] {
      keywords.insert(member.key)
      switch member.key {
      case "properties", "$defs": for inner in member.value.members ?? [] { collect(inner.value, into: &keywords) }
      case "anyOf": for inner in member.value.elements ?? [] { collect(inner, into: &keywords) }
      case "items", "additionalProperties": collect(member.value, into: &keywords)
      default: break
      }
    }
  }
}
