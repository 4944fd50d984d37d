internal import Files

/// A file beyond the size limit.
struct FileTooLarge: Error, CustomStringConvertible {
  let limit: UInt64

  var description: String { "it has more than \(limit) bytes" }
}

/// A preferences file's bytes, read whole. One that changes meanwhile is read again.
struct FileContent {
  /// The bytes as they were read last.
  private(set) var bytes: [UInt8] = []
  /// Whether it changed each time.
  private(set) var hasChanged = false

  private static let attempts = 3

  /// Opens and reads a file of an input. Below the input no link is followed.
  init(_ file: PreferenceFiles.File, of input: PathBytes, largest: UInt64) throws {
    if file.names.isEmpty {
      try read(FileDescriptor.reading(input, following: true), largest)
    } else {
      try read(Self.open(file.names[...], in: FileDescriptor.folder(input, following: true)), largest)
    }
  }

  private static func open(_ names: ArraySlice<PathBytes>, in folder: borrowing FileDescriptor) throws(FileError) -> FileDescriptor {
    let name = names[names.startIndex]
    if names.count == 1 { return try folder.reading(name) }
    return try open(names.dropFirst(), in: try folder.folder(name))
  }

  private mutating func read(_ file: borrowing FileDescriptor, _ largest: UInt64) throws {
    for attempt in 1...Self.attempts {
      let before = try file.status()
      guard before.kind == .file else { throw NotRegular() }
      if before.size > largest { throw FileTooLarge(limit: largest) }
      try readOnce(file, expecting: Int(before.size), largest)
      let isUnchanged = try file.status().isUnchanged(since: before) && bytes.count == before.size
      if isUnchanged { return }
      hasChanged = attempt == Self.attempts
    }
  }

  private mutating func readOnce(_ file: borrowing FileDescriptor, expecting size: Int, _ largest: UInt64) throws {
    bytes = []
    var room = size + 1
    while true {
      var got = 0
      // One byte more than expected tells the end without another call.
      let piece = try [UInt8](unsafeUninitializedCapacity: room) { (buffer, count) throws in
        got = try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: UInt64(bytes.count))
        count = got
      }
      if got == 0 { return }
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
      if bytes.count > largest { throw FileTooLarge(limit: largest) }
      room = max(size + 1 - bytes.count, 64 << 10)
    }
  }
}

/// What was a file when it was found is something else by now.
struct NotRegular: Error, CustomStringConvertible {
  var description: String { "it is no regular file any more" }
}
