public import Files

/// The folder of what outlives an export: the key that signs receipts. It is for its owner alone.
///
/// `signing-key.pem` is the key (RFC 8410, PKCS #8, mode 0600), made when the first receipt is asked for; `signing-key.pub.pem` its public half, to
/// hand to those who check receipts. A folder or key that others could have written, and a key that others can read, are refused.
public struct StateFolder: ~Copyable, Sendable {
  private let folder: FileDescriptor
  private let path: PathBytes

  private static let keyName: PathBytes = "signing-key.pem", publicName: PathBytes = "signing-key.pub.pem"
  /// A key takes 119 bytes.
  private static let longestKey = 16 << 10

  /// Opens the folder, and makes it, with the folders above it, where `creating` says so.
  ///
  /// - Throws: `ExportError`: `badInput` where there is none; `notPermitted` where it isn't the user's alone to write.
  public init(_ path: PathBytes, creating: Bool) throws(ExportError) {
    folder = try Self.open(path, creating: creating)
    self.path = path
  }

  private static func open(_ path: PathBytes, creating: Bool) throws(ExportError) -> FileDescriptor {
    let status: FileStatus
    let shown = "the state folder \(path.display)"
    do throws(FileError) {
      let folder = try creating ? FileDescriptor.makingFolders(path) : FileDescriptor.folder(path, following: true)
      status = try folder.status()
      if isPrivate(status, 0o022) { return folder }
    } catch {
      throw failure("\(shown) can't be opened", error)
    }
    throw refusal(status, 0o022, shown)
  }

  /// The key that signs receipts, made now where there is none yet.
  public func signer() throws(ExportError) -> ReceiptSigner {
    if try key() == nil {
      // Another export may be as quick: then its key is the one. Read again, it is known that the next export can read it too.
      _ = try put(ReceiptSigner().pem(), as: Self.keyName)
    }
    guard let pem = try key() else { throw ExportError(.output, "the signing key in \(path.display) is gone as soon as it was made") }
    let signer = try signer(pem)
    try keepPublicKey(of: signer)
    return signer
  }

  /// The public half of the key; nil where there is none.
  public func publicKey() throws(ExportError) -> ReceiptKey? {
    guard let pem = try key() else { return nil }
    return try signer(pem).publicKey
  }

  private func signer(_ pem: [UInt8]) throws(ExportError) -> ReceiptSigner {
    do throws(ExportError) { return try ReceiptSigner(pem: pem) } catch {
      throw ExportError(.badInput, "\(path.appending(Self.keyName).display) is no private key of Ed25519 in PEM", cause: error.cause)
    }
  }

  /// Makes the public half where there is none: a crash may have come between the two. A folder that can only be read keeps what it has.
  private func keepPublicKey(of signer: borrowing ReceiptSigner) throws(ExportError) {
    do throws(FileError) { _ = try folder.status(of: Self.publicName) } catch {
      if !error.isMissing { return }
      do throws(ExportError) { _ = try put(signer.publicKey.pem(), as: Self.publicName) } catch {
        if error.code != .notPermitted { throw error }
      }
    }
  }

  /// Makes an empty file for what else is kept here, mode 0600, where there is none. One that is there must be its owner's alone.
  package func makeFile(_ name: PathBytes) throws(ExportError) {
    let status: FileStatus
    do throws(FileError) {
      do throws(FileError) { _ = try folder.creating(name).raw } catch {
        if !error.isExisting { throw error }
      }
      status = try folder.status(of: name)
    } catch {
      throw Self.failure("\(name.display) can't be made in the state folder \(path.display)", error)
    }
    if status.kind != .file || !Self.isPrivate(status, 0o077) { throw Self.refusal(status, 0o077, "\(name.display) in \(path.display)") }
  }

  private func key() throws(ExportError) -> [UInt8]? {
    let shown = "the signing key in \(path.display)"
    let (status, bytes): (FileStatus, [UInt8])
    do throws(FileError) {
      let file = try folder.reading(Self.keyName)
      (status, bytes) = (try file.status(), try Self.bytes(of: file))
    } catch {
      if error.isMissing { return nil }
      throw Self.failure("\(shown) can't be read", error)
    }
    if !Self.isPrivate(status, 0o077) { throw Self.refusal(status, 0o077, shown) }
    return bytes
  }

  private static func bytes(of file: borrowing FileDescriptor) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: longestKey)
    let read = bytes.withUnsafeMutableBytes { buffer in Result { () throws(FileError) in try file.read(into: buffer, at: 0) } }
    return Array(bytes[..<(try read.get())])
  }

  /// Puts a file in its place, whole and on the disk. False where one stands there.
  private func put(_ bytes: [UInt8], as name: PathBytes) throws(ExportError) -> Bool {
    do throws(FileError) {
      let working = PathBytes(".\(name.display)-\(UInt64.random(in: .min ... .max))")
      let file = try folder.creating(working)
      do throws(FileError) {
        let written = bytes.withUnsafeBytes { bytes in Result { () throws(FileError) in try file.write(bytes) } }
        try written.get()
        try file.sync()
        try folder.rename(working, to: name, replacing: false)
        try folder.sync()
        return true
      } catch {
        try folder.remove(working)
        if error.isExisting { return false }
        throw error
      }
    } catch {
      throw Self.failure("the signing key can't be kept in \(path.display)", error)
    }
  }

  /// Whether a file or folder is this user's, and gives others none of some rights. A key is worth what its folder is: whoever else may write
  /// there could put their own in its place.
  private static func isPrivate(_ status: FileStatus, _ forbidden: UInt16) -> Bool {
    (status.kind == .file || status.kind == .folder) && status.owner == FileDescriptor.user && status.mode & forbidden == 0
  }

  private static func refusal(_ status: FileStatus, _ forbidden: UInt16, _ shown: String) -> ExportError {
    if status.kind != .file && status.kind != .folder { return ExportError(.badInput, "\(shown) is neither a file nor a folder") }
    if status.owner != FileDescriptor.user { return ExportError(.notPermitted, "\(shown) belongs to another user") }
    let hint = "chmod \(forbidden == 0o022 ? "go-w" : "go-rwx") takes that from them"
    return ExportError(.notPermitted, "\(shown) is open to others (mode 0\(String(status.mode, radix: 8)))", hint: hint)
  }

  private static func failure(_ message: String, _ error: FileError) -> ExportError {
    ExportError(error.isDenied ? .notPermitted : error.isMissing ? .badInput : .output, message, cause: error)
  }
}
