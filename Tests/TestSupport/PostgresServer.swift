import Files
import Foundation
import Processes

/// A PostgreSQL server of the tests' own, on a socket in a temporary folder. It starts with the first test that asks, and goes with the process, however
/// that ends: its shell looks whether it is still there. No descriptor is passed on to it, since others wait for the end of theirs.
public final class PostgresServer: Sendable {
  /// Whether the programs are here. Under CI a missing server is a failure, not a reason to skip.
  public static let isExpected = programs != nil || ProcessInfo.processInfo.environment["CI"] != nil

  /// Why a test is skipped.
  public static let reason = "PostgreSQL is not installed"

  private static let programs: String? = {
    let manager = FileManager.default
    var folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    for version in stride(from: 20, through: 12, by: -1) { folders.append("/usr/lib/postgresql/\(version)/bin") }
    return folders.first { manager.isExecutableFile(atPath: $0 + "/initdb") && manager.isExecutableFile(atPath: $0 + "/postgres") }
      ?? folders.first { manager.isExecutableFile(atPath: $0 + "/initdb") }
  }()

  private static let started = Result { try PostgresServer() }

  /// The server, started.
  public static func shared() throws -> PostgresServer { try started.get() }

  /// Why there is no server.
  public struct Failed: Error {
    /// One sentence.
    public let message: String
  }

  /// The folder of the socket.
  public let folder: String
  // Never ended by hand: the server lives as long as the process.
  private let process: ChildProcess

  private static let script = """
    set -eu
    PATH="$1:$PATH"
    folder=$(mktemp -d /tmp/account-export-pg-XXXXXX)
    trap 'rm -rf "$folder"' EXIT
    initdb -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C --no-sync >/dev/null
    program=$(dirname "$(readlink -f "$(command -v initdb)")")/postgres
    "$program" -D "$folder/data" -k "$folder" -c listen_addresses= -c fsync=off -c full_page_writes=off >"$folder/log" 2>&1 &
    server=$!
    until pg_isready -q -h "$folder" -U postgres; do kill -0 $server; sleep 0.1; done
    echo "$folder"
    while { [ -d "/proc/$2" ] || kill -0 "$2"; } 2>/dev/null && kill -0 $server; do sleep 0.5; done
    kill -INT $server
    wait $server || true
    """

  private init() throws {
    guard let programs = Self.programs else { throw Failed(message: Self.reason) }
    let shell = ["/bin/sh", "-c", Self.script, "server", programs, "\(ProcessInfo.processInfo.processIdentifier)"]
    // The server refuses to run as root.
    let whole = geteuid() == 0 ? ["/usr/sbin/runuser", "-u", "postgres", "--"] + shell : shell
    let call = ProgramCall(whole.map { PathBytes($0) }, environment: ProgramCall.wholeEnvironment(), folder: "/tmp")
    var process = try ChildProcess(call, timeLimit: .seconds(300), wake: Wake())
    var line: [UInt8] = []
    while line.last != UInt8(ascii: "\n") {
      let some = try process.readSome()
      if some.isEmpty { throw Failed(message: "the server did not start: \(process.errorTail.lines.joined(separator: " "))") }
      line += some
    }
    self.process = process
    folder = String(decoding: line.dropLast(), as: UTF8.self)
  }

  /// The URL of a database, for a role.
  public func url(_ database: String, role: String = "postgres") -> String { "postgres://\(role)@/\(database)?host=\(folder)" }
}
