internal import Files
internal import JSONStreaming
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Standard error: messages for people, or lines of JSON for programs, and a bar that messages don't collide with.
final class Console: Sendable {
  /// Who listens.
  enum Audience: Sendable {
    /// People, who get messages.
    case people
    /// People who asked for errors only.
    case quiet
    /// A program, which gets every message as a line of JSON.
    case program
  }

  private struct State {
    var audience = Audience.people
    var hasBar = false
  }

  private let state = Mutex(State())

  /// Whom to talk to.
  var audience: Audience {
    get { state.withLock { $0.audience } }
    set { state.withLock { $0.audience = newValue } }
  }

  /// Says something that isn't an error. Programs get it as an event of their own instead.
  func say(_ message: String) {
    state.withLock { state in
      if state.audience == .people { Self.write(Self.line(message), &state) }
    }
  }

  /// Says why the command ends.
  func fail(_ error: CommandError) {
    state.withLock { state in
      if state.audience == .program { return Self.write(Self.event(error), &state) }
      var lines = Self.line(error.message)
      if let hint = error.hint { lines += "hint: \(PathBytes(hint).display)\n".utf8 }
      Self.write(lines, &state)
    }
  }

  /// Writes a finished line of JSON.
  func tell(_ json: borrowing JSONWriter) {
    let bytes = json.withBytes { Array($0) } + [UInt8(ascii: "\n")]
    state.withLock { Self.write(bytes, &$0) }
  }

  /// Draws the bar anew: a line that is short enough for the terminal.
  func draw(bar: String) {
    state.withLock { state in
      Self.send(Array("\r\(bar)\u{1B}[K".utf8))
      state.hasBar = true
    }
  }

  /// Takes the bar away.
  func clearBar() { state.withLock { Self.write([], &$0) } }

  /// How many columns the terminal has; nil where standard error is none, or one that knows no movement.
  static var terminalWidth: Int? {
    guard isatty(STDERR_FILENO) == 1, let name = getenv("TERM"), strcmp(name, "dumb") != 0 else { return nil }
    var size = winsize()
    return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  /// A message for people. Whatever it names, nothing in it steers the terminal.
  private static func line(_ message: String) -> [UInt8] { Array("account-export: \(PathBytes(message).display)\n".utf8) }

  private static func event(_ error: CommandError) -> [UInt8] {
    var json = JSONWriter(capacity: 512)
    json.beginObject()
    json.key("event")
    json.string("failed")
    json.key("message")
    json.string(error.message)
    json.key("hint")
    if let hint = error.hint { json.string(hint) } else { json.null() }
    json.key("exitStatus")
    json.integer(Int(error.status.code))
    json.endObject()
    json.raw("\n")
    return json.withBytes { Array($0) }
  }

  private static func write(_ bytes: [UInt8], _ state: inout State) {
    if state.hasBar { send(Array("\r\u{1B}[K".utf8)) }
    state.hasBar = false
    send(bytes)
  }

  private static func put(_ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    #else
      Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    #endif
  }

  /// Where standard error can't be written to, there is no one left to tell.
  private static func send(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let count = put(rest)
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { return }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }
}
