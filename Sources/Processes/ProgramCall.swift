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
  /// The whole environment: nothing is passed on beside it. Names hold no `=`.
  public var environment: [String: String]
  /// Where the program starts; nil is this process's own folder. A relative path of the program counts from it.
  public var folder: PathBytes?

  /// A call.
  public init(_ arguments: [PathBytes], environment: [String: String] = [:], folder: PathBytes? = nil) {
    self.arguments = arguments
    self.environment = environment
    self.folder = folder
  }

  /// The program as it was given, for messages.
  public var name: String { arguments.first?.display ?? "" }

  /// Finds the program.
  /// - Returns: the path that is started, relative to `folder` where it was given so.
  public func program() throws(ProcessError) -> PathBytes {
    guard let first = arguments.first, !first.bytes.isEmpty else { throw ProcessError(.notStarted, "no program is named") }
    if first.bytes.contains(UInt8(ascii: "/")) {
      let seen = first.isAbsolute ? first : folder?.appending(first) ?? first
      if let reason = Self.obstacle(seen) { throw ProcessError(.notStarted, "\(first.display): \(reason)") }
      return first
    }
    for place in (environment["PATH"] ?? "").split(separator: ":") {
      let candidate = PathBytes(String(place)).appending(first)
      if Self.obstacle(candidate) == nil { return candidate }
    }
    throw ProcessError(.notStarted, "\(first.display): no such program in PATH")
  }

  /// Why a path can't be started; nil where it can.
  private static func obstacle(_ path: PathBytes) -> String? {
    path.withCString { (path) -> String? in
      var status = stat()
      if stat(path, &status) != 0 || access(path, X_OK) != 0 { return String(cString: strerror(errno)) }
      return status.st_mode & S_IFMT == S_IFREG ? nil : "it is no file"
    }
  }
}
