internal import AccountExport
public import Files
internal import Processes

/// A program that gives the files of a column: it is run once a value, and writes the file's bytes to its standard output.
///
/// The value arrives in the environment as `ACCOUNT_EXPORT_FILE`, and in place of each `{}` in its arguments; there is no shell. Beside that it gets `PATH`,
/// `HOME`, `LANG`, `LC_ALL`, `LC_CTYPE` and `TMPDIR` of this process's own environment. Status 0 is a file; 66 (`EX_NOINPUT` of sysexits) says that there is none of
/// this name, and anything else that it can't be had.
public struct FileProgram: Sendable, Hashable {
  /// The program and its arguments. A name without a slash is looked for in `PATH`.
  public var arguments: [PathBytes]
  /// Where it starts; nil is this process's own folder. A relative path of the program counts from it.
  public var folder: PathBytes?
  /// How long it may be waited for, a value.
  public var timeLimit: Duration = .seconds(600)
  /// How many bytes a file may have.
  public var sizeLimit: UInt64 = 16 << 30

  /// A program with its arguments.
  public init(_ arguments: [PathBytes], in folder: PathBytes? = nil) { (self.arguments, self.folder) = (arguments, folder) }

  /// The call for a value.
  func call(for name: [UInt8]) -> ProgramCall {
    var environment = ProgramCall.environment()
    environment["ACCOUNT_EXPORT_FILE"] = PathBytes(name)
    let rest = arguments.dropFirst().map { Self.filled($0, name) }
    return ProgramCall(Array(arguments.prefix(1)) + rest, environment: environment, folder: folder)
  }

  private static func filled(_ argument: PathBytes, _ name: [UInt8]) -> PathBytes {
    var (filled, rest): ([UInt8], ArraySlice<UInt8>) = ([], argument.bytes[...])
    while let byte = rest.first {
      let isPlace = rest.starts(with: "{}".utf8)
      filled += isPlace ? name : [byte]
      rest = rest.dropFirst(isPlace ? 2 : 1)
    }
    return PathBytes(filled)
  }
}

/// The files that a program gives.
final class ProgramFiles: FileOrigin {
  private let program: FileProgram
  private let wake: Wake

  /// `EX_NOINPUT` of sysexits.
  private static let noInput: CInt = 66
  private static let longestName = 4096

  init(_ program: FileProgram, _ wake: Wake) { (self.program, self.wake) = (program, wake) }

  func read(
    _ name: UnsafeBufferPointer<UInt8>, _ take: ((UnsafeMutableRawBufferPointer) throws -> Int) throws -> Void
  ) throws -> FileObstacle? {
    // What begins with a dash would be an option. A NUL ends an argument, and so would name another file.
    if name.first == UInt8(ascii: "-") || name.contains(0) || name.count > Self.longestName { throw FileObstacle.noName }
    try Task.checkCancellation()
    do {
      var child = try ChildProcess(program.call(for: Array(name)), timeLimit: program.timeLimit, wake: wake)
      var total: UInt64 = 0
      try take { buffer in
        let count = try child.read(into: buffer)
        total += UInt64(count)
        if total > program.sizeLimit { throw FileObstacle.limit }
        if count == 0 { try Self.check(try child.finish()) }
        return count
      }
      return nil
    } catch let error as ProcessError {
      if error.code == .cancelled { throw CancellationError() }
      throw FileObstacle.unreadable(error.message)
    }
  }

  private static func check(_ ending: ChildProcess.Ending) throws {
    switch ending {
    case .exited(0): return
    case .exited(noInput): throw FileObstacle.missing
    case .exited(let status): throw FileObstacle.unreadable("the program ended with status \(status)")
    case .signalled(let signal): throw FileObstacle.unreadable("the program was ended by signal \(signal)")
    case .unknown: throw FileObstacle.unreadable("how the program ended is not known")
    }
  }
}
