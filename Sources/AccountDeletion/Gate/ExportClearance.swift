public import AccountExport
internal import JSONStreaming

/// What a request to delete an account has shown of the export that comes first. It has no initializer for others: only the checks here make one.
public struct ExportClearance: Hashable, Sendable {
  /// What was shown.
  public enum Kind: String, Hashable, Sendable {
    /// A complete export.
    case complete
    /// An export that is missing something, each thing of which was accepted by name.
    case incomplete
    /// No export: the person wants none, and has said so.
    case withoutExport
  }

  /// What was shown.
  public let kind: Kind
  /// The request that it was shown for, and no other.
  public let request: String
  /// SHA-256 of the bundle, as 64 hexadecimal digits; nil where there was no export.
  public let digest: String?
  /// What is missing in the bundle, and was accepted.
  public let accepted: [SignedReceipt.Missing]

  /// What must be typed where there is no export.
  public static let confirmationWithoutExport = "DELETE WITHOUT EXPORT"

  /// Lets a request pass without an export.
  ///
  /// - Parameter confirmation: What the person has typed: ``confirmationWithoutExport``, and nothing like it.
  public static func withoutExport(for request: DeletionRequest, confirmation: String) throws(DeletionError) -> ExportClearance {
    try check(request)
    if confirmation != confirmationWithoutExport {
      throw DeletionError(
        .unproven, "there is no receipt of an export, and going without one was not confirmed",
        hint: "export the account first, or confirm with: \(confirmationWithoutExport)")
    }
    return ExportClearance(kind: .withoutExport, request: request.id, digest: nil, accepted: [])
  }

  /// Lets a request pass with the receipt of an export.
  ///
  /// - Parameters:
  ///   - receipt: The signed receipt, as it was written.
  ///   - bundle: What a check of the bundle found just now, where it is still here. Nobody has to keep it: the receipt alone counts.
  ///   - request: The request, which is yet to be agreed.
  ///   - subject: Whose account it is.
  ///   - signer: Our key, which must have signed the receipt: it alone tells whose the export was.
  ///   - accepting: What is missing in the export, and accepted as missing.
  /// - Throws: `DeletionError` of code `unproven`, which names what is missing.
  public static func exported(
    _ receipt: [UInt8], bundle: VerificationReport?, for request: DeletionRequest, of subject: DataSubject,
    signer: borrowing ReceiptSigner, accepting: Set<AcceptedOmission> = []
  ) throws(DeletionError) -> ExportClearance {
    try check(request)
    let read: SignedReceipt
    let code: String
    do throws(ExportError) {
      read = try SignedReceipt(receipt, signedByOneOf: [signer.publicKey])
      code = try signer.code(of: subject)
    } catch {
      throw DeletionError(.unproven, error.message, hint: "export the account here, and keep the receipt")
    }
    try check(account: read, code, request, subject)
    if let bundle { try check(bundle, read) }
    let accepted = try check(omissions: read, accepting)
    return ExportClearance(
      kind: accepted.isEmpty ? .complete : .incomplete, request: request.id, digest: read.digest, accepted: accepted)
  }

  /// What comes after an agreement can't change what it was made on.
  private static func check(_ request: DeletionRequest) throws(DeletionError) {
    if request.state != .confirming && request.state != .exporting {
      throw DeletionError(.illegal, "the request \(request.id) is \(request.state.name): what was exported is not asked any more")
    }
  }

  private static func check(
    account receipt: SignedReceipt, _ code: String, _ request: DeletionRequest, _ subject: DataSubject
  ) throws(DeletionError) {
    // An app's own store has an account without an identifier, which the embedder names as it likes.
    if let id = subject.id, id != request.account {
      throw DeletionError(.unproven, "the person whose identity was shown is not the one whose account the request \(request.id) is for")
    }
    guard let account = receipt.account else {
      throw DeletionError(.unproven, "the receipt doesn't tell whose account was exported", hint: "export the account again")
    }
    if account != code { throw DeletionError(.unproven, "the receipt is for another account", hint: "export this account first") }
  }

  private static func check(_ bundle: VerificationReport, _ receipt: SignedReceipt) throws(DeletionError) {
    if let problem = bundle.problems.first ?? (bundle.isIntact ? nil : "it has unlisted problems") {
      throw DeletionError(.unproven, "the bundle does not verify any more: \(problem)", hint: "export the account again")
    }
    if !receipt.isFor(bundle) { throw DeletionError(.unproven, "the receipt is for another bundle than the one that is here") }
  }

  /// What is missing, all of which must be accepted by name. Documents of which only the description was asked for are missing here,
  /// complete as their bundle is.
  private static func check(
    omissions receipt: SignedReceipt, _ accepting: Set<AcceptedOmission>
  ) throws(DeletionError) -> [SignedReceipt.Missing] {
    let missing = receipt.missing + receipt.leftOut.filter { $0.reason == Omission.Reason.manifestOnly.name }
    guard receipt.outcome == (receipt.missing.isEmpty ? "complete" : "partial") else {
      throw DeletionError(.unproven, "the receipt's outcome is not what it says to be missing", hint: "export the account again")
    }
    let names = missing.map { AcceptedOmission($0) }
    let open = zip(names, missing).filter { !accepting.contains($0.0) }.map { "\($0.0) (\($0.1.count))" }
    if !open.isEmpty {
      throw DeletionError(
        .unproven, "the export is missing \(open.joined(separator: ", "))", hint: "export the account again, or accept each of them by name"
      )
    }
    if let idle = accepting.subtracting(names).map(\.description).min() {
      throw DeletionError(.unproven, "\(idle) was accepted as missing, and is not missing in this export")
    }
    return missing
  }
}

extension ExportClearance {
  /// As the journal and the receipt have it.
  func json() -> String {
    var json = JSONWriter(capacity: 1024)
    json.beginObject()
    json.text("kind", kind.rawValue)
    json.text("sha256", digest)
    json.array("accepted", accepted) { json, thing in
      json.beginObject()
      json.text("source", thing.source)
      json.text("reason", thing.reason)
      json.key("count")
      json.integer(thing.count)
      json.endObject()
    }
    json.endObject()
    return json.withBytes { String(decoding: $0, as: UTF8.self) }
  }
}
