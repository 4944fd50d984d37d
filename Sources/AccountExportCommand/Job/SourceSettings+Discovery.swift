internal import AccountExport
internal import AppContainers
internal import Files

extension SourceSettings {
  /// Looks through the containers and the apps' folders, and says which app's they are.
  mutating func discover(named name: String?, includingSecrets: Bool) throws(CommandError) -> AppIdentity {
    do throws(DiscoveryError) {
      var seen: Set<[UInt64]> = []
      for (index, path) in containers.enumerated() {
        // The same one by another path is the same one.
        if let key = Self.key(path), !seen.insert(key).inserted { continue }
        found.add(
          try AppContainer(at: path, isMain: index == 0, besides: containers, includingCookies: includingSecrets).found)
      }
      if !apps.isEmpty { try discoverApps(named: name, includingSecrets) }
    } catch {
      throw CommandError(error)
    }
    dropWhatIsNamed()
    if preferences.isEmpty && documents.isEmpty && records.isEmpty && commands.isEmpty && found.isEmpty {
      throw CommandError(.badInput, "there is nothing in \(containers.map(\.display).joined(separator: " and in "))")
    }
    return found.app
  }

  private mutating func discoverApps(named name: String?, _ includingSecrets: Bool) throws(DiscoveryError) {
    for id in apps { try AppFolders.check(id) }
    let folders = try UserFolders.current()
    for id in apps {
      let app = try AppFolders(of: id, name: name, in: folders, includingCookies: includingSecrets)
      if app.found.isEmpty { throw app.nothingFound() }
      found.add(app.found)
    }
  }

  /// What was named by itself is exported so, and not again as something found.
  private mutating func dropWhatIsNamed() {
    let named = Set(
      (preferences.map(\.path) + documents.map(\.place.path) + records.filter { $0.url == nil }.map(\.path)).compactMap(Self.key))
    if named.isEmpty { return }
    func isNamed(_ path: PathBytes) -> Bool { Self.key(path).map { named.contains($0) } ?? false }
    // What a folder that was named holds is named with it: so it is said what became of it.
    func isInNamed(_ path: PathBytes) -> Bool {
      var place = path
      while !isNamed(place) {
        if place.parent == place || place.parent == "." { return false }
        place = place.parent
      }
      return true
    }
    found.leftOut.removeAll { !$0.reason.isHarmless && isInNamed($0.path) }
    belongingsOfNamed = found.stores.filter { isNamed($0.path) }.flatMap(\.belongings)
    found.stores.removeAll { isNamed($0.path) }
    found.documents.removeAll { isNamed($0.path) }
    for index in found.preferences.indices {
      let folder = found.preferences[index].folder
      if isNamed(folder) { found.preferences[index].files = [] }
      found.preferences[index].files.removeAll { isNamed(folder.appending($0)) }
    }
    found.preferences.removeAll { $0.files.isEmpty }
  }

  private static func key(_ path: PathBytes) -> [UInt64]? {
    do throws(FileError) {
      let status = try FileDescriptor.reading(path, following: true).status()
      return [status.device, status.inode]
    } catch {
      return nil  // what can't be opened is told by its source
    }
  }
}

extension CommandError {
  /// What keeps an app's folders from being looked through.
  init(_ error: DiscoveryError) {
    let status: ExitStatus =
      switch error.code {
      case .denied: .notPermitted
      case .invalidID, .noHome: .usage
      default: .badInput
      }
    self.init(status, error.message, hint: error.hint)
  }
}
