package import Files

/// A walk through a folder and all that lies in it, depth first, names in the order of their bytes.
///
/// It goes by descriptors alone: every name is opened in the folder that it was listed in, without following a link, so nothing that is
/// swapped underneath leads outside. However deep the folders are, it keeps few of them open: a folder that was closed is opened again as
/// `..` of the one below it, or from the root, and must be the same one. File systems that are mounted inside are walked too: the user sees
/// one folder; those that the kernel makes up (`/proc`) are not, nor is a folder that holds itself.
package struct FolderWalk: ~Copyable {
  /// What a step of the walk came to.
  package enum Found: Sendable {
    /// A file; where files are opened, one that could be: `takeFile()`.
    case file(FileStatus)
    /// A folder, before what lies in it.
    case folder(FileStatus, isEmpty: Bool)
    case link(FileStatus, target: PathBytes)
    case special(FileStatus)
    /// Left out by a pattern; of a folder, all of it.
    case excluded
    /// Named by none of the patterns to include; folders are looked into.
    case notIncluded
    /// Left out by what it is: `LeftOut`.
    case leftOut
    /// Something that is there and can't be read; a folder's own step came before where it has one.
    case failed(Failure, FileStatus?)
  }

  /// Why something can't be read.
  package enum Failure: Sendable {
    case unreadable(FileError)
    /// It was listed, and is gone.
    case vanished
    /// It was swapped while it was looked at, more than once, or its folder was moved away.
    case swapped
    /// A file system that the kernel makes up.
    case kernelMade
    /// A folder that lies in itself.
    case cycle
  }

  var levels: [WalkLevel] = []
  var ancestors: Set<Identity> = []
  var path: [UInt8] = []
  var nameStart = 0
  private var file: FileDescriptor?
  /// Told after the folder that it is about.
  var pending: Found?
  private let exclude: IgnorePatterns
  private let include: IgnorePatterns
  let leftOut: LeftOut
  /// How many folders may be open at a time, besides the root.
  let openLimit: Int
  private let opensFiles: Bool
  /// The first level after the root that is open.
  var firstOpen = 1
  /// What errors of the system name until the walk's own path is put in.
  static let here = PathBytes("")

  /// Begins a walk. The folder itself is no step. With patterns to include, only what they match, or what lies in a folder that they match,
  /// is a step; what `exclude` matches is none in any case.
  package init(
    _ root: consuming FileDescriptor, include: IgnorePatterns = IgnorePatterns(), exclude: IgnorePatterns = IgnorePatterns(),
    leftOut: LeftOut = LeftOut(), opensFiles: Bool = true, openLimit: Int = 64
  ) throws(FileError) {
    (self.include, self.exclude, self.leftOut) = (include, exclude, leftOut)
    (self.opensFiles, self.openLimit) = (opensFiles, openLimit)
    let status = try root.status()
    try push(root, status, isIncluded: include.isEmpty)
  }

  /// The path of the last step, relative to the root.
  func withPath<Result>(_ body: (_ path: Span<UInt8>, _ nameStart: Int) throws -> Result) rethrows -> Result {
    try body(path.span, nameStart)
  }

  /// The path of the last step, relative to the root.
  package var currentPath: PathBytes { PathBytes(path) }

  /// The file of the last step, once.
  package mutating func takeFile() -> FileDescriptor? { file.take() }

  /// The next step; nil at the end.
  package mutating func next() -> Found? {
    _ = file.take()
    if let pending {
      self.pending = nil
      return pending
    }
    while let level = levels.last {
      guard level.next < level.names.count else {
        leave()
        if let pending {
          self.pending = nil
          return pending
        }
        continue
      }
      let index = level.next
      level.next += 1
      level.names.withName(at: index) { name, length in setName(UnsafeRawBufferPointer(start: name, count: length), in: level) }
      if isStaging() { continue }
      if !level.elsewhere.isEmpty && level.elsewhere.contains(level.names.name(at: index)) { continue }
      if let found = visit(level, index) { return found }
    }
    return nil
  }

  private mutating func setName(_ name: UnsafeRawBufferPointer, in level: WalkLevel) {
    path.removeSubrange(level.pathLength...)
    if level.pathLength > 0 { path.append(UInt8(ascii: "/")) }
    nameStart = path.count
    path.append(contentsOf: name)
  }

  /// Whether this is where an export, this one perhaps, keeps what it is working on. Its name is another each time: told as left out, it
  /// would make the same input another bundle.
  private func isStaging() -> Bool {
    let name = path[nameStart...]
    return name.first == UInt8(ascii: ".")
      && (name.starts(with: ".account-export-staging-".utf8) || name.starts(with: ".account-export-writing-".utf8))
  }

  // MARK: - A step

  private mutating func visit(_ level: WalkLevel, _ index: Int) -> Found? {
    if !level.leftOut.isEmpty && level.leftOut.contains(level.names.name(at: index)) {
      return .leftOut
    }
    do throws(FileError) {
      if let kind = level.names.kind(at: index), let found = try visit(level, index, as: kind) { return found.step }
      // The folder didn't tell, or it is something else by now. Twice is enough: who swaps faster than this can't be told apart.
      for _ in 0..<2 {
        let kind = try status(level, index).kind
        if let found = try visit(level, index, as: kind) { return found.step }
      }
      return .failed(.swapped, nil)
    } catch {
      return .failed(error.isMissing ? .vanished : .unreadable(named(error)), nil)
    }
  }

  /// A step, or none: what stands there isn't of the kind that was meant.
  private struct Step {
    let step: Found?
  }

  private mutating func visit(_ level: WalkLevel, _ index: Int, as kind: FileStatus.Kind) throws(FileError) -> Step? {
    let isIncluded: Bool
    if exclude.verdict(on: path.span, isFolder: kind == .folder) == .matched { return Step(step: .excluded) }
    switch include.isEmpty ? nil : include.verdict(on: path.span, isFolder: kind == .folder) {
    case .matched: isIncluded = true
    case .reversed: isIncluded = false
    case nil: isIncluded = level.isIncluded
    }
    if kind == .folder { return try visitFolder(level, index, isIncluded: isIncluded) }
    if !isIncluded { return Step(step: .notIncluded) }
    return kind == .file && opensFiles ? try visitFile(level, index) : try visitOther(level, index, kind)
  }

  private mutating func visitFile(_ level: WalkLevel, _ index: Int) throws(FileError) -> Step? {
    do throws(FileError) {
      let opened = try level.names.withName(at: index) { name, _ throws(FileError) in try level.folder!.reading(name, shown: Self.here) }
      let status = try opened.status()
      if status.kind != .file { return nil }
      if leftOut.contains(status) { return Step(step: .leftOut) }
      file = consume opened
      return Step(step: .file(status))
    } catch {
      if error.isMissing { throw error }
      let status = try status(level, index)
      if status.kind != .file { return nil }
      if leftOut.contains(status) { return Step(step: .leftOut) }
      return Step(step: .failed(.unreadable(named(error)), status))
    }
  }

  private mutating func visitOther(_ level: WalkLevel, _ index: Int, _ kind: FileStatus.Kind) throws(FileError) -> Step? {
    let status = try status(level, index)
    if status.kind != kind { return nil }
    if leftOut.contains(status) { return Step(step: .leftOut) }
    if kind == .file { return Step(step: .file(status)) }
    if kind == .special { return Step(step: .special(status)) }
    do throws(FileError) {
      return Step(step: .link(status, target: try level.folder!.target(of: level.names.name(at: index))))
    } catch {
      if error.code == FileError.invalid { return nil }  // no link any more
      throw error
    }
  }

  private mutating func visitFolder(_ level: WalkLevel, _ index: Int, isIncluded: Bool) throws(FileError) -> Step? {
    do throws(FileError) {
      let opened = try level.names.withName(at: index) { name, _ throws(FileError) in try level.folder!.folder(name, shown: Self.here) }
      let status = try opened.status()
      if leftOut.contains(status) { return Step(step: .leftOut) }
      if status.device != level.identity.device && opened.isKernelMade() { return Step(step: .failed(.kernelMade, status)) }
      if ancestors.contains(Identity(status)) { return Step(step: .failed(.cycle, status)) }
      do throws(FileError) {
        try push(opened, status, isIncluded: isIncluded)
      } catch {
        return failed(status, .unreadable(named(error)), isIncluded: isIncluded)
      }
      return Step(step: isIncluded ? .folder(status, isEmpty: levels[levels.count - 1].names.count == 0) : nil)
    } catch {
      if error.code == FileError.notFound { throw error }
      let status = try status(level, index)
      if status.kind != .folder { return nil }
      if leftOut.contains(status) { return Step(step: .leftOut) }
      return failed(status, .unreadable(named(error)), isIncluded: isIncluded)
    }
  }

  /// The folder is a step of its own, and that it can't be read the next.
  private mutating func failed(_ status: FileStatus, _ failure: Failure, isIncluded: Bool) -> Step {
    if !isIncluded { return Step(step: .failed(failure, status)) }
    pending = .failed(failure, status)
    return Step(step: .folder(status, isEmpty: false))
  }

  private func status(_ level: WalkLevel, _ index: Int) throws(FileError) -> FileStatus {
    try level.names.withName(at: index) { name, _ throws(FileError) in try level.folder!.status(of: name, shown: Self.here) }
  }

  private func named(_ error: FileError) -> FileError {
    FileError(error.operation, currentPath, code: error.code)
  }
}
