import AccountExport
import Files
import TestSupport
import Testing

@testable import AccountDeletion

/// Nothing is deleted that wasn't exported, unless each thing that is missing was accepted by its name.
@Suite struct GateTests {
  /// Rows, and what an export says to be missing of them.
  struct Rows: ExportSource {
    let name = "records/Shop"
    let kind = "test"
    var omissions: [Omission.Reason] = []

    func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
      try await writer.value("row") { $0.boolean(true) }
      for (number, reason) in omissions.enumerated() { writer.omit("thing \(number)", reason) }
    }
  }

  static let mira = DataSubject(id: "mira", name: "Mira", email: "mira@example.com")

  struct Made {
    let folder: TemporaryFolder
    let journal: DeletionJournal
    let request: DeletionRequest
    let receipt: [UInt8], report: VerificationReport
  }

  static func made(
    _ signer: borrowing ReceiptSigner, subject: DataSubject = mira, omissions: [Omission.Reason] = []
  ) async throws -> Made {
    let folder = try TemporaryFolder()
    var request = ExportRequest()
    request.subject = subject
    let receipt = try await AccountExporter(sources: [Rows(omissions: omissions)]).export(request, to: folder.path("data.zip"))
    var verifier = try BundleVerifier()
    try folder.bytes(of: "data.zip").withUnsafeBytes { verifier.feed($0) }
    let journal = try DeletionJournal(in: folder.path("state"))
    return Made(
      folder: folder, journal: journal, request: try journal.request("mira", key: "a"), receipt: try receipt.signed(by: signer),
      report: try verifier.finish())
  }

  @Test func aCompleteExport() async throws {
    let signer = try ReceiptSigner()
    let made = try await Self.made(signer)
    for report in [made.report, nil] {
      let clearance = try ExportClearance.exported(made.receipt, bundle: report, for: made.request, of: Self.mira, signer: signer)
      #expect(clearance.kind == .complete && clearance.digest == made.report.digest && clearance.request == made.request.id)
    }
    // An address may have changed meanwhile: the account is its identifier.
    let moved = DataSubject(id: "mira", email: "new@example.com")
    #expect(throws: Never.self) { try ExportClearance.exported(made.receipt, bundle: nil, for: made.request, of: moved, signer: signer) }
  }

  /// Each thing that is missing is named, and must be accepted by that name.
  @Test(
    arguments: [
      ([.undecided, .unclaimed, .undecided], ["records/Shop:undecided", "records/Shop:unclaimed"]), ([.failed], ["records/Shop:failed"]),
      ([.manifestOnly], ["records/Shop:manifest-only"]), ([.excluded, .derived], []),
    ] as [([Omission.Reason], [String])])
  func whatIsMissing(_ omissions: [Omission.Reason], _ names: [String]) async throws {
    let signer = try ReceiptSigner()
    let made = try await Self.made(signer, omissions: omissions)
    let all = Set(names.compactMap { AcceptedOmission($0) })
    #expect(all.count == names.count)
    for left in names {
      let some = all.filter { $0.description != left }
      refused(naming: left) {
        try ExportClearance.exported(made.receipt, bundle: nil, for: made.request, of: Self.mira, signer: signer, accepting: some)
      }
    }
    let clearance = try ExportClearance.exported(
      made.receipt, bundle: made.report, for: made.request, of: Self.mira, signer: signer, accepting: all)
    #expect(clearance.kind == (names.isEmpty ? .complete : .incomplete))
    #expect(Set(clearance.accepted.map { AcceptedOmission($0) }) == all)
    // What isn't missing can't be accepted: it may be another thing's name, misspelt.
    let more = all.union([AcceptedOmission(source: "records/Shop", reason: "unreadable")])
    refused(naming: "records/Shop:unreadable") {
      try ExportClearance.exported(made.receipt, bundle: nil, for: made.request, of: Self.mira, signer: signer, accepting: more)
    }
  }

  @Test func whatIsAnothers() async throws {
    let signer = try ReceiptSigner()
    let made = try await Self.made(signer)
    let other = try await Self.made(signer, subject: DataSubject(id: "jonas"))
    let stranger = try ReceiptSigner()
    refused(naming: "signed with the key") {
      try ExportClearance.exported(made.receipt, bundle: nil, for: made.request, of: Self.mira, signer: stranger)
    }
    refused(naming: "another account") {
      try ExportClearance.exported(other.receipt, bundle: nil, for: made.request, of: Self.mira, signer: signer)
    }
    refused(naming: made.request.id) {
      try ExportClearance.exported(other.receipt, bundle: nil, for: made.request, of: DataSubject(id: "jonas"), signer: signer)
    }
    refused(naming: "another bundle") {
      try ExportClearance.exported(made.receipt, bundle: other.report, for: made.request, of: Self.mira, signer: signer)
    }
    refused(naming: "no JSON") {
      try ExportClearance.exported(Array("{".utf8), bundle: nil, for: made.request, of: Self.mira, signer: signer)
    }
  }

  @Test func aBundleThatIsDamaged() async throws {
    let signer = try ReceiptSigner()
    let made = try await Self.made(signer)
    var bytes = try made.folder.bytes(of: "data.zip")
    bytes[bytes.count / 2] ^= 1
    var verifier = try BundleVerifier()
    bytes.withUnsafeBytes { verifier.feed($0) }
    let report = try verifier.finish()
    refused(naming: "does not verify") {
      try ExportClearance.exported(made.receipt, bundle: report, for: made.request, of: Self.mira, signer: signer)
    }
  }

  @Test(arguments: ["", "DELETE", "delete without export", "DELETE WITHOUT EXPORT "]) func withoutExport(_ confirmation: String) throws {
    let folder = try TemporaryFolder()
    let request = try DeletionJournal(in: folder.path("state")).request("mira", key: "a")
    refused(naming: "no receipt") { try ExportClearance.withoutExport(for: request, confirmation: confirmation) }
    let clearance = try ExportClearance.withoutExport(for: request, confirmation: "DELETE WITHOUT EXPORT")
    #expect(clearance.kind == .withoutExport && clearance.digest == nil)
  }

  /// What is agreed, or over, takes no other proof.
  @Test func tooLate() throws {
    let folder = try TemporaryFolder()
    let journal = try DeletionJournal(in: folder.path("state"))
    let id = try journal.request("mira", key: "a").id
    let cancelled = try journal.move(id, to: .cancelled)
    #expect {
      try ExportClearance.withoutExport(for: cancelled, confirmation: ExportClearance.confirmationWithoutExport)
    } throws: { ($0 as? DeletionError)?.code == .illegal }
  }

  @Test(arguments: ["", ":", "a:", ":b", "a"]) func noNames(_ text: String) { #expect(AcceptedOmission(text) == nil) }

  @Test func aSourceWithAColon() {
    #expect(AcceptedOmission("records/a:b:failed") == AcceptedOmission(source: "records/a:b", reason: "failed"))
  }
}

private func refused(
  naming words: String, _ location: SourceLocation = #_sourceLocation, _ body: () throws -> ExportClearance
) {
  #expect(sourceLocation: location) { _ = try body() } throws: { error in
    guard let error = error as? DeletionError else { return false }
    return error.code == .unproven && error.message.contains(words)
  }
}
