/// A place that holds data of an account. It has one duty: push what it holds into the writer that it is handed.
///
/// A source throws what it can't handle: the core makes an omission of it, and the other sources go on. What can't be read inside a source
/// is named with `EntryWriter.omit`, never swallowed.
public protocol ExportSource: Sendable {
  /// The source's folder inside the bundle's `data/`: `preferences`, `documents/Documents`, `records/Notes`. The core makes it safe and
  /// unique; `EntryWriter.folder` is what became of it.
  var name: String { get }

  /// What kind of source this is, for the manifest: `preferences`, `documents`, `sqlite` …
  var kind: String { get }

  /// Pushes everything that the source holds of the subject into the writer.
  ///
  /// It runs where the source lives: an actor can implement it, and so can a class of a global actor, which has to write `@MainActor` before
  /// this method too, or conform in an extension.
  func export(for subject: DataSubject, into writer: inout EntryWriter) async throws
}

/// A source that can say beforehand what it holds.
public protocol PlannableSource: ExportSource {
  /// What would be exported, without writing anything.
  func plan(for subject: DataSubject, depth: PlanDepth) async throws -> SourcePlan

  /// Whether even its sizes take a walk through all that it holds: an export counts those while it reads already. Others are asked before it
  /// begins, so that a disk that can't hold their private copies is told before one is made.
  var isSlowToPlan: Bool { get }
}

extension PlannableSource {
  /// false
  public var isSlowToPlan: Bool { false }
}

/// How much work a plan may be.
public enum PlanDepth: Sendable {
  /// Sizes only, as the file system tells them: for progress and for the check of free space.
  case sizes
  /// Every collection with its count.
  case counts
}

/// What a source would export.
public struct SourcePlan: Sendable {
  /// One collection, file or group of files.
  public struct Part: Sendable {
    /// Its name inside the source.
    public var name: String
    /// How many records, files or the like; nil where it isn't known.
    public var items: Int?
    /// Bytes in the source, where known.
    public var bytes: UInt64?
    /// Why it would not be exported, where it would not.
    public var leftOut: Omission.Reason?

    /// A part of a plan.
    public init(name: String, items: Int? = nil, bytes: UInt64? = nil, leftOut: Omission.Reason? = nil) {
      self.name = name
      self.items = items
      self.bytes = bytes
      self.leftOut = leftOut
    }
  }

  /// All items, where known.
  public var items: Int?
  /// All bytes to be read, where known.
  public var bytes: UInt64?
  /// Bytes that a private copy takes on the disk while the source is read (a store's snapshot).
  public var copiedBytes: UInt64 = 0
  /// The parts, in the order of the bundle.
  public var parts: [Part] = []

  /// A plan.
  public init(items: Int? = nil, bytes: UInt64? = nil, copiedBytes: UInt64 = 0, parts: [Part] = []) {
    self.items = items
    self.bytes = bytes
    self.copiedBytes = copiedBytes
    self.parts = parts
  }
}
