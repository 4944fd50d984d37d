internal import AccountDeletion
internal import Files
internal import JSONStreaming

/// What a receipt of a deletion says, written out.
enum DeletionReceiptText {
  /// For people.
  static func text(_ receipt: SignedDeletionReceipt) -> [UInt8] {
    var lines = [
      "signed with the key \(receipt.keyID)", "request: \(receipt.request), received \(receipt.received)",
      "deleted: \(receipt.begun) to \(receipt.finished)", "identity: \(receipt.identity)",
      "export: \(receipt.export)" + (receipt.bundle.map { ", sha256 \($0)" } ?? ""), "plan: \(receipt.plan)",
    ]
    for step in receipt.steps {
      lines.append("\(step.id):")
      let outcome = step.outcome
      for count in outcome.removed { lines.append("  removed: \(Quantity.grouped(count.count)) \(count.kind)") }
      for (what, remainders) in [("retained", outcome.retained), ("not reached", outcome.unreachable)] {
        for remainder in remainders {
          let until = remainder.until.map { " (until \($0))" } ?? ""
          lines.append("  \(what): \(Quantity.grouped(remainder.count)) \(remainder.kind): \(remainder.reason)\(until)")
        }
      }
      for task in outcome.byHand { lines.append("  by hand: \(task)") }
    }
    // Whatever somebody has signed, it doesn't steer the terminal.
    return Array((lines.map { PathBytes($0).display }.joined(separator: "\n") + "\n").utf8)
  }

  /// For programs.
  static func json(_ receipt: SignedDeletionReceipt) -> [UInt8] {
    var json = JSONWriter(capacity: 4096)
    json.beginObject()
    json.member("key", receipt.keyID)
    json.member("request", receipt.request)
    json.member("received", receipt.received)
    json.member("begun", receipt.begun)
    json.member("finished", receipt.finished)
    json.member("identity", receipt.identity)
    json.member("export", receipt.export)
    json.member("bundle", receipt.bundle)
    json.member("plan", receipt.plan)
    json.key("steps")
    json.beginArray()
    for step in receipt.steps { json.step(step) }
    json.endArray()
    json.endObject()
    json.raw("\n")
    return json.withBytes { Array($0) }
  }
}

extension JSONWriter {
  fileprivate mutating func step(_ step: SignedDeletionReceipt.Step) {
    beginObject()
    member("id", step.id)
    member("stage", step.stage)
    step.outcome.write(to: &self)
    endObject()
  }
}
