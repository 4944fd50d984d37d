internal import AccountExport
internal import SQLiteReading
internal import SQLiteWriting

extension DeletionJournal {
  /// How far a clock may be set without anybody being asked, in seconds: a day.
  static let toleratedJump: Int64 = 86_400

  /// Notes what the clocks show, before any deadline is looked at.
  ///
  /// - Throws: `DeletionError` of code `clock` where the clock was set by more than a day since it was noted last. Then nothing is noted, and
  ///   nothing should be deleted, until somebody has looked at it and calls ``accept(_:)``.
  public func note(_ reading: ClockReading) throws(DeletionError) {
    try transaction { (database) throws(DeletionError) in
      if let last = try database.lastReading() {
        let jump = reading.jump(since: last)
        if abs(jump) > Self.toleratedJump {
          let way = jump > 0 ? "forward" : "back"
          throw DeletionError(
            .clock, "the clock was set \(way) by \(abs(jump) / 3600) hours since \(last.now.rfc3339): it shows \(reading.now.rfc3339)",
            hint: "if that is right now, say so")
        }
      }
      try database.write(reading)
    }
  }

  /// Takes the clock for right, whatever it showed before.
  public func accept(_ reading: ClockReading) throws(DeletionError) {
    try transaction { (database) throws(DeletionError) in try database.write(reading) }
  }
}

extension WritableDatabase {
  fileprivate borrowing func lastReading() throws(DeletionError) -> ClockReading? {
    try rows("SELECT now, since_boot, boot FROM clock") {
      ClockReading(now: Timestamp(seconds: $0.integer(at: 0)), sinceBoot: $0.integer(at: 1), boot: $0.text(at: 2))
    }.first
  }

  fileprivate borrowing func write(_ reading: ClockReading) throws(DeletionError) {
    try run(
      "INSERT OR REPLACE INTO clock (one, now, since_boot, boot) VALUES (1, ?, ?, ?)",
      [.integer(reading.now.seconds), .integer(reading.sinceBoot), .text(reading.boot)])
  }
}
