public import AccountDeletion
internal import Checksums
public import DocumentsSource
public import Files

/// Which files of a folder are the account's: the same choice as its export's (`DocumentsSource`).
public struct FileChoice: Sendable {
  /// Only what these match, or what lies in a folder that they match; everything where there are none.
  public var include = IgnorePatterns()
  /// Never what these match.
  public var exclude = IgnorePatterns()
  /// Never what this names.
  public var leftOut = LeftOut()

  /// Everything.
  public init() {}
}

/// Deletes the files of one registered folder, or the files of one store in it.
///
/// The folder itself stays. In it goes what the walk of the export gives, and what is as it was when the plan was made: by device, number, size
/// and times. What has come or changed since stays, and is told, as is what the export leaves out. No link is followed: a link goes, what it
/// leads to stays. Nothing is deleted where another file system is mounted in the folder, or where the folder is, contains or lies in one that is
/// protected (``ProtectedFolders``).
public struct FilesStep: DeletionStep {
  /// What lies in the folder that is meant.
  private enum Meant {
    case all(FileChoice)
    case store(PathBytes)
  }

  /// `files/` or `stores/`, and a name that says nothing of the person.
  public let id: String
  /// `files`
  public var stage: DeletionStage { .files }

  private let place: PathBytes
  private let meant: Meant
  private let protected: ProtectedFolders

  /// Deletes what lies in a folder.
  ///
  /// - Parameters:
  ///   - folder: An absolute path, without `..`, in which no component is a link.
  ///   - name: What the step is called after `files/`.
  public init(_ folder: PathBytes, named name: String, _ choice: FileChoice = FileChoice(), protected: ProtectedFolders) {
    (id, place, meant, self.protected) = ("files/" + name, folder, .all(choice), protected)
  }

  /// Deletes a whole store: the database, what SQLite keeps beside it, and the folder in which Core Data keeps its large values.
  public init(store: PathBytes, named name: String, protected: ProtectedFolders) {
    (id, place, meant, self.protected) = ("stores/" + name, store.parent, .store(store.lastComponent), protected)
  }

  /// Counts what would go, by the walk of the export.
  public func plan() async throws -> StepPlan {
    let found = try look()
    var plan = StepPlan(detail: found.list.text)
    plan.removed = Self.counts(found.list.things)
    plan.retained = found.retained
    plan.unreachable = found.unreachable + found.list.namedElsewhere
    plan.messages = Self.told(found.unreadable, "can't be read")
    return plan
  }

  /// Removes what is still as it was planned, and counts what is gone.
  public func run(_ plan: StepPlan) async throws -> StepOutcome {
    let list = try list(plan)
    let root = try open()
    try check(root.status, list)
    var removal = try FileRemoval(list, in: root, at: place, isStore: isStore, digest: try Self.digest(plan.detail))
    try removal.run()
    return outcome(list, try look())
  }

  /// Looks whether anything is left of what was planned, as it was planned.
  public func verify(_ plan: StepPlan) async throws {
    let list = try list(plan)
    let found = try look()
    let there = Dictionary(found.list.things.map { ($0.path, $0) }) { first, _ in first }
    for thing in list.things where thing.kind != .folder && there[thing.path].map({ $0.isStill(thing) }) == true {
      throw DeletionError(.step, "\(place.appending(thing.path).display) is still there")
    }
  }
}

extension FilesStep {
  private func open() throws(DeletionError) -> RegisteredRoot {
    if case .store(let name) = meant, ["", ".", ".."].contains(name) {
      throw DeletionError(.refused, "\(place.appending(name).display) is no store's path")
    }
    return try RegisteredRoot.open(place, protected: protected, isWhole: !isStore)
  }

  private var isStore: Bool { if case .store = meant { true } else { false } }

  private func look() throws -> FoundThings {
    let root = try open()
    var found = FoundThings(root: root.status, at: place, closed: try protected.closedThings())
    switch meant {
    case .all(let choice): try found.add(try root.folder.folder("."), at: "", choice)
    case .store(let name): try found.add(store: name, in: root.folder)
    }
    return found
  }

  private func list(_ plan: StepPlan) throws(DeletionError) -> ThingList {
    guard let list = ThingList(plan.detail) else { throw DeletionError(.journal, "the plan of \(id) can't be read") }
    return list
  }

  private func check(_ status: FileStatus, _ list: ThingList) throws(DeletionError) {
    if !list.root.isSame(as: status) {
      throw DeletionError(.refused, "\(place.display) is another folder than when the plan was made")
    }
  }

  private static func digest(_ text: String) throws(ChecksumError) -> String {
    var hasher = try SHA256.make()
    Array(text.utf8).withUnsafeBytes { hasher.update($0) }
    return try hasher.finish().hex
  }
}
