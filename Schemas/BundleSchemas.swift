/// The JSON Schemas (draft 2020-12) of the files in a bundle, and of the configuration, embedded at build.
public enum BundleSchemas {
  /// The schemas that every bundle carries below `schemas/`: file name and contents, in the order of the names.
  public static let all: [(name: String, bytes: [UInt8])] = [
    ("documents.schema.json", PackageResources.documents_schema_json),
    ("manifest.schema.json", PackageResources.manifest_schema_json),
    ("metadata.schema.json", PackageResources.metadata_schema_json),
    ("preferences.schema.json", PackageResources.preferences_schema_json),
    ("records.schema.json", PackageResources.records_schema_json),
  ]

  /// The schema of the configuration. It is not copied into bundles.
  public static let configuration: [UInt8] = PackageResources.configuration_schema_json
}
