import Files
import Glibc
import Testing

/// A folder of a test's own, removed with all that is in it when the test lets it go.
final class Scratch {
  let path: PathBytes
  let folder: FileDescriptor

  init() throws {
    var template = Array("/tmp/documents-tests-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!) != nil }
    try #require(made)
    path = PathBytes(template.map { UInt8(bitPattern: $0) })
    folder = try FileDescriptor.folder(path)
  }

  deinit {
    do { try Self.empty(folder) } catch { Issue.record("could not empty \(path): \(error)") }
    path.withCString { _ = rmdir($0) }
  }

  private static func empty(_ folder: borrowing FileDescriptor) throws {
    let names = try FolderListing(of: folder)
    for index in 0..<names.count {
      let name = names.name(at: index)
      if try folder.status(of: name).kind == .folder {
        try empty(folder.folder(name))
        try folder.removeFolder(name)
      } else {
        try folder.remove(name)
      }
    }
  }

  /// Makes a file with these bytes.
  func write(_ text: String, to name: PathBytes) throws {
    let file = try folder.creating(name)
    var bytes = Array(text.utf8)
    try bytes.withUnsafeMutableBytes { try file.write(UnsafeRawBufferPointer($0)) }
  }

  /// What a file in the folder holds.
  func text(of name: PathBytes) throws -> String {
    let file = try folder.reading(name)
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = try bytes.withUnsafeMutableBytes { (buffer) throws(FileError) in try file.read(into: buffer) }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// Makes a link.
  func link(_ name: PathBytes, to target: PathBytes) throws {
    let made = target.withCString { target in name.withCString { symlinkat(target, folder.raw, $0) } }
    try #require(made == 0)
  }
}
