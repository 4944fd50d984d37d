public import AccountExport
public import Files

/// A folder of documents, or a single one: contents by default, descriptions only on request.
///
/// There is a row for every file, folder, link and special file. Links are told, never followed. A file with several names (hard links) is
/// there under each, as it is in the folder. An earlier bundle that lies in the folder is left out, as is what `leftOut` names; what is
/// mounted inside is exported like the rest, but for the file systems that the kernel makes up.
public struct DocumentsSource: PlannableSource {
  /// `documents/` and the root's name.
  public let name: String
  /// `documents`
  public var kind: String { "documents" }
  /// Only rows, no contents and no checksums.
  public var manifestOnly = false
  /// Only what these match, or what lies in a folder that they match; everything where there are none.
  public var include = IgnorePatterns()
  /// Never what these match.
  public var exclude = IgnorePatterns()
  /// Outputs, stores that are exported as records, the folder of the state: never documents.
  public var leftOut = LeftOut()

  private let root: PathBytes

  /// A folder, or a file, by its path. A link in its last place is followed: the user named it.
  /// - Parameter name: What the root is called in the bundle; its own name where nil.
  public init(_ root: PathBytes, named name: String? = nil) {
    self.root = root
    self.name = "documents/" + (name ?? Self.name(of: root))
  }

  private static func name(of root: PathBytes) -> String {
    let last = root.lastComponent
    return ["", ".", ".."].contains(last) ? "Documents" : String(decoding: last.bytes, as: UTF8.self)
  }

  // MARK: Export

  /// Pushes everything in the folder: rows in the order of the paths' bytes, folder by folder.
  public func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
    let opened = try openRoot()
    let status = try opened.status()
    var export = DocumentExport(manifestOnly: manifestOnly, limit: writer.limits.stagedDocument)
    switch status.kind {
    case .folder:
      var walk = try FolderWalk(opened, include: include, exclude: exclude, leftOut: leftOut)
      while let found = walk.next() {
        try Task.checkCancellation()
        try await export.add(found, at: walk.currentPath, walk.takeFile(), to: &writer)
      }
    case .file:
      if let wayOut = wayOut(status) {
        try await export.add(wayOut, at: root.lastComponent, nil, to: &writer)
      } else {
        try await export.add(.file(status), at: root.lastComponent, opened, to: &writer)
      }
    case .link, .special: throw ExportError(.badInput, "\(root.display) is neither a folder nor a file")
    }
    export.finish(&writer)
  }

  /// Why a single file isn't exported; nil where it is.
  private func wayOut(_ status: FileStatus) -> FolderWalk.Found? {
    if leftOut.contains(status) { return .leftOut }
    let name = root.lastComponent.bytes
    if exclude.verdict(on: name.span, isFolder: false) == .matched { return .excluded }
    return include.isEmpty || include.verdict(on: name.span, isFolder: false) == .matched ? nil : .notIncluded
  }

  private func openRoot() throws(ExportError) -> FileDescriptor {
    do throws(FileError) {
      return try FileDescriptor.reading(root, following: true)
    } catch {
      throw ExportError(error.isDenied ? .notPermitted : .badInput, "the documents \(root.display) can't be read", cause: error)
    }
  }

  // MARK: Plan

  /// true: its sizes are counted by a walk.
  public var isSlowToPlan: Bool { true }

  /// Counts the rows and the bytes of the files; nothing is opened but folders.
  public func plan(for subject: DataSubject, depth: PlanDepth) async throws -> SourcePlan {
    let opened = try openRoot()
    let status = try opened.status()
    if status.kind != .folder {
      if status.kind == .file && wayOut(status) != nil {
        let part = SourcePlan.Part(name: root.lastComponent.display, items: 1, leftOut: .excluded)
        return SourcePlan(items: 0, bytes: 0, parts: [part])
      }
      let bytes = manifestOnly ? 0 : status.size
      return SourcePlan(items: 1, bytes: bytes, parts: [SourcePlan.Part(name: root.lastComponent.display, items: 1, bytes: bytes)])
    }
    var walk = try FolderWalk(opened, include: include, exclude: exclude, leftOut: leftOut, opensFiles: false)
    var (items, bytes, excluded) = (0, UInt64(0), 0)
    while let found = walk.next() {
      try Task.checkCancellation()
      switch found {
      case .file(let status): (items, bytes) = (items + 1, bytes + status.size)
      case .folder, .link, .special: items += 1
      case .excluded, .notIncluded, .leftOut: excluded += 1
      case .failed: break
      }
    }
    if manifestOnly { bytes = 0 }
    var parts = [SourcePlan.Part(name: root.lastComponent.display, items: items, bytes: bytes)]
    if excluded > 0 { parts.append(SourcePlan.Part(name: root.lastComponent.display, items: excluded, leftOut: .excluded)) }
    return SourcePlan(items: items, bytes: bytes, parts: parts)
  }
}
