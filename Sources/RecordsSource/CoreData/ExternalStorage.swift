import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The folder beside a store in which Core Data keeps large values: `.<store>_SUPPORT/_EXTERNAL_DATA`, a file each.
///
/// The names come from rows, so none is trusted: a name is one component, and no link is followed on the way below the store's own folder.
final class ExternalStorage {
  private let store: PathBytes
  private var isSought = false
  private var folder: OpenFolder?
  private var opened: Set<[UInt8]> = []

  init(of store: PathBytes) { self.store = store }

  /// An open folder, so that its place can be looked for once.
  private final class OpenFolder {
    let descriptor: FileDescriptor
    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
  }

  /// A file that is there and can be read from its beginning.
  struct File: ~Copyable {
    let descriptor: FileDescriptor
    let status: FileStatus
  }

  /// Opens the file of a value; nil where there is none of this name.
  func file(named name: [UInt8]) throws -> File? {
    guard Self.isName(name), let folder = try openFolder() else { return nil }
    do throws(FileError) {
      let descriptor = try folder.descriptor.reading(PathBytes(name))
      let status = try descriptor.status()
      guard status.kind == .file else { return nil }
      opened.insert(name)
      return File(descriptor: descriptor, status: status)
    } catch {
      if error.isMissing || error.isOtherKind { return nil }
      throw error
    }
  }

  /// What lies in the folder and no value has asked for: it is in no record.
  func leftover() throws -> [PathBytes] {
    guard let folder = try openFolder() else { return [] }
    let listing = try FolderListing(of: folder.descriptor)
    return (0..<listing.count).map { listing.name(at: $0) }.filter { !opened.contains($0.bytes) }
  }

  /// One component that leads nowhere else.
  private static func isName(_ name: [UInt8]) -> Bool {
    !name.isEmpty && name.count <= 255 && !name.contains(UInt8(ascii: "/")) && !name.contains(0) && name != [UInt8(ascii: ".")]
      && name != Array("..".utf8)
  }

  private func openFolder() throws -> OpenFolder? {
    if isSought { return folder }
    isSought = true
    let resolved = Self.resolved(store)
    do throws(FileError) {
      let beside = try FileDescriptor.folder(resolved.folder, following: true)
      folder = OpenFolder(try beside.folder(Self.supportName(of: resolved.name)).folder(PathBytes("_EXTERNAL_DATA")))
    } catch {
      if !error.isMissing && !error.isOtherKind { throw error }
    }
    return folder
  }

  /// `.Photos_SUPPORT` for `Photos.sqlite`.
  private static func supportName(of store: [UInt8]) -> PathBytes {
    let dot = store.lastIndex(of: UInt8(ascii: "."))
    let stem = dot.map { $0 == 0 ? store[...] : store[..<$0] } ?? store[...]
    return PathBytes([UInt8(ascii: ".")] + stem + Array("_SUPPORT".utf8))
  }

  /// Where the store itself lies: the files lie beside it, not beside a link to it.
  private static func resolved(_ store: PathBytes) -> (folder: PathBytes, name: [UInt8]) {
    var path = store
    if let found = store.withCString({ realpath($0, nil) }) {
      path = PathBytes(UnsafeRawBufferPointer(start: found, count: strlen(found)))
      free(found)
    }
    guard let slash = path.bytes.lastIndex(of: UInt8(ascii: "/")) else { return (PathBytes("."), path.bytes) }
    return (slash == 0 ? PathBytes("/") : PathBytes(path.bytes[..<slash]), Array(path.bytes[(slash + 1)...]))
  }
}
