internal import Checksums
internal import JSONStreaming

/// What a deletion would do, step by step: what a person is shown, and approves by its hash.
public struct DeletionPlan: Hashable, Sendable {
  /// The request that it is for.
  public let request: String
  /// The steps, in the order in which they come.
  public let steps: [Step]
  /// SHA-256 of the JSON, as 64 hexadecimal digits: what is approved. A plan of the same things has the same.
  public let hash: String
  /// The plan as JSON, in one form.
  public let json: [UInt8]

  /// A step and its plan.
  public struct Step: Hashable, Sendable {
    /// The step's name.
    public let id: String
    /// When it comes.
    public let stage: DeletionStage
    /// What it would do.
    public let plan: StepPlan
  }

  init(request: String, steps: [Step]) throws(DeletionError) {
    (self.request, self.steps) = (request, steps)
    json = try Self.json(request, steps)
    hash = try Digests.hex(json)
  }

  /// `formatVersion`, `request`, `steps` (`id`, `stage`, `removed`, `retained`, `unreachable`, `messages`, and `detail`: the SHA-256 of what the
  /// step has noted of each thing).
  private static func json(_ request: String, _ steps: [Step]) throws(DeletionError) -> [UInt8] {
    let details = try steps.map { (step) throws(DeletionError) in try Digests.hex(Array(step.plan.detail.utf8)) }
    var json = JSONWriter(capacity: 4096)
    json.beginObject()
    json.text("formatVersion", "1.0")
    json.text("request", request)
    json.array("steps", Array(zip(steps, details))) { json, planned in
      let (step, detail) = planned
      json.beginObject()
      json.text("id", step.id)
      json.text("stage", step.stage.name)
      json.counts(step.plan.removed)
      json.remainders("retained", step.plan.retained)
      json.remainders("unreachable", step.plan.unreachable)
      json.strings("messages", step.plan.messages)
      json.text("detail", detail)
      json.endObject()
    }
    json.endObject()
    return json.withBytes { Array($0) }
  }
}

/// Digests for the deletion's own use.
enum Digests {
  /// SHA-256, as 64 hexadecimal digits.
  static func hex(_ bytes: [UInt8]) throws(DeletionError) -> String {
    do throws(ChecksumError) {
      var hasher = try SHA256.make()
      bytes.withUnsafeBytes { hasher.update($0) }
      return try hasher.finish().hex
    } catch {
      throw DeletionError(.journal, "no SHA-256 can be made here: \(error)")
    }
  }
}
