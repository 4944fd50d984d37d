internal import AccountExport
internal import Files
internal import JSONStreaming

/// The technical detail of an export, as JSON. It may name paths and hosts, and is not for the data subject.
enum ReportText {
  static func json(_ result: Result<ExportReceipt, any Error>, _ details: [ReportLine], bundle: PathBytes) -> [UInt8] {
    var json = JSONWriter(capacity: 16384)
    json.beginObject()
    json.member("tool", "account-export \(AccountExporter.version)")
    switch result {
    case .success(let receipt): write(receipt, bundle, &json)
    case .failure(let error): write(CommandError(error), bundle, &json)
    }
    json.key("details")
    json.beginArray()
    for line in details {
      json.beginObject()
      json.member("source", line.source)
      json.member("path", line.path)
      json.member("reason", line.reason)
      json.member("message", line.message)
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.raw("\n")
    return json.withBytes { Array($0) }
  }

  private static func write(_ error: CommandError, _ bundle: PathBytes, _ json: inout JSONWriter) {
    json.member("outcome", error.status == .interrupted ? "interrupted" : "failed")
    json.member("bundle", bundle)
    json.member("error", error.message)
    // Which signal it was isn't known here.
    if error.status != .interrupted { json.member("exitStatus", Int(error.status.code)) }
  }

  private static func write(_ receipt: ExportReceipt, _ bundle: PathBytes, _ json: inout JSONWriter) {
    let manifest = receipt.manifest
    json.member("outcome", receipt.outcome.rawValue)
    json.member("bundle", bundle)
    json.member("bytes", receipt.bytes)
    json.member("sha256", receipt.digest)
    json.member("requestID", manifest.requestID)
    json.member("started", manifest.started.rfc3339)
    json.member("finished", manifest.finished.rfc3339)
    json.key("sources")
    json.beginArray()
    for source in manifest.sources {
      json.beginObject()
      json.member("name", source.name)
      json.member("kind", source.kind)
      json.member("outcome", source.outcome.rawValue)
      json.member("items", source.items)
      json.member("bytes", source.bytes)
      json.endObject()
    }
    json.endArray()
    write(manifest.omissions, &json)
    json.key("redactions")
    json.beginArray()
    for redaction in manifest.redactions {
      json.beginObject()
      json.member("source", redaction.source)
      json.member("path", redaction.path)
      json.member("reason", redaction.reason.name)
      json.member("count", redaction.count)
      json.endObject()
    }
    json.endArray()
    json.member("notProvided", manifest.notProvided)
  }

  private static func write(_ omissions: [Omission], _ json: inout JSONWriter) {
    json.key("omissions")
    json.beginArray()
    for omission in omissions {
      json.beginObject()
      json.member("source", omission.source)
      json.member("path", omission.path)
      json.member("reason", omission.reason.name)
      json.member("missing", omission.reason.isMissing)
      json.member("count", omission.count)
      json.member("bytes", omission.bytes)
      json.endObject()
    }
    json.endArray()
  }
}
