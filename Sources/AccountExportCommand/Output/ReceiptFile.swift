internal import AccountExport
internal import AppContainers
internal import Files

/// The file that a signed receipt goes into, and the key that signs it: both are at hand before anything is exported.
struct ReceiptFile: ~Copyable {
  private let file: PrivateFile
  private let signer: ReceiptSigner

  init(path: PathBytes, state: PathBytes?, replacing: Bool) throws(CommandError) {
    // No key is made for a receipt that can't be kept.
    let file = try PrivateFile(path: path, replacing: replacing)
    let signer = try Self.signer(in: state)
    self.file = file
    self.signer = signer
  }

  private static func signer(in state: PathBytes?) throws(CommandError) -> ReceiptSigner {
    let path = try folder(state)
    do throws(ExportError) { return try StateFolder(path, creating: true).signer() } catch { throw CommandError(error) }
  }

  /// The state folder that is named, and the user's own: their keys are nobody's documents, and nothing is written over them. A user without a home has none.
  static func folders(_ named: PathBytes?) -> [PathBytes] {
    do throws(CommandError) { return try [named, folder(nil)].compactMap { $0 } } catch { return [named].compactMap { $0 } }
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
