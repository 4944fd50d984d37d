internal import AccountExport
internal import Files
internal import JSONStreaming

/// What a check found, written out.
struct VerificationText {
  /// The bundle.
  let path: PathBytes
  /// What was found in it.
  let report: VerificationReport
  /// The receipt that it is held against, where there is one.
  let origin: OriginCheck?

  /// Whether that receipt is another bundle's.
  var isOfAnother: Bool { origin.map { !$0.receipt.isFor(report) } ?? false }

  /// For people.
  func text() -> [UInt8] {
    var lines = report.problems.map { "problem: \(PathBytes($0.replacing("\0", with: "\\x00")).display)" }
    if report.unlistedProblems > 0 { lines.append("problem: and \(Quantity.grouped(report.unlistedProblems)) more") }
    if isOfAnother { lines.append("problem: the receipt is for another bundle") }
    if !lines.isEmpty { lines.append("") }
    lines.append("\(path == "-" ? "standard input" : path.display): \(verdict)")
    if let outcome = report.outcome {
      let missing = report.omissions == 0 ? "" : ", \(Quantity.counted(report.omissions, "omission"))"
      let masked = report.redactions == 0 ? "" : ", \(Quantity.counted(report.redactions, "masked place"))"
      lines.append("outcome: \(PathBytes(outcome).display), \(Quantity.counted(report.items, "item"))\(missing)\(masked)")
    }
    if !report.digest.isEmpty { lines.append("sha256: \(report.digest)") }
    if let origin, !isOfAnother {
      lines.append("Made \(origin.receipt.finished), signed with the key \(origin.receipt.keyID).")
    } else if report.isIntact {
      lines.append("Who made it is not proven: compare the digest with the one that the sender tells.")
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  private var verdict: String {
    if !report.isIntact { return "does not verify" }
    return isOriginProven ? "intact, origin proven by the receipt" : "intact, origin not proven"
  }

  private var isOriginProven: Bool { report.isIntact && origin != nil && !isOfAnother }

  /// For programs.
  func json() -> [UInt8] {
    var json = JSONWriter(capacity: 4096)
    json.beginObject()
    json.member("bundle", path)
    json.member("intact", report.isIntact)
    json.member("originProven", isOriginProven)
    json.member("sha256", report.digest.isEmpty ? nil : report.digest)
    json.member("bytes", report.bytes)
    json.member("entries", report.entries)
    json.member("folder", report.topFolder)
    json.member("outcome", report.outcome)
    json.member("items", report.items)
    json.member("omissions", report.omissions)
    json.member("redactions", report.redactions)
    writeReceipt(&json)
    json.key("problems")
    json.beginArray()
    for problem in report.problems { json.string(problem) }
    if isOfAnother { json.string("the receipt is for another bundle") }
    json.endArray()
    json.member("unlistedProblems", report.unlistedProblems)
    json.endObject()
    json.raw("\n")
    return json.withBytes { Array($0) }
  }

  private func writeReceipt(_ json: inout JSONWriter) {
    json.key("receipt")
    guard let origin else { return json.null() }
    json.beginObject()
    json.member("isForThisBundle", !isOfAnother)
    json.member("sha256", origin.receipt.digest)
    json.member("key", origin.receipt.keyID)
    json.member("requestID", origin.receipt.requestID)
    json.member("started", origin.receipt.started)
    json.member("finished", origin.receipt.finished)
    json.endObject()
  }
}
