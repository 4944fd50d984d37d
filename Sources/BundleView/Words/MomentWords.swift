internal import AccountExport

/// How a language writes moments and months, ready to be written into many cells.
struct MomentWords: Sendable {
  private enum Part: Sendable {
    case text(String)
    case year, month, day, hour, minute
  }

  private let moment: [Part], day: [Part]
  private let months: [String]
  private let monthOfYear: String

  init(_ text: (String) -> String) {
    let day = text("format.date")
    let whole = text("format.dateTime").replacing("{date}", with: day).replacing("{time}", with: text("format.time"))
    (moment, self.day) = (Self.parts(of: whole), Self.parts(of: day))
    months = (1...12).map { text("month.\($0)") }
    monthOfYear = text("format.month")
  }

  private static func parts(of template: String) -> [Part] {
    var parts: [Part] = []
    Words.forEachPart(of: template) { part in
      switch part {
      case .text(let text): parts.append(.text(text))
      case .placeholder("year"): parts.append(.year)
      case .placeholder("month"): parts.append(.month)
      case .placeholder("day"): parts.append(.day)
      case .placeholder("hour"): parts.append(.hour)
      case .placeholder("minute"): parts.append(.minute)
      case .placeholder(let name): parts.append(.text("{\(name)}"))
      }
    }
    return parts
  }

  /// A month, as `March 2024`.
  func month(_ year: Int, _ month: Int) -> String {
    monthOfYear.replacing("{month}", with: months[month - 1]).replacing("{year}", with: String(year))
  }

  /// Writes a moment in words, its exact text at hand: RFC 3339 without an offset other than `Z`, or a day alone.
  /// - Returns: false where it is neither; nothing is written then.
  func write(_ text: UnsafeRawBufferPointer, to html: inout SafeHTML) -> Bool {
    guard let moment = Moment(text) else { return false }
    html.markup("<time datetime=\"")
    // HTML allows three digits of a fraction.
    html.text(utf8: UnsafeRawBufferPointer(rebasing: text.prefix(23)))
    if text.count > 23 && text.last == UInt8(ascii: "Z") && text[22] != UInt8(ascii: "Z") { html.markup("Z") }
    html.markup("\" title=\"")
    html.text(utf8: text)
    html.markup("\">")
    for part in moment.hasTime ? self.moment : day {
      switch part {
      case .text(let text): html.text(text)
      case .year: html.text(utf8: UnsafeRawBufferPointer(rebasing: text[0..<4]))
      case .month: html.text(months[moment.month - 1])
      case .day: html.number(moment.day)
      case .hour: html.text(utf8: UnsafeRawBufferPointer(rebasing: text[11..<13]))
      case .minute: html.text(utf8: UnsafeRawBufferPointer(rebasing: text[14..<16]))
      }
    }
    html.markup("</time>")
    return true
  }

  func write(_ text: String, to html: inout SafeHTML) {
    var copy = text
    let isMoment = copy.withUTF8 { write(UnsafeRawBufferPointer($0), to: &html) }
    if !isMoment { html.text(text) }
  }
}

/// What a text says where it is a moment: `2024-03-12T10:15:00.5Z`, the same without `Z`, or `2024-03-12`.
struct Moment {
  let month: Int, day: Int
  let hasTime: Bool

  init?(_ text: UnsafeRawBufferPointer) {
    guard text.count >= 10, text.count <= 40, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-") else { return nil }
    guard text.decimal(0..<4) != nil, let month = text.decimal(5..<7), let day = text.decimal(8..<10) else { return nil }
    guard (1...12).contains(month), (1...31).contains(day) else { return nil }
    (self.month, self.day, hasTime) = (month, day, text.count > 10)
    if hasTime && !Self.isTime(text) { return nil }
  }

  private static func isTime(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count >= 19, text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":") else {
      return false
    }
    guard let hour = text.decimal(11..<13), let minute = text.decimal(14..<16), let second = text.decimal(17..<19) else { return false }
    guard hour < 24, minute < 60, second < 60 else { return false }
    var rest = text[19...]
    if rest.last == UInt8(ascii: "Z") { rest = rest.dropLast() }
    if rest.isEmpty { return true }
    return rest.first == UInt8(ascii: ".") && rest.count > 1 && rest.dropFirst().allSatisfy { 0x30...0x39 ~= $0 }
  }
}
