internal import AccountExport
internal import Files
internal import Ownership

extension Command {
  /// `account-export init`
  static let `init` = Command(
    name: "init", summary: "writes a commented configuration for what it finds",
    about: [
      "Writes a configuration for what is in an app's container, in an app's folders or",
      "in what is named: JSON with comments, which an export then reads.",
    ],
    usages: [
      "account-export init --container DIR          to ./account-export.json", "account-export init --app ID --out FILE",
      "account-export init --preferences PATH --documents DIR --records STORE",
    ],
    sections: [
      OptionSection(
        title: "what is exported",
        options: [
          .container, .app, .preferences, .documents, .records, .subject, .manifestOnly, .include, .exclude, .includeSecrets,
        ]),
      OptionSection(title: "where it goes", options: [.configurationOut, .forceConfiguration]), requestOptions, general,
    ],
    remarks: [
      "Comments tell what was found, with its counts, and what an export would leave",
      "out. What the law has told beside the data is there to be filled in. Of a shared",
      "database with --subject, it proposes references, and asks what keys don't tell.",
    ],
    statuses: [.complete, .usage, .badInput, .outputExists, .inputOutput, .notPermitted, .interrupted],
    run: { options, console in try await initialize(options, console) })

  private static func initialize(_ options: ParsedOptions, _ console: Console) async throws -> ExitStatus {
    guard SourceSettings.are(in: options) else {
      throw CommandError.usage(
        "init needs something to look at",
        hint: "name it with --container, --app, --preferences, --documents or --records")
    }
    let out = options[.configurationOut] ?? Configuration.usualPath
    let job = try ExportJob(options, readsConfiguration: false)
    if out != "-" { try InputGuard(job.sources, configuration: nil, state: nil).check(out, option: "--out") }
    let file = out == "-" ? nil : try PrivateFile(path: out, replacing: options.has(.force))
    let plans = await AccountExporter(sources: try job.makeSources()).plan(job.request, depth: .counts)
    let walks = try await walks(of: job, plans)
    try Task.checkCancellation()
    let folder = out == "-" ? "." : out.parent
    let text = try ConfigurationText(job: job, options: options, plans: plans, walks: walks, folder: folder).text()
    guard let file else {
      try StandardOutput.write(text)
      return .complete
    }
    try file.write(Array(text.utf8))
    console.say("\(out.display): a configuration for \(Quantity.counted(plans.count, "source"))")
    return .complete
  }

  /// The plan of the walk to the subject's rows for each store that is named, in order; nil where there is none, or the store can't be read.
  private static func walks(of job: ExportJob, _ plans: PlanText.Plans) async throws -> [OwnershipPlan?] {
    var walks: [OwnershipPlan?] = []
    var rest = plans[...]
    for store in try job.records() {
      // The sources stand in the same order, with others around.
      while let first = rest.first, first.source.name != store.name { rest.removeFirst() }
      guard case (let source, .success)? = rest.popFirst(), let walking = source as? any SubjectWalking else {
        walks.append(nil)
        continue
      }
      walks.append(try await walking.walk()?.plan)
    }
    return walks
  }
}
