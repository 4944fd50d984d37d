package import Files

/// The private folder below which bundles are unpacked to be looked at: for its owner alone, a folder for each bundle, locked while it is filled.
package struct OpenedBundles: ~Copyable, Sendable {
  private let root: FileDescriptor

  private static let prefix = "bundle-"

  private init(root: consuming FileDescriptor) { self.root = root }

  /// Opens the folder, and makes it, with those above it, where it isn't there.
  package static func make(in place: PathBytes) throws(ExportError) -> OpenedBundles {
    do throws(FileError) {
      let above = try FileDescriptor.makingFolders(place.parent)
      do throws(FileError) { return try OpenedBundles(root: above.creatingFolder(place.lastComponent)) } catch {
        if !error.isExisting { throw error }
      }
    } catch {
      throw .unpacking(error)
    }
    guard let existing = try find(in: place) else { throw ExportError(.output, "\(place.display) is gone as soon as it was made") }
    return existing
  }

  /// Opens the folder; nil where there is none.
  package static func find(in place: PathBytes) throws(ExportError) -> OpenedBundles? {
    let status: FileStatus
    do throws(FileError) {
      let root = try FileDescriptor.folder(place.parent, following: true).folder(place.lastComponent)
      status = try root.status()
      // Where others can write, they could put links in the place of what is unpacked.
      if status.owner == FileDescriptor.user && status.mode & 0o077 == 0 { return OpenedBundles(root: root) }
    } catch {
      if error.code == FileError.notFound { return nil }
      throw .unpacking(error)
    }
    if status.owner != FileDescriptor.user { throw ExportError(.notPermitted, "\(place.display) belongs to another user") }
    throw ExportError(
      .notPermitted, "\(place.display) is open to others (mode 0\(String(status.mode, radix: 8)))", hint: "chmod 700 takes that from them")
  }

  // MARK: Unpacking

  /// Unpacks a bundle that was verified, from the descriptor by which it was. Where that can't be done whole, nothing of it stays.
  /// - Returns: the path of its first page.
  package borrowing func unpack(_ bundle: borrowing FileDescriptor, verified report: VerificationReport) throws -> PathBytes {
    guard report.isIntact, let top = report.topFolder else { throw ExportError(.verification, "only an intact bundle is unpacked") }
    let (name, folder) = try newFolder()
    do {
      var unpacker = try BundleUnpacker(into: folder, verified: report)
      try unpacker.unpack(bundle)
    } catch {
      leave(name, folder)
      throw error
    }
    return folder.path.appending(PathBytes(top)).appending("index.html")
  }

  private borrowing func newFolder() throws(ExportError) -> (PathBytes, OpenFolder) {
    do throws(FileError) {
      while true {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        let name = PathBytes(Self.prefix + String(repeating: "0", count: 16 - digits.count) + digits)
        let folder = OpenFolder(try root.creatingFolder(name))
        // Another may remove it in the moment before it is locked; then the next name is tried.
        if try folder.descriptor.lock(), try folder.descriptor.status().links > 0 { return (name, folder) }
      }
    } catch {
      throw .unpacking(error)
    }
  }

  /// Removes what could not be unpacked whole.
  private borrowing func leave(_ name: PathBytes, _ folder: OpenFolder) {
    do throws(FileError) { try remove(name, folder) } catch {
      return  // the error that brought it here is told; the next to open a bundle removes the rest, or says why it can't
    }
  }

  // MARK: Removing

  /// Removes what was unpacked earlier, but for what is being unpacked right now. What can't be removed doesn't keep the others: its error comes last.
  /// - Returns: how many were removed, and how many are in use.
  package borrowing func removeEarlier() throws(ExportError) -> (removed: Int, busy: Int) {
    var (removed, busy) = (0, 0)
    var failure: FileError?
    do throws(FileError) {
      for name in try root.names(beginningWith: Self.prefix) where Self.isOurs(name) {
        do throws(FileError) {
          guard let folder = try claim(name) else { continue }
          if try folder.descriptor.lock() {
            try remove(name, folder)
            removed += 1
          } else {
            busy += 1
          }
        } catch {
          if error.code != FileError.notFound { failure = failure ?? error }  // another has removed it meanwhile
        }
      }
    } catch {
      failure = error
    }
    if let failure {
      throw ExportError(failure.isDenied ? .notPermitted : .output, "what was unpacked earlier can't be removed", cause: failure)
    }
    return (removed, busy)
  }

  /// Whether a name is one that `newFolder` makes.
  private static func isOurs(_ name: PathBytes) -> Bool {
    let digits = name.bytes.dropFirst(prefix.utf8.count)
    return digits.count == 16
      && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
  }

  /// Opens a folder to be removed; nil where that is a link, no folder, or another user's.
  private borrowing func claim(_ name: PathBytes) throws(FileError) -> OpenFolder? {
    if try root.status(of: name).kind != .folder { return nil }
    let folder = OpenFolder(try root.folder(name))
    return try folder.descriptor.status().owner == FileDescriptor.user ? folder : nil
  }

  private borrowing func remove(_ name: PathBytes, _ folder: OpenFolder) throws(FileError) {
    try folder.descriptor.removeContents()
    try root.removeFolder(name)
  }
}

/// An open folder that several hold.
final class OpenFolder: Sendable {
  let descriptor: FileDescriptor

  init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

  var path: PathBytes { descriptor.path }
}

extension ExportError {
  /// What a failed call means for who unpacks a bundle.
  static func unpacking(_ error: FileError) -> ExportError {
    let code: Code = error.isFull ? .noSpace : error.isDenied ? .notPermitted : .output
    let hint = error.isFull ? "free some space, or name a folder on another disk with XDG_DATA_HOME" : nil
    return ExportError(code, "the bundle can't be unpacked", hint: hint, cause: error)
  }
}
