/// Numbers as people read them; the same in every locale.
enum Quantity {
  /// `1,234 items`, `1 item`.
  static func counted(_ number: Int, _ singular: String, plural: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? singular : plural ?? singular + "s")"
  }

  /// `12,345`
  static func grouped(_ number: some BinaryInteger) -> String {
    var digits = Array(String(number))
    var place = digits.count - 3
    while place > (digits.first == "-" ? 1 : 0) {
      digits.insert(",", at: place)
      place -= 3
    }
    return String(digits)
  }

  /// `999 B`, `1.5 KiB`, `12 MiB`
  static func bytes(_ number: UInt64) -> String {
    if number < 1024 { return "\(number) B" }
    var (size, unit) = (Double(number) / 1024, 0)
    while size >= 1023.5 && unit < units.count - 1 { (size, unit) = (size / 1024, unit + 1) }
    let tenths = Int((size * 10).rounded())
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10) \(units[unit])" : "\(Int(size.rounded())) \(units[unit])"
  }

  private static let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

  /// `0:07`, `12:34`, `1:02:03`
  static func duration(seconds: Int) -> String {
    let parts = seconds >= 3600 ? [seconds / 3600, seconds / 60 % 60, seconds % 60] : [seconds / 60, seconds % 60]
    return parts.enumerated().map { $0 > 0 && $1 < 10 ? "0\($1)" : "\($1)" }.joined(separator: ":")
  }
}
