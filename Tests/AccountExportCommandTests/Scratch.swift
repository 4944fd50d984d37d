import Files
import Foundation

/// A folder for one test, removed with it.
final class Scratch {
  let path: PathBytes

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "account-export-command-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = PathBytes(url.path(percentEncoded: false))
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: path.display) } catch { print("left behind: \(path.display)") }
  }

  /// Writes a file, and gives its path.
  func write(_ name: PathBytes, _ text: String) throws -> PathBytes {
    let file = path.appending(name)
    try Data(text.utf8).write(to: URL(filePath: file.display))
    return file
  }
}
