import AccountExport
import Foundation
import TestSupport
import Testing

private let row = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"

@Suite struct ExternalStorageTests {
  private let photos = ModelFixture([.init("Photo", [.init("image", Kind.binary, external: true), .init("inside", Kind.binary)])])

  /// A store of photos, one for each image as it stands in the column.
  private func make(_ folder: StoreFolder, _ images: [[UInt8]]) throws {
    let rows = images.enumerated().map { "INSERT INTO ZPHOTO VALUES (\($0 + 1), 1, 1, \(hex($1)), NULL);" }.joined(separator: "\n")
    try folder.makeCoreData("Photos.sqlite", photos, "CREATE TABLE ZPHOTO (\(row), ZIMAGE BLOB, ZINSIDE BLOB);\n" + rows)
  }

  private func outside(_ folder: StoreFolder) throws -> URL {
    let url = folder.url.appendingPathComponent(".Photos_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url
  }

  private func named(_ name: String) -> [UInt8] { [2] + Array(name.utf8) + [0] }

  @Test("values in the row, in files, and archives in both")
  func places() async throws {
    let folder = try StoreFolder()
    let files = try outside(folder)
    let large = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let archive = archived([("a", .text(String(repeating: "b", count: 20_000)))])
    try Data(large).write(to: files.appendingPathComponent("LARGE"))
    try Data([9, 8]).write(to: files.appendingPathComponent("SMALL"))
    try Data(archive).write(to: files.appendingPathComponent("ARCHIVE"))
    try Data().write(to: files.appendingPathComponent("EMPTY"))
    try make(
      folder, [[1] + Array("PNG".utf8), named("LARGE"), named("SMALL"), named("ARCHIVE"), named("EMPTY"), [3, 4], [], [1], [1] + large])
    let exported = try await folder.export("Photos.sqlite")
    let lines = try #require(exported.lines("records/Photos/Photo.json"))
    #expect(lines[0] == #"{"id":"Photo/1","image":{"$base64":"UE5H"},"inside":null}"#)
    #expect(lines[1].contains(#""image":{"$file":"records/Photos/files/Photo/1.bin","bytes":300000,"#))
    #expect(exported.entries["records/Photos/files/Photo/1.bin"] == large)
    #expect(lines[2] == #"{"id":"Photo/3","image":{"$base64":"CQg="},"inside":null}"#)
    #expect(lines[3].contains(#""image":{"$archive":{"a":"bbbb"#) && lines[3].contains(#"bb"},"$file":"records/Photos/files/Photo/2.bin""#))
    #expect(exported.entries["records/Photos/files/Photo/2.bin"] == archive)
    #expect(lines[4] == #"{"id":"Photo/5","image":{"$base64":""},"inside":null}"#)
    #expect(lines[5] == #"{"id":"Photo/6","image":{"$base64":"AwQ="},"inside":null}"#)
    #expect(lines[6] == #"{"id":"Photo/7","image":{"$base64":""},"inside":null}"#)
    #expect(lines[7] == #"{"id":"Photo/8","image":{"$base64":""},"inside":null}"#)
    // The marker is no part of a value that is read in pieces either.
    #expect(exported.entries["records/Photos/files/Photo/3.bin"] == large)
    #expect(exported.manifest.outcome == .complete)
  }

  @Test("a file that no record names is named, whatever the store is")
  func leftover() async throws {
    let folder = try StoreFolder()
    let files = try outside(folder)
    for name in ["USED", "UNUSED"] { try Data([1]).write(to: files.appendingPathComponent(name)) }
    try make(folder, [named("USED")])
    let exported = try await folder.export("Photos.sqlite")
    #expect(exported.omissions.filter { $0.contains("EXTERNAL") } == ["_EXTERNAL_DATA/UNUSED: unclaimed"])
    #expect(exported.manifest.outcome == .partial)
  }

  @Test("a file that is gone is named, and what remains of it is its name")
  func missing() async throws {
    let folder = try StoreFolder()
    try make(folder, [named("GONE"), named("GONE"), named("OTHER")])
    let exported = try await folder.export("Photos.sqlite")
    #expect(
      exported.lines("records/Photos/Photo.json") == [
        #"{"id":"Photo/1","image":{"$missing":"GONE"},"inside":null}"#, #"{"id":"Photo/2","image":{"$missing":"GONE"},"inside":null}"#,
        #"{"id":"Photo/3","image":{"$missing":"OTHER"},"inside":null}"#,
      ])
    #expect(exported.omissions == ["GONE: missing-file ×2", "OTHER: missing-file ×1", "Z_MODELCACHE: derived", "Z_PRIMARYKEY: derived"])
    #expect(exported.manifest.outcome == .partial)
  }

  @Test("no name leads out of the folder", arguments: ["../secret", "/etc/passwd", "..", ".", "", "sub/file", "link", "pipe", "a\0b"])
  func hostileNames(_ name: String) async throws {
    let folder = try StoreFolder()
    let files = try outside(folder)
    try Data("secret".utf8).write(to: folder.url.appendingPathComponent(".Photos_SUPPORT/secret"))
    try FileManager.default.createDirectory(at: files.appendingPathComponent("sub"), withIntermediateDirectories: true)
    try Data("inner".utf8).write(to: files.appendingPathComponent("sub/file"))
    try FileManager.default.createSymbolicLink(
      at: files.appendingPathComponent("link"), withDestinationURL: folder.url.appendingPathComponent(".Photos_SUPPORT/secret"))
    #expect(mkfifo(files.appendingPathComponent("pipe").path, 0o600) == 0)
    try make(folder, [named(name)])
    let exported = try await folder.export("Photos.sqlite")
    let line = try #require(exported.lines("records/Photos/Photo.json")?.first)
    #expect(line.contains(#""image":{"$missing":""#))
    #expect(exported.omissions.contains { $0.hasSuffix(": missing-file ×1") })
    #expect(exported.manifest.outcome == .partial)
  }

  @Test("the folder of a store that a link leads to lies beside the store")
  func linkedStore() async throws {
    let folder = try StoreFolder()
    try Data([7]).write(to: try outside(folder).appendingPathComponent("F"))
    try make(folder, [named("F")])
    try FileManager.default.createSymbolicLink(
      at: folder.url.appendingPathComponent("linked.sqlite"), withDestinationURL: folder.url.appendingPathComponent("Photos.sqlite"))
    let exported = try await folder.export("linked.sqlite")
    #expect(exported.lines("records/linked/Photo.json") == [#"{"id":"Photo/1","image":{"$base64":"Bw=="},"inside":null}"#])
  }

  @Test("a link in the folder's own place is not followed")
  func linkedFolder() async throws {
    let folder = try StoreFolder()
    let elsewhere = folder.url.appendingPathComponent("elsewhere/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
    try Data([7]).write(to: elsewhere.appendingPathComponent("F"))
    try FileManager.default.createSymbolicLink(
      at: folder.url.appendingPathComponent(".Photos_SUPPORT"), withDestinationURL: folder.url.appendingPathComponent("elsewhere"))
    try make(folder, [named("F")])
    let exported = try await folder.export("Photos.sqlite")
    #expect(exported.lines("records/Photos/Photo.json") == [#"{"id":"Photo/1","image":{"$missing":"F"},"inside":null}"#])
  }
}
