/// What people call a collection or column of which only the raw name is known.
enum Label {
  /// `oauth_access_grants` becomes `Oauth access grants`, `createdAt` `Created at`; a column that refers by `folder_id` is the folder.
  static func of(collection name: String) -> String { humane(name) }

  static func of(column name: String) -> String {
    if name.lowercased() == "id" { return "ID" }
    for suffix in ["_id", "_ID"] where name.hasSuffix(suffix) && name.utf8.count > 3 { return humane(String(name.dropLast(3))) }
    return humane(name)
  }

  private static func humane(_ name: String) -> String {
    var label = ""
    var previous: Unicode.Scalar?
    for scalar in name.unicodeScalars {
      let begins = previous.map { isLower($0) && isUpper(scalar) } ?? false
      if scalar == "_" || scalar == " " || begins {
        if !label.isEmpty && label.unicodeScalars.last != " " { label += " " }
      }
      if scalar != "_" && scalar != " " {
        let isWord = begins && label.unicodeScalars.last == " "
        label += isWord ? scalar.properties.lowercaseMapping : String(scalar)
      }
      previous = scalar
    }
    while label.unicodeScalars.last == " " { label.unicodeScalars.removeLast() }
    guard let first = label.unicodeScalars.first else { return name }
    let rest = String(label.unicodeScalars.dropFirst())
    return first.properties.titlecaseMapping + rest
  }

  private static func isLower(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isLowercase || 0x30...0x39 ~= scalar.value }
  private static func isUpper(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isUppercase }
}
