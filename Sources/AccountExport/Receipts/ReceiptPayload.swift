internal import JSONStreaming

/// What a receipt says of an export: the JSON that is signed. It names no document and no record; sources and what they are missing are named
/// by their folders in the bundle, which have the names of stores and folders.
enum ReceiptPayload {
  static func json(_ receipt: ExportReceipt, account: String) -> [UInt8] {
    let manifest = receipt.manifest
    var json = JSONWriter(capacity: 4096)
    json.beginObject()
    json.key("formatVersion")
    json.string(SignedReceipt.formatVersion)
    json.key("tool")
    json.string("account-export \(AccountExporter.version)")
    json.key("sha256")
    json.string(receipt.digest)
    json.key("bytes")
    json.integer(receipt.bytes)
    json.key("outcome")
    json.string(manifest.outcome.rawValue)
    json.key("requestID")
    if let id = manifest.requestID { json.string(id) } else { json.null() }
    json.key("account")
    json.string(account)
    json.key("started")
    json.string(manifest.started.rfc3339)
    json.key("finished")
    json.string(manifest.finished.rfc3339)
    write(manifest.sources, receipt.contents, &json)
    write(manifest.omissions, &json)
    json.key("maskedValues")
    json.integer(manifest.redactions.reduce(0) { $0 + $1.count })
    json.endObject()
    return json.withBytes { Array($0) }
  }

  private static func write(_ sources: [ExportManifest.Source], _ contents: [String: String], _ json: inout JSONWriter) {
    json.key("sources")
    json.beginArray()
    for source in sources {
      json.beginObject()
      json.key("name")
      json.string(source.name)
      json.key("kind")
      json.string(source.kind)
      json.key("outcome")
      json.string(source.outcome.rawValue)
      json.key("items")
      json.integer(source.items)
      json.key("contents")
      if let digest = contents[source.name] { json.string(digest) } else { json.null() }
      json.endObject()
    }
    json.endArray()
  }

  /// By source and reason: a path may tell what a person calls their documents.
  private static func write(_ omissions: [Omission], _ json: inout JSONWriter) {
    json.key("omissions")
    json.beginArray()
    for (source, reason, count) in sums(omissions) {
      json.beginObject()
      json.key("source")
      json.string(source)
      json.key("reason")
      json.string(reason.name)
      json.key("missing")
      json.bool(reason.isMissing)
      json.key("count")
      json.integer(count)
      json.endObject()
    }
    json.endArray()
  }

  /// How many things each source is missing for each reason, in the order in which they come first.
  private static func sums(_ omissions: [Omission]) -> [(source: String, reason: Omission.Reason, count: Int)] {
    var places: [String: Int] = [:]
    var sums: [(source: String, reason: Omission.Reason, count: Int)] = []
    for omission in omissions {
      let key = "\(omission.reason.name) \(omission.source)"
      if let place = places[key] {
        sums[place].count += 1
      } else {
        places[key] = sums.count
        sums.append((omission.source, omission.reason, 1))
      }
    }
    return sums
  }
}
