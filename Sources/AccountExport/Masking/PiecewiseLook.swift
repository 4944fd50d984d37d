internal import JSONReading

/// A look into a text that comes in pieces.
struct PiecewiseLook: ~Copyable {
  private var look: TextLook
  private var scanner = JSONScanner(limits: TextLook.limits)
  private var isLooking = true
  private var hasBegun = false
  private var skipped = 0

  init(_ rules: MaskingRules) {
    look = TextLook(rules)
    isLooking = rules.isActive
  }

  /// Takes the next piece.
  mutating func feed(_ bytes: UnsafeRawBufferPointer) {
    if !isLooking { return }
    var bytes = bytes
    if scanner.offset == 0 && skipped == 0 && TextLook.hasMark(bytes) {
      skipped = TextLook.markLength
      bytes = UnsafeRawBufferPointer(rebasing: bytes[skipped...])
    }
    if !hasBegun, let first = bytes.first(where: { $0 > 0x20 }) {
      hasBegun = true
      isLooking = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }
    if !isLooking || look.isOverfull { return }
    do throws(JSONError) { try scanner.feed(bytes, handler: &look) } catch { isLooking = false }  // it is no JSON
  }

  /// What is to be changed; nil where that is more than can be kept.
  mutating func finish() -> TextEdits? {
    if !isLooking || !hasBegun { return TextEdits() }
    if look.isOverfull { return nil }
    do throws(JSONError) { try scanner.finish(handler: &look) } catch { return TextEdits() }
    return look.result.moved(by: skipped)
  }
}
