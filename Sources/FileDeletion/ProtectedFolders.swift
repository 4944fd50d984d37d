internal import AccountDeletion
public import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Folders that no deletion of files may begin at, or above: what they hold is more than one account's.
///
/// They are told by what they are, not by their paths: neither a link nor a second mount is a way around.
public struct ProtectedFolders: Sendable {
  /// May not be roots, and no root may contain one.
  private var open: [PathBytes] = []
  /// Nothing in them may be touched either.
  private var closed: [PathBytes] = []

  /// The folders of a user and of the system.
  ///
  /// - Parameters:
  ///   - homes: Folders that are a user's home.
  ///   - named: Folders that the environment names: `XDG_DATA_HOME` and the like.
  ///   - closed: The state folder, and whatever else no step may touch: what it holds is protected, too. A file may be named.
  public init(homes: [PathBytes], named: [PathBytes] = [], closed: [PathBytes]) {
    open = ["/"] + Self.system + homes + homes.flatMap { home in Self.ofHome.map { home.appending(PathBytes($0)) } } + named
    self.closed = closed
  }

  /// Those of the user whose process this is.
  public static func current(closed: [PathBytes]) -> ProtectedFolders {
    func value(_ name: String) -> PathBytes? { getenv(name).map { PathBytes(String(cString: $0)) }.flatMap { $0.isAbsolute ? $0 : nil } }
    let account = getpwuid(geteuid())?.pointee.pw_dir.map { PathBytes(String(cString: $0)) }
    let names = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "TMPDIR"]
    return ProtectedFolders(homes: [value("HOME"), account].compactMap { $0 }, named: names.compactMap(value), closed: closed)
  }

  private static let system: [PathBytes] = [
    "/etc", "/usr/bin", "/usr/lib", "/usr/local", "/usr/share", "/var/cache", "/var/lib", "/var/log", "/var/mail", "/var/spool", "/var/tmp",
    "/home",
    "/root", "/Users", "/Library", "/System", "/Applications",
  ]

  private static let ofHome = [
    ".cache", ".config", ".local", ".local/bin", ".local/share", ".local/state", ".var/app", "snap", ".ssh", ".gnupg", "Desktop",
    "Documents",
    "Downloads", "Movies", "Music", "Pictures", "Public", "Templates", "Videos", "Library", "Library/Application Support", "Library/Caches",
    "Library/Containers", "Library/Group Containers", "Library/Preferences", "Library/Mobile Documents", "Library/CloudStorage",
    "Library/Keychains",
  ]

  /// Refuses a root that is one of them or contains one. `chain` is the root with all above it.
  func check(_ root: PathBytes, _ status: FileStatus, within chain: [FileStatus], isWhole: Bool) throws(DeletionError) {
    for path in closed {
      try check(root, status, against: path)
      if let found = try Self.status(path), chain.contains(where: { $0.isSame(as: found) }) {
        throw DeletionError(.refused, "\(root.display) lies in \(path.display), of which nothing is deleted")
      }
    }
    // Of a folder that only holds a store, nothing else is touched: it may be one that is protected.
    if isWhole { for path in open { try check(root, status, against: path) } }
  }

  /// What must be in no plan, by whatever name it is met.
  func closedThings() throws(DeletionError) -> [FileStatus] {
    var found: [FileStatus] = []
    for path in closed { if let status = try Self.status(path) { found.append(status) } }
    return found
  }

  /// Whether a root is on the way to a path: on each way that its links make of it.
  private func check(_ root: PathBytes, _ status: FileStatus, against path: PathBytes) throws(DeletionError) {
    var prefix = path
    while true {
      if try Self.chain(of: prefix)?.contains(status) == true {
        let what = prefix == path ? "is, or contains, \(path.display)" : "contains \(path.display)"
        throw DeletionError(
          .refused, "\(root.display) \(what), which is not one account's alone", hint: "name the account's own folder in it")
      }
      let parent = prefix.parent
      if parent == prefix || parent == "." { return }
      prefix = parent
    }
  }

  private static func chain(of path: PathBytes) throws(DeletionError) -> FolderChain? {
    do throws(FileError) { return try FolderChain(of: path) } catch {
      if error.isMissing { return nil }
      throw DeletionError(.refused, "it can't be told where \(path.display) lies: \(error)")
    }
  }

  private static func status(_ path: PathBytes) throws(DeletionError) -> FileStatus? {
    do throws(FileError) { return try FileDescriptor.reading(path, following: true).status() } catch {
      if error.isMissing { return nil }
      throw DeletionError(.refused, "it can't be told what \(path.display) is: \(error)")
    }
  }
}
