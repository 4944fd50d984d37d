import AccountExport
import AsyncRecordsSource
import Foundation
import Synchronization
import TestSupport
import Testing

/// Sources of async records in whole exports.
@Suite struct SourceTests {
  struct Order: Encodable, Sendable {
    var id: Int
    var item: String
    var placed = Date(timeIntervalSince1970: 1_700_000_000)
    var paid: Date?
    var extras: [String: Int] = ["wrap": 1, "bow": 2, "card": 3]
    var receipt = Data(repeating: 7, count: 5000)
  }

  private static func shop(_ count: Int) -> AsyncRecords {
    AsyncRecords(named: "shop") { shop, subject in
      let orders = AsyncStream<Order> { stream in
        for id in 0..<count { stream.yield(Order(id: id, item: "item \(id) of \(subject.id ?? "nobody")")) }
        stream.finish()
      }
      try await shop.collection("orders", of: orders)
      try await shop.collection("tags", of: count == 0 ? [] : ["a", "b"])
    }
  }

  @Test func conformance() async throws {
    let bundle = try await checkExportSource(empty: { Self.shop(0) }) { Self.shop(20) }
    let rows = try bundle.rows("data/records/shop/orders.json")
    #expect(rows.count == 20)
    #expect(rows[3]["item"] as? String == "item 3 of person-1")
    #expect(rows[3]["placed"] as? String == "2023-11-14T22:13:20Z")
    #expect(rows[3]["paid"] is NSNull)
    #expect(try bundle.text("data/records/shop/tags.json") == "[\n{\"value\":\"a\"},\n{\"value\":\"b\"}\n]\n")
    let sources = try #require(try bundle.accountExport()["sources"] as? [[String: Any]])
    #expect(sources.first?["kind"] as? String == "records")
  }

  @Test func lateColumnsConform() async throws {
    let bundle = try await checkExportSource {
      AsyncRecords(named: "late") { writer, _ in
        try await writer.collection("c", of: (0..<30).map { ["a": 0, "k\($0 / 10)": $0] })
      }
    }
    #expect(try bundle.rows("data/records/late/c.json").allSatisfy { $0.count == 4 })
  }

  @Test func actorSource() async throws {
    let bundle = try await checkExportSource { Warehouse() }
    #expect(try bundle.text("data/records/warehouse/parts.json") == "[\n{\"number\":1},\n{\"number\":2},\n{\"number\":3}\n]\n")
  }

  @Test func mainActorSource() async throws {
    let bundle = try await checkExportSource { Screen() }
    #expect(try bundle.text("data/records/screen/titles.json") == "[\n{\"value\":\"a\"},\n{\"value\":\"b\"}\n]\n")
  }

  /// The next value is asked for when the row of the last has been written.
  @Test func backPressure() async throws {
    let log = Log()
    let exported = try await Exported { writer in
      try await writer.collection("c", of: Told(log: log, count: 4))
    }
    #expect(try exported.lines().count == 4)
    #expect(log.events == (0..<4).flatMap { ["asked \($0)", "encoded \($0)"] } + ["asked 4"])
  }

  @Test func cancelledWhileItWaits() async throws {
    let started = AsyncStream<Void>.makeStream()
    let export = Task {
      _ = try await Exported { writer in
        // Such a stream ends when its task is cancelled, as if it had given everything.
        let endless = AsyncStream<Int>.makeStream()
        endless.continuation.yield(1)
        started.continuation.finish()
        try await writer.collection("c", of: endless.stream)
      }
    }
    for await _ in started.stream {}
    export.cancel()
    await #expect(throws: CancellationError.self) { try await export.value }
  }

  @Test func sourceThatThrows() async throws {
    let folder = try TemporaryFolder()
    let source = AsyncRecords(named: "broken") { writer, _ in
      try await writer.collection("c", of: [1])
      throw Planned("no connection")
    }
    let receipt = try await AccountExporter(sources: [source, NeighbourSource("records/Next")]).export(.fixed, to: folder.path("data.zip"))
    #expect(receipt.manifest.sources.map(\.outcome) == [.failed, .complete])
  }
}

private actor Warehouse: ExportSource {
  nonisolated let name = "records/warehouse"
  nonisolated let kind = "records"
  private var numbers = [1, 2, 3]

  func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
    struct Part: Encodable { var number: Int }
    let parts = numbers.map(Part.init)
    try await writer.collection("parts", of: Stepwise(elements: parts))
  }
}

@MainActor private final class Screen: ExportSource {
  nonisolated let name = "records/screen"
  nonisolated let kind = "records"
  private var titles = ["a", "b"]

  @MainActor func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
    try await writer.collection("titles", of: Stepwise(elements: titles.map { OnMain(text: $0) }))
  }
}

/// A value that may only be encoded on the main actor.
private struct OnMain: Encodable {
  let text: String

  func encode(to encoder: any Encoder) throws {
    MainActor.assertIsolated()
    try text.encode(to: encoder)
  }
}

/// A sequence that is not sendable, and suspends before each element.
private final class Stepwise<Element>: AsyncSequence, AsyncIteratorProtocol {
  private var left: [Element]

  init(elements: [Element]) { left = elements.reversed() }

  func makeAsyncIterator() -> Stepwise { self }

  func next() async -> Element? { await next(isolation: nil) }

  func next(isolation actor: isolated (any Actor)?) async -> Element? {
    await Task.yield()
    return left.popLast()
  }
}

private final class Log: Sendable {
  private let lines = Mutex<[String]>([])

  var events: [String] { lines.withLock { $0 } }
  func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// Values that tell when they are asked for and when they are encoded.
private struct Told: AsyncSequence, AsyncIteratorProtocol {
  struct Row: Encodable {
    let log: Log
    let number: Int

    func encode(to encoder: any Encoder) throws {
      log.add("encoded \(number)")
      try number.encode(to: encoder)
    }
  }

  let log: Log
  let count: Int
  private var number = 0

  init(log: Log, count: Int) { (self.log, self.count) = (log, count) }

  func makeAsyncIterator() -> Told { self }

  mutating func next() async -> Row? {
    log.add("asked \(number)")
    if number == count { return nil }
    defer { number += 1 }
    return Row(log: log, number: number)
  }
}
