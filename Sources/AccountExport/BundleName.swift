internal import CUnicode

/// Names that can stand in a bundle: relative, NFC, and safe on every system that unpacks them, Windows included.
enum BundleName {
  /// UTF-16 units of one component, and of a whole path with the bundle's folder.
  static let longestComponent = 120, longestPath = 180

  /// A component made safe: what can't stand becomes `_`. Equal bytes give equal names; different ones may too, so make it unique after.
  static func safe(_ name: some Sequence<UInt8>, longest: Int = longestComponent) -> String {
    let bytes = Array(name)
    let decoded = String(decoding: bytes, as: UTF8.self)
    if bytes.withUnsafeBytes({ isPlain($0, longest: longest) }) { return decoded }
    var result = ""
    for scalar in composed(decoded).unicodeScalars { result.unicodeScalars.append(isSafe(scalar) ? scalar : "_") }
    // A mark or joiner at the beginning would join the slash before it.
    if ("/" + result).first != "/" { result = "_" + result }
    result = withoutReservedStem(withSafeEnd(result))
    if result.utf16.count > longest { result = shortened(result, to: longest) }
    return result.isEmpty ? "_" : result
  }

  /// Whether a name is as it may stand, as most are: told from its bytes alone. What isn't plain may be safe all the same.
  static func isPlain(_ name: UnsafeRawBufferPointer, longest: Int = longestComponent) -> Bool {
    guard let first = name.first, let last = name.last, name.count <= longest else { return false }
    if last == UInt8(ascii: ".") || last == UInt8(ascii: " ") { return false }
    var stem: Int?
    var letters = 0
    for (index, byte) in name.enumerated() {
      guard plain[Int(byte)] else { return false }
      if byte == UInt8(ascii: "."), stem == nil { stem = letters }
      if byte != UInt8(ascii: " ") { letters = index + 1 }
    }
    // The names that Windows reserves have three or four letters before a point and before spaces, and begin with few.
    if stem ?? letters > 4 { return true }
    switch first | 0x20 {
    case UInt8(ascii: "a"), UInt8(ascii: "c"), UInt8(ascii: "l"), UInt8(ascii: "n"), UInt8(ascii: "p"): return false
    default: return true
    }
  }

  /// What a plain name is made of.
  private static let plain: [Bool] = (0..<256).map { byte in
    switch UInt8(byte) {
    case 0x61...0x7A, 0x41...0x5A, 0x30...0x39: true
    default: " !#'()+,-.=@_".utf8.contains(UInt8(byte))
    }
  }

  /// A name cut to a length, its suffix kept where it is short.
  static func shortened(_ name: String, to longest: Int) -> String {
    let (stem, suffix) = split(name)
    let room = longest - suffix.utf16.count
    var kept = ""
    var units = 0
    for character in stem {
      units += character.utf16.count
      if units > room { break }
      kept.append(character)
    }
    return withoutReservedStem(withSafeEnd(composed(kept + suffix)))
  }

  /// The name before its suffix, and the suffix with its point (empty where there is none, or where it is long or odd).
  static func split(_ name: String) -> (stem: String, suffix: String) {
    guard let point = name.utf8.lastIndex(of: UInt8(ascii: ".")), point != name.startIndex else { return (name, "") }
    let suffix = name[point...]
    let isPlain = suffix.utf8.count <= 12 && suffix.utf8.dropFirst().allSatisfy { $0 > 0x20 && $0 < 0x7F }
    return isPlain ? (String(name[..<point]), String(suffix)) : (name, "")
  }

  /// The name with a number before its suffix.
  static func numbered(_ name: String, _ number: Int, longest: Int) -> String {
    let (stem, suffix) = split(name)
    let mark = "-\(number)"
    let room = longest - mark.utf16.count - suffix.utf16.count
    let cut = stem.utf16.count > room ? shortened(stem, to: max(1, room)) : stem
    return cut + mark + suffix
  }

  /// Normal form C.
  static func composed(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var copy = text
    return copy.withUTF8 { utf8 in
      var out: UnsafeMutablePointer<UInt8>?
      let options = utf8proc_option_t(UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue)
      let count = utf8proc_map(utf8.baseAddress, utf8proc_ssize_t(utf8.count), &out, options)
      defer { free(out) }
      guard count >= 0, let out else { return text }  // valid UTF-8 only fails where memory has run out
      return String(decoding: UnsafeBufferPointer(start: out, count: Int(count)), as: UTF8.self)
    }
  }

  /// The name as a file system that ignores case sees it.
  static func folded(_ name: String) -> String {
    let utf8 = name.utf8
    if utf8.allSatisfy({ $0 < 0x80 }) {
      return String(unsafeUninitializedCapacity: utf8.count) { lower in
        for (index, byte) in utf8.enumerated() {
          lower.initializeElement(at: index, to: (0x41...0x5A).contains(byte) ? byte + 32 : byte)
        }
        return utf8.count
      }
    }
    var result = ""
    for scalar in composed(name).unicodeScalars {
      if scalar.isASCII {
        result.unicodeScalars.append((0x41...0x5A).contains(scalar.value) ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar)
      } else {
        result += single(single(String(scalar), \.uppercaseMapping), \.lowercaseMapping)
      }
    }
    return result
  }

  /// A mapping where it is one scalar for one; the text itself else (`ß` stays `ß`).
  private static func single(_ text: String, _ mapping: KeyPath<Unicode.Scalar.Properties, String>) -> String {
    guard let scalar = text.unicodeScalars.first else { return text }
    let mapped = scalar.properties[keyPath: mapping]
    return mapped.unicodeScalars.count == 1 ? mapped : text
  }

  private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F: return false
    case UInt32(UInt8(ascii: "<")), UInt32(UInt8(ascii: ">")), UInt32(UInt8(ascii: ":")), UInt32(UInt8(ascii: "\"")),
      UInt32(UInt8(ascii: "/")),
      UInt32(UInt8(ascii: "\\")), UInt32(UInt8(ascii: "|")), UInt32(UInt8(ascii: "?")), UInt32(UInt8(ascii: "*")),
      UInt32(UInt8(ascii: "%")):
      return false
    case 0x20..<0x7F: return true
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFFE, 0xFFFF: return false
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .spaceSeparator: return false
    default: return true
    }
  }

  /// Windows drops points and spaces at the end, so none may stand there.
  private static func withSafeEnd(_ name: String) -> String {
    var scalars = Array(name.unicodeScalars)
    var end = scalars.count
    while end > 0, scalars[end - 1] == "." || scalars[end - 1] == " " {
      scalars[end - 1] = "_"
      end -= 1
    }
    var result = ""
    result.unicodeScalars.append(contentsOf: scalars)
    return result
  }

  /// `CON.txt` is the console on Windows, whatever its suffix: its stem gets a `_`.
  private static func withoutReservedStem(_ name: String) -> String {
    // Scalars, not characters: a point with a mark over it ends a stem too.
    let scalars = name.unicodeScalars
    let end = scalars.firstIndex(of: ".") ?? scalars.endIndex
    var bare = scalars[..<end]
    while bare.last == " " { bare.removeLast() }
    let stem = String(Substring(bare))
    guard reserved.contains(folded(stem)) else { return name }
    return stem + "_" + String(Substring(scalars[end...]))
  }

  private static let reserved: Set<String> = {
    var names: Set<String> = ["con", "prn", "aux", "nul", "conin$", "conout$"]
    for device in ["com", "lpt"] {
      for digit in ["1", "2", "3", "4", "5", "6", "7", "8", "9", "\u{B9}", "\u{B2}", "\u{B3}"] { names.insert(device + digit) }
    }
    return names
  }()
}
