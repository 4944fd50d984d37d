internal import JSONReading
internal import JSONStreaming

extension ExportReceipt {
  /// The receipt as a file that proves where the bundle is from: a JWS in its flattened JSON form (RFC 7515, section 7.2.2), signed with EdDSA
  /// (RFC 8037). Its payload is described at ``SignedReceipt``.
  public func signed(by signer: borrowing ReceiptSigner) throws(ExportError) -> [UInt8] {
    try signer.signed(ReceiptPayload.json(self, account: try signer.code(of: manifest.subject)), type: SignedReceipt.type)
  }
}

extension ReceiptSigner {
  /// Some JSON as a file that this key has signed.
  package func signed(_ json: [UInt8], type: String) throws(ExportError) -> [UInt8] {
    let header = #"{"alg":"EdDSA","kid":"\#(try publicKey.id())","typ":"\#(type)"}"#
    let (protected, payload) = (Base64URL.text(header.utf8), Base64URL.text(json))
    let signature = Base64URL.text(try signature(of: Array("\(protected).\(payload)".utf8)))
    return Array("{\"payload\":\"\(payload)\",\n\"protected\":\"\(protected)\",\n\"signature\":\"\(signature)\"}\n".utf8)
  }
}

/// A receipt that was read, and whose signature is one of a known key's.
///
/// The payload is a JSON object: `formatVersion` (`"1.0"`), `tool`, `sha256` and `bytes` of the ZIP, `outcome`, `requestID` (or null),
/// `account` (a code of the account's identifiers, which only who holds the private key can work out), `started` and `finished` (RFC 3339), `sources` (`name`, `kind`, `outcome`, `items`, and `contents`: see ``ExportReceipt/contents``), `omissions` (`source`,
/// `reason`, whether something is `missing`, and `count`), `maskedValues`. It holds no document's path and no record; sources are named by their folders in the bundle.
public struct SignedReceipt: Sendable {
  /// SHA-256 of the ZIP, as 64 hexadecimal digits.
  public let digest: String
  /// Bytes of the ZIP.
  public let bytes: UInt64
  /// `complete` or `partial`.
  public let outcome: String
  /// The controller's id of the request, where there was one.
  public let requestID: String?
  /// A code of whose data it is, which says nothing to others: it is compared with that of an account that is to be deleted. Nil in receipts of
  /// versions that knew none.
  package let account: String?
  /// When reading the account began and ended (RFC 3339).
  public let started: String, finished: String
  /// The key that signed it: ``ReceiptKey/id()``.
  public let keyID: String
  /// What each source gave: ``ExportReceipt/contents``.
  public let contents: [String: String]
  /// What is missing: how many things of each source for each reason that makes a bundle partial.
  public let missing: [Missing]
  /// What isn't in the bundle for reasons that leave it complete: how many things of each source for each reason.
  package let leftOut: [Missing]

  /// Things of one source that are missing for one reason.
  public struct Missing: Hashable, Sendable {
    /// The source's name, and the reason's.
    public let source: String, reason: String
    /// How many there are.
    public let count: Int

    package init(source: String, reason: String, count: Int) { (self.source, self.reason, self.count) = (source, reason, count) }
  }

  static let formatVersion = "1.0", type = "account-export-receipt+json"

  /// Reads a receipt, and checks that one of these keys has signed it.
  ///
  /// - Throws: `ExportError` of code `badInput`: it is no receipt, another key has signed it, or it was changed.
  public init(_ file: [UInt8], signedByOneOf keys: [ReceiptKey]) throws(ExportError) {
    let (payload, keyID) = try SignatureCheck.export.payload(of: file, keys)
    self.keyID = keyID
    let json: JSONValue
    do throws(JSONError) { json = try JSONParser.parse(payload, limits: SignatureCheck.limits) } catch {
      throw SignatureCheck.export.noReceipt("its payload is no JSON", error)
    }
    if json["formatVersion"]?.text != Self.formatVersion {
      throw SignatureCheck.export.noReceipt("it is of another format version than \(Self.formatVersion)")
    }
    guard let digest = json["sha256"]?.text, let bytes = json["bytes"]?.unsigned, let outcome = json["outcome"]?.text,
      let started = json["started"]?.text, let finished = json["finished"]?.text, let sources = json["sources"]?.elements,
      let omissions = json["omissions"]?.elements
    else { throw SignatureCheck.export.noReceipt("its payload lacks what a receipt says") }
    (self.digest, self.bytes, self.outcome) = (digest, bytes, outcome)
    (self.started, self.finished, requestID) = (started, finished, json["requestID"]?.text)
    account = json["account"]?.text
    contents = try Self.contents(of: sources)
    (missing, leftOut) = try Self.omissions(omissions)
  }

  private static func contents(of sources: [JSONValue]) throws(ExportError) -> [String: String] {
    var contents: [String: String] = [:]
    for source in sources {
      guard let name = source["name"]?.text, let digest = source["contents"], digest.isNull || digest.text != nil, contents[name] == nil
      else {
        throw SignatureCheck.export.noReceipt("a source has no name, or no contents")
      }
      contents[name] = digest.text
    }
    return contents
  }

  /// What is missing decides whether an account may be deleted: none of it is passed over.
  private static func omissions(_ omissions: [JSONValue]) throws(ExportError) -> (missing: [Missing], leftOut: [Missing]) {
    var (missing, leftOut): ([Missing], [Missing]) = ([], [])
    for omission in omissions {
      guard let isMissing = omission["missing"]?.boolean, let source = omission["source"]?.text, let reason = omission["reason"]?.text,
        let count = omission["count"]?.integer
      else { throw SignatureCheck.export.noReceipt("an omission lacks what is told of one") }
      let thing = Missing(source: source, reason: reason, count: Int(count))
      if isMissing { missing.append(thing) } else { leftOut.append(thing) }
    }
    return (missing, leftOut)
  }

  /// Whether it is for the bundle that was checked.
  public func isFor(_ report: VerificationReport) -> Bool { digest == report.digest && bytes == report.bytes }
}
