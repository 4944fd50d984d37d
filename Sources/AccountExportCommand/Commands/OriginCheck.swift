internal import AccountExport
internal import Files

/// A receipt of a bundle, whose signature is right.
struct OriginCheck {
  let receipt: SignedReceipt

  /// Reads the receipt, and checks its signature with a key that is given, or with the state folder's; nil where none is asked for.
  init?(_ options: ParsedOptions) throws(CommandError) {
    guard let path = options[.receiptToCheck] else {
      for option in [Option.key, .state] where options[option] != nil { throw .usage("\(option.name) is for --receipt, which isn't given") }
      return nil
    }
    let bytes = try InputFile.read(path, limit: 16 << 20)
    let key = try Self.key(options)
    do throws(ExportError) { receipt = try SignedReceipt(bytes, signedByOneOf: [key]) } catch {
      let hint = options[.key] == nil ? error.hint : error.hint.map { _ in "name the public key of who made the receipt with --key" }
      throw CommandError(.badInput, "\(path.display): \(error.message)", hint: hint)
    }
  }

  static func key(_ options: ParsedOptions) throws(CommandError) -> ReceiptKey {
    if let path = options[.key] {
      let pem = try InputFile.read(path, limit: 64 << 10)
      do throws(ExportError) { return try ReceiptKey(pem: pem) } catch {
        throw CommandError(.badInput, "\(path.display): \(error.message)")
      }
    }
    let folder = try ReceiptFile.folder(options[.state])
    do throws(ExportError) {
      if let key = try StateFolder(folder, creating: false).publicKey() { return key }
    } catch {
      if error.code != .badInput { throw CommandError(error) }
      throw CommandError(.badInput, error.description, hint: "name the sender's public key with --key")
    }
    throw CommandError(.badInput, "there is no signing key in \(folder.display)", hint: "name the sender's public key with --key")
  }
}
