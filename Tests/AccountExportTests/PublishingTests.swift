import Files
import Foundation
import TestSupport
import Testing

@testable import AccountExport

/// The bundle appears at its path complete or not at all, and leaves nothing beside it.
@Suite struct PublishingTests {
  private static func export(to path: PathBytes, replacing: Bool = false, request: ExportRequest = .fixed) async throws -> ExportReceipt {
    try await AccountExporter(sources: [NeighbourSource("records/A")]).export(request, to: path, replacing: replacing)
  }

  private static func code(_ body: () async throws -> ExportReceipt) async -> ExportError.Code? {
    do {
      _ = try await body()
      return nil
    } catch { return (error as? ExportError)?.code }
  }

  @Test func newFileIsForItsOwnerAlone() async throws {
    let folder = try TemporaryFolder()
    let receipt = try await Self.export(to: folder.path("data.zip"))
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.url.appendingPathComponent("data.zip").path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(attributes[.size] as? UInt64 == receipt.bytes)
    #expect(try folder.names() == ["data.zip"])
  }

  @Test func existingFileStays() async throws {
    let folder = try TemporaryFolder()
    try folder.write("old".utf8, to: "data.zip")
    #expect(await Self.code { try await Self.export(to: folder.path("data.zip")) } == .outputExists)
    #expect(try folder.bytes(of: "data.zip") == Array("old".utf8))
    #expect(try folder.names() == ["data.zip"])
  }

  @Test func existingFileIsReplacedWhereAsked() async throws {
    let folder = try TemporaryFolder()
    try folder.write("old".utf8, to: "data.zip")
    _ = try await Self.export(to: folder.path("data.zip"), replacing: true)
    _ = try CheckedBundle(folder.path("data.zip"))
    #expect(try folder.names() == ["data.zip"])
  }

  /// A file that comes while the export runs is not overwritten.
  @Test(arguments: [false, true]) func fileThatComesMeanwhile(_ replacing: Bool) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("data.zip")
    let exporter = AccountExporter(sources: [NeighbourSource("records/A")]) { event in
      guard case .verifying = event else { return }
      do { try folder.write("theirs".utf8, to: "data.zip") } catch { Issue.record(error) }
    }
    let code = await Self.code { try await exporter.export(.fixed, to: path, replacing: replacing) }
    #expect(code == (replacing ? nil : .outputExists))
    #expect((try folder.bytes(of: "data.zip") == Array("theirs".utf8)) == !replacing)
    #expect(try folder.names() == ["data.zip"])
  }

  @Test(arguments: [false, true]) func linkInThePlace(_ replacing: Bool) async throws {
    let folder = try TemporaryFolder()
    try folder.write("target".utf8, to: "target")
    try FileManager.default.createSymbolicLink(
      atPath: folder.url.path + "/data.zip", withDestinationPath: "target")
    let code = await Self.code { try await Self.export(to: folder.path("data.zip"), replacing: replacing) }
    #expect(code == .outputExists)
    #expect(try folder.bytes(of: "target") == Array("target".utf8))
    #expect(try folder.names() == ["data.zip", "target"])
  }

  @Test(arguments: [false, true]) func folderInThePlace(_ replacing: Bool) async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.url.path + "/data.zip", withIntermediateDirectories: false)
    let code = await Self.code { try await Self.export(to: folder.path("data.zip"), replacing: replacing) }
    #expect(code == .outputExists)
    #expect(try folder.names() == ["data.zip"])
  }

  @Test(arguments: ["gone/data.zip", "file/data.zip", "..", "."]) func pathThatIsNone(_ name: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("x".utf8, to: "file")
    await #expect(throws: ExportError.self) { try await Self.export(to: folder.path(name)) }
    #expect(try folder.names() == ["file"])
  }

  @Test func outputThroughALinkedFolder() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.url.path + "/real", withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: folder.url.path + "/linked", withDestinationPath: "real")
    _ = try await Self.export(to: folder.path("linked/data.zip"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path + "/real") == ["data.zip"])
  }

  @Test(.enabled(if: getuid() != 0, "the superuser may write everywhere")) func folderThatMayNotBeWritten() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.url.path)
    #expect(await Self.code { try await Self.export(to: folder.path("data.zip")) } == .notPermitted)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.url.path)
    #expect(try folder.names() == [])
  }

  @Test func stagingFolderThatIsNotThere() async throws {
    let folder = try TemporaryFolder()
    var request = ExportRequest.fixed
    request.temporaryFolder = folder.path("gone")
    await #expect(throws: ExportError.self) { try await Self.export(to: folder.path("data.zip"), request: request) }
    #expect(try folder.names() == [])
  }

  // MARK: What crashes left

  @Test func leftoversAreSweptButNotThoseInUse() async throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b", "in-use"] { try folder.write("PK".utf8, to: ".account-export-writing-\(name)") }
    for name in ["x", "in-use"] {
      try FileManager.default.createDirectory(
        atPath: folder.url.path + "/.account-export-staging-\(name)/deeper", withIntermediateDirectories: true)
      try folder.write("secret".utf8, to: ".account-export-staging-\(name)/copy.sqlite")
      try folder.write("secret".utf8, to: ".account-export-staging-\(name)/deeper/copy.sqlite")
    }
    // Someone else's, which can't be opened as ours would be, and must not stop the sweep of the others.
    try FileManager.default.createSymbolicLink(
      atPath: folder.url.path + "/.account-export-staging-0", withDestinationPath: ".account-export-staging-in-use")
    try FileManager.default.createSymbolicLink(
      atPath: folder.url.path + "/.account-export-writing-0", withDestinationPath: ".account-export-writing-in-use")
    let file = try FileDescriptor.reading(folder.path(".account-export-writing-in-use"))
    let staging = try FileDescriptor.folder(folder.path(".account-export-staging-in-use"))
    let isLocked = try file.lock() && staging.lock()
    #expect(isLocked)
    _ = try await Self.export(to: folder.path("data.zip"))
    #expect(
      try folder.names() == [
        ".account-export-staging-0", ".account-export-staging-in-use", ".account-export-writing-0", ".account-export-writing-in-use",
        "data.zip",
      ])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path + "/.account-export-staging-in-use").count == 2)
  }

  @Test func privateFolderIsGoneAfterTheExport() async throws {
    struct Copying: ExportSource {
      let name = "records/Copy"
      let kind = "test"
      func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
        let path = try writer.privateFolder()
        let again = try writer.privateFolder()
        #expect(again == path)
        let folder = try FileDescriptor.folder(path)
        let mode = try folder.status().mode
        #expect(mode == 0o700)
        _ = try folder.creating("copy.sqlite")
        _ = try folder.creatingFolder("more").creating("copy")
        try await writer.value("done") { $0.boolean(true) }
      }
    }
    let folder = try TemporaryFolder()
    _ = try await AccountExporter(sources: [Copying()]).export(.fixed, to: folder.path("data.zip"))
    #expect(try folder.names() == ["data.zip"])
  }
}

/// A small file system of its own, which only the superuser can make.
private final class Disk {
  static let canMount: Bool = {
    do { return try Disk(bytes: 1 << 20).isMounted } catch { return false }
  }()

  let folder: TemporaryFolder
  let isMounted: Bool

  init(bytes: Int) throws {
    folder = try TemporaryFolder()
    isMounted = try runProgram("mount", ["-t", "tmpfs", "-o", "size=\(bytes)", "tmpfs", folder.url.path]).status == 0
  }

  deinit {
    if !isMounted { return }
    do {
      let result = try runProgram("umount", [folder.url.path])
      #expect(result.status == 0, "\(result.output)")
    } catch { Issue.record(error) }
  }
}

/// A disk that is full: the output's, or the staging's.
@Suite(.serialized, .enabled(if: Disk.canMount, "no file system can be mounted here")) struct FullDiskTests {
  /// Incompressible rows, so many bytes.
  private struct Noise: ExportSource {
    let name = "records/Noise"
    let kind = "test"
    let bytes: Int

    func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
      var random = SeededGenerator(seed: 3)
      try await writer.collection(CollectionDescription("noise", columns: [.init("n")])) { records in
        for _ in 0..<(bytes / 20) { try records.row { $0.unsigned(random.next()) } }
      }
    }
  }

  @Test func output() async throws {
    let disk = try Disk(bytes: 256 << 10)
    let staging = try TemporaryFolder()
    var request = ExportRequest.fixed
    request.temporaryFolder = staging.path
    let error = await #expect(throws: ExportError.self) {
      try await AccountExporter(sources: [Noise(bytes: 4 << 20)]).export(request, to: disk.folder.path("data.zip"))
    }
    #expect(error?.code == .noSpace)
    #expect(try disk.folder.names() == [] && staging.names() == [])
  }

  @Test func staging() async throws {
    let disk = try Disk(bytes: 1 << 20)
    let folder = try TemporaryFolder()
    var request = ExportRequest.fixed
    request.temporaryFolder = disk.folder.path
    let sources: [any ExportSource] = [NeighbourSource("records/A"), Noise(bytes: 4 << 20)]
    let error = await #expect(throws: ExportError.self) {
      try await AccountExporter(sources: sources).export(request, to: folder.path("data.zip"))
    }
    #expect(error?.code == .noSpace)
    #expect(error?.hint?.contains("--temp") == true)
    #expect(try disk.folder.names() == [] && folder.names() == [])
  }

  @Test func planThatNeedsMore() async throws {
    struct Planned: PlannableSource {
      let name = "records/Planned"
      let kind = "test"
      func plan(for subject: DataSubject, depth: PlanDepth) async throws -> SourcePlan { SourcePlan(bytes: 1, copiedBytes: 2 << 20) }
      func export(for subject: DataSubject, into writer: inout EntryWriter) async throws { Issue.record("it was begun all the same") }
    }
    let disk = try Disk(bytes: 1 << 20)
    var request = ExportRequest.fixed
    request.temporaryFolder = disk.folder.path
    let error = await #expect(throws: ExportError.self) {
      try await AccountExporter(sources: [Planned()]).export(request, to: disk.folder.path("data.zip"))
    }
    #expect(error?.code == .noSpace)
    #expect(try disk.folder.names() == [])
  }
}
