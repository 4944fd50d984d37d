import AccountExport
import Files
import Foundation
import NamedFiles
import Ownership
import RecordsSource
import TestSupport
import Testing

/// Files beside a store, and a bundle of both.
private struct Uploads {
  let store: StoreFolder

  init() throws { store = try StoreFolder() }

  /// Makes a file with a text.
  func write(_ text: String, to name: String) throws {
    let url = store.url.appendingPathComponent("uploads/" + name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  var root: PathBytes { store.path("uploads") }

  func export(_ sql: String, of subject: String? = nil, _ files: [String: FileColumn.Place]) async throws -> ExportedStore {
    try store.run("app.db", sql)
    let selection = try subject.map { SubjectSelection(starts: [try StartingRow(parsing: $0)]) }
    return try await store.export("app.db", of: selection, files: files.sorted { $0.key < $1.key }.map { FileColumn($0.key, in: $0.value) })
  }
}

@Suite("Files that rows of a SQLite store name")
struct NamedFileTests {
  private let uploads: Uploads

  init() throws { uploads = try Uploads() }

  private static func row(_ id: Int, _ written: String) -> String { #"{"id":\#(id),"path":\#(written)}"# }

  @Test("each goes into the bundle, and the row keeps its name")
  func copied() async throws {
    try uploads.write("a cat", to: "2026/cat.JPG")
    try uploads.write("", to: "empty")
    try uploads.write("{", to: "no.json")
    let exported = try await uploads.export(
      """
      CREATE TABLE attachments (id INTEGER PRIMARY KEY, path TEXT);
      INSERT INTO attachments VALUES (1, '2026/cat.JPG'), (2, NULL), (3, ''), (4, './/2026/./cat.JPG'), (5, 'empty'), (6, '/2026/cat.JPG'), (7, 'no.json');
      """, ["attachments.path": .folder(uploads.root)])
    let lines = try #require(exported.lines("records/app/attachments.json"))
    let digest = "51e467415607798220a3776f6ae1a2a09ddc7e5dcdc955d685477b4cf05ade22"
    let file = { (number: Int, name: String) in
      #"{"$file":"records/app/files/attachments/\#(number).jpg","bytes":5,"sha256":"\#(digest)","name":"\#(name)"}"#
    }
    let none = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    #expect(
      Array(lines[..<6]) == [
        Self.row(1, file(1, "2026/cat.JPG")), Self.row(2, "null"), Self.row(3, #""""#), Self.row(4, file(2, ".//2026/./cat.JPG")),
        Self.row(5, #"{"$file":"records/app/files/attachments/3.bin","bytes":0,"sha256":"\#(none)","name":"empty"}"#),
        Self.row(6, file(4, "/2026/cat.JPG")),
      ])
    #expect(lines[6].contains(#""records/app/files/attachments/5.bin","bytes":1,"#))
    for name in ["1.jpg", "2.jpg", "4.jpg"] { #expect(exported.text("records/app/files/attachments/" + name) == "a cat") }
    #expect(exported.text("records/app/files/attachments/5.bin") == "{")
    #expect(exported.omissions.isEmpty && exported.manifest.outcome == .complete)
  }

  @Test(
    "what isn't a file of the folder is not followed, and named",
    arguments: [
      ("gone.txt", #"{"$missing":"gone.txt"}"#, "missing-file"), ("a.txt/b", #"{"$missing":"a.txt/b"}"#, "missing-file"),
      ("../app.db", #""../app.db""#, "unreadable"), ("sub/../a.txt", #""sub/../a.txt""#, "unreadable"),
      ("/etc/passwd", #""/etc/passwd""#, "unreadable"), ("link", #""link""#, "unreadable"), ("inner", #""inner""#, "unreadable"),
      ("out/passwd", #""out/passwd""#, "unreadable"), ("sub", #""sub""#, "unreadable"), ("/", #""/""#, "unreadable"),
      ("pipe", #""pipe""#, "special"), ("null", #""null""#, "unreadable"),
    ])
  func notFollowed(name: String, written: String, reason: String) async throws {
    try uploads.write("x", to: "a.txt")
    try uploads.write("x", to: "sub/b.txt")
    let folder = uploads.store.url.appendingPathComponent("uploads").path
    for (link, target) in [("link", "/etc/passwd"), ("inner", "a.txt"), ("out", "/etc"), ("null", "/dev/null")] {
      try FileManager.default.createSymbolicLink(atPath: folder + "/" + link, withDestinationPath: target)
    }
    #expect(mkfifo(folder + "/pipe", 0o600) == 0)
    let exported = try await uploads.export(
      "CREATE TABLE attachments (id INTEGER PRIMARY KEY, path TEXT); INSERT INTO attachments VALUES (1, '\(name)'), (2, '\(name)')",
      ["attachments.path": .folder(uploads.root)])
    #expect(exported.lines("records/app/attachments.json") == [Self.row(1, written), Self.row(2, written)])
    #expect(exported.omissions == ["\(name): \(reason) ×2"])
    #expect(exported.manifest.outcome == (reason == "special" ? .complete : .partial))
    #expect(!exported.entries.keys.contains { $0.contains("/files/") })
  }

  @Test("a NUL and an endless name are no file's, and values that are no text stand for themselves")
  func strange() async throws {
    try uploads.write("x", to: "a")
    let exported = try await uploads.export(
      """
      CREATE TABLE attachments (id INTEGER PRIMARY KEY, path);
      INSERT INTO attachments VALUES (1, 'a' || char(0) || 'b'), (2, 7), (3, x'61'), (4, printf('%.*c', 300, 'n')), (5, 'a');
      """, ["attachments.path": .folder(uploads.root)])
    let lines = try #require(exported.lines("records/app/attachments.json"))
    #expect(lines[0] == Self.row(1, #"{"$missing":"a\u0000b"}"#))
    #expect(lines[1] == Self.row(2, "7") && lines[2] == Self.row(3, #"{"$base64":"YQ=="}"#))
    #expect(lines[3] == Self.row(4, #"{"$missing":"\#(String(repeating: "n", count: 300))"}"#))
    #expect(exported.omissions.contains("attachments.path: unreadable ×2"))
    #expect(exported.omissions.count == 3)
    #expect(exported.text("records/app/files/attachments/1.bin") == "x")
  }

  @Test("a folder that isn't there tells nothing of its files")
  func noFolder() async throws {
    let exported = try await uploads.export(
      "CREATE TABLE attachments (id INTEGER PRIMARY KEY, path TEXT); INSERT INTO attachments VALUES (1, 'a.txt')",
      ["attachments.path": .folder(uploads.root)])
    #expect(exported.lines("records/app/attachments.json") == [Self.row(1, #""a.txt""#)])
    #expect(exported.omissions == ["a.txt: unreadable ×1"])
  }

  @Test("a file that may not be read is unreadable", .enabled(if: geteuid() != 0, "root may read everything"))
  func forbidden() async throws {
    try uploads.write("x", to: "a.txt")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0], ofItemAtPath: uploads.store.url.appendingPathComponent("uploads/a.txt").path)
    let exported = try await uploads.export(
      "CREATE TABLE attachments (id INTEGER PRIMARY KEY, path TEXT); INSERT INTO attachments VALUES (1, 'a.txt')",
      ["attachments.path": .folder(uploads.root)])
    #expect(exported.lines("records/app/attachments.json") == [Self.row(1, #""a.txt""#)])
    #expect(exported.omissions == ["a.txt: unreadable ×1"])
  }

  // MARK: Whose files

  private static let people = """
    CREATE TABLE users (id INTEGER PRIMARY KEY, avatar TEXT, banner_image TEXT);
    CREATE TABLE products (id INTEGER PRIMARY KEY, photo TEXT);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users, product_id INTEGER REFERENCES products, storage_key TEXT, invoice_path TEXT);
    INSERT INTO products VALUES (1, 'lamp.png');
    INSERT INTO users VALUES (1, 'ann.png', 'https://example.org/ann.png'), (2, 'bob.png', NULL);
    INSERT INTO orders VALUES (1, 1, 1, 'k/1', 'one.pdf'), (2, 1, 1, 'k/2', 'two.pdf'), (3, 2, 1, 'k/3', 'three.pdf'), (4, 1, NULL, NULL, 'none');
    """

  @Test("only the person's files, and those that their rows refer to, are copied; other columns that look like files are unclaimed")
  func subject() async throws {
    for name in ["ann.png", "bob.png", "lamp.png", "k/1", "k/2", "k/3"] { try uploads.write(name, to: name) }
    let exported = try await uploads.export(
      Self.people, of: "users.id=1",
      ["users.avatar": .folder(uploads.root), "Orders.Storage_Key": .folder(uploads.root), "products.photo": .folder(uploads.root)])
    let files = exported.entries.filter { $0.key.contains("/files/") }.map { String(decoding: $0.value, as: UTF8.self) }
    #expect(files.sorted() == ["ann.png", "k/1", "k/2", "lamp.png"])
    #expect(exported.omissions == ["orders.invoice_path: unclaimed ×2"])
    #expect(exported.manifest.outcome == .partial && exported.manifest.redactions.isEmpty)
  }

  @Test("a column whose files are nobody's to export is excluded, which leaves nothing missing; lookups' files are not asked for")
  func excluded() async throws {
    let reasons = ["users.avatar": "public", "orders.storage_key": "kept", "orders.invoice_path": "made again"]
    let exported = try await uploads.export(Self.people, of: "users.id=1", reasons.mapValues { .none(reason: $0) })
    #expect(
      exported.omissions == ["orders.invoice_path: excluded ×3", "orders.storage_key: excluded ×2", "users.avatar: excluded ×1"])
    #expect(exported.manifest.outcome == .complete)
    // A key's name is a secret's by itself, where nobody says that it is a file's.
    #expect(exported.manifest.redactions.map(\.path) == ["orders.storage_key"])
  }

  @Test("where nothing is said of files, only the records were asked for, and the columns are named")
  func nothingSaid() async throws {
    let exported = try await uploads.export(Self.people, of: "users.id=1", [:])
    #expect(
      exported.omissions == [
        "orders.invoice_path: manifest-only ×2", "orders.storage_key: manifest-only ×2", "users.avatar: manifest-only ×1",
      ])
    #expect(exported.manifest.outcome == .complete)
  }

  @Test("a store of one account's own has no unclaimed columns")
  func whole() async throws {
    let exported = try await uploads.export(Self.people, [:])
    #expect(exported.omissions.isEmpty && exported.manifest.outcome == .complete)
  }

  @Test("a name that looks like a password's hash is masked, and not read")
  func masked() async throws {
    let hash = "$2b$12$abcdefghijklmnopqrstuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu"
    try uploads.write("x", to: hash)
    let exported = try await uploads.export(
      "CREATE TABLE attachments (id INTEGER PRIMARY KEY, path TEXT); INSERT INTO attachments VALUES (1, '\(hash)')",
      ["attachments.path": .folder(uploads.root)])
    #expect(exported.lines("records/app/attachments.json") == [Self.row(1, #"{"$redacted":"secret"}"#)])
    #expect(!exported.entries.keys.contains { $0.contains("/files/") })
  }

  @Test("a file is taken back where a later column names its value a secret")
  func takenBack() async throws {
    for name in ["a.txt", "b.txt"] { try uploads.write(name, to: name) }
    let exported = try await uploads.export(
      """
      CREATE TABLE settings (id INTEGER PRIMARY KEY, value TEXT, key TEXT);
      INSERT INTO settings VALUES (1, 'a.txt', 'session_token'), (2, 'b.txt', 'picture');
      """, ["settings.value": .folder(uploads.root)])
    let lines = try #require(exported.lines("records/app/settings.json"))
    #expect(lines[0] == #"{"id":1,"value":{"$redacted":"secret"},"key":"session_token"}"#)
    #expect(lines[1].hasPrefix(#"{"id":2,"value":{"$file":"records/app/files/settings/2.txt","bytes":5,"#))
    #expect(exported.entries.filter { $0.key.contains("/files/") }.map { String(decoding: $0.value, as: UTF8.self) } == ["b.txt"])
  }

  // MARK: What can't be

  @Test(
    "a column that isn't there, is told of twice, or that others refer to",
    arguments: [
      (["orders.picture"], "the table orders has no column picture"), (["order.path"], "there is no table order"),
      (["users.avatar", "USERS.avatar"], "where the files of USERS.avatar are is said twice"),
      (["orders.user_id"], "orders.user_id is a key of rows, so files can't stand in its place"),
    ])
  func refused(columns: [String], message: String) async throws {
    try uploads.store.run("app.db", Self.people)
    for subject in [nil, "users.id=1"] {
      var source = RecordsSource(uploads.store.path("app.db"))
      source.subject = try subject.map { SubjectSelection(starts: [try StartingRow(parsing: $0)]) }
      source.files = columns.map { FileColumn($0, in: .folder(uploads.root)) }
      let exporter = AccountExporter(sources: [source])
      let error = await #expect(throws: ExportError.self) { try await exporter.export(.fixed, to: uploads.store.path("x.zip")) }
      #expect(error.map { "\($0)".contains(message) } == true, "\(String(describing: error))")
    }
  }

  @Test("a primary key whose values become files is none any more")
  func primaryKey() async throws {
    try uploads.write("x", to: "a.txt")
    let exported = try await uploads.export(
      "CREATE TABLE files (path TEXT PRIMARY KEY, size INTEGER) WITHOUT ROWID; INSERT INTO files VALUES ('a.txt', 1)",
      ["files.path": .folder(uploads.root)])
    #expect(exported.lines("records/app/files.json")?.first?.hasPrefix(#"{"path":{"$file":"records/app/files/files/1.txt""#) == true)
    let package = try #require(exported.entries.first { $0.key.hasSuffix("datapackage.json") }).value
    #expect(!String(decoding: package, as: UTF8.self).contains("primaryKey"))
  }

  @Test("it holds to what every source must")
  func conformance() async throws {
    let store = uploads.store
    for number in 0..<20 { try uploads.write(String(repeating: "x", count: number * 997), to: "f/\(number).txt") }
    let rows = (0..<24).map { "(\($0), 'f/\($0).txt')" }.joined(separator: ", ")
    try store.run("app.db", "CREATE TABLE attachments (id INTEGER PRIMARY KEY, path TEXT); INSERT INTO attachments VALUES \(rows)")
    try store.run("empty.db", "CREATE TABLE attachments (id INTEGER PRIMARY KEY, path TEXT)")
    let root = uploads.root
    let make = { @Sendable (name: String) in
      var source = RecordsSource(store.path(name), named: "app")
      source.files = [FileColumn("attachments.path", in: .folder(root))]
      return source
    }
    let bundle = try await checkExportSource(outcome: .partial, empty: { make("empty.db") }) { make("app.db") }
    #expect(try bundle.files(under: "data/records/app/files/").count == 20)
  }
}
