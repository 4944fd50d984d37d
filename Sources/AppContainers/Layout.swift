internal import Files

/// How folders of an app are treated, by their paths below where a survey begins. What isn't named lies in the folder above.
struct Layout {
  /// What is done with a folder.
  enum Treatment: Equatable {
    /// It is a root of documents of its own, under this name.
    case root(String)
    /// The property lists and JSON files in it are preferences.
    case preferences(label: String?)
    /// Nothing of it is exported.
    case leftOut(FoundData.Reason)
  }

  fileprivate var treatments: [PathBytes: Treatment] = [:]
  /// Whether a program (`Notes.app`) may lie beside the data.
  private(set) var hasProgram = false
  /// Whether cookies are exported: they are, where secrets are.
  private(set) var includesCookies: Bool

  init(includesCookies: Bool = false) { self.includesCookies = includesCookies }

  subscript(_ path: PathBytes) -> Treatment? {
    get { treatments[path] }
    set { treatments[path] = newValue }
  }

  /// An app's container. (Apple: File System Programming Guide, "iOS Standard Directories" and "macOS Library Directory Details".)
  static func container(below prefix: PathBytes, includesCookies: Bool) -> Layout {
    var layout = shared(below: prefix, includesCookies: includesCookies, label: nil)
    layout.hasProgram = true
    for (path, name) in [
      ("Documents", "Documents"), ("Library", "Library"), ("Library/Application Support", "Application Support"),
      ("Library/WebKit", "WebKit"), ("Library/Saved Application State", "Saved Application State"), ("SystemData", "SystemData"),
    ] { layout[prefix.appending(PathBytes(path))] = .root(name) }
    return layout
  }

  /// What an app's container and one that several apps share have alike.
  static func shared(below prefix: PathBytes, includesCookies: Bool, label: String?) -> Layout {
    var layout = Layout(includesCookies: includesCookies)
    let synced = label.map { $0 + "/SyncedPreferences" } ?? "SyncedPreferences"
    for (path, treatment): (String, Treatment) in [
      ("Library/Preferences", .preferences(label: label)), ("Library/SyncedPreferences", .preferences(label: synced)),
      ("Library/Caches", .leftOut(.cache)), ("tmp", .leftOut(.temporary)), ("Library/SplashBoard", .leftOut(.screenshots)),
    ] { layout[prefix.appending(PathBytes(path))] = treatment }
    if !includesCookies { layout[prefix.appending("Library/Cookies")] = .leftOut(.cookies) }
    return layout
  }

  /// A folder of settings: what is a property list or JSON is preferences.
  static func settings(label: String?, includesCookies: Bool) -> Layout {
    var layout = Layout(includesCookies: includesCookies)
    layout[""] = .preferences(label: label)
    return layout
  }

  /// A folder of an app's home, as Flatpak and snap give it one.
  static func home(settings: [PathBytes], caches: [PathBytes], label: String, includesCookies: Bool) -> Layout {
    var layout = Layout(includesCookies: includesCookies)
    for path in settings { layout[path] = .preferences(label: label) }
    for path in caches { layout[path] = .leftOut(.cache) }
    return layout
  }
}

extension Layout {
  /// Adds another layout's folders.
  mutating func add(_ other: Layout) { treatments.merge(other.treatments) { own, _ in own } }
}
