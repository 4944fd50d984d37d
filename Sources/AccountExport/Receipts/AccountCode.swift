internal import Checksums

extension DataSubject {
  /// What tells the account from all others, in one form however it was written: its own identifier alone where it has one, since addresses
  /// change; otherwise what a person can be reached or known by. A name tells nobody from others.
  package var identifiers: [(kind: String, value: String)] {
    id.map { [("id", $0)] } ?? allIdentifiers
  }

  /// All that identifies the person, in the same form.
  package var allIdentifiers: [(kind: String, value: String)] {
    // Where case tells user names apart, two of them are two accounts.
    let known = [("id", id), ("email", email.map(Self.folded)), ("phone", phone.map(Self.digits)), ("username", username)]
    return known.compactMap { kind, value in value.map { (kind, $0) } }
  }

  private static func folded(_ text: String) -> String { String(text.filter { !$0.isWhitespace }).lowercased() }

  /// As it is dialled: spaces, dashes and brackets are for the eye.
  private static func digits(_ phone: String) -> String {
    String(phone.unicodeScalars.filter { ("0"..."9").contains($0) || $0 == "+" }.map { Character($0) })
  }

  /// The identifiers as bytes: each with its length, so that no two lists of them are the same.
  package var identifierBytes: [UInt8] {
    identifiers.flatMap { kind, value in Array("\(kind) \(value.utf8.count) \(value)\n".utf8) }
  }
}

extension ReceiptSigner {
  /// What a receipt calls the account that it is for: 43 letters and digits, which only the holder of this key can work out of its identifiers,
  /// so that nobody else can try who it might be.
  ///
  /// A signature of Ed25519 is the same each time and can be foretold by nobody; its digest is a code of the identifiers under the private
  /// key, which can't be checked with the public one. What receipts sign begins with a letter or digit, never with a space: no signature of one
  /// is one of the other.
  package func code(of subject: DataSubject) throws(ExportError) -> String {
    let signature = try signature(of: Array(" account of a receipt\n".utf8) + subject.identifierBytes)
    do throws(ChecksumError) {
      var hasher = try SHA256.make()
      signature.withUnsafeBytes { hasher.update($0) }
      return try hasher.finish().withUnsafeBytes { Base64URL.text($0) }
    } catch {
      throw ExportError(.output, "an account's code can't be worked out", cause: error)
    }
  }
}
