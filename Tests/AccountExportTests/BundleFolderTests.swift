import Testing

@testable import AccountExport

@Suite struct BundleFolderTests {
  private static let top = "account-export-20261130T101500Z"

  private static func claimed(_ paths: [[UInt8]], in folder: String = "documents/Documents") -> [String] {
    var names = BundleFolder(path: folder, topFolder: top)
    return paths.map { path in names.claim(components: path.split(separator: UInt8(ascii: "/"))[...], original: path) }
  }

  private static func claimed(_ paths: String...) -> [String] {
    claimed(paths.map { Array($0.utf8) }).map { String($0.dropFirst("documents/Documents/".count)) }
  }

  @Test func plainPathsStay() {
    #expect(Self.claimed("a.txt", "b/c.txt", "b/d/e", "b/f") == ["a.txt", "b/c.txt", "b/d/e", "b/f"])
  }

  @Test func caseTwins() {
    #expect(Self.claimed("Letter.txt", "letter.txt", "LETTER.TXT") == ["Letter.txt", "letter-2.txt", "LETTER-3.TXT"])
    #expect(Self.claimed("A/x", "a/x", "A/y", "a/y") == ["A/x", "a-2/x", "A/y", "a-2/y"])
    #expect(Self.claimed("caf\u{E9}", "cafe\u{301}") == ["caf\u{E9}", "caf\u{E9}-2"])
    #expect(Self.claimed("a?", "a*", "a_", "a-2") == ["a_", "a_-2", "a_-3", "a-2"])
  }

  @Test func fileAndFolderOfOneName() {
    #expect(Self.claimed("a", "A/b") == ["a", "A-2/b"])
    #expect(Self.claimed("a/b", "A") == ["a/b", "A-2"])
    #expect(Self.claimed("a?/b", "a*") == ["a_/b", "a_-2"])
  }

  @Test func numbersThatAreTaken() {
    #expect(Self.claimed("a-2.txt", "a.txt", "A.txt", "a-3.txt") == ["a-2.txt", "a.txt", "A-3.txt", "a-3-2.txt"])
  }

  @Test func deepPathsGoElsewhere() {
    let deep = String(repeating: "folder/", count: 40) + "note.txt"
    let names = Self.claimed(deep, deep + "x", "folder/note.txt")
    #expect(names[0].hasPrefix("long-paths/") && names[0].hasSuffix("-note.txt"))
    #expect(names[1].hasPrefix("long-paths/") && names[1].hasSuffix("-note.txtx"))
    #expect(names[2] == "folder/note.txt")
    #expect(Set(names).count == 3)
  }

  @Test func folderThatIsCalledAsOurs() {
    let names = Self.claimed("long-paths", "Long-Paths/x")
    #expect(names == ["long-paths-2", "Long-Paths-3/x"])
  }

  /// A collection keeps its name where its path can: 180 units with the bundle's folder, four of them left for a number.
  @Test(arguments: [("records/app", 102), ("records/" + String(repeating: "s", count: 60), 70), ("preferences", 114)])
  func longCollectionNames(folder: String, longest: Int) {
    for length in [60, longest - 5, longest - 4] {
      var names = BundleFolder(path: folder, topFolder: Self.top)
      let name = String(repeating: "n", count: length)
      let claimed = names.claim("", name, suffix: ".json")
      #expect(claimed == folder + "/" + name + ".json" || length > longest - 5)
      var whole = [claimed]
      for _ in 0..<998 { whole.append(names.claim("", name, suffix: ".json")) }
      #expect(whole.allSatisfy { (Self.top + "/data/" + $0).utf16.count <= 180 && $0.hasSuffix(".json") })
      #expect(Set(whole).count == 999)
    }
  }

  /// Whatever a tree's names are: every path is safe, short enough, and unlike every other where case is ignored, folders too.
  @Test(arguments: 0..<8) func hostileTrees(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let folder = ["documents/Documents", "documents/" + String(repeating: "d", count: 48), "x/y"][seed % 3]
    let paths = Self.tree(&random)
    let names = Self.claimed(paths, in: folder)
    var spellings: [String: String] = [:]
    var files: Set<String> = []
    for (path, name) in zip(paths, names) {
      let whole = Self.top + "/data/" + name
      if whole.utf16.count > 180 { Issue.record("\(whole.utf16.count) units from \(path)") }
      if !files.insert(name).inserted { Issue.record("\(name) is given twice") }
      var prefix = ""
      for part in name.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false) {
        let component = String(Substring(part))
        if let problem = nameProblem(component) { Issue.record("\(component) \(problem)") }
        prefix += prefix.isEmpty ? component : "/" + component
        let first = spellings[BundleName.folded(prefix), default: prefix]
        if !first.utf8.elementsEqual(prefix.utf8) { Issue.record("\(first) and \(prefix) are one where case is ignored") }
        spellings[BundleName.folded(prefix)] = prefix
      }
    }
    #expect(files.count > 500)
    for name in names {
      var parent = name[...]
      while let slash = parent.lastIndex(of: "/") {
        parent = parent[..<slash]
        if files.contains(String(parent)) { Issue.record("\(parent) is a file and a folder") }
      }
    }
  }

  /// Distinct paths that can stand in one tree: no path is also a folder of another.
  private static func tree(_ random: inout SeededGenerator) -> [[UInt8]] {
    var folders: [[UInt8]] = [[]]
    var taken: Set<[UInt8]> = [[]]
    var files: [[UInt8]] = []
    for round in 0..<1000 {
      let name = hostileName(&random, longest: 1 + round % 20).filter { $0 != 0 && $0 != UInt8(ascii: "/") }
      if name.isEmpty || name == [0x2E] || name == [0x2E, 0x2E] { continue }
      let parent = folders.randomElement(using: &random) ?? []
      let path = parent.isEmpty ? name : parent + [UInt8(ascii: "/")] + name
      if !taken.insert(path).inserted { continue }
      if round % 4 == 0 { folders.append(path) } else { files.append(path) }
    }
    return files
  }
}

@Suite struct SourceFoldersTests {
  private struct Named: ExportSource {
    let name: String
    let kind = "test"
    func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {}
  }

  @Test(arguments: [
    (["preferences", "documents/Documents"], ["preferences", "documents/Documents"]),
    (["records/Notes", "records/notes", "Records/Other"], ["records/Notes", "records/notes-2", "records/Other"]),
    (["records", "records/Notes", "RECORDS/More"], ["records", "records-2/Notes", "records-2/More"]),
    (["records/Notes", "records"], ["records/Notes", "records-2"]), (["a", "A", "a"], ["a", "A-2", "a-3"]),
    (["metadata.json", "documents.json/x"], ["metadata-2.json", "documents-2.json/x"]), (["", "/", "a/b/c"], ["data", "data-2", "a/b"]),
    (["../up", "con/nul"], ["__/up", "con_/nul_"]),
  ])
  func folders(_ names: (given: [String], folders: [String])) {
    #expect(SourceFolders.names(of: names.given.map { Named(name: $0) }) == names.folders)
  }

  @Test func longNames() {
    let long = String(repeating: "n", count: 100)
    let folders = SourceFolders.names(of: [Named(name: long + "/" + long), Named(name: long + "/" + long), Named(name: long)])
    #expect(Set(folders).count == 3)
    #expect(folders.allSatisfy { $0.utf16.count <= 70 })
  }
}
