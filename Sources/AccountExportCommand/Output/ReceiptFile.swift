internal import AccountExport
internal import AppContainers
internal import Files

/// The file that a signed receipt goes into, and the key that signs it: both are at hand before anything is exported.
struct ReceiptFile: ~Copyable {
  private let file: PrivateFile
  private let signer: ReceiptSigner

  init(path: PathBytes, state: PathBytes?, replacing: Bool) throws(CommandError) {
    let signer = try Self.signer(in: state)
    let file = try PrivateFile(path: path, replacing: replacing)
    self.signer = signer
    self.file = file
  }

  private static func signer(in state: PathBytes?) throws(CommandError) -> ReceiptSigner {
    let path = try folder(state)
    do throws(ExportError) { return try StateFolder(path, creating: true).signer() } catch { throw CommandError(error) }
  }

  /// The user's own state folder, which is nobody's document: who has its key can sign. Nil where the user has no home.
  static var usualFolder: PathBytes? {
    do throws(CommandError) { return try folder(nil) } catch { return nil }
  }

  /// The state folder that is named, or the user's own.
  static func folder(_ named: PathBytes?) throws(CommandError) -> PathBytes {
    if let named { return named }
    do throws(DiscoveryError) { return try UserFolders.current().state.appending("account-export") } catch {
      throw CommandError(.badInput, error.message, hint: "name a folder with --state")
    }
  }

  func write(_ receipt: ExportReceipt) throws(CommandError) {
    let bytes: [UInt8]
    do throws(ExportError) { bytes = try receipt.signed(by: signer) } catch { throw CommandError(error) }
    try file.write(bytes)
  }
}
