import Files
import Foundation
import TestSupport
import Testing

@testable import AccountExport

@Suite("Bundles that are unpacked to be looked at")
struct OpenedBundlesTests {
  private let folder: TemporaryFolder
  private var place: PathBytes { folder.path("home/share/open") }

  init() throws { folder = try TemporaryFolder() }

  /// A bundle in a file, and what its check found.
  private func bundle() async throws -> (file: PathBytes, report: VerificationReport) {
    let path = folder.path("data.zip")
    _ = try await AccountExporter(sources: [EverythingSource()]).export(.fixed, to: path)
    var verifier = try BundleVerifier()
    try folder.bytes(of: "data.zip").withBytes { verifier.feed($0) }
    return (path, try verifier.finish())
  }

  private func names(in path: PathBytes) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path.display).sorted() }

  @Test("every file is written, as the bundle has it")
  func unpacks() async throws {
    let (path, report) = try await bundle()
    let page = try OpenedBundles.make(in: place).unpack(FileDescriptor.reading(path), verified: report)
    let top = page.parent
    #expect(top.lastComponent.text == report.topFolder)
    #expect(top.parent.parent == place)
    let check = try #require(report.topFolder)
    #expect(check == "account-export-20261130T101500Z")
    let result = try runProgram("sha256sum", ["--quiet", "-c", "manifest-sha256.txt", "tagmanifest-sha256.txt"], folder: top)
    #expect(result.status == 0, "\(result.output)")
  }

  @Test(
    "a bundle that is another one by now, cut short or grown is noticed, and nothing of it stays", arguments: ["other", "short", "long"])
  func swapped(change: String) async throws {
    let (path, report) = try await bundle()
    var bytes = try folder.bytes(of: "data.zip")
    let file = try FileDescriptor.reading(path)
    switch change {
    case "short": bytes.removeLast(100)
    // The first entry's bytes: its CRC is wrong then, or its hash.
    case "other": bytes[bytes.count / 3] ^= 1
    default: bytes.insert(contentsOf: [UInt8](repeating: 0, count: 1 << 20), at: bytes.count / 2)
    }
    let handle = try FileHandle(forWritingTo: URL(filePath: path.display))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data(bytes))
    let opened = try OpenedBundles.make(in: place)
    let error = #expect(throws: ExportError.self) { try opened.unpack(file, verified: report) }
    #expect(error?.code == .badInput)
    #expect(try names(in: place) == [])
  }

  @Test("one that has been found damaged is not unpacked")
  func damaged() async throws {
    var (path, report) = try await bundle()
    report.add("something")
    let opened = try OpenedBundles.make(in: place)
    #expect(throws: ExportError.self) { try opened.unpack(FileDescriptor.reading(path), verified: report) }
    #expect(try names(in: place) == [])
  }

  @Test("a folder that others can look into is refused")
  func open() throws {
    _ = try OpenedBundles.make(in: place)
    try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: place.display)
    let error = #expect(throws: ExportError.self) { _ = try OpenedBundles.make(in: place) }
    #expect(error?.code == .notPermitted)
  }

  @Test("a link in the folder's place is not followed")
  func link() throws {
    try FileManager.default.createDirectory(atPath: place.parent.display, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: folder.path("elsewhere").display, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: place.display, withDestinationPath: folder.path("elsewhere").display)
    #expect(throws: ExportError.self) { _ = try OpenedBundles.make(in: place) }
  }

  @Test("only folders of its own names are removed, and no link is followed")
  func removal() throws {
    let manager = FileManager.default
    let opened = try OpenedBundles.make(in: place)
    let kept = folder.path("kept")
    try manager.createDirectory(atPath: kept.display, withIntermediateDirectories: true)
    try Data("x".utf8).write(to: URL(filePath: kept.appending("file").display))
    for name in ["bundle-0123456789abcdef/a/b", "bundle-0123456789ABCDEF", "bundle-0123", "other"] {
      try manager.createDirectory(atPath: place.appending(PathBytes(name)).display, withIntermediateDirectories: true)
    }
    for name in ["bundle-0123456789abcdef/a/b/link", "bundle-ffffffffffffffff"] {
      try manager.createSymbolicLink(atPath: place.appending(PathBytes(name)).display, withDestinationPath: kept.display)
    }
    try Data().write(to: URL(filePath: place.appending("bundle-0000000000000000").display))
    let (removed, busy) = try opened.removeEarlier()
    #expect(removed == 1 && busy == 0)
    #expect(
      try names(in: place) == [
        "bundle-0000000000000000", "bundle-0123", "bundle-0123456789ABCDEF", "bundle-ffffffffffffffff", "other",
      ])
    #expect(try names(in: kept) == ["file"])
  }

  @Test("what is in use is left alone")
  func busy() throws {
    let opened = try OpenedBundles.make(in: place)
    let name = place.appending("bundle-0123456789abcdef")
    try FileManager.default.createDirectory(atPath: name.display, withIntermediateDirectories: false)
    let held = try FileDescriptor.folder(name)
    #expect(try held.lock())
    let (removed, busy) = try opened.removeEarlier()
    #expect(removed == 0 && busy == 1)
  }
}

@Suite("Files that are unpacked")
struct UnpackedFilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func begin(_ path: [UInt8]) throws {
    var files = UnpackedFiles(root: OpenFolder(try FileDescriptor.folder(folder.path)))
    try path.withBytes { (path) throws(ExportError) in try files.begin(path, modified: nil) }
  }

  @Test(
    "a name that leads elsewhere is refused",
    arguments: ["", "/", "/etc/x", "../x", "a/../../x", "a/./b", "a//b", "a/..", ".", "..", "a\0/b", "a/b\0.txt", "../", "a//"])
  func names(path: String) throws {
    #expect(throws: ExportError.self) { try begin(Array(path.utf8)) }
    #expect(try folder.names() == [])
  }

  @Test("nothing that is there is written to, and no link is followed")
  func existing() throws {
    try folder.write("old".utf8, to: "file")
    let target = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(atPath: folder.path("link").display, withDestinationPath: target.path.display)
    try FileManager.default.createSymbolicLink(atPath: folder.path("dangling").display, withDestinationPath: target.path("new").display)
    for path in ["file", "link/new", "dangling", "file/x", "link/"] {
      #expect(throws: ExportError.self) { try begin(Array(path.utf8)) }
    }
    #expect(try folder.bytes(of: "file") == Array("old".utf8))
    #expect(try target.names() == [])
  }
}
