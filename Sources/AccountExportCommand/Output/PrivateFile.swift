internal import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file beside a bundle, a report or a configuration: readable by its owner alone, and there whole or not at all.
struct PrivateFile: ~Copyable {
  private let folder: FileDescriptor
  private let path: PathBytes
  private let replacing: Bool

  /// Looks before anything is done whether the file can be written.
  init(path: PathBytes, replacing: Bool) throws(CommandError) {
    self.path = path
    self.replacing = replacing
    folder = try Self.folder(of: path, replacing)
  }

  private static func folder(of path: PathBytes, _ replacing: Bool) throws(CommandError) -> FileDescriptor {
    do throws(FileError) {
      let folder = try FileDescriptor.folder(path.parent, following: true)
      if try exists(path.lastComponent, in: folder, replacing) { throw FileError("create", path, code: EEXIST) }
      // Only trying tells, on every file system, whether something can be made there.
      _ = try folder.unnamed().raw
      return folder
    } catch {
      throw problem(error, path)
    }
  }

  /// Whether something stands there that is not to be replaced.
  private static func exists(_ name: PathBytes, in folder: borrowing FileDescriptor, _ replacing: Bool) throws(FileError) -> Bool {
    do throws(FileError) { return try folder.status(of: name).kind != .file || !replacing } catch {
      if error.isMissing { return false }
      throw error
    }
  }

  /// Writes the file, and puts it in its place.
  func write(_ bytes: [UInt8]) throws(CommandError) {
    do throws(FileError) {
      // The name and the lock that a bundle has while it is written: the next export removes what a crash leaves.
      let working = PathBytes(".account-export-writing-\(UInt64.random(in: .min ... .max))")
      let file = try folder.creating(working)
      _ = try file.lock()
      let outcome = bytes.withUnsafeBytes { bytes in Result { () throws(FileError) in try file.write(bytes) } }
      do throws(FileError) {
        try outcome.get()
        try folder.rename(working, to: path.lastComponent, replacing: replacing)
      } catch {
        try folder.remove(working)
        throw error
      }
    } catch {
      throw Self.problem(error, path)
    }
  }

  private static func problem(_ error: FileError, _ path: PathBytes) -> CommandError {
    if error.isExisting { return CommandError(.outputExists, "\(path.display) exists already", hint: "--force replaces it") }
    return CommandError(error.isDenied ? .notPermitted : .inputOutput, "\(path.display): \(error.reason)")
  }
}
