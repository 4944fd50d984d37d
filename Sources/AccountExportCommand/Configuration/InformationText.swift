/// The block of a configuration in which the controller tells what GDPR Art. 15 has told beside the data, to be filled in.
enum InformationText {
  /// Its lines, as they are once they are no comments any more: valid as they stand, and empty of claims.
  /// - Parameter collections: The sources, by their places in the bundle.
  static func lines(collections: [String]) -> [String] {
    var lines = [
      "information: {",
      "  controller: { name: \"…\", address: \"…\", email: \"…\" },",
      "  contact: { email: \"…\", website: \"…\" },",
      "  dataProtectionOfficer: { name: \"…\", email: \"…\" },",
      "  collections: {",
    ]
    var seen: Set<String> = []
    for source in collections where source != "container" && source != "app" {
      // All folders of documents are one collection: documents.json.
      let name = source.hasPrefix("documents/") ? "documents" : source
      if !seen.insert(name).inserted { continue }
      lines += [
        "    \(ConfigurationText.quoted(name)): {",
        "      purposes: [\"…\"], legalBasis: \"GDPR Art. 6(1)(…)\", categories: [\"…\"], source: \"…\", retention: \"…\",",
        "    },",
      ]
    }
    return lines + [
      "  },",
      "  recipients: [{ name: \"…\", category: \"…\", purpose: \"…\", country: \"…\" }],",
      "  transfers: [{ to: \"…\", recipient: \"…\", safeguards: \"…\", copy: \"…\" }],",
      "  automatedDecisions: [{ name: \"…\", logic: \"…\", significance: \"…\", consequences: \"…\" }],",
      "  rights: [",
      "    { name: \"rectification\", how: \"…\" },",
      "    { name: \"erasure\", how: \"…\" },",
      "    { name: \"restriction of processing\", how: \"…\" },",
      "    { name: \"objection\", how: \"…\" },",
      "    { name: \"data portability\", how: \"…\" },",
      "    { name: \"complaint to a supervisory authority\", how: \"…\" },",
      "  ],",
      "  supervisoryAuthority: { name: \"…\", address: \"…\", website: \"…\" },",
      "},",
    ]
  }
}
