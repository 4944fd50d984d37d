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
    // A folder may be thousands of levels deep here, and locked: `rm` knows how.
    let stream = popen("chmod -R u+rwx \(path) 2>/dev/null; rm -rf \(path)", "r")
    if stream == nil || pclose(stream) != 0 { Issue.record("could not remove \(path)") }
  }

  /// Makes a folder, and those above it.
  func makeFolder(_ path: PathBytes) {
    let parts = path.bytes.split(separator: UInt8(ascii: "/"))
    for end in parts.indices {
      PathBytes(parts[...end].joined(separator: [UInt8(ascii: "/")])).withCString { _ = mkdirat(folder.raw, $0, 0o755) }
    }
  }

  /// Makes a file with these bytes, and the folders above it.
  func write(_ text: String, to name: PathBytes) throws {
    makeFolder(name.parent)
    let file = try folder.creating(name)
    var bytes = Array(text.utf8)
    try bytes.withUnsafeMutableBytes { try file.write(UnsafeRawBufferPointer($0)) }
  }

  /// Makes a link.
  func link(_ name: PathBytes, to target: PathBytes) throws {
    let made = target.withCString { target in name.withCString { symlinkat(target, folder.raw, $0) } }
    try #require(made == 0)
  }
}
