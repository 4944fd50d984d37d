internal import Files

extension AppFolders {
  mutating func findXDG(_ folders: UserFolders) {
    let places: [(PathBytes, String, Bool)] = [
      (folders.config, "config", true), (folders.data, "data", false), (folders.state, "state", false),
    ]
    for (folder, name, isSettings) in places {
      for app in names {
        look(at: folder.appending(PathBytes(app)), as: name, isSettings ? .settings(label: nil, includesCookies: includesCookies) : plain)
      }
      if isSettings { for app in names { lookAtSettingsFiles(of: app, in: folder) } }
      if let guess { claimLater(folder.appending(PathBytes(guess))) }
    }
    for app in names { leaveOut(folders.cache.appending(PathBytes(app)), .cache) }
    let flatpak = Layout.home(settings: ["config"], caches: ["cache"], label: "Flatpak", includesCookies: includesCookies)
    look(at: folders.home.appending(".var/app").appending(PathBytes(id)), as: "Flatpak", flatpak)
    for app in names { lookAtSnap(folders.home.appending("snap").appending(PathBytes(app))) }
    lookAtDesktopSettings([folders.config.appending("dconf/user"), folders.config.appending("glib-2.0/settings/keyfile")])
  }

  /// Settings that are a single file: `notes.json`, `notes.conf`, `notesrc`.
  private mutating func lookAtSettingsFiles(of app: String, in folder: PathBytes) {
    for suffix in [".json", ".plist", ".conf", ".ini", ".toml", ".yaml", ".yml", "rc"] {
      let name = PathBytes(app + suffix)
      guard let status = fileStatus(folder.appending(name)) else { continue }
      if name.hasSuffix(".json") || name.hasSuffix(".plist") {
        addPreferences(name, in: folder, status)
      } else {
        found.documents.append(
          FoundData.Documents(path: folder.appending(name), name: String(decoding: name.bytes, as: UTF8.self), items: 1, bytes: status.size)
        )
      }
    }
  }

  private mutating func addPreferences(_ name: PathBytes, in folder: PathBytes, _ status: FileStatus, label: String? = nil) {
    found.preferences.append(FoundData.Preferences(folder: folder, files: [name], label: label, bytes: status.size))
  }

  /// A snap's home: what all revisions share, and what the current one has; of older revisions it holds copies.
  private mutating func lookAtSnap(_ home: PathBytes) {
    guard let folder = open(home) else { return }
    var current: PathBytes?
    do throws(FileError) {
      let target = try folder.target(of: "current")
      // It names the revision beside it; a way out is none.
      let isBeside = !target.bytes.contains(UInt8(ascii: "/")) && target != ".." && target != "."
      if isBeside {
        // Where it isn't there, this throws: no revision is the current one then.
        _ = try folder.status(of: target)
        current = target
      }
      let listing = try FolderListing(of: folder)
      for index in 0..<listing.count {
        let name = listing.name(at: index)
        if name == "common" || name == current || name == "current" { continue }
        leaveOut(home.appending(name), .olderCopy)
      }
    } catch {
      // Without a current revision, nothing is told to be an older one: all of it is looked through below.
      return look(at: home, as: "snap", plain)
    }
    for (name, label): (PathBytes, String) in [("common", "snap common")] + (current.map { [($0, "snap")] } ?? []) {
      let settings = names.map { PathBytes(".config").appending(PathBytes($0)) }
      look(
        at: home.appending(name), as: label, .home(settings: settings, caches: [".cache"], label: label, includesCookies: includesCookies))
    }
  }

  /// The desktop keeps settings of all apps in one file of its own, which isn't read: told where it may hold some of this app. Its keys are
  /// parts of the app's path (`/com/example/notes/`); where one is nowhere in the file, it holds none.
  private mutating func lookAtDesktopSettings(_ files: [PathBytes]) {
    let parts = id.split(separator: ".").map { Array($0.lowercased().utf8) }
    for path in files {
      guard parts.count >= 3, let status = status(path), status.kind == .file else { continue }
      do throws(FileError) {
        let bytes = try FileHead.read(try FileDescriptor.reading(path), upTo: Int(min(status.size, 64 << 20)))
        let folded = bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        if parts.allSatisfy({ folded.contains($0) }) { leaveOut(path, .unclaimed, items: 1, status.size) }
      } catch {
        leaveOut(path, .unclaimed, items: 1, status.size)
      }
    }
  }
}
