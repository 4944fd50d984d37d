internal import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Files that the user names: links are followed, pipes are read to their end.
enum InputFile {
  /// Opens a file for reading. `-` is standard input where it is `allowed`.
  static func open(_ path: PathBytes, standardInput allowed: Bool = false) throws(CommandError) -> FileDescriptor {
    do throws(FileError) {
      if allowed && path == "-" { return try FileDescriptor.duplicate(STDIN_FILENO, path: "standard input") }
      let file = try FileDescriptor.reading(path, following: true)
      switch try file.status().kind {
      case .folder: throw FileError("open", path, code: EISDIR)
      case .file: break
      // A pipe was opened without waiting; what it brings is waited for.
      case .special, .link: if fcntl(file.raw, F_SETFL, 0) < 0 { throw FileError("open", path, code: errno) }
      }
      return file
    } catch {
      throw problem(error)
    }
  }

  /// All bytes of a small file.
  static func read(_ path: PathBytes, limit: Int) throws(CommandError) -> [UInt8] {
    let file = try open(path)
    var bytes: [UInt8] = []
    try each(piece: 65536, of: file) { (piece) throws(CommandError) in
      if bytes.count + piece.count > limit { throw CommandError(.badInput, "\(path.display) has more than \(limit) bytes") }
      bytes.append(contentsOf: piece)
      return true
    }
    return bytes
  }

  /// Hands over a file's bytes, piece by piece, as long as more are wanted.
  static func each(
    piece size: Int, of file: borrowing FileDescriptor, _ body: (UnsafeRawBufferPointer) throws(CommandError) -> Bool
  ) throws(CommandError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count: Int
      do throws(FileError) { count = try file.read(into: buffer) } catch { throw CommandError(error) }
      if count == 0 { return }
      if try !body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { return }
    }
  }

  /// What stands at a path, links followed: nil where it can't be told without the right to look.
  static func kind(_ path: PathBytes) throws(CommandError) -> FileStatus.Kind? {
    var status = stat()
    let code = path.withCString { stat($0, &status) == 0 ? 0 : errno }
    if code == EACCES { return nil }
    if code != 0 { throw problem(FileError("open", path, code: code)) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .special
    }
  }

  /// What the user gave is not there, or not what it should be: bad input.
  private static func problem(_ error: FileError) -> CommandError {
    let isTheirs = error.isMissing || error.isOtherKind || error.code == EISDIR || error.code == ENAMETOOLONG
    return isTheirs ? CommandError(.badInput, "\(error.path.display): \(error.reason)") : CommandError(error)
  }
}
