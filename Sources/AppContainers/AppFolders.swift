public import Files

/// A user's folders of one app, by the app's id, in the places where the platform's apps keep what they keep.
///
/// Links are not followed: one that stands where a folder of the app would is told, and what it leads to can be named by itself.
public struct AppFolders: Sendable {
  /// What is in them.
  public internal(set) var found = FoundData()
  /// Every path that was looked at, there or not.
  public internal(set) var lookedIn: [PathBytes] = []

  let id: String
  let names: [String]
  let includesCookies: Bool
  private let home: PathBytes
  /// Folders that were looked through, so that none is under two of its names.
  private var seen: Set<[UInt64]> = []

  /// Looks through an app's folders. Nothing found is no error here: `found` is empty.
  /// - Parameters:
  ///   - id: How the platform knows the app: `com.example.notes`, `notes`.
  ///   - name: What the app is called, where its folders may be called so.
  public init(
    of id: String, name: String? = nil, in folders: UserFolders, includingCookies: Bool = false
  ) throws(DiscoveryError) {
    try Self.check(id)
    self.id = id
    names = [id] + (name.map { $0 != id && Self.problem(of: $0) == nil ? [$0] : [] } ?? [])
    includesCookies = includingCookies
    home = folders.home
    switch folders.layout {
    case .xdg: findXDG(folders)
    case .library: findLibrary(folders.home.appending("Library"))
    }
    if found.app.bundleIdentifier == nil && AppContainer.isIdentifier(PathBytes(id)) { found.app.bundleIdentifier = id }
    found.nameStores(below: folders.home)
  }

  /// Refuses what is no app's id, and would lead elsewhere as a path.
  public static func check(_ id: String) throws(DiscoveryError) {
    if let problem = problem(of: id) {
      throw DiscoveryError(
        .invalidID, "\(PathBytes(id).display.isEmpty ? "the app's id" : PathBytes(id).display) \(problem)",
        hint: "an id is one name, as com.example.notes is")
    }
  }

  private static func problem(of id: String) -> String? {
    if id.isEmpty { return "is empty" }
    if id.utf8.contains(UInt8(ascii: "/")) { return "is a path and no app's id" }
    if id == "." || id.contains("..") { return "is no app's id" }
    if id.utf8.count > 200 { return "is too long for an app's id" }
    return id.unicodeScalars.contains { $0.properties.generalCategory == .control } ? "is no app's id" : nil
  }

  /// Another name that the app's folders may have: the last part of its id. Whether they are this app's can't be known.
  var guess: String? {
    guard let last = id.split(separator: ".").last.map(String.init), last != id, !names.contains(last) else { return nil }
    return last
  }

  /// What to say where nothing was found: every place that was looked at.
  public func nothingFound() -> DiscoveryError {
    var places: [PathBytes] = []
    for path in lookedIn where !places.contains(path) { places.append(path) }
    return DiscoveryError(
      .nothingFound, "there is nothing of \(PathBytes(id).display) in the user's folders",
      hint: "looked for \(places.map(\.display).joined(separator: ", "))")
  }

  // MARK: Looking

  /// A layout in which everything is documents but for stores.
  var plain: Layout { Layout(includesCookies: includesCookies) }

  /// What the system tells of a path, links not followed; nil where nothing is there. Where nobody may look, something of the app's may be.
  mutating func status(_ path: PathBytes) -> FileStatus? {
    lookedIn.append(path)
    do throws(FileError) { return try FileDescriptor.folder(path.parent, following: true).status(of: path.lastComponent) } catch {
      if !error.isMissing && !error.isOtherKind { leaveOut(path, .unclaimed, items: 1, 0) }
      return nil
    }
  }

  /// The status of a file; a link in its place is told.
  mutating func fileStatus(_ path: PathBytes) -> FileStatus? {
    guard let status = status(path) else { return nil }
    if status.kind == .link { leaveOut(path, .link, items: 1, 0) }
    return status.kind == .file ? status : nil
  }

  /// Opens an app's folder; one that is there and can't be opened is told.
  mutating func open(_ path: PathBytes) -> FileDescriptor? {
    guard let status = status(path) else { return nil }
    switch status.kind {
    case .link: leaveOut(path, .link, items: 1, 0)
    case .special: break
    case .file:
      found.documents.append(
        .init(path: path, name: String(decoding: path.lastComponent.bytes, as: UTF8.self), items: 1, bytes: status.size))
    case .folder:
      do throws(FileError) { return try FileDescriptor.folder(path) } catch {
        // As a root of documents it is named as unreadable.
        found.documents.append(.init(path: path, name: String(decoding: path.lastComponent.bytes, as: UTF8.self), items: 1, bytes: 0))
      }
    }
    return nil
  }

  /// What tells one folder from another.
  private static func key(of folder: borrowing FileDescriptor) -> [UInt64]? {
    do throws(FileError) {
      let status = try folder.status()
      return [status.device, status.inode]
    } catch {
      return nil
    }
  }

  mutating func look(at path: PathBytes, as name: String, _ layout: Layout) {
    guard let folder = open(path) else { return }
    if let key = Self.key(of: folder), !seen.insert(key).inserted { return }
    found.add(FolderSurvey.survey(folder, at: path, named: name, layout, top: path.parent))
  }

  mutating func leaveOut(_ path: PathBytes, _ reason: FoundData.Reason) {
    guard let status = status(path) else { return }
    let (items, bytes) = Self.count(path, status)
    if items > 0 { leaveOut(path, reason, items: items, bytes) }
  }

  /// What is in a folder; a file, and what can't be counted, is one thing.
  private static func count(_ path: PathBytes, _ status: FileStatus) -> (items: Int, bytes: UInt64) {
    if status.kind != .folder { return (1, status.kind == .file ? status.size : 0) }
    do throws(FileError) {
      let count = ThingCount(in: try FileDescriptor.folder(path))
      return (count.items, count.bytes)
    } catch {
      return (1, 0)
    }
  }

  /// A folder that is called as the app may be, and may be another's.
  mutating func claimLater(_ path: PathBytes) {
    if status(path)?.kind == .folder { leaveOut(path, .unclaimed) }
  }

  mutating func leaveOut(_ path: PathBytes, _ reason: FoundData.Reason, items: Int, _ bytes: UInt64) {
    // In the bundle, where the home and other folders lie is nobody's business.
    let inHome = path.bytes.starts(with: home.bytes + [UInt8(ascii: "/")])
    let place = inHome ? Array("~/".utf8) + path.dropping(home).bytes : Array("…/".utf8) + path.lastComponent.bytes
    let shown = String(decoding: place, as: UTF8.self)
    found.leftOut.append(.init(path: path, shown: shown, reason: reason, items: items, bytes: bytes))
  }
}
