internal import AccountExport
internal import AppContainers
internal import Files

extension Command {
  /// `account-export open`
  static let open = Command(
    name: "open", summary: "verifies a bundle, unpacks it for you alone, and opens its first page",
    about: ["Verifies a bundle, unpacks it into a private folder of yours, and opens its", "first page in the browser."],
    usages: [
      "account-export open BUNDLE", "account-export open BUNDLE --receipt FILE --key PUBLIC-KEY", "account-export open BUNDLE --print-path",
      "account-export open --clean",
    ],
    operand: "BUNDLE",
    sections: [
      OptionSection(title: "what is done", options: [.printPath, .clean]),
      OptionSection(title: "what is checked", options: [.receiptToCheck, .key, .state]), OptionSection(title: "output", options: [.quiet]),
      general,
    ],
    remarks: [
      "What doesn't verify isn't unpacked, nor what is another bundle than the one of",
      "a receipt that is given. The folder lies in your home, since a",
      "browser in a sandbox sees no other. The next open removes it, and so does",
      "open --clean.",
    ],
    statuses: [.complete, .failure, .usage, .badInput, .inputOutput, .notPermitted, .interrupted],
    interrupted: "nothing of it stays unpacked",
    run: { options, console in try open(options, console) })

  private static func open(_ options: ParsedOptions, _ console: Console) throws -> ExitStatus {
    if options.has(.quiet) { console.audience = .quiet }
    let origin = try OriginCheck(options)
    if options.has(.clean) {
      if let path = options.operands.first { throw CommandError.usage("--clean opens no bundle: \(path.display)") }
      if options.has(.printPath) { throw CommandError.usage("--clean opens no bundle, so that --print-path has nothing to print") }
      if origin != nil { throw CommandError.usage("--clean opens no bundle, so that --receipt has nothing to check") }
      return try clean(console)
    }
    guard let path = options.operands.first else {
      throw CommandError.usage("open needs a bundle: account-export open BUNDLE", hint: "--clean removes what was unpacked earlier")
    }
    let browser = try options.has(.printPath) ? nil : PageOpener.find()
    let page = try unpack(path, origin, console)
    guard let browser else {
      try StandardOutput.write(page.bytes + [UInt8(ascii: "\n")])
      return .complete
    }
    if let origin { console.say("made \(origin.receipt.finished), signed with the key \(origin.receipt.keyID)") }
    console.say("unpacked for you alone; the next open, or account-export open --clean, removes it")
    try browser.open(page)
    return .complete
  }

  /// Where bundles are unpacked.
  private static func place() throws(CommandError) -> PathBytes {
    do throws(DiscoveryError) {
      let folders = try UserFolders.current()
      let data = folders.layout == .library ? folders.home.appending("Library/Application Support") : folders.data
      return data.appending("account-export/open")
    } catch {
      throw CommandError(.badInput, error.message, hint: error.hint)
    }
  }

  private static func clean(_ console: Console) throws -> ExitStatus {
    guard let opened = try OpenedBundles.find(in: place()) else { return .complete }
    tell(busy: try opened.removeEarlier().busy, console)
    return .complete
  }

  private static func tell(busy: Int, _ console: Console) {
    if busy > 0 { console.say("\(Quantity.counted(busy, "bundle")) left, which another open is unpacking") }
  }

  private static func unpack(_ path: PathBytes, _ origin: OriginCheck?, _ console: Console) throws -> PathBytes {
    let file = try InputFile.open(path)
    guard try file.status().kind == .file else { throw CommandError(.badInput, "\(path.display) is no file: it is read twice") }
    let report = try verify(file, path)
    if let origin, !origin.receipt.isFor(report) {
      throw CommandError(.badInput, "\(path.display) is another bundle than the one of the receipt")
    }
    let opened = try OpenedBundles.make(in: place())
    do throws(ExportError) { tell(busy: try opened.removeEarlier().busy, console) } catch {
      // That doesn't keep this bundle from being looked at.
      console.say(error.description)
    }
    return try opened.unpack(file, verified: report)
  }

  private static func verify(_ file: borrowing FileDescriptor, _ path: PathBytes) throws -> VerificationReport {
    var verifier = try BundleVerifier()
    try InputFile.each(piece: 256 << 10, of: file) { (piece) throws(CommandError) in
      if Task.isCancelled { throw CommandError(.interrupted, "interrupted") }
      verifier.feed(piece)
      return !verifier.isDecided
    }
    let isCut = verifier.isDecided
    let report = try verifier.finish(wasCutShort: isCut)
    if let problem = report.problems.first {
      throw CommandError(.badInput, "\(path.display) does not verify: \(problem)", hint: "account-export verify tells all that is wrong")
    }
    return report
  }
}
