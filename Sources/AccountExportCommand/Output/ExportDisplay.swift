internal import AccountExport
internal import Files

/// Shows an export while it runs, and what came of it.
final class ExportDisplay: Sendable {
  private let console: Console
  private let bar: ProgressBar?
  private let lines: ProgressLines?

  /// How the options want it shown.
  init(_ options: ParsedOptions, _ console: Console) throws(CommandError) {
    self.console = console
    let how = try options.text(.progress)
    if options.has(.quiet) { console.audience = .quiet }
    if how == "json" { console.audience = .program }
    lines = how == "json" ? ProgressLines(console: console) : nil
    let wantsBar = how == "bar" || (how == nil && !options.has(.quiet))
    bar = wantsBar && Console.terminalWidth != nil ? ProgressBar(console: console) : nil
  }

  /// Takes note of what happens, from any thread.
  func take(_ event: ExportEvent) {
    bar?.take(event)
    lines?.take(event)
  }

  /// Says what came of the export.
  func finish(_ receipt: ExportReceipt, _ report: [ReportLine], bundle: PathBytes) {
    if let lines { return lines.finish(receipt, bundle: bundle) }
    for line in OmissionText.lines(receipt.manifest.omissions, report) { console.say(line) }
    for line in report where line.reason == Redaction.Reason.thirdParty.name { console.say("\(line.source)/\(line.path): \(line.message)") }
    let manifest = receipt.manifest
    let items = manifest.sources.reduce(0) { $0 + $1.items }
    let place = bundle == "-" ? "standard output" : bundle.display
    let outcome = receipt.outcome == .complete ? "complete" : "partial"
    console.say(
      "\(place): \(outcome), \(Quantity.counted(items, "item")) of \(Quantity.counted(manifest.sources.count, "source")), "
        + Quantity.bytes(receipt.bytes))
    console.say("sha256 \(receipt.digest)")
  }
}

/// What is missing, for the operator who started the export.
enum OmissionText {
  /// So many omissions are told one by one.
  private static let listed = 20

  /// A line for each omission that makes the bundle partial, with the technical detail where there is some.
  static func lines(_ omissions: [Omission], _ report: [ReportLine]) -> [String] {
    let missing = omissions.filter(\.reason.isMissing)
    var lines = missing.prefix(listed).map { omission in
      let detail = report.first { $0.source == omission.source && $0.path == omission.path && $0.reason == omission.reason.name }
      let count = omission.count.map { " (\(Quantity.counted($0, "item")))" } ?? ""
      return "\(place(omission)): \(omission.reason.name)\(count): \(detail?.message ?? omission.reason.sentence)"
    }
    if missing.count > listed {
      lines.append("and \(Quantity.grouped(missing.count - listed)) more that are missing; the bundle names them all, and so does --report")
    }
    return lines
  }

  private static func place(_ omission: Omission) -> String {
    let path = omission.path
    return path == omission.source || path.isEmpty ? omission.source : "\(omission.source)/\(path)"
  }
}
