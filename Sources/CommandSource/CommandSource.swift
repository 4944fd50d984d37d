public import AccountExport
public import Files
internal import Processes

/// A program of the user's that writes what it holds of the account to its standard output: records as lines of JSON, or documents as a tar.
///
/// <doc:Protocol> describes what it writes, what it finds in its environment, and what becomes of it. No shell is between, nothing of this
/// process is inherited but a few variables, and all that the program starts ends with it. One that ends with a status other than 0, by a
/// signal, beyond a limit or without having said that it is done is a failed source: what it had given stays inside, and the bundle says so.
public struct CommandSource: PlannableSource {
  /// What a program writes.
  public enum Output: String, Sendable {
    /// Collections of records, a line of JSON each.
    case records
    /// A tar stream of documents.
    case documents
  }

  /// `records/` or `documents/`, and the name that was given.
  public let name: String
  /// `command`
  public var kind: String { "command" }
  /// How long the program may be waited for, in all. Time in which its output waits for the bundle does not count.
  public var timeLimit = Duration.seconds(600)
  /// How many bytes it may write; documents count with their holes.
  public var outputLimit: UInt64 = 16 << 30
  /// Variables for it beside those of the protocol; they go before what is passed on.
  public var environment: [String: String] = [:]
  /// Names of this process's variables that are passed on, beside `PATH`, `HOME`, `LANG`, `LC_ALL`, `LC_CTYPE` and `TMPDIR`.
  public var inherited: [String] = []
  /// Where it starts; nil is this process's own folder. A relative path of the program counts from it.
  public var folder: PathBytes?
  /// The controller's id of the request, for its environment.
  public var requestID: String?

  let arguments: [PathBytes]
  let output: Output

  /// A program.
  /// - Parameters:
  ///   - run: The program and its arguments, which arrive as they are. A name without a slash is looked for in `PATH`.
  ///   - name: What the source is called in the bundle.
  ///   - output: What the program writes.
  public init(_ run: [PathBytes], named name: String, writing output: Output = .records) {
    arguments = run
    self.output = output
    self.name = output.rawValue + "/" + name
  }

  // MARK: Export

  /// Runs the program, and pushes what it writes. Cancelling ends it and all that it has started.
  public func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
    let call = try call(for: subject)
    let wake = try Wake()
    try await withTaskCancellationHandler {
      // The program decides how long this takes: it is waited for on a thread of its own.
      try await withWaitingThread { try await run(call, wake, &writer) }
    } onCancel: {
      wake.signal()
    }
  }

  @concurrent
  private func run(_ call: ProgramCall, _ wake: Wake, _ writer: inout EntryWriter) async throws {
    try Task.checkCancellation()
    var program: RunningProgram
    do throws(ProcessError) {
      program = RunningProgram(try ChildProcess(call, timeLimit: timeLimit, wake: wake), outputLimit: outputLimit)
    } catch {
      throw ExportError(error.code == .notStarted ? .badInput : .source, "the program can't be started", cause: error)
    }
    do {
      switch output {
      case .records:
        var records = RecordsExport(folder: try writer.privateFolder(), limits: writer.limits)
        try await records.run(&program, &writer)
      case .documents:
        var documents = try DocumentsExport(limit: outputLimit)
        try await documents.run(&program, &writer)
      }
      try program.finish()
    } catch {
      throw program.ended(by: error)
    }
  }

  // MARK: Plan

  /// Names the program, and does not run it: what it holds is not known beforehand.
  public func plan(for subject: DataSubject, depth: PlanDepth) async throws -> SourcePlan {
    let call = try call(for: subject)
    do throws(ProcessError) { _ = try call.program() } catch { throw ExportError(.badInput, "the program can't be started", cause: error) }
    return SourcePlan(parts: [SourcePlan.Part(name: "\(call.name) (a program, which is not run for a plan)")])
  }
}
