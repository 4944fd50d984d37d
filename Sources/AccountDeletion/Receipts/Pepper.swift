internal import AccountExport
internal import Checksums
public import Files

/// The secret that turns what identified a person into a code: whoever has it can tell that a row in an old backup is of somebody who was
/// deleted, and nobody else can.
///
/// It lies outside the state folder, so that who finds the receipts and journals there can't try who it might have been.
public struct Pepper: Sendable {
  private let bytes: [UInt8]

  /// Fewer bytes could be tried.
  public static let fewestBytes = 32

  /// A secret of at least 32 bytes.
  public init(_ bytes: [UInt8]) throws(DeletionError) {
    if bytes.count < Self.fewestBytes { throw DeletionError(.illegal, "a pepper has at least \(Self.fewestBytes) bytes") }
    self.bytes = bytes
  }

  /// Reads the secret of a file, which must be its owner's alone, and lie in another folder than the state's.
  public init(file: PathBytes, outside state: PathBytes) throws(DeletionError) {
    let (status, read, isInside): (FileStatus, [UInt8], Bool)
    do throws(FileError) {
      isInside = try Self.lies(file, in: state)
      let opened = try FileDescriptor.reading(file, following: true)
      status = try opened.status()
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = buffer.withUnsafeMutableBytes { buffer in Result { () throws(FileError) in try opened.read(into: buffer, at: 0) } }
      read = Array(buffer[..<(try count.get())])
    } catch {
      throw DeletionError(.illegal, "the pepper can't be read: \(error)")
    }
    if isInside { throw DeletionError(.illegal, "the pepper \(file.display) lies in the state folder", hint: "keep it elsewhere") }
    if status.kind != .file || status.owner != FileDescriptor.user || status.mode & 0o077 != 0 {
      throw DeletionError(.illegal, "the pepper \(file.display) is not a file of its owner's alone", hint: "chmod 600")
    }
    try self.init(read)
  }

  private static func lies(_ file: PathBytes, in state: PathBytes) throws(FileError) -> Bool {
    let inner = try FolderChain(of: file.parent)
    return inner.contains(try FileDescriptor.folder(state, following: true).status())
  }

  /// Codes of what identified the account, by the identifier's kind: HMAC-SHA-256 of the identifier in its normal form, 64 hexadecimal digits.
  func codes(of subject: DataSubject) throws(DeletionError) -> [(kind: String, code: String)] {
    do throws(ChecksumError) {
      var hmac = try HMACSHA256.make(key: bytes)
      var codes: [(kind: String, code: String)] = []
      for (kind, value) in subject.allIdentifiers {
        Array("\(kind) \(value)".utf8).withUnsafeBytes { hmac.update($0) }
        codes.append((kind, try hmac.finish().hex))
      }
      return codes
    } catch {
      throw DeletionError(.journal, "no code of the account can be made: \(error)")
    }
  }
}
