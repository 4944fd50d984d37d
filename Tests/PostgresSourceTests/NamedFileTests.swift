import AccountExport
import Files
import Foundation
import NamedFiles
import Ownership
import PostgresSource
import TestSupport
import Testing

@Suite("Files that rows in PostgreSQL name", .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"))
struct NamedFileTests {
  private static let pictures = """
    CREATE TABLE users (id int PRIMARY KEY, name text, avatar varchar(80));
    CREATE TABLE photos (id int PRIMARY KEY, user_id int REFERENCES users, files text[], meta jsonb, upload text, size_path int);
    INSERT INTO users VALUES (1, 'Ann', 'ann.png'), (2, 'Bob', 'bob.png');
    INSERT INTO photos VALUES (1, 1, '{a.txt,NULL,"my cat.txt",gone.txt,""}', '{"a":1}', 'up/1.bin', 7),
      (2, 1, '{}', NULL, NULL, NULL), (3, 1, NULL, NULL, 'https://example.org/up/3', NULL), (4, 2, '{b.txt}', NULL, 'up/4.bin', NULL);
    """
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["ann.png", "bob.png", "a.txt", "my cat.txt", "b.txt"] { try folder.write(name.utf8, to: name) }
  }

  private func files(_ columns: String...) -> [FileColumn] { columns.map { FileColumn($0, in: .folder(folder.path)) } }

  @Test("only the person's are copied, of texts and of each text in an array; what looks like files and is told nowhere is unclaimed")
  func copied() async throws {
    let exported = try await SharedDatabase(Self.pictures).export("users.id=1", files: files("users.avatar", "PHOTOS.files"))
    let found = exported.entries.filter { $0.key.contains("files/") }.mapValues { String(decoding: $0, as: UTF8.self) }
    #expect(found == ["files/users/1.png": "ann.png", "files/photos/1.txt": "a.txt", "files/photos/2.txt": "my cat.txt"])
    let lines = try #require(exported.lines("photos"))
    let first = lines[0].replacing(/"sha256":"[0-9a-f]{64}"/, with: #""sha256":"…""#)
    let file = { (number: Int, name: String, bytes: Int) in
      #"{"$file":"records/db/files/photos/\#(number).txt","bytes":\#(bytes),"sha256":"…","name":"\#(name)"}"#
    }
    #expect(
      first == #"{"id":1,"user_id":1,"files":[\#(file(1, "a.txt", 5)),null,\#(file(2, "my cat.txt", 10)),{"$missing":"gone.txt"},""],"#
        + #""meta":{"a":1},"upload":"up/1.bin","size_path":7}"#)
    #expect(lines[1].contains(#""files":[],"#) && lines[2].contains(#""files":null,"#))
    #expect(exported.omissions == ["gone.txt: missing-file ×1", "photos.upload: unclaimed ×1"])
    #expect(exported.manifest.outcome == .partial)
  }

  @Test("an array of names is looked at too")
  func unclaimedArray() async throws {
    let exported = try await SharedDatabase(Self.pictures).export(
      "users.id=1", files: files("users.avatar") + [FileColumn("photos.upload", in: .none(reason: "kept elsewhere"))])
    #expect(exported.omissions == ["photos.files: unclaimed ×1", "photos.upload: excluded ×2"])
  }

  @Test("a value of another type names nothing, and is told of")
  func otherTypes() async throws {
    let exported = try await SharedDatabase(Self.pictures).export(
      "users.id=1", files: files("users.avatar", "photos.meta", "photos.size_path", "photos.files", "photos.upload"))
    #expect(
      exported.omissions == [
        "gone.txt: missing-file ×1", "https://example.org/up/3: missing-file ×1", "photos.meta: unreadable ×1",
        "photos.size_path: unreadable ×1", "up/1.bin: missing-file ×1",
      ])
    #expect(exported.lines("photos")?.first?.contains(#""meta":{"a":1},"upload":{"$missing":"up/1.bin"},"size_path":7}"#) == true)
  }

  @Test("a column that isn't there, or that refers to a row", arguments: ["photos.file", "photos.user_id"])
  func refused(column: String) async throws {
    let database = try SharedDatabase(Self.pictures)
    let error = await #expect(throws: ExportError.self) { try await database.export("users.id=1", files: files(column)) }
    #expect(error.map { "\($0)".contains(column == "photos.file" ? "has no column file" : "photos.user_id is a key of rows") } == true)
  }
}
