public import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A program with its arguments, environment and folder. No shell is between: every argument arrives as it is.
public struct ProgramCall: Sendable, Hashable {
  /// The program and its arguments. A program without a slash is looked for in the `PATH` of `environment`.
  public var arguments: [PathBytes]
  /// The whole environment: nothing is passed on beside it. Values are bytes, whatever they mean; names hold no `=`.
  public var environment: [String: PathBytes]
  /// Where the program starts; nil is this process's own folder. A relative path of the program counts from it.
  public var folder: PathBytes?

  /// A call.
  public init(_ arguments: [PathBytes], environment: [String: PathBytes] = [:], folder: PathBytes? = nil) {
    self.arguments = arguments
    self.environment = environment
    self.folder = folder
  }

  /// What is passed on of this process's own environment: `PATH`, `HOME`, `LANG`, `LC_ALL`, `LC_CTYPE`, `TMPDIR`, and what else is named. Values need be
  /// no text: their bytes are passed on.
  public static func environment(passingOn names: [String] = []) -> [String: PathBytes] {
    var variables: [String: PathBytes] = [:]
    for name in ["PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR"] + names {
      variables[name] = getenv(name).map { PathBytes(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
    return variables
  }

  /// The program as it was given, for messages.
  public var name: String { arguments.first?.display ?? "" }

  /// Finds the program.
  /// - Returns: the path that is started, relative to `folder` where it was given so.
  public func program() throws(ProcessError) -> PathBytes {
    guard let first = arguments.first, !first.bytes.isEmpty else { throw ProcessError(.notStarted, "no program is named") }
    if first.bytes.contains(UInt8(ascii: "/")) {
      if let reason = Self.obstacle(seen(first)) { throw ProcessError(.notStarted, "\(first.display): \(reason)") }
      return first
    }
    for place in (environment["PATH"]?.bytes ?? []).split(separator: UInt8(ascii: ":")) {
      let candidate = PathBytes(Array(place)).appending(first)
      if Self.obstacle(seen(candidate)) == nil { return candidate }
    }
    throw ProcessError(.notStarted, "\(first.display): no such program in PATH")
  }

  /// Where a path leads that the program starts from: a relative one counts from its folder.
  private func seen(_ path: PathBytes) -> PathBytes { path.isAbsolute ? path : folder?.appending(path) ?? path }

  /// Why a path can't be started; nil where it can.
  private static func obstacle(_ path: PathBytes) -> String? {
    path.withCString { (path) -> String? in
      var status = stat()
      if stat(path, &status) != 0 || access(path, X_OK) != 0 { return String(cString: strerror(errno)) }
      return status.st_mode & S_IFMT == S_IFREG ? nil : "it is no file"
    }
  }
}
