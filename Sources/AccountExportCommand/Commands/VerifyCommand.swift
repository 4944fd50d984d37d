internal import AccountExport
internal import Files

extension Command {
  /// `account-export verify`
  static let verify = Command(
    name: "verify", summary: "re-reads a bundle: every checksum, count and schema",
    about: [
      "Re-reads a bundle, and tells everything that is wrong with it: structure, names,", "checksums both ways, counts, schemas.",
    ],
    usages: [
      "account-export verify BUNDLE", "account-export verify -          the bundle comes from standard input",
      "account-export verify BUNDLE --receipt FILE --key PUBLIC-KEY",
    ],
    operand: "BUNDLE",
    sections: [
      OptionSection(title: "what is checked", options: [.receiptToCheck, .key, .state]), OptionSection(title: "output", options: [.json]),
      general,
    ],
    remarks: [
      "Intact says that nothing was changed or lost by accident. It doesn't prove who",
      "made the bundle: compare the digest with the one that the sender tells, or check",
      "a receipt of the sender's with the sender's public key.",
    ],
    statuses: [.complete, .usage, .badInput, .inputOutput, .notPermitted, .interrupted], endsAtOnce: true,
    run: { options, console in try verify(options, console) })

  private static func verify(_ options: ParsedOptions, _ console: Console) throws -> ExitStatus {
    guard let path = options.operands.first else {
      throw CommandError.usage("verify needs a bundle: account-export verify BUNDLE", hint: "- reads it from standard input")
    }
    // Reading a bundle may take long: what can be wrong beside it is known before.
    let origin = try OriginCheck(options)
    let report = try check(path)
    let text = VerificationText(path: path, report: report, origin: origin)
    try StandardOutput.write(options.has(.json) ? text.json() : text.text())
    return report.isIntact && !text.isOfAnother ? .complete : .badInput
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
