import AccountExport
import Testing

@testable import AccountExportCommand

@Suite("Numbers for people")
struct QuantityTests {
  @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1000, "-1,000"), (-100, "-100")])
  func grouped(number: Int, text: String) {
    #expect(Quantity.grouped(number) == text)
  }

  @Test(
    arguments: [
      (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1536, "1.5 KiB"), (10_189, "10 KiB"), (1_048_575, "1.0 MiB"), (5 << 30, "5.0 GiB"),
      (UInt64.max, "16 EiB"),
    ] as [(UInt64, String)])
  func bytes(number: UInt64, text: String) {
    #expect(Quantity.bytes(number) == text)
  }

  @Test(arguments: [(0, "0:00"), (7, "0:07"), (754, "12:34"), (3723, "1:02:03"), (360_000, "100:00:00")])
  func duration(seconds: Int, text: String) {
    #expect(Quantity.duration(seconds: seconds) == text)
  }

  @Test("one thing is one thing")
  func counted() {
    #expect(Quantity.counted(1, "item") == "1 item")
    #expect(Quantity.counted(2, "item") == "2 items")
    #expect(Quantity.counted(0, "entry", plural: "entries") == "0 entries")
  }
}

@Suite("Progress")
struct ProgressTests {
  @Test("what is done is a part of what was expected, and all of it only at the end")
  func fraction() {
    var tally = ProgressTally()
    #expect(tally.fraction == nil)
    tally.take(.expected(items: 10, bytes: 1000))
    tally.take(.progress(source: "a", items: 1, bytes: 100))
    tally.take(.progress(source: "b", items: 3, bytes: 100))
    tally.take(.progress(source: "a", items: 2, bytes: 150))
    #expect(tally.items == 5)
    #expect(tally.bytes == 250)
    #expect(tally.fraction == 0.25)
    tally.take(.progress(source: "b", items: 30, bytes: 5000))
    #expect(tally.fraction == 0.99)
  }

  @Test("without expected bytes the items count, without either nothing is guessed")
  func items() {
    var tally = ProgressTally()
    tally.take(.expected(items: 4, bytes: 0))
    tally.take(.progress(source: "a", items: 1, bytes: 9))
    #expect(tally.fraction == 0.25)
    tally.take(.expected(items: nil, bytes: nil))
    #expect(tally.fraction == nil)
    #expect(tally.secondsLeft == nil)
  }

  @Test("the bar is as long as what is done, and fits the terminal")
  func bar() {
    var tally = ProgressTally()
    tally.take(.expected(items: nil, bytes: 200))
    tally.take(.progress(source: "a", items: 1234, bytes: 100))
    let line = ProgressBar.line("records/Notes", tally, fraction: tally.fraction)
    #expect(line.hasPrefix("[##########..........]   50%  1,234 items  100 B"))
    #expect(line.hasSuffix("  records/Notes"))
    #expect(ProgressBar.cut("abcdef", to: 4) == "abcd")
    #expect(ProgressBar.cut("日本語", to: 5) == "日本")
  }
}

@Suite("What is missing")
struct OmissionTextTests {
  private func omission(_ path: String, _ reason: Omission.Reason = .unreadable, count: Int? = nil) -> Omission {
    Omission(source: "records/s", path: path, reason: reason, count: count)
  }

  @Test("is told one by one, with its detail; what isn't missing is not")
  func lines() {
    let lines = OmissionText.lines([omission("v", .derived), omission("t", .failed, count: 1200), omission("records/s")], [])
    #expect(
      lines == [
        "records/s/t: failed (1,200 items): Reading this stopped midway; what had been read by then is inside.",
        "records/s: unreadable: This could not be read.",
      ])
  }

  @Test("is cut where there is much of it")
  func many() {
    let lines = OmissionText.lines((1...1025).map { omission("t\($0)") }, [])
    #expect(lines.count == 21)
    #expect(lines.last == "and 1,005 more that are missing; the bundle names them all, and so does --report")
  }
}
