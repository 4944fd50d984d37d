public import Files

/// What was found in an app's folders: every file of theirs is among the preferences, the stores, the documents or what is left out, and in
/// one of them only.
public struct FoundData: Sendable, Equatable {
  /// Files of preferences in a folder.
  public struct Preferences: Sendable, Equatable {
    /// The folder, which the files are read below of.
    public var folder: PathBytes
    /// Their paths below it, in the order of the names' bytes.
    public var files: [PathBytes]
    /// What the folder is called where there are several: `SyncedPreferences`; nil for the app's own preferences.
    public var label: String?
    /// Bytes in the files.
    public var bytes: UInt64
  }

  /// A store of records, recognised by what it holds, whatever it is called.
  public struct Store: Sendable, Equatable {
    /// Its main file.
    public var path: PathBytes
    /// The file's name without its suffix; with the folder's before it where several stores are called so.
    public var name: String
    /// Bytes in the main file.
    public var bytes: UInt64
    /// Whether it is a SQLite database. If not, it is called like one and looks encrypted.
    public var isReadable: Bool
    /// Files and folders that belong to it: its log, its journal, its shared memory, the folder of its large values.
    public var belongings: [PathBytes]
  }

  /// A folder of documents, or a single one.
  public struct Documents: Sendable, Equatable {
    /// Where it lies.
    public var path: PathBytes
    /// What it is called in a bundle.
    public var name: String
    /// How many things are in it that are told nowhere else: files, links, special files and empty folders.
    public var items: Int
    /// Bytes in the files.
    public var bytes: UInt64
  }

  /// Something that is not exported, with the reason.
  public struct LeftOut: Sendable, Equatable {
    /// Where it lies.
    public var path: PathBytes
    /// Its path below the folder that was asked for.
    public var shown: String
    /// Why.
    public var reason: Reason
    /// How many files, links and special files are in it.
    public var items: Int
    /// Bytes in the files.
    public var bytes: UInt64
  }

  /// Why something is not exported.
  public enum Reason: Sendable, Equatable {
    /// What the app can make or fetch again.
    case cache
    /// What the app needed for a moment.
    case temporary
    /// Cookies of the web: whoever has them is signed in.
    case cookies
    /// Pictures that the system takes of the app's screens.
    case screenshots
    /// The program itself.
    case program
    /// An earlier state of what is exported.
    case olderCopy
    /// It may belong to the app; that it does must be said by naming it.
    case unclaimed
    /// A link stands where the app's folder would: what it leads to must be named.
    case link

    /// Whether nothing of the account is missing because of it.
    public var isHarmless: Bool { self != .unclaimed && self != .link }
  }

  /// Which app's they are, as far as the folders tell.
  public var app = AppIdentity()
  /// Preferences, as property lists or JSON.
  public var preferences: [Preferences] = []
  /// Stores of records.
  public var stores: [Store] = []
  /// Documents: everything that is nothing else.
  public var documents: [Documents] = []
  /// What is not exported.
  public var leftOut: [LeftOut] = []

  /// Nothing.
  public init() {}

  /// Whether there is nothing at all.
  public var isEmpty: Bool { preferences.isEmpty && stores.isEmpty && documents.isEmpty && leftOut.isEmpty }

  /// What lies in a folder of documents and is told as something else: nothing of it is a document.
  public var elsewhere: [PathBytes] {
    var paths = preferences.flatMap { group in group.files.map { group.folder.appending($0) } }
    for store in stores { paths += [store.path] + store.belongings }
    // A link is a document like any other link; what it leads to may be one elsewhere.
    return paths + documents.map(\.path) + leftOut.filter { $0.reason != .link }.map(\.path)
  }

  /// Adds what was found elsewhere.
  public mutating func add(_ other: FoundData) {
    app = app.completed(by: other.app)
    preferences += other.preferences
    stores += other.stores
    documents += other.documents
    leftOut += other.leftOut
  }

  /// Gives stores that are called alike the names of their folders too.
  mutating func nameStores(below root: PathBytes) {
    var counts: [String: Int] = [:]
    for store in stores { counts[store.name, default: 0] += 1 }
    for index in stores.indices where counts[stores[index].name, default: 0] > 1 {
      let parent = stores[index].path.parent
      let below = parent.bytes.starts(with: root.bytes) ? parent.bytes.dropFirst(root.bytes.count) : parent.bytes[...]
      let folders = below.split(separator: UInt8(ascii: "/"))
      let names = folders.map { String(decoding: $0, as: UTF8.self) }.filter { $0 != "Library" }.suffix(2)
      stores[index].name = (names + [stores[index].name]).joined(separator: " ")
    }
  }
}
