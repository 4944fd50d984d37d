package import AccountExport
internal import Processes

/// What is said of a store's files, for one export of it.
package struct FileColumns: Sendable {
  package let columns: [FileColumn]
  /// Ends the programs that give files when the export is cancelled; nil where no program does.
  let wake: Wake?

  /// For an export that runs no program: a plan.
  package init(_ columns: [FileColumn]) { (self.columns, wake) = (columns, nil) }

  private init(_ columns: [FileColumn], _ wake: Wake) { (self.columns, self.wake) = (columns, wake) }

  private static func isProgram(_ column: FileColumn) -> Bool { if case .program = column.place { true } else { false } }

  /// Exports rows, of which programs may give the files: these are waited for on a thread of its own, and end where the export is cancelled.
  /// - Parameter body: Exports. It is `@concurrent`, and so is what it calls.
  package static nonisolated(nonsending) func export(
    _ columns: [FileColumn], into writer: inout EntryWriter, _ body: @concurrent (FileColumns, inout EntryWriter) async throws -> Void
  ) async throws {
    let wake: Wake
    do throws(ProcessError) { wake = try Wake() } catch { throw ExportError(.source, "no program can be run", cause: error) }
    let files = FileColumns(columns, wake)
    try await withTaskCancellationHandler {
      try await withWaitingThread { try await body(files, &writer) }
    } onCancel: {
      wake.signal()
    }
  }

  /// Whether programs give files of these columns.
  package static func needPrograms(_ columns: [FileColumn]) -> Bool { columns.contains(where: isProgram) }
}
