internal import AccountExport
internal import Files

/// What an input holds: itself where it is a file, every regular file in it where it is a folder.
struct PreferenceFiles {
  /// A file to be read.
  struct File {
    /// Its path below the input; of an input that is a file, its name.
    let path: PathBytes
    /// The names from the input to it; empty where the input itself is the file.
    let names: [PathBytes]
    /// Bytes, when it was found.
    let size: UInt64
    /// Whether its name alone doesn't tell where it lies.
    var isNested: Bool

    /// Its name in the bundle: its own, without `.plist` or `.json`.
    var bundleName: String {
      let name = String(decoding: path.lastComponent.bytes, as: UTF8.self)
      for suffix in [".plist", ".json"] where name.utf8.count > suffix.utf8.count && name.lowercased().hasSuffix(suffix) {
        return String(name.dropLast(suffix.count))
      }
      return name
    }
  }

  /// Something that isn't read.
  struct Problem {
    let path: PathBytes
    let reason: Omission.Reason
    let detail: String
  }

  private(set) var files: [File] = []
  private(set) var problems: [Problem] = []

  /// Folders in one another. Each is an open descriptor while it is looked through.
  static let deepest = 64

  /// Looks through an input.
  init(_ input: PathBytes) throws {
    let opened = try FileDescriptor.reading(input, following: true)
    let status = try opened.status()
    switch status.kind {
    case .file: files = [File(path: input.lastComponent, names: [], size: status.size, isNested: false)]
    case .folder: try look(through: opened, names: [])
    case .link, .special: throw ExportError(.badInput, "\(input.lastComponent.display) is neither a file nor a folder")
    }
  }

  /// Looks at files that were chosen. Below the folder no link is followed.
  init(_ selection: PreferencesSource.Selection) throws {
    let folder = try FileDescriptor.folder(selection.folder, following: true)
    for path in selection.files {
      let names = path.bytes.split(separator: UInt8(ascii: "/")).map { PathBytes($0) }
      let shown = selection.label.map { PathBytes($0).appending(path) } ?? path
      do throws(FileError) {
        let size = try Self.size(of: names[...], in: folder)
        files.append(File(path: shown, names: names, size: size, isNested: names.count > 1 || selection.label != nil))
      } catch {
        problems.append(Problem(path: shown, reason: .unreadable, detail: error.description))
      }
    }
  }

  private static func size(of names: ArraySlice<PathBytes>, in folder: borrowing FileDescriptor) throws(FileError) -> UInt64 {
    guard let first = names.first else { throw FileError("open", folder.path, code: FileError.notFound) }
    if names.count == 1 { return try folder.status(of: first).size }
    return try size(of: names.dropFirst(), in: try folder.folder(first))
  }

  private mutating func look(through folder: borrowing FileDescriptor, names: [PathBytes]) throws(FileError) {
    let listing = try FolderListing(of: folder)
    for index in 0..<listing.count {
      let name = listing.name(at: index)
      let path = names.reduce(PathBytes("")) { $0.appending($1) }.appending(name)
      do throws(FileError) {
        try add(name, in: folder, names + [name], path)
      } catch {
        problems.append(Problem(path: path, reason: .unreadable, detail: error.description))
      }
    }
  }

  private mutating func add(
    _ name: PathBytes, in folder: borrowing FileDescriptor, _ names: [PathBytes], _ path: PathBytes
  ) throws(FileError) {
    let status = try folder.status(of: name)
    switch status.kind {
    case .file: files.append(File(path: path, names: names, size: status.size, isNested: names.count > 1))
    case .folder where names.count >= Self.deepest:
      problems.append(Problem(path: path, reason: .limit, detail: "folders lie more than \(Self.deepest) deep in one another"))
    case .folder: try look(through: try folder.folder(name), names: names)
    case .link: problems.append(Problem(path: path, reason: .unreadable, detail: "a link, which is not followed"))
    case .special: problems.append(Problem(path: path, reason: .special, detail: "neither a file nor a folder"))
    }
  }
}
