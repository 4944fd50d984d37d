internal import Files

/// Files below one folder, by names that come from rows: none is trusted. Each component is opened by itself in the folder before it and no link is
/// followed, so that no name leads out, whatever is swapped meanwhile.
final class FolderFiles: FileOrigin {
  private let root: PathBytes
  private var opened: OpenFolder?

  init(_ root: PathBytes) { self.root = root }

  /// The root, open, so that its place is looked for once.
  private final class OpenFolder {
    let descriptor: FileDescriptor
    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
  }

  private struct OpenFile: ~Copyable {
    let descriptor: FileDescriptor
    let status: FileStatus
  }

  /// It was read while it changed, and can be read once more.
  private struct Changed: Error {}

  func read(_ name: UnsafeBufferPointer<UInt8>, _ take: ((UnsafeMutableRawBufferPointer) throws -> Int) throws -> Void) throws
    -> FileObstacle?
  {
    do { return try read(name, again: false, take) } catch is Changed { return try read(name, again: true, take) }
  }

  /// Reads as many bytes as the file had when it was opened: one that only grows comes to an end, too.
  private func read(
    _ name: UnsafeBufferPointer<UInt8>, again: Bool, _ take: ((UnsafeMutableRawBufferPointer) throws -> Int) throws -> Void
  ) throws -> FileObstacle? {
    let file = try open(name)
    var (offset, obstacle): (UInt64, FileObstacle?) = (0, nil)
    try take { buffer in
      if offset < file.status.size {
        let wanted = Int(min(UInt64(buffer.count), file.status.size - offset))
        let count = try file.descriptor.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: offset)
        if count == 0 { throw again ? FileObstacle.changed : Changed() as any Error }
        offset += UInt64(count)
        return count
      }
      if try !file.descriptor.status().isUnchanged(since: file.status) {
        if !again { throw Changed() }
        obstacle = .changed
      }
      return 0
    }
    return obstacle
  }

  // MARK: Opening

  private static let longestName = 4096, longestComponent = 255

  private func open(_ name: UnsafeBufferPointer<UInt8>) throws -> OpenFile {
    let isAbsolute = name.first == UInt8(ascii: "/")
    do {
      let parts = name.split(separator: UInt8(ascii: "/")).map(Array.init).filter { $0 != [UInt8(ascii: ".")] }
      if parts.contains(Array("..".utf8)) { throw FileObstacle.outside }
      // No file system has such names; cut at the NUL, one would be another file's.
      if name.count > Self.longestName || name.contains(0) || parts.contains(where: { $0.count > Self.longestComponent }) {
        throw FileObstacle.missing
      }
      guard let last = parts.last else { throw FileObstacle.folder }
      return try open(PathBytes(last), below: parts.dropLast().map { PathBytes($0) })
    } catch let obstacle as FileObstacle where obstacle == .missing && isAbsolute {
      // It may be a file's somewhere else.
      throw FileObstacle.outside
    }
  }

  private func open(_ name: PathBytes, below folders: [PathBytes]) throws -> OpenFile {
    let root = try openRoot()
    do {
      var folder = try root.descriptor.folder(".")
      for next in folders { folder = try Self.folder(next, in: folder) }
      // What is special isn't opened: that alone may do something.
      switch try folder.status(of: name).kind {
      case .file: break
      case .folder: throw FileObstacle.folder
      case .link: throw FileObstacle.link
      case .special: throw FileObstacle.special
      }
      let descriptor = try folder.reading(name)
      let status = try descriptor.status()
      if status.kind != .file { throw FileObstacle.special }
      return OpenFile(descriptor: descriptor, status: status)
    } catch let error as FileError {
      throw FileObstacle(error)
    }
  }

  private static func folder(_ name: PathBytes, in folder: borrowing FileDescriptor) throws -> FileDescriptor {
    do { return try folder.folder(name) } catch {
      if error.isOtherKind, try folder.status(of: name).kind == .link { throw FileObstacle.link }
      throw error
    }
  }

  /// A folder that isn't there tells nothing of the files in it: they aren't missing, it is.
  private func openRoot() throws -> OpenFolder {
    if let opened { return opened }
    do {
      let folder = OpenFolder(try FileDescriptor.folder(root, following: true))
      opened = folder
      return folder
    } catch {
      throw FileObstacle.unreadable("the folder of files can't be read: \(error)")
    }
  }
}
