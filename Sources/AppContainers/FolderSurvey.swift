internal import Files

/// Looks through a folder, and tells of every file what it is. Links are not followed, nothing but the heads of files is read.
///
/// What lies deeper than it looks, and what it can't read, counts as documents: their own walk knows no such bound, and names what it can't
/// read.
struct FolderSurvey: ~Copyable {
  private(set) var found = FoundData()
  private let layout: Layout
  /// The folder that was asked for, which paths are shown below of.
  private let top: PathBytes

  /// Folders in one another. Each is an open descriptor while it is looked through.
  static let deepest = 64
  /// A path that is longer can't be opened by its name.
  private static let longestPath = 3800

  private init(_ layout: Layout, top: PathBytes) {
    self.layout = layout
    self.top = top
  }

  /// Where the survey is.
  private struct Place {
    var path: PathBytes
    /// Below the folder where the survey began.
    var relative: PathBytes
    var depth = 0
    /// The group of preferences that property lists here belong to.
    var preferences: Int?
    /// Whether an empty folder here is nothing to tell of: the system makes these.
    var isNamed = true

    func below(_ name: PathBytes) -> Place {
      var place = self
      (place.path, place.relative) = (path.appending(name), relative.appending(name))
      place.depth += 1
      place.isNamed = false
      return place
    }
  }

  /// Documents counted so far of one root.
  private struct Tally {
    var items = 0
    var bytes: UInt64 = 0
  }

  /// What is in an open folder.
  /// - Parameters:
  ///   - path: The folder's path.
  ///   - name: What it is called as a root of documents, where anything in it is one.
  ///   - top: The folder that was asked for, which paths are shown below of.
  static func survey(_ folder: borrowing FileDescriptor, at path: PathBytes, named name: String, _ layout: Layout, top: PathBytes)
    -> FoundData
  {
    var survey = FolderSurvey(layout, top: top)
    var place = Place(path: path, relative: "")
    if case .preferences(let label) = layout[""] { place.preferences = survey.beginPreferences(in: path, label) }
    survey.lookThroughRoot(folder, place, named: name)
    survey.found.preferences.removeAll { $0.files.isEmpty }
    survey.found.nameStores(below: top)
    return survey.found
  }

  private mutating func beginPreferences(in path: PathBytes, _ label: String?) -> Int {
    found.preferences.append(FoundData.Preferences(folder: path, files: [], label: label, bytes: 0))
    return found.preferences.count - 1
  }

  // MARK: Roots

  private mutating func lookThroughRoot(_ folder: borrowing FileDescriptor, _ place: Place, named name: String) {
    // The root stands before those in it.
    let index = found.documents.count
    found.documents.append(FoundData.Documents(path: place.path, name: name, items: 0, bytes: 0))
    var tally = Tally()
    lookThrough(folder, place, &tally)
    if tally.items == 0 {
      found.documents.remove(at: index)
    } else {
      (found.documents[index].items, found.documents[index].bytes) = (tally.items, tally.bytes)
    }
  }

  /// Looks through a folder; one that can't be listed is something to tell of.
  private mutating func lookThrough(_ folder: borrowing FileDescriptor, _ place: Place, _ tally: inout Tally) {
    do throws(FileError) {
      let listing = try FolderListing(of: folder)
      if listing.count == 0 && !place.isNamed { tally.items += 1 }
      let folders = lookAtFiles(listing, in: folder, place, &tally)
      for name in folders.names { enter(name, in: folder, place, folders.stores, &tally) }
    } catch {
      tally.items += 1
    }
  }

  // MARK: Files

  /// Looks at all that is no folder. Names come in the order of their bytes, so a store comes before what is named after it.
  private mutating func lookAtFiles(
    _ listing: borrowing FolderListing, in folder: borrowing FileDescriptor, _ place: Place, _ tally: inout Tally
  ) -> (names: [PathBytes], stores: [PathBytes: Int]) {
    var names: [PathBytes] = []
    var stores: [PathBytes: Int] = [:]
    for index in 0..<listing.count {
      let name = listing.name(at: index)
      if listing.kind(at: index) == .folder {
        names.append(name)
        continue
      }
      do throws(FileError) {
        let status = try folder.status(of: name)
        switch status.kind {
        case .folder: names.append(name)
        case .file: lookAtFile(name, status, in: folder, place, &stores, &tally)
        case .link, .special: tally.items += 1
        }
      } catch {
        if !error.isMissing { tally.items += 1 }
      }
    }
    return (names, stores)
  }

  private mutating func lookAtFile(
    _ name: PathBytes, _ status: FileStatus, in folder: borrowing FileDescriptor, _ place: Place, _ stores: inout [PathBytes: Int],
    _ tally: inout Tally
  ) {
    let isTold: Bool
    // What can't be opened is told by the documents' walk.
    do throws(FileError) { isTold = try recognize(name, status, in: folder, place, &stores) } catch { isTold = false }
    if isTold { return }
    tally.items += 1
    tally.bytes += status.size
  }

  /// Whether a file is told as something else than a document.
  private mutating func recognize(
    _ name: PathBytes, _ status: FileStatus, in folder: borrowing FileDescriptor, _ place: Place, _ stores: inout [PathBytes: Int]
  ) throws(FileError) -> Bool {
    let path = place.path.appending(name)
    let file = try folder.reading(name)
    // Swapped meanwhile: the walk of the documents meets what is there then.
    guard path.bytes.count <= Self.longestPath, try file.status().kind == .file else { return false }
    let head = try FileHead(file, status)
    if let (store, suffix) = Self.owner(of: name, stores), !found.stores[store].isReadable || head.isKept(as: suffix) {
      found.stores[store].belongings.append(path)
    } else if try isStore(name, status, head, in: folder) {
      stores[name] = found.stores.count
      add(store: path, name, status, isReadable: true)
    } else if name.isStoreName && head.looksEncrypted {
      stores[name] = found.stores.count
      add(store: path, name, status, isReadable: false)
    } else if let group = place.preferences, Self.isPreferences(name, status, head) {
      add(preferences: path, status, to: group)
    } else if head.isCookies && !layout.includesCookies && name.hasSuffix(".binarycookies") {
      leaveOut(path, .cookies, 1, status.size)
    } else {
      return false
    }
    return true
  }

  /// The store that a file's name puts it to, and as what.
  private static func owner(of name: PathBytes, _ stores: [PathBytes: Int]) -> (store: Int, suffix: String)? {
    if stores.isEmpty { return nil }
    for suffix in ["-wal", "-shm", "-journal"]
    where name.bytes.count > suffix.utf8.count && name.bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) {
      if let store = stores[PathBytes(name.bytes.dropLast(suffix.utf8.count))] { return (store, suffix) }
    }
    return nil
  }

  /// Whether a file is a store: by its own head, or, where nothing has been moved to it yet, by its log's.
  private func isStore(
    _ name: PathBytes, _ status: FileStatus, _ head: FileHead, in folder: borrowing FileDescriptor
  ) throws(FileError) -> Bool {
    if head.isStore { return true }
    guard status.size == 0 else { return false }
    do throws(FileError) {
      let log = try folder.reading(PathBytes(name.bytes + Array("-wal".utf8)))
      let status = try log.status()
      if status.kind != .file { return false }
      return try FileHead(log, status).isLog
    } catch {
      if error.isMissing || error.isOtherKind { return false }
      throw error
    }
  }

  /// Property lists whatever they are called, and what is called a property list or JSON: whether it is one shows when it is read.
  private static func isPreferences(_ name: PathBytes, _ status: FileStatus, _ head: FileHead) -> Bool {
    if status.size == 0 { return false }
    return name.hasSuffix(".plist") || name.hasSuffix(".json") || head.isPropertyList
  }

  private mutating func add(store path: PathBytes, _ name: PathBytes, _ status: FileStatus, isReadable: Bool) {
    let shown = String(decoding: name.stem.bytes, as: UTF8.self)
    found.stores.append(FoundData.Store(path: path, name: shown, bytes: status.size, isReadable: isReadable, belongings: []))
  }

  private mutating func add(preferences path: PathBytes, _ status: FileStatus, to group: Int) {
    found.preferences[group].files.append(path.dropping(found.preferences[group].folder))
    found.preferences[group].bytes += status.size
  }

  private mutating func leaveOut(_ path: PathBytes, _ reason: FoundData.Reason, _ items: Int, _ bytes: UInt64) {
    let shown = String(decoding: path.dropping(top).bytes, as: UTF8.self)
    found.leftOut.append(FoundData.LeftOut(path: path, shown: shown, reason: reason, items: items, bytes: bytes))
  }

  // MARK: Folders

  private mutating func enter(
    _ name: PathBytes, in folder: borrowing FileDescriptor, _ place: Place, _ stores: [PathBytes: Int], _ tally: inout Tally
  ) {
    var next = place.below(name)
    do throws(FileError) {
      let opened = try folder.folder(name)
      if opened.isKernelMade() || next.depth > Self.deepest { return tally.items += 1 }
      if place.depth == 0 && layout.hasProgram && name.hasSuffix(".app") {
        found.app = found.app.completed(by: AppIdentity(program: opened))
        return leaveOutFolder(opened, next.path, .program)
      }
      switch layout[next.relative] {
      case .leftOut(let reason): return leaveOutFolder(opened, next.path, reason)
      case .root(let name):
        next.isNamed = true
        return lookThroughRoot(opened, next, named: name)
      case .preferences(let label):
        next.isNamed = true
        next.preferences = beginPreferences(in: next.path, label)
      case nil: break
      }
      if let store = Self.support(name, stores) { return lookThroughSupport(opened, next, of: store, &tally) }
      lookThrough(opened, next, &tally)
    } catch {
      if !error.isMissing { tally.items += 1 }
    }
  }

  private mutating func leaveOutFolder(_ folder: borrowing FileDescriptor, _ path: PathBytes, _ reason: FoundData.Reason) {
    let count = ThingCount(in: folder)
    if count.items > 0 { leaveOut(path, reason, count.items, count.bytes) }
  }

  /// The store whose large values a folder holds: `.Notes_SUPPORT` is that of `Notes.sqlite`, as Core Data calls it.
  private static func support(_ name: PathBytes, _ stores: [PathBytes: Int]) -> Int? {
    guard name.bytes.first == UInt8(ascii: "."), name.bytes.suffix(8).elementsEqual("_SUPPORT".utf8) else { return nil }
    let stem = PathBytes(name.bytes.dropFirst().dropLast("_SUPPORT".utf8.count))
    return stores.filter { $0.key.stem == stem }.map(\.value).min()
  }

  /// The values belong to the store, what else lies there is a document.
  private mutating func lookThroughSupport(_ folder: borrowing FileDescriptor, _ place: Place, of store: Int, _ tally: inout Tally) {
    do throws(FileError) {
      let listing = try FolderListing(of: folder)
      for index in 0..<listing.count {
        let name = listing.name(at: index)
        let status = try folder.status(of: name)
        if name == "_EXTERNAL_DATA" && status.kind == .folder {
          found.stores[store].belongings.append(place.path.appending(name))
        } else if status.kind == .folder {
          enter(name, in: folder, place, [:], &tally)
        } else {
          tally.items += 1
          tally.bytes += status.kind == .file ? status.size : 0
        }
      }
    } catch {
      tally.items += 1
    }
  }
}
