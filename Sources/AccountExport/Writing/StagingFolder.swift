internal import Files
import Synchronization

/// Where an export's spools and private copies lie while it runs: on a real disk, for nobody else to read, gone at the end.
///
/// Spools have no name. What needs one (a store's private copy) lies in a folder of mode 0700, which is locked while its export lives; what a
/// crash left is swept by the next export that stages in the same place.
public final class StagingFolder: Sendable {
  private struct Private: ~Copyable {
    var name: PathBytes?
    var folder: FileDescriptor?
  }

  private let parent: FileDescriptor
  /// Where memory for staging comes from; nil is no bound but each spool's own.
  let memory: MemoryShare?
  /// Who deflates beside the packer; nil where it does that alone.
  let workers: DeflateWorkers?
  private let privateFolder = Mutex(Private())

  /// The names of folders for staging begin so.
  static let prefix = ".account-export-staging-"

  /// Prepares staging in a folder that exists, and sweeps what crashed exports left there.
  init(in path: PathBytes, memory: MemoryShare? = nil, workers: DeflateWorkers? = nil) throws(ExportError) {
    (self.memory, self.workers) = (memory, workers)
    do throws(FileError) {
      parent = try FileDescriptor.folder(path, following: true)
    } catch {
      throw ExportError.writing(error, "the staging folder \(path.display)")
    }
    Self.sweep(parent)
  }

  /// The private folder, for what can only be opened by its path. It is made when it is asked for first.
  func privateFolderPath() throws(ExportError) -> PathBytes {
    try privateFolder.withLock { (state) throws(ExportError) in
      if let name = state.name { return parent.path.appending(name) }
      do throws(FileError) {
        state = try Self.make(in: parent)
        return parent.path.appending(state.name ?? "")
      } catch {
        throw ExportError.writing(error, "the staging folder")
      }
    }
  }

  private static func make(in parent: borrowing FileDescriptor) throws(FileError) -> Private {
    var attempts = 0
    while true {
      let name = PathBytes(prefix + String(UInt64.random(in: .min ... .max), radix: 36))
      // Another export may sweep it in the moment before it is opened, or before it is locked; then the next name is tried. Where the folder
      // around it is gone, no name helps.
      attempts += 1
      do throws(FileError) {
        let folder = try parent.creatingFolder(name)
        if try folder.lock(), try folder.status().links > 0 { return Private(name: name, folder: folder) }
      } catch {
        if !error.isMissing || attempts == mostAttempts { throw error }
      }
    }
  }

  private static var mostAttempts: Int { 1000 }

  /// A file without a name.
  func makeSpool() throws(ExportError) -> FileDescriptor {
    do throws(FileError) { return try parent.unnamed() } catch { throw ExportError.writing(error, "the staging folder") }
  }

  /// Bytes free on its disk.
  var freeBytes: UInt64? { parent.freeBytes() }

  /// Whether two paths are on one disk.
  func isOnSameDisk(as path: PathBytes) throws(FileError) -> Bool {
    let other = try FileDescriptor.folder(path, following: true)
    return try parent.status().device == other.status().device
  }

  deinit { removePrivateFolder() }

  /// Ends what is done here, before the export's end is told: nobody deflates any more, and the private folder is gone. A task that is being
  /// cleared away may hold this for a moment longer, which may be longer than the process lasts.
  func end() async {
    await workers?.idle()
    removePrivateFolder()
  }

  private func removePrivateFolder() {
    privateFolder.withLock { state in
      if let name = state.name { Self.remove(name, in: parent) }
      state = Private()
    }
  }

  /// Removes what exports that are gone left here: their folders are not locked any more.
  private static func sweep(_ parent: borrowing FileDescriptor) {
    do throws(FileError) {
      for left in try parent.names(beginningWith: prefix) { sweep(left, in: parent) }
    } catch {
      return  // a folder that can't be listed; this export doesn't depend on it
    }
  }

  private static func sweep(_ left: PathBytes, in parent: borrowing FileDescriptor) {
    do throws(FileError) {
      let folder = try parent.folder(left)
      if try folder.lock() { remove(left, in: parent) }
    } catch {
      return  // another's, or gone by now; the others are swept all the same
    }
  }

  private static func remove(_ name: PathBytes, in parent: borrowing FileDescriptor) {
    do throws(FileError) {
      let folder = try parent.folder(name)
      for inside in try folder.names(beginningWith: "") {
        if try folder.status(of: inside).kind == .folder { remove(inside, in: folder) } else { try folder.remove(inside) }
      }
      try parent.removeFolder(name)
    } catch {
      return  // swept at the next start
    }
  }
}
