public import AccountExport
internal import JSONReading

/// The receipt of a deletion, read, and signed with a known key.
///
/// It is a JWS like an export's receipt (``SignedReceipt``), of the type `account-deletion-receipt+json`. Its payload is a JSON object:
/// `formatVersion` (`"1.0"`), `tool`, `request` (its random id), `received`, `begun`, `finished` (RFC 3339), `gracePeriodDays`, `identity` (how it was
/// proved), `plan` (the SHA-256 that was approved), `export` (`kind`, `sha256` of the bundle or null, what was `accepted` as missing), `account`
/// (`kind` of an identifier, and its `hmacSHA256` under a secret that is kept elsewhere), `steps` (`id`, `stage`, `outcome`: what was `removed` with
/// `kind`, `count`, `bytes`; what is `retained` and what was `unreachable` with `kind`, `count`, `reason`, `until`; what a person has to do `byHand`).
/// Nothing in it identifies the person to others.
public struct SignedDeletionReceipt: Sendable {
  /// The request's id.
  public let request: String
  /// When the request came in, when deleting began, and when it was done (RFC 3339).
  public let received: String, begun: String, finished: String
  /// How the person has proved who they are.
  public let identity: String
  /// The hash of the plan that was approved.
  public let plan: String
  /// What was shown of an export: `complete`, `incomplete` or `withoutExport`; and SHA-256 of its bundle.
  public let export: String, bundle: String?
  /// What has come of each step.
  public let steps: [Step]
  /// The key that signed it: ``ReceiptKey/id()``.
  public let keyID: String

  /// A step, and what has come of it.
  public struct Step: Hashable, Sendable {
    /// The step's name, and its stage's.
    public let id: String, stage: String
    /// What came of it. It has no messages: receipts don't.
    public let outcome: StepOutcome
  }

  static let formatVersion = "1.0", type = "account-deletion-receipt+json"
  private static let check = SignatureCheck(type: type, of: "a deletion")

  /// Reads a receipt, and checks that one of these keys has signed it.
  ///
  /// - Throws: `ExportError` of code `badInput`: it is no receipt of a deletion, another key has signed it, or it was changed.
  public init(_ file: [UInt8], signedByOneOf keys: [ReceiptKey]) throws(ExportError) {
    let (payload, keyID) = try Self.check.payload(of: file, keys)
    let json: JSONValue
    do throws(JSONError) { json = try JSONParser.parse(payload, limits: JSONParser.Limits(depth: 16, bytes: 16 << 20)) } catch {
      throw Self.check.noReceipt("its payload is no JSON", error)
    }
    if json["formatVersion"]?.text != Self.formatVersion {
      throw Self.check.noReceipt("it is of another format version than \(Self.formatVersion)")
    }
    guard let request = json["request"]?.text, let received = json["received"]?.text, let begun = json["begun"]?.text,
      let finished = json["finished"]?.text, let identity = json["identity"]?.text, let plan = json["plan"]?.text,
      let export = json["export"]?["kind"]?.text, let steps = json["steps"]?.elements
    else { throw Self.check.noReceipt("its payload lacks what a receipt says") }
    (self.request, self.received, self.begun, self.finished) = (request, received, begun, finished)
    (self.identity, self.plan, self.export, self.keyID) = (identity, plan, export, keyID)
    bundle = json["export"]?["sha256"]?.text
    self.steps = try steps.map { (step) throws(ExportError) in try Self.step(step) }
  }

  private static func step(_ json: JSONValue) throws(ExportError) -> Step {
    guard let id = json["id"]?.text, let stage = json["stage"]?.text, let outcome = json["outcome"],
      let removed = outcome["removed"]?.elements,
      let retained = outcome["retained"]?.elements, let unreachable = outcome["unreachable"]?.elements,
      let byHand = outcome["byHand"]?.elements
    else { throw check.noReceipt("a step lacks what has come of it") }
    var read = StepOutcome()
    read.removed = try removed.map { (json) throws(ExportError) in try count(json) }
    read.retained = try retained.map { (json) throws(ExportError) in try remainder(json) }
    read.unreachable = try unreachable.map { (json) throws(ExportError) in try remainder(json) }
    read.byHand = try byHand.map { (json) throws(ExportError) in
      guard let task = json.text else { throw check.noReceipt("what is to be done by hand is no text") }
      return task
    }
    return Step(id: id, stage: stage, outcome: read)
  }

  private static func count(_ json: JSONValue) throws(ExportError) -> StepCount {
    guard let kind = json["kind"]?.text, let count = json["count"]?.integer else {
      throw check.noReceipt("a count lacks its kind or number")
    }
    return StepCount(kind, Int(count), bytes: json["bytes"]?.unsigned)
  }

  private static func remainder(_ json: JSONValue) throws(ExportError) -> Remainder {
    guard let kind = json["kind"]?.text, let count = json["count"]?.integer, let reason = json["reason"]?.text else {
      throw check.noReceipt("what stays lacks its kind, number or reason")
    }
    return Remainder(kind, Int(count), reason: reason, day: json["until"]?.text)
  }
}
