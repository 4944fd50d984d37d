internal import Checksums
internal import JSONReading

/// What the manifest says in sum.
struct ManifestSums: Sendable {
  var formatVersion: String?
  var outcome: String?
  var sourceItems = 0
  /// The items of each source, by its name.
  var sources: [String: Int] = [:]
  var omissions = 0
  /// Places of masked values, the values, and those of them that no object marks.
  var redactions = 0, redactedValues = 0, unmarkedValues = 0
  var hasMissing = false, hasIncompleteSource = false
  /// Paths that the manifest describes as collections.
  var describedTables: Set<String> = []
  /// What the manifest describes as CSV.
  var csvs: Set<String> = []
  var oxum: String?
  /// Resources whose file had not come yet.
  var lateResources: [JSONValue] = []

  /// The source that a file is of: the one whose folder it lies in.
  func source(of path: String) -> String? {
    var rest = path.dropFirst("data/".count)
    while let slash = rest.lastIndex(of: "/") {
      rest = rest[..<slash]
      if sources[String(rest)] != nil { return String(rest) }
    }
    return nil
  }

  /// Adds to a sum. One that can't be is as large as can be: it agrees with nothing that is inside.
  mutating func add(_ count: Int, to sum: WritableKeyPath<ManifestSums, Int>) {
    let (total, isOver) = self[keyPath: sum].addingReportingOverflow(count)
    self[keyPath: sum] = isOver ? .max : total
  }
}

extension BundleContents {
  /// Takes one member or element of `datapackage.json`.
  mutating func take(_ place: String, _ value: JSONValue, bytes: Int) {
    switch place {
    case ManifestFacts.doubled: report.add("datapackage.json: says \(value.text ?? "something") twice")
    case "resources":
      let late = manifest.lateResources.count
      takeResource(value)
      if manifest.lateResources.count > late { hold(bytes: bytes) }
    case "accountExport.formatVersion": manifest.formatVersion = value.text
    case "accountExport.outcome": manifest.outcome = value.text
    case "accountExport.sources": takeSource(value)
    case "accountExport.omissions": takeOmission(value)
    case "accountExport.redactions":
      manifest.redactions += 1
      takeRedaction(value)
    default: break
    }
  }

  private mutating func takeRedaction(_ redaction: JSONValue) {
    let counts = ["count", "inText", "asNumber"].map { Int(redaction[$0]?.integer ?? 0) }
    let (unmarked, isOver) = counts[1].addingReportingOverflow(counts[2])
    // What is subtracted from the sum must be part of it.
    if counts.contains(where: { $0 < 0 }) || isOver || unmarked > counts[0] {
      return report.add("datapackage.json: counts masked values as there can't be any")
    }
    manifest.add(counts[0], to: \.redactedValues)
    manifest.add(unmarked, to: \.unmarkedValues)
    if manifest.redactedValues == .max { report.add("datapackage.json: counts more masked values than there can be") }
  }

  private mutating func takeSource(_ source: JSONValue) {
    guard let items = source["items"]?.integer, items >= 0, let outcome = source["outcome"]?.text else {
      return report.add("datapackage.json: a source has no items or no outcome")
    }
    guard let name = source["name"]?.text else { return report.add("datapackage.json: a source has no name") }
    hold(bytes: name.utf8.count)
    if manifest.sources.updateValue(Int(items), forKey: name) != nil { report.add("datapackage.json: names the source \(name) twice") }
    manifest.add(Int(items), to: \.sourceItems)
    if outcome != "complete" { manifest.hasIncompleteSource = true }
  }

  private mutating func takeOmission(_ omission: JSONValue) {
    manifest.omissions += 1
    guard let reason = omission["reason"]?.text, omission["path"] != nil else {
      return report.add("datapackage.json: an omission has no reason or no path")
    }
    if Omission.Reason.missing.contains(reason) { manifest.hasMissing = true }
  }

  mutating func takeResource(_ resource: JSONValue) {
    guard let path = resource["path"]?.text else { return report.add("datapackage.json: a resource has no path") }
    guard let place = index.place(of: path) else { return manifest.lateResources.append(resource) }
    index.markDescribed(place)
    let found = index.found[place]
    if path.hasPrefix("data/documents/") { report.add("datapackage.json: the document \(path) is a resource") }
    let isTable = resource["type"]?.text == "table"
    // A table's may be left out, for readers that don't count what they read.
    if resource["bytes"].map({ $0.unsigned != found.size }) ?? !isTable {
      report.add("\(path): its size is not the one in datapackage.json")
    }
    if resource["hash"]?.text != "sha256:" + found.digest.hex { report.add("\(path): its SHA-256 is not the one in datapackage.json") }
    if resource["format"]?.text == "csv" {
      checkCSV(path, resource)
    } else if let schema = resource["schema"] {
      checkTable(path, schema, isTable: isTable)
    }
  }

  private mutating func checkTable(_ path: String, _ schema: JSONValue, isTable: Bool) {
    guard let facts = tables[path] else { return report.add("\(path): is described as a collection, but is no JSON") }
    manifest.describedTables.insert(path)
    if !facts.isArray { return report.add("\(path): is described as a collection, but is no array") }
    if let odd = facts.oddRow { report.add("\(path): row \(odd) has other keys than the first row, or is no object") }
    if isTable != (facts.rows > 0) { report.add("\(path): has \(facts.rows) rows, and \(isTable ? "is" : "isn't") described as a table") }
    if facts.rows == 0 { return }
    let fields = schema["fields"]?.elements ?? []
    // Keys are their bytes: Swift takes a composed and a decomposed spelling for equal.
    let keys = facts.keys.map { Array($0.utf8) }
    if Set(keys).count < keys.count { return report.add("\(path): its rows have a key twice") }
    if fields.compactMap({ $0["name"]?.text.map { Array($0.utf8) } }) != keys {
      return report.add("\(path): its rows' keys are not its schema's fields")
    }
    for (field, (key, kinds)) in zip(fields, zip(facts.keys, facts.kinds)) where !kinds.fit(field["type"]?.text ?? "any") {
      report.add("\(path): values under \(key) are not what its schema says")
    }
  }
}

extension ValueKinds {
  /// Whether values of these kinds are of a Table Schema type, as far as JSON shows it.
  func fit(_ type: String) -> Bool {
    switch type {
    case "integer": subtracting(.integer).isEmpty
    case "number": subtracting([.integer, .number]).isEmpty
    case "string", "datetime", "date", "time": subtracting(.text).isEmpty
    case "boolean": subtracting(.boolean).isEmpty
    case "object": subtracting(.object).isEmpty
    case "array", "list": subtracting(.array).isEmpty
    default: true
    }
  }
}
