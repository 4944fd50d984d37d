internal import Checksums
internal import JSONReading

extension BundleContents {
  /// Holds a CSV against what its resource says of it.
  mutating func checkCSV(_ path: String, _ resource: JSONValue) {
    guard let facts = csvs[path] else { return report.add("\(path): is described as CSV, but isn't called so") }
    manifest.csvs.insert(path)
    hold(bytes: path.utf8.count)
    if let problem = facts.problem { return report.add("\(path): \(problem)") }
    let labels = resource["schema"]?["fields"]?.elements?.map { $0["name"]?.text ?? "" } ?? []
    do throws(ExportError) {
      if try CSVFacts.digest(of: labels) != facts.labels { report.add("\(path): its first line is not its schema's fields") }
    } catch {
      report.add("\(path): its first line can't be hashed: \(error)")
    }
  }

  /// Each CSV has the rows of the JSON beside it: it is no other collection.
  mutating func checkCSVRows() {
    for path in manifest.csvs.sorted() {
      guard let facts = csvs[path], facts.problem == nil else { continue }
      let json = path.dropLast(".csv".count) + ".json"
      guard let table = tables[String(json)], manifest.describedTables.contains(String(json)) else {
        report.add("\(path): there is no collection \(json)")
        continue
      }
      if table.rows != facts.rows { report.add("\(path): has \(facts.rows) rows, and \(json) \(table.rows)") }
    }
  }
}
