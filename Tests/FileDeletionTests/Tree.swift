import Files
import Foundation
import TestSupport

@testable import FileDeletion

/// A folder that is to be emptied, and things around it that nobody may touch.
final class Tree: Sendable {
  let folder: TemporaryFolder

  init(in parent: URL = FileManager.default.temporaryDirectory) throws {
    folder = try TemporaryFolder(in: parent)
    for name in ["root/inner/deep", "root/empty", "outside", "home", "state"] {
      try FileManager.default.createDirectory(at: folder.url.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    for (name, text) in [
      ("root/a.txt", "aaaaa"), ("root/inner/b.txt", "bbbbb"), ("root/inner/deep/c.txt", "ccccc"), ("root/inner/ü %\n.txt", "ddddd"),
      ("root/z.txt", "zzzzz"), ("outside/precious", "precious"), ("state/key", "key"), ("root-beside", "x"),
    ] { try write(text, to: name) }
    try FileManager.default.createSymbolicLink(atPath: folder.url.path + "/root/link", withDestinationPath: "../outside")
    try FileManager.default.createSymbolicLink(atPath: folder.url.path + "/root/inner/dangling", withDestinationPath: "nowhere")
    _ = mkfifo(folder.url.path + "/root/pipe", 0o600)
  }

  var root: PathBytes { folder.path("root") }

  var protected: ProtectedFolders { ProtectedFolders(homes: [folder.path("home")], closed: [folder.path("state")]) }

  func step(_ choice: FileChoice = FileChoice()) -> FilesStep { FilesStep(root, named: "Notes", choice, protected: protected) }

  func write(_ text: String, to name: String) throws { try folder.write(text.utf8, to: name) }

  /// What is in the root.
  func names() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: root.text ?? "").sorted() }

  /// Everything else, with what it holds.
  func everythingOutside() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted().filter { !$0.hasPrefix("root/") }.map { name in
      let url = folder.url.appendingPathComponent(name)
      var isFolder: ObjCBool = false
      let isThere = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
      return isThere && !isFolder.boolValue ? "\(name): \(hexadecimal(try Data(contentsOf: url)))" : name
    }
  }
}
