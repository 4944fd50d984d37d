import Testing

@Suite("The rooms of the code")
struct ArchitectureTests {
  static func sources() throws -> [SourceFile] {
    try SourceTree.files(below: "Sources", suffix: ".swift") + SourceTree.files(below: "Schemas", suffix: ".swift")
  }

  @Test("a target imports only what is allowed to it")
  func imports() throws {
    let allowed = Dictionary(uniqueKeysWithValues: allowedImports.map { ($0.target, $0.imports) })
    for file in try Self.sources() {
      let target = file.path.hasPrefix("Schemas/") ? "BundleSchemas" : file.target
      let modules = try #require(allowed[target], "\(file.path): the target is not in the list of allowed imports")
      for found in file.imports {
        #expect(modules.union(systemModules).contains(found.module), "\(file.path) imports \(found.module)")
      }
    }
  }

  @Test("the manifest declares the same arrows")
  func manifest() throws {
    let declared = try SourceTree.declaredDependencies()
    for (target, imports) in allowedImports {
      let dependencies = try #require(declared[target], "Package.swift declares no target \(target)")
      #expect(dependencies == imports, "\(target)")
    }
  }

  @Test("arrows point one way")
  func oneWay() {
    var below: Set<String> = []
    for (target, imports) in allowedImports {
      #expect(imports.isSubset(of: below), "\(target) imports from its own height or above")
      below.insert(target)
    }
  }

  @Test("no C type can stand in a public signature: C is imported internally, which the compiler then holds to")
  func foreignTypes() throws {
    let foreign = Set(allowedImports.map(\.target).filter { $0.wholeMatch(of: /C[A-Z]\w+/) != nil })
    #expect(foreign.count >= 5)
    for file in try Self.sources() {
      for found in file.imports where foreign.contains(found.module) {
        #expect(!found.isPublic, "\(file.path): write internal import \(found.module)")
      }
    }
  }

  @Test("the core names no concrete source")
  func core() throws {
    for file in try SourceTree.files(below: "Sources/AccountExport", suffix: ".swift") {
      for (number, text) in file.code {
        for name in ["PreferencesSource", "DocumentsSource", "RecordsSource", "SQLite", "CoreData", "UserDefaults"] {
          #expect(!text.contains(name), "\(file.path):\(number) names \(name)")
        }
      }
    }
  }
}

@Suite("The style of the code")
struct StyleTests {
  @Test("no file is longer than 400 lines", arguments: ["Sources", "Tests", "Schemas", "Samples"])
  func length(folder: String) throws {
    let files = try ["swift", "c", "h", "py"].flatMap { try SourceTree.files(below: folder, suffix: "." + $0) }
    #expect(!files.isEmpty)
    for file in files {
      #expect(file.length <= 401, "\(file.path) has \(file.length - 1) lines")
    }
  }

  @Test("no error is swallowed, nothing gives up")
  func errors() throws {
    for file in try ArchitectureTests.sources() {
      for (number, text) in file.code {
        for word in ["try?", "try!", "fatalError("] {
          #expect(!text.contains(word), "\(file.path):\(number) has \(word)")
        }
        let catches = text.contains("catch") && text.firstMatch(of: /catch\s*\{\s*\}/) != nil
        #expect(!catches, "\(file.path):\(number) has an empty catch")
      }
    }
  }

  @Test("nothing is left to do")
  func finished() throws {
    for file in try ArchitectureTests.sources() {
      for (number, text) in zip(1..., file.lines) {
        for word in ["TODO", "FIXME", "XXX", "HACK"] {
          #expect(!text.contains(word), "\(file.path):\(number) has \(word)")
        }
      }
    }
  }

  @Test("what the compiler can't see is argued for right above")
  func unchecked() throws {
    for file in try ArchitectureTests.sources() {
      for (number, text) in file.code where text.contains("@unchecked") || text.contains("nonisolated(unsafe)") {
        let above = number > 1 ? file.lines[number - 2] : ""
        #expect(above.contains("//"), "\(file.path):\(number) needs a comment")
      }
    }
  }
}

@Suite("Reading Swift by its text")
struct SourceTreeTests {
  @Test(arguments: [
    ("import Glibc", Import(module: "Glibc", isPublic: true)),
    ("internal import CFiles", Import(module: "CFiles", isPublic: false)),
    ("  private import struct CFiles.cfiles_status", Import(module: "CFiles", isPublic: false)),
    ("@_exported public import Files", Import(module: "Files", isPublic: true)),
    ("@testable import Files", Import(module: "Files", isPublic: true)),
  ])
  func imports(line: String, expected: Import) {
    #expect(Import(line: line[...]) == expected)
  }

  @Test(arguments: ["let x = 1", "important()", "public func importing() {}", "import"])
  func noImports(line: String) {
    #expect(Import(line: line[...]) == nil)
  }

  @Test(arguments: [
    ("a() // try? never", "a() "), ("/// doc", ""), ("let a = \"https://b\" // c", "let a = \"https://b\" "), ("a / b", "a / b"),
    ("let q = \"\\\"//\"", "let q = \"\\\"//\""),
  ])
  func comments(line: String, expected: String) {
    #expect(withoutComment(line) == expected[...])
  }

  @Test(arguments: [(["a", "b", ""], 3), (["let t = \"\"\"", "  x", "  y", "  \"\"\"", "b"], 3), (["f(\"\"\"a\"\"\")", "b"], 2)])
  func length(lines: [String], expected: Int) {
    #expect(SourceFile(path: "", lines: lines).length == expected)
  }

  @Test("targets of every form are found in the manifest")
  func manifest() throws {
    let declared = try SourceTree.declaredDependencies()
    #expect(declared["CFiles"] == [])
    #expect(declared["ZipArchive"] == ["CArchive", "CZlib"])
    #expect(declared["BundleSchemas"] == [])
    #expect(declared["account-export"] == ["AccountExportCommand"])
  }
}
