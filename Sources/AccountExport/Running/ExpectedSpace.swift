/// Says how much is to be read, and refuses where the disk can't hold the private copies and a tenth of the data.
struct ExpectedSpace: Sendable {
  let request: ExportRequest
  let sources: [any ExportSource]
  let staging: StagingFolder
  let events: ExportEvents

  /// What the sources that were asked expect.
  struct Sizes: Sendable {
    /// nil where a source can't tell.
    fileprivate(set) var items: Int? = 0
    fileprivate(set) var bytes: UInt64 = 0
    fileprivate(set) var copied: UInt64 = 0
  }

  /// Asks the sources that answer at once.
  func beforeReading() async throws -> Sizes {
    var sizes = Sizes()
    for source in sources {
      guard let plannable = source as? any PlannableSource else {
        sizes.items = nil
        continue
      }
      if !plannable.isSlowToPlan { await ask(plannable, &sizes) }
    }
    try check(sizes)
    return sizes
  }

  /// Asks the others, for whom walking through a million files is what takes the time, and tells of all.
  func whileReading(_ before: Sizes) async throws {
    var sizes = before
    for case let source as any PlannableSource in sources where source.isSlowToPlan {
      try Task.checkCancellation()
      await ask(source, &sizes)
    }
    events.tell(.expected(items: sizes.items, bytes: sizes.bytes))
    try check(sizes)
  }

  private func ask(_ source: any PlannableSource, _ sizes: inout Sizes) async {
    do {
      let plan = try await source.plan(for: request.subject, depth: .sizes)
      sizes.bytes += plan.bytes ?? 0
      sizes.copied += plan.copiedBytes
      sizes.items = plan.items.flatMap { count in sizes.items.map { $0 + count } }
    } catch { return }  // a source that can't be planned says why when it is run
  }

  private func check(_ sizes: Sizes) throws {
    guard let free = staging.freeBytes else { return }
    let needed = sizes.copied + sizes.bytes / 10
    if free < needed {
      throw ExportError(
        .noSpace, "the disk has \(free) bytes free, and this export needs at least \(needed)",
        hint: "free some space, or name another folder with --temp")
    }
  }
}
