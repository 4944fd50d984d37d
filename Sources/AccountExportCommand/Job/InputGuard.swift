internal import AppContainers
internal import Files

/// Keeps what is to be exported from being replaced by what comes of it: `--force` is for an earlier output, never for an input.
struct InputGuard {
  private let sources: SourceSettings
  private let configuration: PathBytes?
  /// The folders of keys that sign receipts.
  private let states: [PathBytes]

  init(_ sources: SourceSettings, configuration: PathBytes?, state: PathBytes?) {
    (self.sources, self.configuration, states) = (sources, configuration, ReceiptFile.folders(state))
  }

  /// Refuses an output that exists and is an input, or lies among the documents or preferences that are exported. An earlier bundle may lie
  /// among the documents: it is none of them, and may be replaced.
  func check(_ output: PathBytes, option: String) throws(CommandError) {
    guard let target = Self.status(output) else { return }
    for state in states where try Self.isInside(output, state) {
      throw CommandError(
        .outputExists, "\(output.display) lies in the state folder, beside the key that signs receipts, and is not replaced",
        hint: "name another file with \(option)")
    }
    for file in files where Self.status(file).map({ Self.isSame($0, target) }) == true { throw Self.refusal(output, option, file) }
    for folder in folders where try Self.isInside(output, folder.path) {
      if !folder.mayHoldBundles || !Self.isBundle(output) { throw Self.refusal(output, option, folder.path) }
    }
  }

  private static func refusal(_ output: PathBytes, _ option: String, _ input: PathBytes) -> CommandError {
    CommandError(
      .outputExists, "\(output.display) is, or belongs to, what is to be exported (\(input.display)), and is not replaced",
      hint: "name another file with \(option)")
  }

  private var files: [PathBytes] {
    let stores = sources.records.filter { $0.url == nil }.flatMap { store in
      ["", "-wal", "-shm", "-journal"].map { PathBytes(store.path.bytes + Array($0.utf8)) }
    }
    let found = sources.found.stores.flatMap { [$0.path] + $0.belongings }
    let programs = sources.commands.compactMap(\.file)
    let places = sources.preferences.map(\.path) + sources.documents.map(\.place.path)
    return stores + found + programs + places + (configuration.map { [$0] } ?? [])
  }

  private var folders: [(path: PathBytes, mayHoldBundles: Bool)] {
    sources.preferences.map { ($0.path, false) } + sources.documents.map { ($0.place.path, true) }
      + sources.found.preferences.map { ($0.folder, false) } + (sources.containers + sources.found.documents.map(\.path)).map { ($0, true) }
  }

  /// Whether two paths name one place, also where nothing is there yet.
  static func isOnePlace(_ a: PathBytes, _ b: PathBytes) -> Bool {
    if let first = status(a), let second = status(b) { return isSame(first, second) }
    guard a.lastComponent == b.lastComponent, let first = status(a.parent), let second = status(b.parent) else { return a == b }
    return isSame(first, second)
  }

  private static func status(_ path: PathBytes) -> FileStatus? {
    do throws(FileError) { return try FileDescriptor.reading(path, following: true).status() } catch {
      // One that can't be opened for reading is told apart in its folder; one that isn't there can't be replaced.
      do throws(FileError) { return try FileDescriptor.folder(path.parent, following: true).status(of: path.lastComponent) } catch {
        return nil
      }
    }
  }

  private static func isSame(_ a: FileStatus, _ b: FileStatus) -> Bool { a.device == b.device && a.inode == b.inode }

  /// Whether a path lies in a folder, at any depth, whatever names lead there.
  private static func isInside(_ path: PathBytes, _ folder: PathBytes) throws(CommandError) -> Bool {
    guard let root = status(folder), root.kind == .folder else { return false }
    do throws(FileError) {
      var place = try FileDescriptor.folder(path.parent, following: true)
      while true {
        let here = try place.status()
        if isSame(here, root) { return true }
        let above = try place.folder("..")
        if try isSame(above.status(), here) { return false }
        place = above
      }
    } catch {
      throw CommandError(error)
    }
  }

  /// Whether a file begins like a bundle: a ZIP whose first entry lies in `account-export-…/`.
  private static func isBundle(_ path: PathBytes) -> Bool {
    let top = Array("account-export-".utf8)
    return withUnsafeTemporaryAllocation(byteCount: 30 + top.count, alignment: 1) { buffer in
      do throws(FileError) {
        let count = try FileDescriptor.reading(path).read(into: buffer, at: 0)
        return count == buffer.count && buffer.starts(with: Array("PK\u{3}\u{4}".utf8)) && buffer[30...].elementsEqual(top)
      } catch {
        return false  // what can't be read is no bundle that may be replaced
      }
    }
  }
}
