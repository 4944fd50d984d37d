public import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where a user's apps keep what they keep.
public struct UserFolders: Sendable {
  /// How the folders are laid out.
  public enum Layout: Sendable {
    /// XDG Base Directory Specification 0.8, with the homes that Flatpak and snap give an app.
    case xdg
    /// `~/Library`, as macOS has it.
    case library
  }

  /// How they are laid out.
  public var layout: Layout
  /// The user's home.
  public var home: PathBytes
  /// `XDG_CONFIG_HOME`, `XDG_DATA_HOME`, `XDG_STATE_HOME`, `XDG_CACHE_HOME`, or what stands for them.
  public var config: PathBytes, data: PathBytes, state: PathBytes, cache: PathBytes

  /// The folders of a home, with what the environment says of them. As the specification asks, a relative path there says nothing.
  public init(home given: PathBytes, layout: Layout, environment: (String) -> PathBytes? = { _ in nil }) {
    var bytes = given.bytes
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    let home = PathBytes(bytes)
    func folder(_ variable: String, _ usual: String) -> PathBytes {
      if let given = environment(variable), given.isAbsolute { return given }
      return home.appending(PathBytes(usual))
    }
    (self.home, self.layout) = (home, layout)
    config = folder("XDG_CONFIG_HOME", ".config")
    data = folder("XDG_DATA_HOME", ".local/share")
    state = folder("XDG_STATE_HOME", ".local/state")
    cache = folder("XDG_CACHE_HOME", ".cache")
  }

  /// The folders of the user whose process this is.
  public static func current() throws(DiscoveryError) -> UserFolders {
    let environment = { (name: String) in getenv(name).map { PathBytes(String(cString: $0)) } }
    let home: PathBytes
    if let given = environment("HOME"), given.isAbsolute {
      home = given
    } else if let entry = getpwuid(geteuid()), let folder = entry.pointee.pw_dir {
      home = PathBytes(String(cString: folder))
    } else {
      throw DiscoveryError(.noHome, "it isn't known where the user's home is", hint: "set HOME")
    }
    #if canImport(Darwin)
      return UserFolders(home: home, layout: .library, environment: environment)
    #else
      return UserFolders(home: home, layout: .xdg, environment: environment)
    #endif
  }
}
