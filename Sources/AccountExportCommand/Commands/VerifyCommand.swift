internal import AccountExport
internal import Files
internal import JSONStreaming

extension Command {
  /// `account-export verify`
  static let verify = Command(
    name: "verify", summary: "re-reads a bundle: every checksum, count and schema",
    about: [
      "Re-reads a bundle, and tells everything that is wrong with it: structure, names,", "checksums both ways, counts, schemas.",
    ],
    usages: ["account-export verify BUNDLE", "account-export verify -          the bundle comes from standard input"],
    operand: "BUNDLE",
    sections: [OptionSection(title: "output", options: [.json]), general],
    remarks: [
      "Intact says that nothing was changed or lost by accident. It doesn't prove who",
      "made the bundle: compare the digest with the one that the sender tells.",
    ],
    statuses: [.complete, .usage, .badInput, .inputOutput, .notPermitted, .interrupted], endsAtOnce: true,
    run: { options, console in try verify(options, console) })

  private static func verify(_ options: ParsedOptions, _ console: Console) throws -> ExitStatus {
    guard let path = options.operands.first else {
      throw CommandError.usage("verify needs a bundle: account-export verify BUNDLE", hint: "- reads it from standard input")
    }
    let report = try check(path)
    try StandardOutput.write(options.has(.json) ? VerificationText.json(report, of: path) : VerificationText.text(report, of: path))
    return report.isIntact ? .complete : .badInput
  }

  private static func check(_ path: PathBytes) throws -> VerificationReport {
    let file = try InputFile.open(path, standardInput: true)
    var verifier = try BundleVerifier()
    // What is no ZIP is refused at once. Only a file ends for sure: of one that is, the digest is told, whatever is wrong with it.
    let isFile: Bool
    do throws(FileError) { isFile = try file.status().kind == .file } catch { throw CommandError(error) }
    var wasCutShort = false
    try InputFile.each(piece: 256 << 10, of: file) { piece in
      verifier.feed(piece)
      wasCutShort = verifier.isDecided && (!isFile || verifier.entries == 0)
      return !wasCutShort
    }
    return try verifier.finish(wasCutShort: wasCutShort)
  }
}

/// What a check found, written out.
enum VerificationText {
  /// For people.
  static func text(_ report: VerificationReport, of path: PathBytes) -> [UInt8] {
    var lines = report.problems.map { "problem: \(PathBytes($0.replacing("\0", with: "\\x00")).display)" }
    if report.unlistedProblems > 0 { lines.append("problem: and \(Quantity.grouped(report.unlistedProblems)) more") }
    if !lines.isEmpty { lines.append("") }
    lines.append("\(path == "-" ? "standard input" : path.display): \(report.isIntact ? "intact, origin not proven" : "does not verify")")
    if let outcome = report.outcome {
      let missing = report.omissions == 0 ? "" : ", \(Quantity.counted(report.omissions, "omission"))"
      let masked = report.redactions == 0 ? "" : ", \(Quantity.counted(report.redactions, "masked place"))"
      lines.append("outcome: \(PathBytes(outcome).display), \(Quantity.counted(report.items, "item"))\(missing)\(masked)")
    }
    if !report.digest.isEmpty { lines.append("sha256: \(report.digest)") }
    if report.isIntact { lines.append("Who made it is not proven: compare the digest with the one that the sender tells.") }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// For programs.
  static func json(_ report: VerificationReport, of path: PathBytes) -> [UInt8] {
    var json = JSONWriter(capacity: 4096)
    json.beginObject()
    json.member("bundle", path)
    json.member("intact", report.isIntact)
    json.member("originProven", false)
    json.member("sha256", report.digest.isEmpty ? nil : report.digest)
    json.member("bytes", report.bytes)
    json.member("entries", report.entries)
    json.member("folder", report.topFolder)
    json.member("outcome", report.outcome)
    json.member("items", report.items)
    json.member("omissions", report.omissions)
    json.member("redactions", report.redactions)
    json.key("problems")
    json.beginArray()
    for problem in report.problems { json.string(problem) }
    json.endArray()
    json.member("unlistedProblems", report.unlistedProblems)
    json.endObject()
    json.raw("\n")
    return json.withBytes { Array($0) }
  }
}
