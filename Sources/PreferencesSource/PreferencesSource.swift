public import AccountExport
public import Files
internal import PropertyLists

/// Preferences: property lists of all kinds and JSON files, told apart by what is in them, whatever they are called.
///
/// Each becomes `preferences/<name>.json` with its root value, where `<name>` is the file's without `.plist` or `.json`. In a folder every
/// regular file counts, at any depth; links are named and not followed. A file that is none, is broken or can't be read is an omission
/// `unreadable`, and the others go on; where nothing at all could be read, the source has failed.
public struct PreferencesSource: PlannableSource {
  /// `preferences`
  public let name: String
  /// `preferences`
  public var kind: String { "preferences" }
  /// Bytes that a file may have; a larger one is an omission `limit`. A file is read whole, so this also bounds the memory.
  public var largestFile: UInt64 = 64 << 20

  /// Files of one folder that are exported, and no others there.
  public struct Selection: Sendable {
    /// The folder; a link in the last place of its path is followed.
    public var folder: PathBytes
    /// The files' paths below it. On the way to them no link is followed.
    public var files: [PathBytes]
    /// What the bundle calls the folder, where files of several are exported.
    public var label: String?

    /// Files of a folder.
    public init(folder: PathBytes, files: [PathBytes], label: String? = nil) {
      (self.folder, self.files, self.label) = (folder, files, label)
    }
  }

  /// Files that were chosen, after the others.
  public var selections: [Selection] = []

  private let inputs: [PathBytes]

  /// Files, and folders of them, by their paths. A link in the last place of a path is followed: the user named it.
  public init(files: [PathBytes], named name: String = "preferences") {
    self.inputs = files
    self.name = name
  }

  // MARK: Export

  /// Pushes every file, in the order of the inputs, in a folder in that of the names' bytes.
  public func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
    var account = Account()
    for input in inputs {
      try Task.checkCancellation()
      let found: PreferenceFiles
      do { found = try PreferenceFiles(input) } catch {
        account.failed(input.lastComponent, error, &writer)
        continue
      }
      try await export(found, of: input, &account, &writer)
    }
    for selection in selections {
      try Task.checkCancellation()
      let found: PreferenceFiles
      do { found = try PreferenceFiles(selection) } catch {
        account.failed(selection.folder.lastComponent, error, &writer)
        continue
      }
      try await export(found, of: selection.folder, &account, &writer)
    }
    if account.written == 0, let first = account.firstFailure {
      throw ExportError(.badInput, "none of the preferences could be read", cause: first)
    }
  }

  private func export(
    _ found: PreferenceFiles, of input: PathBytes, _ account: inout Account, _ writer: inout EntryWriter
  ) async throws {
    for problem in found.problems { account.add(problem, &writer) }
    for file in found.files { try await export(file, of: input, &account, &writer) }
  }

  private func export(
    _ file: PreferenceFiles.File, of input: PathBytes, _ account: inout Account, _ writer: inout EntryWriter
  ) async throws {
    try Task.checkCancellation()
    let content: PreferenceContent
    do {
      let read = try FileContent(file, of: input, largest: largestFile)
      if read.hasChanged { writer.omit(path: file.path, .changed, detail: "it changed each time that it was read") }
      content = try PreferenceContent(read.bytes)
    } catch let error as FileTooLarge {
      return account.failed(file.path, error, &writer, as: .limit)
    } catch {
      return account.failed(file.path, error, &writer)
    }
    let shown = String(decoding: file.path.bytes, as: UTF8.self)
    let isWritten = try await writer.value(file.bundleName, original: file.isNested ? shown : nil) { (value) in
      try content.write(to: &value)
    }
    if isWritten { account.written += 1 } else { account.firstFailure = account.firstFailure ?? NotWritten(path: file.path) }
  }

  /// What came of the files so far.
  private struct Account {
    var written = 0
    var firstFailure: (any Error)?

    mutating func failed(_ path: PathBytes, _ error: any Error, _ writer: inout EntryWriter, as reason: Omission.Reason = .unreadable) {
      firstFailure = firstFailure ?? error
      writer.omit(path: path, reason, detail: String(describing: error))
    }

    mutating func add(_ problem: PreferenceFiles.Problem, _ writer: inout EntryWriter) {
      if problem.reason.isMissing { firstFailure = firstFailure ?? NotWritten(path: problem.path) }
      writer.omit(path: problem.path, problem.reason, detail: problem.detail)
    }
  }

  // MARK: Plan

  /// Counts the files and their bytes; none is opened. A file that turns out to be no preferences file is counted too.
  public func plan(for subject: DataSubject, depth: PlanDepth) async throws -> SourcePlan {
    var plan = SourcePlan(items: 0, bytes: 0)
    let looks = inputs.map { input in { try PreferenceFiles(input) } } + selections.map { selection in { try PreferenceFiles(selection) } }
    for look in looks {
      try Task.checkCancellation()
      let found = try look()
      for file in found.files {
        let isTooLarge = file.size > largestFile
        plan.parts.append(SourcePlan.Part(name: file.path.display, items: 1, bytes: file.size, leftOut: isTooLarge ? .limit : nil))
        if isTooLarge { continue }
        plan.items = (plan.items ?? 0) + 1
        plan.bytes = (plan.bytes ?? 0) + file.size
      }
      for problem in found.problems {
        plan.parts.append(SourcePlan.Part(name: problem.path.display, items: 1, leftOut: problem.reason))
      }
    }
    return plan
  }
}

/// A file that could be read and not be written down; the writer has named the reason.
struct NotWritten: Error, CustomStringConvertible {
  let path: PathBytes

  var description: String { "\(path.display) is not inside" }
}
