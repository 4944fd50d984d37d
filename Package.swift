// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Every target of ours: Swift 6 mode, warnings are errors, async functions stay on their caller's executor.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

func room(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
  .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name + "Tests", dependencies: [.target(name: name), "TestSupport"] + dependencies, swiftSettings: strict)
}

/// ISA-L deflates several times as fast as zlib; where it is missing, zlib does all.
let hasISAL = FileManager.default.fileExists(atPath: "/usr/include/isa-l/igzip_lib.h")

/// A thin shim over one C library, with the Debian package that brings it.
func foreign(_ name: String, package: String? = nil, link: [String] = []) -> Target {
  .target(name: name, linkerSettings: link.map { .linkedLibrary($0) })
}

let package = Package(
  name: "account-export",
  products: [
    .executable(name: "account-export", targets: ["account-export"]),
    .executable(name: "export-endpoint", targets: ["export-endpoint"]),
    .library(name: "AccountExport", targets: ["AccountExport"]),
    .library(name: "PreferencesSource", targets: ["PreferencesSource"]),
    .library(name: "DocumentsSource", targets: ["DocumentsSource"]),
    .library(name: "RecordsSource", targets: ["RecordsSource"]),
    .library(name: "PostgresSource", targets: ["PostgresSource"]),
    .library(name: "AsyncRecordsSource", targets: ["AsyncRecordsSource"]),
    // What holds a source of one's own to the rules, in its tests.
    .library(name: "AccountExportTestSupport", targets: ["TestSupport"]),
    .library(name: "CommandSource", targets: ["CommandSource"]),
    .library(name: "BundleView", targets: ["BundleView"]),
    .library(name: "JSONStreaming", targets: ["JSONStreaming"]),
    .library(name: "CSVReading", targets: ["CSVReading", "TextDecoding"]),
    .library(name: "ZipArchive", targets: ["ZipArchive"]),
    .library(name: "PropertyLists", targets: ["PropertyLists"]),
    .library(name: "AppContainers", targets: ["AppContainers"]),
    .library(name: "Ownership", targets: ["Ownership"]),
    .library(name: "NamedFiles", targets: ["NamedFiles"]),
  ],
  targets: [
    // The only C.
    foreign("CFiles"),
    foreign("CProcess"),
    foreign("CThreads"),
    foreign("CZlib", link: ["z"]),
    // libarchive statically, so that its calls of zlib can be met (ZipSeam.h says why).
    .target(
      name: "CArchive",
      cSettings: hasISAL ? [.define("ISAL")] : [],
      linkerSettings: (hasISAL ? [.linkedLibrary("isal")] : []) + [
        .linkedLibrary(":libarchive.a", .when(platforms: [.linux])), .linkedLibrary("nettle", .when(platforms: [.linux])),
        .linkedLibrary("archive", .when(platforms: [.macOS])), .linkedLibrary("z"),
      ]),
    foreign("CCrypto", link: ["crypto"]),
    foreign("CSQLite", link: ["sqlite3"]),
    foreign("CPostgres", link: ["pq"]),
    foreign("CUnicode", link: ["utf8proc"]),
    foreign("CMicrohttpd", link: ["microhttpd"]),  // of the sample alone
    // One thing each; none knows what an export is.
    room("Files", ["CFiles"]),
    room("Processes", ["CProcess", "Files"]),
    room("JSONStreaming"),
    room("JSONReading"),
    room("TextDecoding"),
    room("CSVReading"),
    room("Checksums", ["CCrypto"]),
    room("ZipArchive", ["CArchive", "CZlib"]),
    room("TarReading", ["CArchive", "Files"]),
    room("PropertyLists"),
    room("AppContainers", ["Files", "PropertyLists"]),
    room("CoreDataModel", ["PropertyLists", "ZipArchive"]),
    room("Ownership", ["JSONReading"], resources: [.embedInCode("file-column-rules.json"), .embedInCode("ownership-rules.json")]),
    room("SQLiteReading", ["CSQLite", "Files"]),
    room("SQLiteWriting", ["CSQLite", "SQLiteReading"]),
    room("PostgresReading", ["CPostgres"]),
    .target(
      name: "BundleSchemas", path: "Schemas",
      resources: [
        .embedInCode("configuration.schema.json"),
        .embedInCode("documents.schema.json"),
        .embedInCode("manifest.schema.json"),
        .embedInCode("metadata.schema.json"),
        .embedInCode("preferences.schema.json"),
        .embedInCode("records.schema.json"),
      ], swiftSettings: strict),
    // The core.
    room(
      "AccountExport", ["BundleSchemas", "CThreads", "CUnicode", "Checksums", "Files", "JSONReading", "JSONStreaming", "ZipArchive"],
      resources: [.embedInCode("Masking/secret-rules.json"), .embedInCode("Masking/regulated-rules.json")]),
    // Property lists as the bundle writes them.
    room("PropertyListWriting", ["AccountExport", "PropertyLists"]),
    // Files that records name, wherever the records are.
    room("NamedFiles", ["AccountExport", "Files", "Ownership", "Processes"]),
    // What holds an account's data.
    room("PreferencesSource", ["AccountExport", "PropertyListWriting", "PropertyLists", "JSONReading", "Files"]),
    room("DocumentsSource", ["AccountExport", "Files"]),
    room(
      "RecordsSource",
      [
        "AccountExport", "CSVReading", "CoreDataModel", "Files", "JSONReading", "JSONStreaming", "NamedFiles", "Ownership",
        "PropertyListWriting", "PropertyLists", "SQLiteReading", "TextDecoding",
      ]),
    room("PostgresSource", ["AccountExport", "JSONReading", "NamedFiles", "Ownership", "PostgresReading"]),
    room("AsyncRecordsSource", ["AccountExport", "JSONStreaming"]),
    room("CommandSource", ["AccountExport", "Files", "JSONReading", "Processes", "TarReading"]),
    // The pages of a bundle that people open.
    room(
      "BundleView", ["AccountExport", "Checksums", "JSONReading", "JSONStreaming"],
      resources: [
        .embedInCode("Resources/view.css"), .embedInCode("Resources/view.js"), .embedInCode("Resources/search.js"),
        .embedInCode("Resources/pick.js"), .embedInCode("Resources/strings/en.json"),
        .embedInCode("Resources/strings/de.json"), .embedInCode("Resources/strings/fr.json"), .embedInCode("Resources/strings/es.json"),
        .embedInCode("Resources/strings/pt.json"), .embedInCode("Resources/strings/ja.json"), .embedInCode("Resources/strings/ar.json"),
      ]),
    // What comes after an export: a request to delete the account, and what becomes of it.
    room("AccountDeletion", ["AccountExport", "Checksums", "Files", "JSONReading", "JSONStreaming", "SQLiteReading", "SQLiteWriting"]),
    room("FileDeletion", ["AccountDeletion", "AccountExport", "Checksums", "DocumentsSource", "Files"]),
    // The command.
    room(
      "AccountExportCommand",
      [
        "AccountDeletion", "AccountExport", "BundleView", "PreferencesSource", "DocumentsSource", "RecordsSource", "PostgresSource",
        "CommandSource", "NamedFiles", "Ownership",
        "BundleSchemas", "JSONReading", "JSONStreaming", "TextDecoding", "Files", "AppContainers", "Processes",
      ]),
    .executableTarget(name: "account-export", dependencies: ["AccountExportCommand"], swiftSettings: strict),
    // A sample: an HTTP endpoint. No product links it.
    .executableTarget(
      name: "export-endpoint",
      dependencies: ["AccountExport", "CMicrohttpd", "DocumentsSource", "Files", "PreferencesSource", "RecordsSource"],
      path: "Samples/Endpoint", swiftSettings: strict),
    // Tests.
    .target(
      name: "TestSupport", dependencies: ["Files", "AccountExport", "Processes"], path: "Tests/TestSupport",
      exclude: ["check_bundle.py", "table_cells.py"],
      swiftSettings: strict),
    tests("Files", []),
    tests("Processes", ["Files"]),
    tests("JSONStreaming", ["JSONReading"]),
    tests("JSONReading", []),
    tests("TextDecoding", []),
    tests("CSVReading", ["Files"]),
    tests("Checksums", []),
    tests("ZipArchive", ["CZlib"]),
    tests("TarReading", ["Files"]),
    tests("PropertyLists", ["JSONReading"]),
    tests("AppContainers", ["Files"]),
    tests("CoreDataModel", ["ZipArchive"]),
    tests("Ownership", ["JSONReading"]),
    tests("NamedFiles", ["AccountExport", "Files", "Ownership"]),
    tests("PostgresReading", []),
    tests("SQLiteReading", ["Files", "CSQLite", "Processes"]),
    tests("AccountExport", ["Files", "JSONReading", "JSONStreaming", "ZipArchive", "Checksums"]),
    tests("PreferencesSource", ["AccountExport", "Files", "ZipArchive"]),
    tests("DocumentsSource", ["AccountExport", "Files", "ZipArchive"]),
    tests("RecordsSource", ["AccountExport", "SQLiteReading", "CSQLite", "Files", "NamedFiles", "ZipArchive"]),
    tests("PostgresSource", ["AccountExport", "Files", "NamedFiles", "Ownership", "PostgresReading", "ZipArchive"]),
    tests("AsyncRecordsSource", ["AccountExport", "Files"]),
    tests("CommandSource", ["AccountExport", "Files", "Processes", "ZipArchive"]),
    tests("BundleView", ["AccountExport", "Files", "JSONReading"]),
    tests("AccountDeletion", ["AccountExport", "Files"]),
    tests("FileDeletion", ["AccountDeletion", "AccountExport", "DocumentsSource", "Files", "deletion-crash"]),
    // What the crash test kills.
    .target(name: "CCrashPoints", path: "Tests/CrashSupport/CCrashPoints"),
    .executableTarget(
      name: "deletion-crash", dependencies: ["AccountDeletion", "AccountExport", "CCrashPoints", "FileDeletion", "Files"],
      path: "Tests/CrashSupport/deletion-crash", swiftSettings: strict),
    tests("AccountExportCommand", ["AccountExport", "BundleSchemas", "Files", "JSONReading", "Ownership"]),
    .testTarget(
      name: "DocumentationTests",
      dependencies: ["AccountExport", "AsyncRecordsSource", "DocumentsSource", "PreferencesSource", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "ArchitectureTests", swiftSettings: strict),
  ]
)
