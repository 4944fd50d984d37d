internal import CArchive
public import Files

/// A member of a tar, as its header tells: nothing in it is checked against anything.
public struct TarMember: Sendable {
  /// What a member is.
  public enum Kind: Hashable, Sendable {
    case file, folder
    /// A symbolic link; `target` is what it holds.
    case link
    /// Another name of a member before; `target` is that one's path.
    case hardLink
    /// A device, a pipe, or something that this reader doesn't know.
    case special
  }

  /// What this is.
  public let kind: Kind
  /// Its path, byte for byte as the tar has it: it may be absolute, and may lead out of any folder.
  public let path: PathBytes
  /// Where a link leads.
  public let target: PathBytes?
  /// Bytes in it, with its holes.
  public let size: UInt64
  /// Whether it has holes, so that it may be larger than the stream.
  public let isSparse: Bool
  /// When it changed last: seconds since 1970, and nanoseconds after.
  public let modified: FileTime?
  /// When it was made, where the tar tells.
  public let created: FileTime?
  /// Permissions (0 ... 0o7777).
  public let mode: UInt16
  /// What is odd about its header, where something is.
  public let oddity: String?

  init(_ entry: OpaquePointer, oddity: String?) {
    let hardLink = archive_entry_hardlink(entry)
    switch tar_kind_of(entry) {
    case _ where hardLink != nil: kind = .hardLink
    case tar_kind_file: kind = .file
    case tar_kind_folder: kind = .folder
    case tar_kind_link: kind = .link
    default: kind = .special
    }
    path = Self.bytes(archive_entry_pathname(entry)) ?? ""
    target = Self.bytes(hardLink ?? archive_entry_symlink(entry))
    size = UInt64(max(0, archive_entry_size(entry)))
    isSparse = archive_entry_sparse_count(entry) > 0
    modified = Self.time(archive_entry_mtime_is_set(entry), Int64(archive_entry_mtime(entry)), archive_entry_mtime_nsec(entry))
    created = Self.time(archive_entry_birthtime_is_set(entry), Int64(archive_entry_birthtime(entry)), archive_entry_birthtime_nsec(entry))
    mode = UInt16(archive_entry_perm(entry) & 0o7777)
    self.oddity = oddity
  }

  private static func bytes(_ text: UnsafePointer<CChar>?) -> PathBytes? {
    guard let text else { return nil }
    var length = 0
    while text[length] != 0 { length += 1 }
    return PathBytes(UnsafeBufferPointer(start: text, count: length).map { UInt8(bitPattern: $0) })
  }

  private static func time(_ isSet: CInt, _ seconds: Int64, _ nanoseconds: Int) -> FileTime? {
    guard isSet != 0, (0..<1_000_000_000).contains(nanoseconds) else { return nil }
    return FileTime(seconds: seconds, nanoseconds: UInt32(nanoseconds))
  }
}
