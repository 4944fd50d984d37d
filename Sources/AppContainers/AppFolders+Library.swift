internal import Files

extension AppFolders {
  mutating func findLibrary(_ library: PathBytes) {
    lookAtContainer(library.appending("Containers").appending(PathBytes(id)), library)
    lookAtPreferences(library.appending("Preferences"), label: nil)
    lookAtPreferences(library.appending("Preferences/ByHost"), label: "ByHost")
    lookAtPreferences(library.appending("SyncedPreferences"), label: "SyncedPreferences")
    for app in names { look(at: library.appending("Application Support").appending(PathBytes(app)), as: "Application Support", plain) }
    if let guess { claimLater(library.appending("Application Support").appending(PathBytes(guess))) }
    for (place, name) in [
      ("Saved Application State/\(id).savedState", "Saved Application State"), ("WebKit/\(id)", "WebKit"),
      ("HTTPStorages/\(id)", "HTTPStorages"),
      ("Application Scripts/\(id)", "Application Scripts"), ("Logs/\(id)", "Logs"),
    ] { look(at: library.appending(PathBytes(place)), as: name, plain) }
    for place in ["Cookies/\(id).binarycookies", "HTTPStorages/\(id).binarycookies"] {
      let path = library.appending(PathBytes(place))
      if let status = fileStatus(path) {
        if includesCookies {
          found.documents.append(
            .init(path: path, name: String(decoding: path.lastComponent.bytes, as: UTF8.self), items: 1, bytes: status.size))
        } else {
          leaveOut(path, .cookies, items: 1, status.size)
        }
      }
    }
    for app in names { leaveOut(library.appending("Caches").appending(PathBytes(app)), .cache) }
  }

  private mutating func lookAtContainer(_ path: PathBytes, _ library: PathBytes) {
    lookedIn.append(library.appending("Group Containers"))
    guard open(path) != nil else {
      // An app without a container may share one with others all the same.
      let groups = GroupContainers(of: AppIdentity(bundleIdentifier: id), at: library, includesCookies: includesCookies)
      do throws(FileError) { found.add(groups.find(try FileDescriptor.folder(library, following: true), in: ["Group Containers"])) } catch {
        if !error.isMissing { leaveOut(library, .unclaimed, items: 1, 0) }
      }
      return
    }
    do throws(DiscoveryError) {
      found.add(try AppContainer(at: path, includingCookies: includesCookies).found)
    } catch {
      // It isn't laid out as a container: then it is a folder like others.
      look(at: path, as: "Container", plain)
    }
  }

  /// The property lists of an app: `com.example.notes.plist`, and `com.example.notes.something.plist` of its parts.
  private mutating func lookAtPreferences(_ folder: PathBytes, label: String?) {
    lookedIn.append(folder.appending(PathBytes(id + ".plist")))
    do throws(FileError) {
      let opened = try FileDescriptor.folder(folder)
      let listing = try FolderListing(of: opened)
      let prefix = Array((id + ".").utf8)
      var group = FoundData.Preferences(folder: folder, files: [], label: label, bytes: 0)
      for index in 0..<listing.count {
        let name = listing.name(at: index)
        guard name.bytes.starts(with: prefix), name.hasSuffix(".plist") else { continue }
        let status = try opened.status(of: name)
        if status.kind == .link { leaveOut(folder.appending(name), .link, items: 1, 0) }
        if status.kind != .file { continue }
        group.files.append(name)
        group.bytes += status.size
      }
      if !group.files.isEmpty { found.preferences.append(group) }
    } catch {
      if !error.isMissing { leaveOut(folder, .unclaimed, items: 1, 0) }
    }
  }
}
