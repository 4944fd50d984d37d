internal import Files

/// How many files, links and special files are in a folder, and the bytes in the files. What can't be looked into counts as one.
struct ThingCount {
  private(set) var items = 0
  private(set) var bytes: UInt64 = 0

  init(in folder: borrowing FileDescriptor) { count(folder, depth: 0) }

  private mutating func count(_ folder: borrowing FileDescriptor, depth: Int) {
    do throws(FileError) {
      let listing = try FolderListing(of: folder)
      for index in 0..<listing.count { try count(listing.name(at: index), in: folder, depth) }
    } catch {
      items += 1
    }
  }

  private mutating func count(_ name: PathBytes, in folder: borrowing FileDescriptor, _ depth: Int) throws(FileError) {
    let status = try folder.status(of: name)
    guard status.kind == .folder else {
      items += 1
      bytes += status.kind == .file ? status.size : 0
      return
    }
    do throws(FileError) {
      let opened = try folder.folder(name)
      if depth >= FolderSurvey.deepest || opened.isKernelMade() { items += 1 } else { count(opened, depth: depth + 1) }
    } catch {
      if !error.isMissing { items += 1 }
    }
  }
}
