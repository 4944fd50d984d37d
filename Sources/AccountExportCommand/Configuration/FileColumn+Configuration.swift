internal import Files
internal import JSONReading
internal import NamedFiles

extension FileColumn {
  /// The columns of a store that name files, as the configuration says. Its shape has been checked.
  static func all(ofStore store: JSONValue, _ absolute: (String) -> PathBytes) -> [FileColumn] {
    (store["files"]?.elements ?? []).map { element in
      let place: Place = element.text("root").map { .folder(absolute($0)) } ?? .none(reason: element.text("exclude") ?? "")
      return FileColumn(element.text("column") ?? "", in: place)
    }
  }
}
