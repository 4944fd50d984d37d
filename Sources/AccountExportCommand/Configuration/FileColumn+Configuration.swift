internal import Files
internal import JSONReading
internal import NamedFiles

extension FileColumn {
  /// The columns of a store that name files, as the configuration says. Its shape has been checked.
  static func all(ofStore store: JSONValue, in folder: PathBytes?, _ absolute: (String) -> PathBytes) -> [FileColumn] {
    (store["files"]?.elements ?? []).map { element in
      let command = element.texts("command").map { Place.program(FileProgram($0.map { PathBytes($0) }, in: folder)) }
      let place = element.text("root").map { .folder(absolute($0)) } ?? command ?? .none(reason: element.text("exclude") ?? "")
      return FileColumn(element.text("column") ?? "", in: place)
    }
  }
}
