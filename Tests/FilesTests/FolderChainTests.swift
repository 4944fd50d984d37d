import Foundation
import Testing

@testable import Files

/// A folder is told from others by what it is, by whatever path it is reached.
@Suite struct FolderChainTests {
  @Test func whatLiesAbove() throws {
    let scratch = try Scratch()
    let path = scratch.path
    for name in ["a/b/c", "a/other", "elsewhere"] {
      try FileManager.default.createDirectory(atPath: path.appending(PathBytes(name)).text ?? "", withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(atPath: path.appending("elsewhere/link").text ?? "", withDestinationPath: "../a/b")
    func status(_ name: String) throws -> FileStatus { try FileDescriptor.folder(path.appending(PathBytes(name))).status() }
    for way in ["a/b/c", "elsewhere/link/c", "a/other/../b/c/."] {
      let chain = try FolderChain(of: path.appending(PathBytes(way)))
      for name in ["a/b/c", "a/b", "a", "."] { #expect(try chain.contains(status(name)), "\(way) below \(name)") }
      for name in ["a/other", "elsewhere"] { #expect(try !chain.contains(status(name)), "\(way) below \(name)") }
      #expect(try chain.contains(FileDescriptor.folder("/").status()))
    }
    #expect { try FolderChain(of: path.appending("gone")) } throws: { ($0 as? FileError)?.isMissing == true }
  }

  @Test func aPassageIsNoLink() throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(atPath: scratch.path.appending("a/b").text ?? "", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: scratch.path.appending("link").text ?? "", withDestinationPath: "a")
    let folder = try FileDescriptor.folder(scratch.path)
    let kind = try folder.passage("a").folder("b").status().kind
    #expect(kind == .folder)
    #expect(throws: FileError.self) { _ = try folder.passage("link").raw }
  }
}
