import Files
import Foundation
import TestSupport
import Testing

@testable import NamedFiles

@Suite("Files of a folder, while they change")
struct FolderFilesTests {
  private let folder: TemporaryFolder
  private let files: FolderFiles

  init() throws {
    folder = try TemporaryFolder()
    files = FolderFiles(folder.path)
  }

  /// Reads a file in pieces of 4 bytes, doing something after the first piece of each attempt.
  private func read(_ name: String, _ afterFirst: (_ attempt: Int) throws -> Void) throws -> (
    text: String, told: FileObstacle?, attempts: Int
  ) {
    var (all, attempts): ([UInt8], Int) = ([], 0)
    var copy = name
    let told = try copy.withUTF8 { name in
      try files.read(name) { read in
        all = []
        attempts += 1
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 1)
        defer { piece.deallocate() }
        while case let count = try read(piece), count > 0 {
          all += piece[..<count]
          if all.count == count { try afterFirst(attempts) }
        }
      }
    }
    return (String(decoding: all, as: UTF8.self), told, attempts)
  }

  private func append(_ text: String, to name: String) throws {
    let handle = try FileHandle(forWritingTo: folder.url.appendingPathComponent(name))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
  }

  @Test("what changes once is read again; what changes each time is told of, and has the length that it had")
  func growing() throws {
    try folder.write("0123456789".utf8, to: "log")
    let once = try read("log") { attempt in if attempt == 1 { try append("A", to: "log") } }
    #expect(once == ("0123456789A", nil, 2))
    let always = try read("log") { _ in try append("B", to: "log") }
    #expect(always == ("0123456789AB", .changed, 2))
  }

  @Test("what shrinks each time can't be had")
  func shrinking() throws {
    try folder.write([UInt8](repeating: 0x61, count: 100), to: "log")
    var size = 100
    #expect(throws: FileObstacle.changed) {
      _ = try read("log") { _ in
        size /= 2
        #expect(truncate(folder.url.appendingPathComponent("log").path, off_t(size)) == 0)
      }
    }
    try folder.write("0123456789".utf8, to: "log")
    let once = try read("log") { attempt in if attempt == 1 { try folder.write("01234".utf8, to: "log") } }
    #expect(once == ("01234", nil, 2))
  }

  @Test("a folder on the way that becomes a link leads nowhere")
  func swapped() throws {
    let inside = folder.url.appendingPathComponent("a")
    try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: false)
    try folder.write("x".utf8, to: "a/passwd")
    #expect(try read("a/passwd") { _ in }.text == "x")
    try FileManager.default.removeItem(at: inside)
    try FileManager.default.createSymbolicLink(atPath: inside.path, withDestinationPath: "/etc")
    #expect(throws: FileObstacle.link) { _ = try read("a/passwd") { _ in } }
  }

  @Test("the folder itself may be a link, as its user has written it")
  func root() throws {
    try folder.write("x".utf8, to: "a")
    let link = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(atPath: link.url.appendingPathComponent("here").path, withDestinationPath: folder.url.path)
    let files = FolderFiles(link.path("here"))
    var name = "a"
    var count = 0
    let told = try name.withUTF8 { name in
      try files.read(name) { read in
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 1)
        defer { piece.deallocate() }
        count = try read(piece)
        #expect(try read(piece) == 0)
      }
    }
    #expect(told == nil && count == 1)
  }
}
