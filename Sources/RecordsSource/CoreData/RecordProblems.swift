import AccountExport

/// What is wrong with records, gathered while they are written: each thing by its name, as long as they are few.
struct RecordProblems {
  private var dangling = NamedCounts()
  private var missingFiles = NamedCounts()
  private var changedFiles = NamedCounts()
  private var unreadable = NamedCounts()

  /// A link to a record that isn't there.
  mutating func noteDangling(_ identifier: String, in place: @autoclosure () -> String) { dangling.add(identifier, else: place()) }

  /// A file that isn't there.
  mutating func noteMissing(file: String, in place: @autoclosure () -> String) { missingFiles.add(file, else: place()) }

  /// A file that changed while it was read, each time.
  mutating func noteChanged(file: String, in place: @autoclosure () -> String) { changedFiles.add(file, else: place()) }

  /// A link that is no number of a row.
  mutating func noteUnreadable(_ place: @autoclosure () -> String) { unreadable.add(place(), else: place()) }

  /// Names everything, in the order of the names.
  func report(to writer: inout EntryWriter) {
    for (counts, reason) in [
      (dangling, Omission.Reason.dangling), (missingFiles, .missingFile), (changedFiles, .changed), (unreadable, .unreadable),
    ] {
      for (name, count) in counts.sorted { writer.omit(name, reason, count: count) }
    }
  }
}
