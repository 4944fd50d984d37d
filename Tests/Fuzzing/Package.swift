// swift-tools-version: 6.2
import PackageDescription

/// The fuzzer, apart from the package itself, which so stays free of unsafe flags. `Tests/Fuzzing/run` builds it with the flags that it needs.
let package = Package(
  name: "fuzzing",
  dependencies: [.package(name: "account-export", path: "../..")],
  targets: [
    .target(name: "CFuzzer"),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "CFuzzer",
        .product(name: "AccountExport", package: "account-export"),
        .product(name: "CSVReading", package: "account-export"),
        .product(name: "PropertyLists", package: "account-export"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
  ]
)
