internal import BundleView
internal import JSONReading

extension ViewOptions {
  /// What the configuration says under `view`.
  init(_ view: JSONValue) {
    self.init()
    if let rows = view["rows"]?.integer { self.rows = Int(rows) }
    if let bytes = view["bytes"]?.integer { self.bytes = Int(bytes) }
    collections = (view["collections"]?.members ?? []).map { Collection(place: $0.key, $0.value) }
  }
}

extension ViewOptions.Collection {
  fileprivate init(place: String, _ told: JSONValue) {
    self.init(place: place)
    (label, about) = (told.text("label"), told.text("about"))
    isHidden = told["hide"]?.boolean ?? false
    order = (told["order"]?.elements ?? []).compactMap(\.text)
    columns = (told["columns"]?.members ?? []).map {
      ViewOptions.Column(name: $0.key, label: $0.value.text("label"), isHidden: $0.value["hide"]?.boolean ?? false)
    }
  }
}
