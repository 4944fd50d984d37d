import Testing

@testable import AccountExport

/// Values that a source has in this format's own forms already.
@Suite struct RowFormsTests {
  private func row(_ column: String, _ body: (inout NestedWriter) throws -> Void) async throws -> (text: String, staged: Staged) {
    let staged = try await Staged { writer in
      try await writer.collection(CollectionDescription("c", columns: [.init(column)])) { records in
        try records.row { (row) throws in try row.nested { (nested) throws in try body(&nested) } }
      }
    }
    let text = try staged.entry("c.json").text
    return (String(text.dropFirst(2).dropLast(3)), staged)
  }

  private func bytes(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) rethrows {
    try Array(text.utf8).withUnsafeBufferPointer { try body($0) }
  }

  @Test(arguments: [("v", false), ("api_key", true)])
  func forms(column: String, isSecret: Bool) async throws {
    let masked = "{\"\(column)\":{\"$redacted\":\"secret\"}}"
    func expect(_ value: String, _ body: (inout NestedWriter) throws -> Void) async throws {
      #expect(try await row(column, body).text == (isSecret ? masked : "{\"\(column)\":\(value)}"))
    }
    try await expect("{\"$date\":\"2026-11-30T10:15:00Z\"}") { nested in bytes("2026-11-30T10:15:00Z") { nested.taggedDate($0) } }
    try await expect("{\"$date\":-1e15}") { nested in try bytes("-1e15") { try nested.taggedDate(digits: UnsafeRawBufferPointer($0)) } }
    try await expect("{\"$missing\":\"a.jpg\"}") { nested in bytes("a.jpg") { nested.missing($0) } }
    #expect(try await row(column) { $0.redacted(.thirdParty) }.text == "{\"\(column)\":{\"$redacted\":\"third-party\"}}")
  }

  /// Bytes in pieces: here while they are few, in a file above the limit, nowhere where the name says that they are a secret.
  @Test(arguments: [0, 4096, 4097, 300_000])
  func bytesInPieces(count: Int) async throws {
    func pieces(_ nested: inout NestedWriter, _ total: Int) throws {
      var left = total
      try nested.largeBytes(count: count) { buffer in
        let piece = min(buffer.count, left, 1000)
        for index in 0..<piece { buffer[index] = 7 }
        left -= piece
        return piece
      }
    }
    let (text, staged) = try await row("v") { try pieces(&$0, count) }
    if count <= 4096 {
      #expect(text.hasPrefix("{\"v\":{\"$base64\":\""))
    } else {
      #expect(text.hasPrefix("{\"v\":{\"$file\":\"records/Test/files/c/1.bin\",\"bytes\":\(count),"))
      #expect(try staged.entry("files/c/1.bin").bytes == [UInt8](repeating: 7, count: count))
    }
    if count > 0 {
      let secret = try await row("token") { try pieces(&$0, count) }
      #expect(secret.text == "{\"token\":{\"$redacted\":\"secret\"}}")
      #expect(secret.staged.entries.count == 1)
    }
  }

  /// Fewer bytes than were told take the row back, with its file.
  @Test(arguments: [100, 5000]) func bytesThatFallShort(count: Int) async throws {
    let staged = try await Staged { writer in
      let outcome = try await writer.collection(CollectionDescription("c", columns: [.init("v")])) { records in
        try records.row { (row) throws in try row.nested { (nested) throws in try nested.largeBytes(count: count) { _ in 0 } } }
      }
      #expect(outcome.failure is ExportError)
    }
    #expect(staged.entries.map(\.text) == ["[]\n"])
  }

  // MARK: Values that the source masked itself

  /// Masked values as `column: reason`, with their counts.
  private func counted(_ staged: Staged) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: staged.tally.redactions.map { ("\($0.key.path): \($0.key.reason.name)", $0.value.count) })
  }

  @Test func masksAreCountedWhereTheyStand() async throws {
    let (text, staged) = try await row("v") { nested in
      try nested.beginArray()
      for reason in [Redaction.Reason.thirdParty, .secret, .thirdParty] { nested.redacted(reason) }
      try nested.beginObject()
      bytes("token") { nested.key($0) }
      try nested.beginArray()
      nested.redacted(.regulated)
      nested.endArray()
      bytes("n") { nested.key($0) }
      nested.redacted(.regulated)
      nested.endObject()
      nested.endArray()
    }
    #expect(
      text
        == #"{"v":[{"$redacted":"third-party"},{"$redacted":"secret"},{"$redacted":"third-party"},{"token":{"$redacted":"secret"},"n":{"$redacted":"regulated"}}]}"#
    )
    #expect(counted(staged) == ["c.v: secret": 2, "c.v: third-party": 2, "c.v: regulated": 1])
  }

  /// A value that is masked as a whole is one, whatever is masked in it.
  @Test(arguments: [Redaction.Reason.secret, .regulated]) func masksWithinAMask(reason: Redaction.Reason) async throws {
    let (text, staged) = try await row("password") { nested in
      try nested.beginObject()
      bytes("old") { nested.key($0) }
      nested.redacted(reason)
      nested.endObject()
    }
    #expect(text == #"{"password":{"$redacted":"secret"}}"#)
    #expect(counted(staged) == ["c.password: secret": 1])
  }

  /// What a later column names a secret is taken back with what was masked in it; a mask alone stays as it is.
  @Test(arguments: [true, false]) func masksThatAreTakenBack(isAlone: Bool) async throws {
    let staged = try await Staged { writer in
      try await writer.collection(CollectionDescription("c", columns: ["other", "value", "key"].map { .init($0) })) { records in
        try records.row { (row) throws in
          try row.nested { $0.redacted(.regulated) }
          try row.nested { (nested) throws in
            if !isAlone { try nested.beginArray() }
            nested.redacted(.thirdParty)
            if !isAlone { nested.endArray() }
          }
          row.text("session_token")
        }
      }
    }
    let mask = isAlone ? "third-party" : "secret"
    #expect(
      try staged.entry("c.json").text
        == #"[\#n{"other":{"$redacted":"regulated"},"value":{"$redacted":"\#(mask)"},"key":"session_token"}\#n]\#n"#)
    #expect(counted(staged) == ["c.other: regulated": 1, "c.value: \(mask)": 1])
  }

  /// Neither a row nor a value nor an archive that fails leaves a count behind.
  @Test func masksOfWhatFails() async throws {
    struct Planned: Error {}
    let staged = try await Staged { writer in
      try await writer.collection(CollectionDescription("c", columns: [.init("v")])) { records in
        #expect(throws: Planned.self) {
          try records.row { (row) throws in
            try row.nested { $0.redacted(.regulated) }
            throw Planned()
          }
        }
        try records.row { (row) throws in
          #expect(throws: Planned.self) {
            try row.nested { (nested) throws in
              nested.redacted(.regulated)
              throw Planned()
            }
          }
          row.null()
        }
        try records.row { (row) throws in
          try row.nested { (nested) throws in
            let failure = try [1 as UInt8].withUnsafeBytes { bytes in
              try nested.archive(bytes) { (nested) throws in
                nested.redacted(.thirdParty)
                throw Planned()
              }
            }
            #expect(failure is Planned)
          }
        }
      }
    }
    #expect(try staged.entry("c.json").text == #"[\#n{"v":null},\#n{"v":{"$base64":"AQ=="}}\#n]\#n"#)
    #expect(counted(staged).isEmpty)
  }

  @Test func whatASourceSaysOfItself() async throws {
    let staged = try await Staged { writer in
      writer.markSnapshot(at: Timestamp(seconds: 5))
      #expect(writer.snapshotTime == Timestamp(seconds: 5))
      var description = CollectionDescription("c", columns: [.init("id")])
      description.primaryKey = ["id"]
      try await writer.collection(description) { records in
        try records.row { $0.integer(1) }
        records.withdrawPrimaryKey()
      }
    }
    #expect(try staged.entry("c.json").table?.description.primaryKey == [])
  }

  @Test func whatWaitsDoesNotRunWithTheRest() async throws {
    #expect(try await withWaitingThread { 7 } == 7)
    struct Planned: Error {}
    await #expect(throws: Planned.self) { try await withWaitingThread { throw Planned() } }
  }
}
