internal import AccountDeletion
internal import Files

extension FilesStep {
  /// How many things there are of each kind, in a fixed order.
  static func counts(_ things: [PlannedThing]) -> [StepCount] {
    let kinds: [(FileStatus.Kind, String)] = [(.file, "files"), (.folder, "folders"), (.link, "links"), (.special, "special files")]
    return kinds.compactMap { kind, name in
      let those = things.filter { $0.kind == kind }
      if those.isEmpty { return nil }
      return StepCount(name, those.count, bytes: kind == .file ? those.reduce(0) { $0 + $1.size } : nil)
    }
  }

  /// What has come of a list, by what is there now: the same whether it was worked through at once or after a crash.
  func outcome(_ list: ThingList, _ found: FoundThings) -> StepOutcome {
    let there = Dictionary(found.list.things.map { ($0.path, $0) }) { first, _ in first }
    let planned = Set(list.things.map(\.path))
    let come = found.list.things.filter { !planned.contains($0.path) }.map(\.path)
    var (gone, changed, full): ([PlannedThing], [PathBytes], Int) = ([], [], 0)
    for thing in list.things {
      if let now = there[thing.path] {
        if thing.kind == .folder && now.isStill(thing) { full += 1 } else { changed.append(thing.path) }
      } else {
        gone.append(thing)
      }
    }
    var outcome = StepOutcome()
    outcome.removed = Self.counts(gone)
    let stays: [(String, Int, String)] = [
      ("things", come.count, "They came after the plan was made."), ("things", changed.count, "They have changed since the plan was made."),
      ("folders", full, "They hold what stays."),
    ]
    outcome.retained = stays.filter { $0.1 > 0 }.map { Remainder($0.0, $0.1, reason: $0.2) } + found.retained
    outcome.unreachable = found.unreachable + list.namedElsewhere
    outcome.messages =
      Self.told(come, "came after the plan") + Self.told(changed, "has changed since the plan")
      + Self.told(found.unreadable, "can't be read")
    if !outcome.retained.isEmpty || !outcome.unreachable.isEmpty { outcome.byHand = ["Look at what stays in \(id), and decide on it."] }
    return outcome
  }

  /// The first of them by name.
  static func told(_ paths: [PathBytes], _ what: String) -> [String] {
    let told = 100
    let lines = paths.prefix(told).map { "\($0.display) \(what)" }
    return paths.count > told ? lines + ["\(paths.count - told) more \(what)"] : lines
  }
}

extension FoundThings {
  /// What stays on purpose.
  var retained: [Remainder] {
    [("things", leftOut, "The export leaves them out."), ("bundles", earlierBundles, "They are bundles of earlier exports.")]
      .filter { $0.1 > 0 }.map { Remainder($0.0, $0.1, reason: $0.2) }
  }

  /// What can't be read.
  var unreachable: [Remainder] {
    unreadable.isEmpty ? [] : [Remainder("things", unreadable.count, reason: "They can't be read.")]
  }
}

extension ThingList {
  /// Files that have more names than are in the list: under the others, they stay.
  var namedElsewhere: [Remainder] {
    var missing: [UInt64: Int] = [:]
    for thing in things where thing.kind == .file && thing.links > 1 {
      missing[thing.inode] = (missing[thing.inode] ?? Int(clamping: thing.links)) - 1
    }
    let count = missing.values.count { $0 > 0 }
    return count == 0 ? [] : [Remainder("files", count, reason: "They have another name elsewhere, under which they stay.")]
  }
}
