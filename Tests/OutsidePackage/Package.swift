// swift-tools-version: 6.2
import PackageDescription

/// An app's package that depends on ours as any other would: by its products, of which it takes preferences and documents alone.
let package = Package(
  name: "OutsidePackage",
  dependencies: [.package(name: "account-export", path: "../..")],
  targets: [
    .executableTarget(
      name: "outside",
      dependencies: [
        .product(name: "PreferencesSource", package: "account-export"),
        .product(name: "DocumentsSource", package: "account-export"),
      ])
  ]
)
