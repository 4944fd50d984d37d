internal import AccountExport
internal import BundleView
internal import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Command {
  /// What the command does without a command's name.
  static let export = Command(
    name: "export", summary: "writes a bundle",
    about: ["Puts everything an account holds into one ZIP that its owner can open, a machine", "can read and anyone can check."],
    usages: [
      "account-export --out FILE                    with ./account-export.json",
      "account-export --out FILE --config FILE      with another configuration",
      "account-export --out FILE --container DIR    with an app container",
      "account-export --out FILE --app ID           with an app's folders, by its id",
      "account-export --out FILE --preferences PATH --documents DIR --records STORE",
    ],
    sections: [sourceOptions, outputOptions, requestOptions, pageOptions, shownOptions, general],
    remarks: [
      "The bundle appears complete and verified, or not at all. What the command line",
      "names is added to the configuration; its other options go before it.",
      "SOURCE_DATE_EPOCH, seconds since 1970, stands for the time of the export.",
    ],
    statuses: ExitStatus.all.map(\.status),
    run: { options, console in try await export(options, console) })

  /// What says what is exported.
  static let sourceOptions = OptionSection(
    title: "what is exported",
    options: [
      .config, .container, .app, .preferences, .documents, .records, .command, .subject, .manifestOnly, .include, .exclude,
      .includeSecrets,
    ])
  static let outputOptions = OptionSection(title: "where it goes", options: [.out, .force, .csv, .level, .jobs, .temp, .receipt, .state])
  static let requestOptions = OptionSection(
    title: "what is told of it", options: [.requestID, .appName, .appVersion, .bundleIdentifier, .environment])
  static let pageOptions = OptionSection(title: "the pages for people", options: [.language, .noView])
  static let shownOptions = OptionSection(title: "what is shown", options: [.progress, .quiet, .report])

  private static func export(_ options: ParsedOptions, _ console: Console) async throws -> ExitStatus {
    let display = try ExportDisplay(options, console)
    let job = try ExportJob(options)
    guard let out = job.out else {
      throw CommandError.usage("--out is missing: where shall the bundle go?", hint: "--out FILE, or - for standard output")
    }
    if out == "-" && StandardOutput.isTerminal {
      throw CommandError.usage("standard output is a terminal, which a bundle would upset", hint: "redirect it, or name a file with --out")
    }
    try checkOutputs(of: job, out)
    if options.has(.state) && job.receipt == nil { throw CommandError.usage("--state is for --receipt, which isn't given") }
    let report = try job.report.map { try PrivateFile(path: $0, replacing: options.has(.force)) }
    let receiptFile = try job.receipt.map { try ReceiptFile(path: $0, state: job.state, replacing: options.has(.force)) }
    let exporter = AccountExporter(
      sources: try job.makeSources(), pages: job.view.map { .view($0) }, resources: job.resources, events: { display.take($0) })
    let result: Result<ExportReceipt, any Error>
    do {
      let receipt =
        out == "-"
        ? try await exporter.export(job.request, streamingTo: STDOUT_FILENO)
        : try await exporter.export(job.request, to: out, replacing: options.has(.force))
      result = .success(receipt)
    } catch {
      result = .failure(error)
    }
    console.clearBar()
    // Where the export has failed, the report is needed most.
    try report?.write(ReportText.json(result, exporter.report, bundle: out))
    let receipt = try result.get()
    try receiptFile?.write(receipt)
    display.finish(receipt, exporter.report, bundle: out)
    return receipt.outcome == .complete ? .complete : .partial
  }

  /// Refuses outputs that are one file, or one of the inputs.
  private static func checkOutputs(of job: ExportJob, _ out: PathBytes) throws(CommandError) {
    let outputs = [("--out", out == "-" ? nil : out), ("--report", job.report), ("--receipt", job.receipt)].compactMap { option, path in
      path.map { (option: option, path: $0) }
    }
    let inputs = InputGuard(job.sources, configuration: job.configuration, state: job.state)
    for (index, output) in outputs.enumerated() {
      for other in outputs[..<index] where InputGuard.isOnePlace(output.path, other.path) {
        throw .usage("\(other.option) and \(output.option) name the same file: \(output.path.display)")
      }
      try inputs.check(output.path, option: output.option)
    }
  }
}
