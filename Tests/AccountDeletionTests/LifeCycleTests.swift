import AccountExport
import Testing

@testable import AccountDeletion

/// Which states may follow which, and what the days of a grace period mean.
@Suite struct LifeCycleTests {
  static let states: [DeletionState] = [
    .confirming, .exporting, .scheduled(until: Timestamp(seconds: 9)), .deleting, .completed, .failed(step: "rows"), .cancelled,
  ]

  /// The whole table, written by hand: row by row, what each state may become.
  static let allowed: [String: Set<String>] = [
    "confirming": ["exporting", "scheduled", "cancelled"],
    "exporting": ["confirming", "scheduled", "cancelled"],
    "scheduled": ["deleting", "cancelled"],
    "deleting": ["completed", "failed"],
    "failed": ["deleting"],
    "completed": [], "cancelled": [],
  ]

  @Test(arguments: states) func whatMayFollow(_ state: DeletionState) throws {
    let allowed = try #require(Self.allowed[state.name])
    for next in Self.states { #expect(state.canBecome(next) == allowed.contains(next.name), "\(state.name) to \(next.name)") }
    #expect(state.canBeCancelled == allowed.contains("cancelled"))
    #expect(state.isFinal == allowed.isEmpty)
  }

  @Test(arguments: states) func aStateIsReadAsItWasWritten(_ state: DeletionState) {
    #expect(DeletionState(name: state.name, until: state.until ?? Timestamp(seconds: 0), step: state.step ?? "") == state)
  }

  @Test func periodsHaveBounds() throws {
    #expect(GracePeriod.offered.map(\.days) == [0, 7, 14, 30] && GracePeriod.standard.days == 14)
    for days in [0, 1, 30] { #expect(try GracePeriod(days: days).days == days) }
    for days in [-1, 31, .max, .min] { #expect(throws: DeletionError.self) { try GracePeriod(days: days) } }
    #expect(try GracePeriod(days: 90, within: 0...1000).days == 90)
    for days in [91, 1000] { #expect(throws: DeletionError.self) { try GracePeriod(days: days, within: 0...1000) } }
    #expect(throws: DeletionError.self) { try GracePeriod(days: 0, within: 7...30) }
  }

  /// Dates as `date -u -d … +%s` has them.
  @Test(arguments: [
    (1_796_033_700, 1_798_625_700),  // 2026-11-30T10:15 and 2026-12-30
    (1_769_853_600, 1_772_272_800),  // 2026-01-31T10:00 and 2026-02-28
    (1_832_925_600, 1_835_431_200),  // 2028-01-31T10:00 and 2028-02-29
    (1_798_711_200, 1_801_389_600),  // 2026-12-31T10:00 and 2027-01-31
    (1_772_272_800, 1_774_692_000),  // 2026-02-28T10:00 and 2026-03-28
  ])
  func aMonthLater(_ moment: Int64, _ later: Int64) {
    #expect(Timestamp(seconds: moment).oneMonthLater == Timestamp(seconds: later))
  }

  @Test func thirtyDaysPassAMonthOnlyInFebruary() throws {
    let thirty = try GracePeriod(days: 30)
    #expect(thirty.passesOneMonth(received: Timestamp(seconds: 1_769_853_600)))
    #expect(!thirty.passesOneMonth(received: Timestamp(seconds: 1_796_033_700)))
    #expect(!GracePeriod.standard.passesOneMonth(received: Timestamp(seconds: 1_769_853_600)))
    #expect(thirty.deadline(received: Timestamp(seconds: 0)) == Timestamp(seconds: 2_592_000))
  }
}
