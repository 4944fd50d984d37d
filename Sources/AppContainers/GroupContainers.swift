internal import Files

/// The containers that apps of one maker share: `Group Containers/<id>` on macOS, `Shared/AppGroup/<uuid>` on iOS, where a property list tells
/// the id. Those in the app's own container are its own, whatever they are called; of those beside it, the ones that are named as the app is.
/// Those named as other apps of the maker may hold something of the account: they are told as unclaimed.
struct GroupContainers {
  private let app: AppIdentity
  private let root: PathBytes
  private let includesCookies: Bool
  /// Whether the system or the user tells the app's identifier. What lies in the app's own folders may tell another's.
  private let isSure: Bool

  /// Folders of shared containers within a container.
  static let folders: [PathBytes] = ["Group Containers", "AppGroup"]
  private static let nested: [PathBytes] = folders + ["Shared/AppGroup"]
  /// The same beside a container: `Containers/<id>` and `Data/Application/<uuid>` lie this far from them.
  static let beside: [PathBytes] = ["../Group Containers", "../../Group Containers", "../AppGroup", "../../../Shared/AppGroup"]

  init(of app: AppIdentity, isSure: Bool = true, at root: PathBytes, includesCookies: Bool) {
    (self.app, self.isSure, self.root, self.includesCookies) = (app, isSure, root, includesCookies)
  }

  /// The layout of the container, in which shared containers are roots of their own. What can't be opened there, the survey tells.
  func inside(_ container: borrowing FileDescriptor, _ layout: Layout) -> Layout {
    var layout = layout
    for place in Self.nested {
      _ = forEachFolder(in: place, of: container) { name, folder in
        let id = Self.identifier(name, folder)
        let prefix = place.appending(name)
        layout.add(.shared(below: prefix, includesCookies: includesCookies, label: id))
        layout[prefix] = .root(id)
      }
    }
    return layout
  }

  /// What is in the shared containers beside the app's own, or in other places by their paths from the folder. What can't be looked into, and
  /// may hold one of the app's, is unclaimed.
  func find(_ container: borrowing FileDescriptor, in places: [PathBytes] = beside, except others: [PathBytes] = []) -> FoundData {
    var found = FoundData()
    var seen = Set(others.compactMap(Self.key))
    for place in places {
      let path = root.appending(place)
      let denied = forEachFolder(in: place, of: container) { name, folder in
        guard let key = Self.key(folder), seen.insert(key).inserted else { return }
        add(path.appending(name), Self.identifier(name, folder), folder, to: &found)
      }
      for name in denied {
        let shown = String(decoding: (name ?? place.lastComponent).bytes, as: UTF8.self)
        if name != nil && relation(of: shown) == .others { continue }
        let closed = name.map { path.appending($0) } ?? path
        found.leftOut.append(FoundData.LeftOut(path: closed, shown: shown, reason: .unclaimed, items: 1, bytes: 0))
      }
    }
    return found
  }

  /// What tells one folder from another here; nil where it can't be opened.
  private static func key(_ path: PathBytes) -> [UInt64]? {
    do throws(FileError) { return key(try FileDescriptor.folder(path, following: true).status()) } catch { return nil }
  }

  private static func key(_ folder: borrowing FileDescriptor) -> [UInt64]? {
    do throws(FileError) { return key(try folder.status()) } catch { return nil }
  }

  private static func key(_ status: FileStatus) -> [UInt64] { [status.device, status.inode] }

  private func add(_ path: PathBytes, _ id: String, _ folder: borrowing FileDescriptor, to found: inout FoundData) {
    switch relation(of: id) {
    case .own where isSure:
      let layout = Layout.shared(below: "", includesCookies: includesCookies, label: id)
      var group = FolderSurvey.survey(folder, at: path, named: id, layout, top: path)
      for index in group.leftOut.indices { group.leftOut[index].shown = id + "/" + group.leftOut[index].shown }
      found.add(group)
    case .own, .makers:
      let count = ThingCount(in: folder)
      if count.items == 0 { return }
      found.leftOut.append(FoundData.LeftOut(path: path, shown: id, reason: .unclaimed, items: count.items, bytes: count.bytes))
    case .others: break
    }
  }

  private enum Relation { case own, makers, others }

  /// What an identifier says: `group.com.example.notes`, `ABCDE12345.com.example.notes.shared` and the like are the app's.
  private func relation(of identifier: String) -> Relation {
    guard let bundle = app.bundleIdentifier?.lowercased(), AppContainer.isIdentifier(PathBytes(bundle)) else { return .others }
    var name = Substring(identifier.lowercased())
    if name.hasPrefix("group.") { name = name.dropFirst("group.".count) }
    if let team = name.firstIndex(of: "."), name[..<team].count == 10 { name = name[name.index(after: team)...] }
    if name.hasPrefix("group.") { name = name.dropFirst("group.".count) }
    if name == bundle || name.hasPrefix(bundle + ".") { return .own }
    let maker = bundle.split(separator: ".").prefix(2).joined(separator: ".")
    return name == maker || name.hasPrefix(maker + ".") ? .makers : .others
  }

  /// What a shared container is called: as the system's note in it says, else as its folder is.
  private static func identifier(_ name: PathBytes, _ folder: borrowing FileDescriptor) -> String {
    AppIdentity(notedIn: folder).bundleIdentifier ?? String(decoding: name.bytes, as: UTF8.self)
  }

  /// Calls `body` with each folder in a folder by a path from the container; one that isn't there has none. Links are not followed.
  /// - Returns: The names that can't be opened; nil stands for the folder itself.
  private func forEachFolder(
    in place: PathBytes, of container: borrowing FileDescriptor, _ body: (PathBytes, borrowing FileDescriptor) -> Void
  ) -> [PathBytes?] {
    var denied: [PathBytes?] = []
    do throws(FileError) {
      let parts = place.bytes.split(separator: UInt8(ascii: "/")).map { PathBytes($0) }
      try Self.open(parts[...], container) { folder throws(FileError) in
        let listing = try FolderListing(of: folder)
        for index in 0..<listing.count {
          let name = listing.name(at: index)
          do throws(FileError) { body(name, try folder.folder(name)) } catch {
            if !error.isMissing && !error.isOtherKind { denied.append(name) }
          }
        }
      }
    } catch {
      if !error.isMissing && !error.isOtherKind { denied.append(nil) }
    }
    return denied
  }

  private static func open(
    _ parts: ArraySlice<PathBytes>, _ folder: borrowing FileDescriptor,
    _ body: (borrowing FileDescriptor) throws(FileError) -> Void
  ) throws(FileError) {
    guard let first = parts.first else { return try body(folder) }
    try open(parts.dropFirst(), try folder.folder(first), body)
  }
}
