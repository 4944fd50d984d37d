import Files
import TestSupport
import Testing

@testable import AccountExport

/// Exports that stage in one folder sweep what others left there, and must not sweep each other.
@Test func stagingFoldersBesideEachOther() async throws {
  let folder = try TemporaryFolder()
  let path = folder.path
  await withTaskGroup(of: Void.self) { group in
    for _ in 0..<4 {
      group.addTask {
        for _ in 0..<200 {
          #expect(throws: Never.self) {
            let staging = try StagingFolder(in: path)
            let own = try staging.privateFolderPath()
            _ = try FileDescriptor.folder(own, following: false)
            withExtendedLifetime(staging) {}
          }
        }
      }
    }
  }
  #expect(try folder.names() == [])
}

/// An export's private folder goes with its end, whoever still holds on to where it was.
@Test func stagingEnds() async throws {
  let folder = try TemporaryFolder()
  let staging = try StagingFolder(in: folder.path)
  let own = try staging.privateFolderPath()
  _ = try FileDescriptor.folder(own, following: false).creatingFolder("inner")
  await staging.end()
  #expect(try folder.names() == [])
  withExtendedLifetime(staging) {}
}

/// A folder that is gone is an error, not a reason to try again for ever.
@Test func stagingInAFolderThatGoes() throws {
  let folder = try TemporaryFolder()
  let inner = folder.path.appending("inner")
  let around = try FileDescriptor.folder(folder.path, following: false)
  _ = try around.creatingFolder("inner")
  let staging = try StagingFolder(in: inner)
  try around.removeFolder("inner")
  #expect(throws: ExportError.self) { try staging.privateFolderPath() }
}
