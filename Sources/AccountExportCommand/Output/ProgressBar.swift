internal import AccountExport
internal import Files
import Synchronization

/// A bar on a terminal, drawn a few times a second.
final class ProgressBar: Sendable {
  private struct State {
    var tally = ProgressTally()
    var source = ""
    var drawn: ContinuousClock.Instant?
  }

  private let console: Console
  private let state = Mutex(State())
  private static let interval = Duration.milliseconds(100)
  private static let cells = 20

  init(console: Console) { self.console = console }

  func take(_ event: ExportEvent) {
    let line = state.withLock { state -> String? in
      state.tally.take(event)
      switch event {
      case .sourceStarted(let source): state.source = source
      case .progress(let source, _, _): state.source = source
      case .verifying: return Self.line("reading the bundle back", state.tally, fraction: nil)
      case .finished: return nil
      default: break
      }
      let now = ContinuousClock.now
      if let drawn = state.drawn, now - drawn < Self.interval { return nil }
      state.drawn = now
      return Self.line(PathBytes(state.source).display, state.tally, fraction: state.tally.fraction)
    }
    if let line, let width = Console.terminalWidth { console.draw(bar: Self.cut(line, to: width - 1)) }
  }

  /// `[########............]  42%  1,234 items  5.1 MiB  12 MiB/s  0:07 left  records/Notes`
  static func line(_ what: String, _ tally: ProgressTally, fraction: Double?) -> String {
    var parts: [String] = []
    if let fraction {
      let full = Int(fraction * Double(cells))
      let percent = String(Int(fraction * 100))
      parts.append("[\(String(repeating: "#", count: full))\(String(repeating: ".", count: cells - full))]")
      parts.append(String(repeating: " ", count: 3 - percent.count) + percent + "%")
    }
    parts.append(Quantity.counted(tally.items, "item"))
    parts.append(Quantity.bytes(tally.bytes))
    if let rate = tally.rate { parts.append(Quantity.bytes(rate) + "/s") }
    if fraction != nil, let left = tally.secondsLeft { parts.append(Quantity.duration(seconds: left) + " left") }
    parts.append(what)
    return parts.joined(separator: "  ")
  }

  /// A line that fits, so that the next one can be drawn over it. Characters may be two columns wide.
  static func cut(_ line: String, to width: Int) -> String {
    var columns = 0
    return String(
      line.prefix { character in
        columns += character.isASCII ? 1 : 2
        return columns <= width
      })
  }
}
