import Files
import Foundation
import TestSupport

/// A folder for one test, in which files of an app can be put.
struct Scratch {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // One without root's rights may look into it, too.
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
  }

  var path: PathBytes { folder.path }

  func path(_ name: String) -> PathBytes { folder.path(name) }

  /// Makes a file, and the folders above it.
  func write(_ name: String, _ bytes: some Sequence<UInt8> = "x".utf8) throws {
    let url = folder.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(at: folder.url.appendingPathComponent(name), withIntermediateDirectories: true)
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: folder.url.path + "/" + name, withDestinationPath: target)
  }

  func setMode(_ mode: Int, of name: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.url.path + "/" + name)
  }

  /// Writes a property list, in the form that the system writes them in.
  func writeList(_ name: String, _ values: [String: Any]) throws {
    try write(name, try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0))
  }

  /// A path below this folder, as tests compare it.
  func relative(_ path: PathBytes) -> String {
    let text = path.display
    return text.hasPrefix(self.path.display + "/") ? String(text.dropFirst(self.path.display.utf8.count + 1)) : text
  }
}

/// The head of a SQLite database, as its file format has it, in a page of nothing.
let storeBytes = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 496)

/// The head of a write-ahead log.
let logBytes: [UInt8] = [0x37, 0x7F, 0x06, 0x82] + [UInt8](repeating: 1, count: 60)

/// Bytes without order, the same each time.
func disorder(_ count: Int) -> [UInt8] {
  var state: UInt64 = 88_172_645_463_325_252
  return (0..<count).map { _ in
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return UInt8(truncatingIfNeeded: state >> 24)
  }
}

/// Runs `body` without root's right to read everything. It binds the thread that it runs on only.
func withoutPrivileges(_ body: () throws -> Void) throws {
  // Glibc's module doesn't have it. The number of the user is kept by the kernel for each thread; giving it up gives up the rights.
  typealias SetUser = @convention(c) (UInt32) -> CInt
  let setUser = unsafeBitCast(dlsym(nil, "setfsuid"), to: SetUser.self)
  let before = UInt32(bitPattern: setUser(65534))
  defer { _ = setUser(before) }
  try body()
}
