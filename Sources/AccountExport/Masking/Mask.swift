/// Why a value is masked, in one byte.
enum Mask: UInt8, Sendable {
  case secret, regulated, thirdParty

  /// Why a value is masked that a source masked itself.
  init(_ reason: Redaction.Reason) {
    switch reason {
    case .thirdParty: self = .thirdParty
    case .regulated: self = .regulated
    default: self = .secret
    }
  }

  /// The reason as the manifest has it.
  var reason: Redaction.Reason {
    switch self {
    case .secret: .secret
    case .regulated: .regulated
    case .thirdParty: .thirdParty
    }
  }

  /// What stands in the value's place.
  var marker: StaticString {
    switch self {
    case .secret: #"{"$redacted":"secret"}"#
    case .regulated: #"{"$redacted":"regulated"}"#
    case .thirdParty: #"{"$redacted":"third-party"}"#
    }
  }
}

extension Mask {
  /// The same as bytes.
  var bytes: [UInt8] { marker.withUTF8Buffer { Array($0) } }
}

/// How many values were masked, for each reason and form.
struct MaskCounts: Sendable, Equatable {
  /// What stands for a masked value: an object that says so, a text inside a text, or a number in the place of a key.
  enum Form: Int, Sendable {
    case marker, text, number
  }

  private var slots = SIMD16<Int>()

  /// Whether nothing was masked.
  var isEmpty: Bool { slots == SIMD16<Int>() }

  /// Adds one value, or so many.
  mutating func add(_ mask: Mask, _ form: Form = .marker, count: Int = 1) { slots[Self.slot(mask, form)] += count }

  /// Calls a body with each reason and form that there are values of.
  func forEach(_ body: (Mask, Form, Int) -> Void) {
    for form in [Form.marker, .text, .number] {
      for mask in [Mask.secret, .regulated, .thirdParty] where count(mask, form) != 0 { body(mask, form, count(mask, form)) }
    }
  }

  /// How many were masked for a reason in a form.
  func count(_ mask: Mask, _ form: Form) -> Int { slots[Self.slot(mask, form)] }

  private static func slot(_ mask: Mask, _ form: Form) -> Int { form.rawValue * 4 + Int(mask.rawValue) }

  static func += (counts: inout MaskCounts, others: MaskCounts) { counts.slots &+= others.slots }
}
