import AccountExport
import JSONReading
import PostgresReading

/// Writes values from the text that PostgreSQL prints for them. Its buffers are used again for every value.
struct ValueEncoder {
  let types: ValueTypes
  let limits: JSONScanner.Limits
  private var decoded: [UInt8] = []

  init(types: ValueTypes, limits: ExportLimits) {
    self.types = types
    // One level less than the writer takes: what is too deep for it is found while it can still be written as text.
    self.limits = JSONScanner.Limits(depth: max(1, limits.depth - 1))
  }

  /// Writes a column's value. One that hasn't the form of its type (no server prints such) is written as the text it is, so that nothing is lost.
  mutating func write(_ printed: Printed?, as type: Int, to row: inout RowWriter) throws {
    guard let printed else { return row.null() }
    switch types[type] {
    case .array, .composite, .json:
      do { try row.nested { (nested) throws in try write(nested: printed, as: type, depth: 0, to: &nested) } } catch {
        guard error is MalformedValue || error is JSONError else { throw error }
        row.text(printed)
      }
    case let form: try write(single: printed, form, to: &row)
    }
  }

  /// Writes a value of a type without parts.
  private mutating func write<Sink: ValueSink & ~Copyable>(single text: Printed, _ form: ValueForm, to sink: inout Sink) throws {
    switch form {
    case .integer:
      if let value = Self.integer(text) { return sink.integer(value) }
    case .boolean:
      if text.count == 1, text[0] == UInt8(ascii: "t") || text[0] == UInt8(ascii: "f") {
        return sink.boolean(text[0] == UInt8(ascii: "t"))
      }
    case .float, .numeric:
      if try write(number: text, isFloat: { if case .float = form { true } else { false } }(), to: &sink) { return }
    case .bytes:
      if decode(hex: text) { return try decoded.withUnsafeBytes { try sink.bytes($0) } }
    case .zonedTime:
      if let time = PrintedTime(text) { return sink.moment(time.moment) }
    case .time:
      if let time = PrintedTime(text), time.isPlain { return try write(time: text, to: &sink) }
    case .json, .text, .array, .composite: break
    }
    try sink.text(text)
  }

  private static func integer(_ text: Printed) -> Int64? {
    var digits = text[...]
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits = digits.dropFirst() }
    guard !digits.isEmpty, digits.count <= 19 else { return nil }
    var value: Int64 = 0
    for byte in digits {
      let digit = byte &- 0x30
      guard digit < 10 else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.subtractingReportingOverflow(Int64(digit))
      if overflow || carry { return nil }
      value = sum
    }
    if isNegative { return value }
    return value == .min ? nil : -value
  }

  /// Floating point comes as the shortest text that reads back the same; it gets a `.0` where it looks like an integer, so that it stays what it is.
  private mutating func write<Sink: ValueSink & ~Copyable>(number text: Printed, isFloat: Bool, to sink: inout Sink) throws -> Bool {
    guard let last = text.last else { return false }
    if !(0x30...0x39).contains(last) {
      if text.elementsEqual("NaN".utf8) {
        sink.real(.nan)
      } else if text.elementsEqual("Infinity".utf8) {
        sink.real(.infinity)
      } else if text.elementsEqual("-Infinity".utf8) {
        sink.real(-.infinity)
      } else {
        return false
      }
      return true
    }
    if !isFloat || text.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "e") }) {
      try sink.number(digits: UnsafeRawBufferPointer(text))
      return true
    }
    decoded.removeAll(keepingCapacity: true)
    decoded += text
    decoded += ".0".utf8
    try decoded.withUnsafeBytes { try sink.number(digits: $0) }
    return true
  }

  private mutating func decode(hex text: Printed) -> Bool {
    guard text.count >= 2, text.count % 2 == 0, text[0] == UInt8(ascii: "\\"), text[1] == UInt8(ascii: "x") else { return false }
    decoded.removeAll(keepingCapacity: true)
    decoded.reserveCapacity(text.count / 2)
    var place = 2
    while place < text.count {
      guard let high = Self.digit(text[place]), let low = Self.digit(text[place + 1]) else { return false }
      decoded.append(high << 4 | low)
      place += 2
    }
    return true
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x61...0x66: byte - 0x61 + 10
    case 0x41...0x46: byte - 0x41 + 10
    default: nil
    }
  }

  private mutating func write<Sink: ValueSink & ~Copyable>(time text: Printed, to sink: inout Sink) throws {
    decoded.removeAll(keepingCapacity: true)
    decoded += text
    decoded[10] = UInt8(ascii: "T")
    try decoded.withUnsafeBufferPointer { try sink.text($0) }
  }
}

extension ValueEncoder {
  /// Writes a value of any type inside a value, or one that has parts.
  mutating func write(nested text: Printed, as type: Int, depth: Int, to sink: inout NestedWriter) throws {
    if depth > limits.depth { throw MalformedValue() }
    switch types[type] {
    case .array(let element, let delimiter): try write(array: text, of: element, delimiter, depth: depth, to: &sink)
    case .composite(let members): try write(composite: text, members, depth: depth, to: &sink)
    case .json:
      // PostgreSQL takes for json what is none to others, such as half a surrogate pair. Inside of something it is looked at first, since what was begun can't be
      // taken back without all that is around it.
      let bytes = UnsafeRawBufferPointer(text)
      if depth > 0 && !isJSON(bytes, depth: limits.depth - depth) { return try sink.text(text) }
      try sink.json(bytes, depth: limits.depth - depth)
    case let form: try write(single: text, form, to: &sink)
    }
  }

  private func isJSON(_ text: UnsafeRawBufferPointer, depth: Int) -> Bool {
    var scanner = JSONScanner(limits: JSONScanner.Limits(depth: max(1, depth)))
    var ignored = JSONValidityHandler()
    do throws(JSONError) {
      try scanner.feed(text, handler: &ignored)
      try scanner.finish(handler: &ignored)
      return true
    } catch {
      return false
    }
  }

  private mutating func write(array text: Printed, of element: Int, _ delimiter: UInt8, depth: Int, to sink: inout NestedWriter) throws {
    var array = try ArrayText(text, delimiter: delimiter)
    var level = depth
    while let token = try array.next() {
      switch token {
      case .open:
        level += 1
        if level > limits.depth { throw MalformedValue() }
        try sink.beginArray()
      case .close:
        level -= 1
        sink.endArray()
      case .null: sink.null()
      case .plain(let range): try write(nested: Printed(rebasing: text[range]), as: element, depth: level, to: &sink)
      case .escaped: try array.unescaped.withUnsafeBufferPointer { try write(nested: $0, as: element, depth: level, to: &sink) }
      }
    }
  }

  private mutating func write(composite text: Printed, _ members: [ValueForm.Member], depth: Int, to sink: inout NestedWriter) throws {
    var composite = try CompositeText(text)
    try sink.beginObject()
    for (index, member) in members.enumerated() {
      member.name.withUnsafeBufferPointer { sink.key($0) }
      switch try composite.next(isLast: index == members.count - 1) {
      case .null: sink.null()
      case .plain(let range): try write(nested: Printed(rebasing: text[range]), as: member.type, depth: depth + 1, to: &sink)
      case .escaped:
        try composite.unescaped.withUnsafeBufferPointer { try write(nested: $0, as: member.type, depth: depth + 1, to: &sink) }
      }
    }
    if members.isEmpty && !text.elementsEqual("()".utf8) { throw MalformedValue() }
    sink.endObject()
  }
}
