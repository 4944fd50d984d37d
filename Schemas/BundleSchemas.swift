/// The JSON Schemas (draft 2020-12) of the files in a bundle, and of the configuration, embedded at build.
public enum BundleSchemas {
  /// The schemas that every bundle carries below `schemas/`, with their file names, in the order of those.
  public static let all: [(name: String, bytes: [UInt8])] = []

  /// The schema of the configuration. It is not copied into bundles.
  public static let configuration: [UInt8] = PackageResources.configuration_schema_json
}
