internal import AccountExport
internal import Files
internal import JSONStreaming
import Synchronization

/// An export's events as lines of JSON, for programs. Each has the key `event`: `started`, `expected`, `source`, `progress`, `warning`, `verifying`,
/// `publishing`, and at last `finished`, or `failed`.
final class ProgressLines: Sendable {
  private let console: Console
  private let state = Mutex(ProgressTally())

  init(console: Console) { self.console = console }

  func take(_ event: ExportEvent) {
    let tally = state.withLock { tally in
      tally.take(event)
      return tally
    }
    switch event {
    case .started(let sources): tell("started") { $0.member("sources", sources) }
    case .expected(let items, let bytes):
      tell("expected") {
        $0.member("items", items)
        $0.member("bytes", bytes)
      }
    case .sourceStarted(let name): tellSource(name, "started")
    case .sourceFinished(let name, let failed): tellSource(name, failed ? "failed" : "finished")
    case .progress(let source, let items, let bytes): tellProgress(source, items, bytes, tally)
    case .warning(let source, let path, let message):
      tell("warning") {
        $0.member("source", source)
        $0.member("path", path)
        $0.member("message", message)
      }
    case .verifying: tell("verifying") { _ in }
    case .publishing: tell("publishing") { _ in }
    // The receipt tells more (`finish`).
    case .finished: break
    }
  }

  /// Says what came of the export.
  func finish(_ receipt: ExportReceipt, bundle: PathBytes) {
    let manifest = receipt.manifest
    tell("finished") {
      $0.member("outcome", receipt.outcome.rawValue)
      $0.member("bundle", bundle)
      $0.member("bytes", receipt.bytes)
      $0.member("sha256", receipt.digest)
      $0.member("items", manifest.sources.reduce(0) { $0 + $1.items })
      $0.member("omissions", manifest.omissions.count)
      $0.member("missing", manifest.omissions.count { $0.reason.isMissing })
      $0.member("redactions", manifest.redactions.reduce(0) { $0 + $1.count })
    }
  }

  private func tellSource(_ name: String, _ state: String) {
    tell("source") {
      $0.member("source", name)
      $0.member("state", state)
    }
  }

  private func tellProgress(_ source: String, _ items: Int, _ bytes: UInt64, _ tally: ProgressTally) {
    tell("progress") {
      $0.member("source", source)
      $0.member("items", items)
      $0.member("bytes", bytes)
      $0.member("allItems", tally.items)
      $0.member("allBytes", tally.bytes)
      $0.key("fraction")
      if let fraction = tally.fraction { $0.double(fraction) } else { $0.null() }
      $0.member("secondsLeft", tally.secondsLeft)
    }
  }

  private func tell(_ event: String, _ members: (inout JSONWriter) -> Void) {
    var json = JSONWriter(capacity: 512)
    json.beginObject()
    json.member("event", event)
    members(&json)
    json.endObject()
    console.tell(json)
  }
}
