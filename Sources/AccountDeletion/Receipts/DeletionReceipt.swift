internal import AccountExport
internal import JSONStreaming

/// Writes the receipt of a deletion: what ``SignedDeletionReceipt`` reads.
enum DeletionReceipt {
  /// The receipt of a request all of whose steps are done.
  static func signed(
    _ journal: DeletionJournal, _ id: String, _ codes: [(kind: String, code: String)], by signer: borrowing ReceiptSigner, at now: Timestamp
  ) throws(DeletionError) -> [UInt8] {
    let request = try journal.request(id)
    let (approval, steps) = (try journal.approval(of: id), try journal.steps(of: id))
    let begun = try journal.history(of: id).first { $0.state == DeletionState.deleting.name }?.at
    var json = JSONWriter(capacity: 4096)
    json.beginObject()
    json.text("formatVersion", SignedDeletionReceipt.formatVersion)
    json.text("tool", "account-export \(AccountExporter.version)")
    json.text("request", id)
    json.text("received", request.received.rfc3339)
    json.key("gracePeriodDays")
    json.integer(request.gracePeriod.days)
    json.text("begun", begun?.rfc3339)
    json.text("finished", now.rfc3339)
    json.text("identity", approval.identity)
    json.text("plan", approval.plan)
    json.key("export")
    json.embed(approval.clearance)
    json.array("account", codes) { json, code in
      json.beginObject()
      json.text("kind", code.kind)
      json.text("hmacSHA256", code.code)
      json.endObject()
    }
    try json.write(steps)
    json.endObject()
    let bytes = json.withBytes { Array($0) }
    do throws(ExportError) { return try signer.signed(bytes, type: SignedDeletionReceipt.type) } catch {
      throw DeletionError(.journal, "the receipt can't be signed: \(error)")
    }
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ steps: [JournalledStep]) throws(DeletionError) {
    key("steps")
    beginArray()
    for step in steps {
      guard let outcome = step.outcome, let stage = DeletionStage(rawValue: Int(step.stage)) else {
        throw DeletionError(.journal, "the step \(step.id) is not done: there is no receipt yet")
      }
      beginObject()
      text("id", step.id)
      text("stage", stage.name)
      key("outcome")
      embed(outcome)
      endObject()
    }
    endArray()
  }

  /// A value that is JSON already.
  fileprivate mutating func embed(_ json: String) {
    var json = json
    json.withUTF8 { rawValue(UnsafeRawBufferPointer($0)) }
  }
}
