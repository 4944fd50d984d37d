internal import Checksums
internal import JSONReading

/// Reads a JWS as receipts are written, and nothing else: no other algorithm, no header beyond ours, no member twice.
package struct SignatureCheck: Sendable {
  /// The media type of what is signed: a receipt of one kind is none of another.
  package let type: String
  /// What it is a receipt of, for messages.
  package let subject: String

  package init(type: String, of subject: String) { (self.type, self.subject) = (type, subject) }

  static let export = SignatureCheck(type: SignedReceipt.type, of: "an export")

  /// A receipt is a page; many sources make it longer.
  static let limits = JSONParser.Limits(depth: 16, bytes: 16 << 20)

  /// The signed bytes, and the name of the key that signed them.
  package func payload(of file: [UInt8], _ keys: [ReceiptKey]) throws(ExportError) -> (payload: [UInt8], keyID: String) {
    let jws: JSONValue
    do throws(JSONError) { jws = try JSONParser.parse(file, limits: Self.limits) } catch { throw noReceipt("it is no JSON", error) }
    guard let payload = jws["payload"]?.text, let protected = jws["protected"]?.text, let signature = jws["signature"]?.text,
      jws.members?.count == 3, let signed = Base64URL.bytes(payload), let header = Base64URL.bytes(protected),
      let code = Base64URL.bytes(signature)
    else { throw noReceipt("it is no flattened JWS (RFC 7515)") }
    let keyID = try keyID(header)
    var key: ReceiptKey?
    for candidate in keys where try candidate.id() == keyID { key = candidate }
    guard let key else {
      throw ExportError(
        .badInput, "the receipt is signed with the key \(keyID), which is none of those at hand", hint: "name its public key with --key")
    }
    guard try Self.hasMade(key, code, "\(protected).\(payload)") else {
      throw ExportError(.badInput, "the receipt's signature is not that of its key: it was changed")
    }
    return (signed, keyID)
  }

  private func keyID(_ header: [UInt8]) throws(ExportError) -> String {
    let members: JSONValue
    do throws(JSONError) { members = try JSONParser.parse(header, limits: Self.limits) } catch {
      throw noReceipt("its header is no JSON", error)
    }
    // A key's name is shown in messages.
    guard members["alg"]?.text == "EdDSA", members["typ"]?.text == type, members.members?.count == 3,
      let keyID = members["kid"]?.text, keyID.utf8.count == 43, Base64URL.bytes(keyID) != nil
    else { throw noReceipt("its header is not one of ours") }
    return keyID
  }

  private static func hasMade(_ key: ReceiptKey, _ signature: [UInt8], _ message: String) throws(ExportError) -> Bool {
    do throws(ChecksumError) { return try key.key.hasMade(signature, of: Array(message.utf8)) } catch {
      throw ExportError(.output, "no signature can be checked", cause: error)
    }
  }

  package func noReceipt(_ why: String, _ cause: (any Error)? = nil) -> ExportError {
    ExportError(.badInput, "this is no receipt of \(subject): \(why)", cause: cause)
  }
}
