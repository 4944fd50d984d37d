internal import Files

/// New files and folders below a folder, made through descriptors: no name leads out of it, nothing is followed, and nothing that is there is written to.
struct UnpackedFiles: ~Copyable {
  private let root: OpenFolder
  /// The folders that lead to the present file. Entries of one folder follow each other, so that most need none opened.
  private var open: [(name: [UInt8], folder: OpenFolder)] = []
  private var file: FileDescriptor?
  private var modified: Int64?

  init(root: OpenFolder) { self.root = root }

  /// Begins a file, or makes a folder where the path ends with `/`.
  mutating func begin(_ path: UnsafeRawBufferPointer, modified: Int64?) throws(ExportError) {
    var parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Array($0) }
    guard let last = parts.popLast() else { throw .outside(path) }
    let isFolder = last.isEmpty
    guard (isFolder ? parts : parts + [last]).allSatisfy(Self.isName) && !(isFolder && parts.isEmpty) else { throw .outside(path) }
    do throws(FileError) {
      try enter(parts)
      file = isFolder ? nil : try folder.descriptor.creating(PathBytes(last))
    } catch {
      throw .unpacking(error)
    }
    self.modified = modified
  }

  mutating func write(_ bytes: UnsafeRawBufferPointer) throws(ExportError) {
    do throws(FileError) { try file?.write(bytes) } catch { throw .unpacking(error) }
  }

  mutating func end() throws(ExportError) {
    do throws(FileError) {
      if let modified { try file?.set(modified: FileTime(seconds: modified)) }
    } catch {
      throw .unpacking(error)
    }
    file = nil
  }

  private var folder: OpenFolder { open.last?.folder ?? root }

  /// Whether a component is a name in its folder, and nothing else: a NUL would end it early.
  private static func isName(_ part: [UInt8]) -> Bool {
    let isUp = part.elementsEqual(".".utf8) || part.elementsEqual("..".utf8)
    return !part.isEmpty && !isUp && !part.contains(0)
  }

  private mutating func enter(_ parts: [[UInt8]]) throws(FileError) {
    var shared = 0
    while shared < min(parts.count, open.count), open[shared].name == parts[shared] { shared += 1 }
    open.removeSubrange(shared...)
    for part in parts[shared...] { open.append((part, try Self.folder(PathBytes(part), in: folder))) }
  }

  private static func folder(_ name: PathBytes, in folder: OpenFolder) throws(FileError) -> OpenFolder {
    do throws(FileError) { return OpenFolder(try folder.descriptor.creatingFolder(name)) } catch {
      if !error.isExisting { throw error }
    }
    return OpenFolder(try folder.descriptor.folder(name))
  }
}

extension ExportError {
  fileprivate static func outside(_ path: UnsafeRawBufferPointer) -> ExportError {
    ExportError(.badInput, "the bundle has a name that leads elsewhere: \(PathBytes(path).display)")
  }
}
