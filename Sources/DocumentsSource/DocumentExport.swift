import AccountExport
import Files

/// The way of a walk's steps into the writer.
struct DocumentExport: ~Copyable {
  private let manifestOnly: Bool
  private var reader: DocumentReader
  private var notIncluded = 0
  private var described = 0

  init(manifestOnly: Bool, limit: Int) {
    self.manifestOnly = manifestOnly
    reader = DocumentReader(limit: manifestOnly ? MediaTypes.headSize : limit)
  }

  /// Pushes a step: its row, its contents, or why there are none.
  mutating func add(
    _ found: FolderWalk.Found, at path: PathBytes, _ file: consuming FileDescriptor?, to writer: inout EntryWriter
  ) async throws {
    switch found {
    case .file(let status):
      guard let file else { throw FileError("open", path, code: FileError.notFound) }
      try await add(file, status, at: path, to: &writer)
    case .folder(let status, let isEmpty):
      var description = DocumentDescription(path, status)
      description.isEmptyFolder = isEmpty
      try await writer.document(description)
    case .link(let status, let target):
      var description = DocumentDescription(path, status)
      description.target = target
      try await writer.document(description)
    case .special(let status):
      try await writer.document(DocumentDescription(path, status))
      writer.omit(path: path, .special)
    case .excluded, .leftOut: writer.omit(path: path, .excluded)
    case .notIncluded: notIncluded += 1
    case .failed(let failure, let status): try await add(failure, status, at: path, to: &writer)
    }
  }

  /// Names what was only counted until now.
  mutating func finish(_ writer: inout EntryWriter) {
    if notIncluded > 0 { writer.omit("(not named by the patterns to include)", .excluded, count: notIncluded) }
    if described > 0 { writer.omit("(contents)", .manifestOnly, count: described) }
  }

  /// What can't be read has its row where the system tells of it; a folder has had its own.
  private func add(_ failure: FolderWalk.Failure, _ status: FileStatus?, at path: PathBytes, to writer: inout EntryWriter) async throws {
    if let status, status.kind != .folder { try await writer.document(DocumentDescription(path, status)) }
    switch failure {
    case .unreadable(let error): writer.omit(path: path, .unreadable, detail: "\(error)")
    case .vanished: writer.omit(path: path, .changed, detail: "it was gone when it was to be read")
    case .swapped: writer.omit(path: path, .changed, detail: "it was replaced or moved while it was read")
    case .kernelMade: writer.omit(path: path, .special, detail: "it is a file system that the kernel makes up")
    case .cycle: writer.omit(path: path, .special, detail: "it is a folder that it lies in")
    }
  }

  private mutating func add(
    _ file: borrowing FileDescriptor, _ status: FileStatus, at path: PathBytes, to writer: inout EntryWriter
  ) async throws {
    let read: DocumentReader.Read
    do throws(FileError) {
      read = try reader.read(file, status, once: manifestOnly)
    } catch {
      try await writer.document(DocumentDescription(path, status))
      let named = FileError(error.operation, path, code: error.code)
      return writer.omit(path: path, .unreadable, detail: "\(named)")
    }
    if reader.holdsBundle(read.count) { return writer.omit(path: path, .excluded, detail: "it is an earlier bundle") }
    var description = DocumentDescription(path, read.status)
    let type = reader.mediaType(of: path, read)
    description.mediaType = type.name
    description.isCompressed = type.isCompressed
    if manifestOnly {
      described += 1
      return try await writer.document(description)
    }
    if read.isWhole {
      try await addRead(read, description, to: &writer)
    } else {
      try await stream(file, read.status, at: path, description, to: &writer)
    }
  }

  private func addRead(_ read: DocumentReader.Read, _ description: DocumentDescription, to writer: inout EntryWriter) async throws {
    var description = description
    description.size = UInt64(read.count)
    let bytes = reader.bytes(read.count)
    try await writer.document(description) { content in
      if read.isChanged { content.markChanged(length: read.status.size) }
      try await content.write(bytes)
    }
  }

  /// Pushes a large file piece by piece: as many bytes as it had when it was opened, so that one that grows without end has one.
  private func stream(
    _ file: borrowing FileDescriptor, _ status: FileStatus, at path: PathBytes, _ description: DocumentDescription,
    to writer: inout EntryWriter
  ) async throws {
    let pieces = reader.pieces
    file.willReadInOrder()
    try await writer.document(description) { content in
      while content.length < status.size {
        try Task.checkCancellation()
        let wanted = min(UInt64(pieces.count), status.size - content.length)
        let piece = UnsafeMutableRawBufferPointer(rebasing: pieces[..<Int(wanted)])
        let count = try file.read(into: piece, at: content.length)
        if count == 0 { break }
        try await content.write(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      }
      let after = try file.status()
      if !after.isUnchanged(since: status) { content.markChanged(length: after.size) }
    }
  }
}

extension DocumentDescription {
  /// What the system tells of something.
  init(_ path: PathBytes, _ status: FileStatus) {
    self.init(path: path, kind: status.kind)
    size = status.kind == .file ? status.size : nil
    modified = Timestamp(status.modified)
    created = status.created.map(Timestamp.init)
    mode = status.mode
  }
}

extension Timestamp {
  init(_ time: FileTime) {
    self.init(seconds: time.seconds, nanoseconds: time.nanoseconds)
  }
}
