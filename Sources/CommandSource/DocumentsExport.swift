internal import AccountExport
internal import Files
internal import TarReading

extension TarError: StreamDamage {}

/// The way of a program's tar into the bundle.
struct DocumentsExport: ~Copyable {
  private var tar: TarReader
  private let limit: UInt64
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 << 10, alignment: 16)
  private var folders = WaitingFolders<DocumentDescription>()
  /// Hashes of the paths that another name can be of: files that are inside, links and what is special.
  private var files: Set<Int> = []
  private var expanded: UInt64 = 0

  /// - Parameter limit: Bytes that the documents may have, with their holes.
  init(limit: UInt64) throws {
    tar = try TarReader()
    self.limit = limit
  }

  deinit { buffer.deallocate() }

  /// Reads the whole tar.
  mutating func run(_ program: inout RunningProgram, _ writer: inout EntryWriter) async throws {
    do {
      while let member = try tar.next({ try program.read(into: $0) }) {
        try Task.checkCancellation()
        try await add(member, &program, &writer)
      }
      try await writeFolders(folders.takeAll(), areEmpty: true, &writer)
    } catch {
      try await writeFolders(folders.takeAll(), areEmpty: false, &writer)
      throw error
    }
  }

  private mutating func add(_ member: TarMember, _ program: inout RunningProgram, _ writer: inout EntryWriter) async throws {
    guard case .inside(let path) = MemberPath.place(of: member.path) else {
      if member.kind == .folder && MemberPath.place(of: member.path) == .root { return }
      writer.omit(path: member.path, .unreadable, detail: "its path leads to no place below the root")
      return
    }
    if let oddity = member.oddity {
      writer.omit(path: path, .unreadable, detail: "a part of what the tar says of it can't be read: \(oddity)")
    }
    try await writeFolders(folders.take(above: path), areEmpty: false, &writer)
    let description = DocumentDescription(member, at: path)
    switch member.kind {
    case .file: try await addFile(member, description, &program, &writer)
    case .folder: try await addFolder(description, &writer)
    case .link:
      try await writer.document(description)
      files.insert(path.hashValue)
    case .hardLink: try await addHardLink(member, description, &writer)
    case .special:
      try await writer.document(description)
      writer.omit(path: path, .special)
      files.insert(path.hashValue)
    }
  }

  /// A folder that comes twice has two rows. Whether it is empty shows for the later one, behind which everything in it may still come.
  private mutating func addFolder(_ description: DocumentDescription, _ writer: inout EntryWriter) async throws {
    let (replaced, full) = folders.add(description.path, description)
    if let replaced { try await writeFolders([replaced], areEmpty: false, &writer) }
    try await writeFolders(full, areEmpty: true, &writer)
  }

  private func writeFolders(_ found: [DocumentDescription], areEmpty: Bool, _ writer: inout EntryWriter) async throws {
    for var folder in found {
      folder.isEmptyFolder = areEmpty
      try await writer.document(folder)
    }
  }

  /// Another name of a file that is inside: a link to it, as it would be written in its folder. The stream has no contents for it.
  private mutating func addHardLink(_ member: TarMember, _ description: DocumentDescription, _ writer: inout EntryWriter) async throws {
    var description = description
    let path = description.path
    if let target = member.target, case .inside(let there) = MemberPath.place(of: target) {
      description.target = MemberPath.way(from: path, to: there)
      try await writer.document(description)
      if files.contains(there.hashValue) {
        files.insert(path.hashValue)
        return
      }
    } else {
      try await writer.document(description)
    }
    writer.omit(path: path, .unreadable, detail: "it is another name of a file that did not come before it")
  }

  private mutating func addFile(
    _ member: TarMember, _ description: DocumentDescription, _ program: inout RunningProgram, _ writer: inout EntryWriter
  ) async throws {
    // A file with holes may be of any size, however short the stream.
    if member.size > limit - expanded {
      try await writer.document(description)
      writer.omit(path: description.path, .limit, bytes: member.size, detail: "with it there would be more than \(limit) bytes")
      return
    }
    expanded += member.size
    var failure: (any Error)?
    try await writer.document(description) { content in
      // What ends here ends the whole stream: the document is named, and then the source.
      do { try await copy(member, &program, to: &content) } catch {
        failure = error
        throw error
      }
    }
    if let failure { throw failure }
    files.insert(description.path.hashValue)
  }

  private mutating func copy(_ member: TarMember, _ program: inout RunningProgram, to content: inout DocumentContent) async throws {
    while content.length < member.size {
      try Task.checkCancellation()
      let count = try tar.data(into: buffer) { try program.read(into: $0) }
      if count == 0 { break }
      try await content.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    // A hole at the end is not told by some tars.
    if member.isSparse {
      UnsafeMutableRawBufferPointer(buffer).initializeMemory(as: UInt8.self, repeating: 0)
      while content.length < member.size {
        let rest = Int(min(UInt64(buffer.count), member.size - content.length))
        try await content.write(UnsafeRawBufferPointer(rebasing: buffer[..<rest]))
      }
    }
  }
}

extension DocumentDescription {
  /// A member as its header tells of it.
  init(_ member: TarMember, at path: PathBytes) {
    let kind: FileStatus.Kind =
      switch member.kind {
      case .file: .file
      case .folder: .folder
      case .link, .hardLink: .link
      case .special: .special
      }
    self.init(path: path, kind: kind)
    size = member.kind == .file ? member.size : nil
    modified = member.modified.map(Timestamp.init)
    created = member.created.map(Timestamp.init)
    mode = member.mode
    target = member.target
  }
}

extension Timestamp {
  init(_ time: FileTime) { self.init(seconds: time.seconds, nanoseconds: time.nanoseconds) }
}
