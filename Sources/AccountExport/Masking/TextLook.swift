internal import JSONReading
internal import JSONStreaming

/// Looks for secrets in a text that is JSON: under keys that name them, where a sibling names them, and by their form; in strings that are JSON
/// themselves too. What isn't JSON from its begin to its end has none.
struct TextLook: JSONEventHandler, Sendable {
  private struct Candidate: Sendable {
    var range: Range<Int>
    /// Nil while nobody has said that it is a secret.
    var mask: Mask?
    var literal: [UInt8]?
    var inner = MaskCounts()
    /// How many masked values lie in it already.
    var markers = 0

    var isNone: Bool { mask == nil && literal == nil }
  }

  private struct Hidden: Sendable {
    var mask: Mask, begin: Int, depth: Int, markers: Int
    var isEmpty = true
  }

  /// What the present value is, other than a container.
  private enum Scalar: Sendable {
    /// Null, true, false or an empty string, which hide nothing.
    case bare
    case value
  }

  private let rules: MaskingRules
  private let level: Int
  private var names: KnownNames
  private var candidates: [Candidate] = []
  private var siblings = Siblings<Int>()
  /// How many candidates there were when each open object began.
  private var levels: [Int] = []
  /// Containers that a sibling may still name.
  private var begun: [(depth: Int, begin: Int, role: PairRole, markers: Int)] = []
  /// A container that is masked as a whole.
  private var hidden: Hidden?
  private var depth = 0
  /// Whether the text is a value of the bundle, in which values may be masked already; how many of these came, and how deep the one is that is open.
  private var isOwn = false
  private var markers = 0
  private var markerDepth = 0
  private var isMarker = false
  private var next = NameFacts()
  private var begin = 0
  private var isContainer = false
  private var scalar = Scalar.bare
  private var text: [UInt8] = []
  private var isCollecting = false
  /// For the strings that are JSON.
  private var spare: [TextLook] = []

  /// How many strings may lie in one another, each JSON.
  private static let deepest = 4
  /// Strings up to this many bytes are looked at as a whole.
  private static let longestString = 1 << 20
  /// More secrets than this in one text are told as too many: it is masked as a whole.
  static let mostEdits = 100_000
  /// What a text may be: deeper and longer than what is written as JSON here.
  static let limits = JSONScanner.Limits(depth: 100_000, tokenBytes: 16 << 20, replacesHalfPairs: true)

  init(_ rules: MaskingRules, level: Int = 1) {
    (self.rules, self.level) = (rules, level)
    names = KnownNames(rules)
  }

  /// Whether a text begins as a JSON object or array does, behind a byte order mark too. Cheap, for it is asked of every text.
  static func mayBeJSON(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    let mark = hasMark(UnsafeRawBufferPointer(utf8)) ? markLength : 0
    for byte in utf8[mark...] {
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): return utf8.count > 2
      case 0x20, 0x09, 0x0A, 0x0D: continue
      default: return false
      }
    }
    return false
  }

  /// Whether a text that begins with a byte may be a secret, or JSON.
  static func mayHold(_ first: UInt8) -> Bool {
    SecretForms.mayBegin(with: first) || first == UInt8(ascii: "[") || first == markFirst
  }

  private static let markFirst: UInt8 = 0xEF

  /// Whether a text begins with the byte order mark of UTF-8, which programs read over.
  static func hasMark(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= markLength && bytes[0] == markFirst && bytes[1] == 0xBB && bytes[2] == 0xBF
  }

  static let markLength = 3

  /// Whether a JSON value is an object or an array, or a string that may be the text of one. White space and the mark may stand before it, as they are
  /// or as escapes.
  static func mayHaveParts(_ value: UnsafeRawBufferPointer) -> Bool {
    guard value.first == UInt8(ascii: "\"") else { return value.first == UInt8(ascii: "{") || value.first == UInt8(ascii: "[") }
    for byte in value.dropFirst() {
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): return true
      case 0x20, 0xEF, 0xBB, 0xBF, UInt8(ascii: "\\"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"): continue
      default: return false
      }
    }
    return false
  }

  /// What is to be changed in a text that is whole.
  /// - Parameter isOwn: Whether it is a value as the bundle has it: what is masked becomes an object then, and what is masked already stays.
  mutating func edits(in utf8: UnsafeBufferPointer<UInt8>, isOwn: Bool = false) -> TextEdits {
    reset()
    self.isOwn = isOwn
    let text = UnsafeRawBufferPointer(utf8)
    let mark = Self.hasMark(text) ? Self.markLength : 0
    var scanner = JSONScanner(limits: Self.limits)
    do throws(JSONError) {
      try scanner.feed(UnsafeRawBufferPointer(rebasing: text[mark...]), handler: &self)
      try scanner.finish(handler: &self)
    } catch {
      return TextEdits()  // it is no JSON, so it has no keys
    }
    return result.moved(by: mark)
  }

  /// Begins anew.
  mutating func reset() {
    candidates.removeAll(keepingCapacity: true)
    siblings.removeAll()
    levels.removeAll(keepingCapacity: true)
    begun.removeAll(keepingCapacity: true)
    (hidden, depth, next, isContainer, isCollecting) = (nil, 0, NameFacts(), false, false)
    (isOwn, markers, markerDepth, isMarker) = (false, 0, 0, false)
  }

  /// Whether there are more secrets than can be kept.
  var isOverfull: Bool { candidates.count > Self.mostEdits }

  /// What is to be changed, once the text has ended.
  var result: TextEdits {
    let found = candidates.filter { !$0.isNone }.sorted {
      ($0.range.lowerBound, -$0.range.upperBound, $0.literal == nil ? 0 : 1) < (
        $1.range.lowerBound, -$1.range.upperBound, $1.literal == nil ? 0 : 1
      )
    }
    var edits: [TextEdits.Edit] = []
    var counts = MaskCounts()
    var gone = 0
    for candidate in found where candidate.range.lowerBound >= edits.last?.range.upperBound ?? 0 {
      edits.append(.init(range: candidate.range, literal: isOwn ? candidate.mask?.bytes ?? candidate.literal : candidate.literal))
      if let mask = candidate.mask { counts.add(mask, isOwn ? .marker : .text) } else { counts += candidate.inner }
      gone += candidate.markers
    }
    return TextEdits(edits, counts: counts, markers: gone)
  }

  // MARK: Containers

  mutating func beginObject() {
    beginContainer()
    if hidden == nil {
      siblings.enter()
      levels.append(candidates.count)
    }
  }

  mutating func beginArray() { beginContainer() }

  private mutating func beginContainer() {
    depth += 1
    if hidden != nil { return }
    if let mask = next.mask {
      hidden = Hidden(mask: mask, begin: begin, depth: depth, markers: markers)
    } else if next.role.values != 0 {
      begun.append((depth, begin, next.role, markers))
    }
    next = NameFacts()
  }

  mutating func endObject() {
    endContainer()
    if hidden != nil { return }
    siblings.leave()
    // What nobody has named by now is no secret. Those of the objects around stand before.
    let first = levels.popLast() ?? 0
    var kept = first
    for place in first..<max(first, candidates.count) where !candidates[place].isNone {
      if place != kept { candidates.swapAt(place, kept) }
      kept += 1
    }
    if candidates.count > kept { candidates.removeLast(candidates.count - kept) }
  }

  mutating func endArray() { endContainer() }

  private mutating func endContainer() {
    isMarker = markerDepth == depth && depth > 0
    if isMarker { (markers, markerDepth) = (markers + 1, 0) }
    depth -= 1
    isContainer = true
  }

  private static let markerKey: StaticString = "$redacted"

  mutating func key(_ utf8: UnsafeRawBufferPointer) {
    // A key of the account's own would have two of these marks.
    if isOwn && Self.markerKey.withUTF8Buffer({ $0.elementsEqual(utf8) }) { markerDepth = depth }
    if hidden != nil { return }
    next = names.facts(utf8.bindMemory(to: UInt8.self))
    if next.mask == nil && next.role.values != 0 { next.mask = siblings.mask(for: next.role, &names) }
  }

  // MARK: Values

  mutating func valueBegins(at offset: Int) {
    isContainer = false
    if hidden == nil { begin = offset } else { hidden?.isEmpty = false }
  }

  mutating func valueEnds(at offset: Int) {
    if let hidden {
      if depth >= hidden.depth { return }
      self.hidden = nil
      if hidden.isEmpty || (isMarker && depth + 1 == hidden.depth) { return }
      candidates.append(Candidate(range: hidden.begin..<offset, mask: hidden.mask, markers: markers - hidden.markers))
    } else if isContainer {
      guard let last = begun.last, last.depth == depth + 1 else { return }
      begun.removeLast()
      if offset - last.begin > 2 && !isMarker { wait(last.begin..<offset, last.role, markers: markers - last.markers) }
    } else {
      endScalar(begin..<offset)
    }
  }

  private mutating func endScalar(_ range: Range<Int>) {
    let facts = next
    next = NameFacts()
    if scalar == .bare { return }
    if let mask = facts.mask { return candidates.append(Candidate(range: range, mask: mask)) }
    if isCollecting {
      isCollecting = false
      if let own = string(range, facts.role) { candidates.append(own) }
    }
    if facts.role.values != 0 { wait(range, facts.role) }
  }

  private mutating func wait(_ range: Range<Int>, _ role: PairRole, markers: Int = 0) {
    siblings.wait(role, candidates.count)
    candidates.append(Candidate(range: range, markers: markers))
  }

  /// What a string is by itself; one that is a name tells of its sibling.
  private mutating func string(_ range: Range<Int>, _ role: PairRole) -> Candidate? {
    let text = text
    return text.withUnsafeBufferPointer { text in
      if role.names != 0, let (mask, places) = siblings.name(role, text, &names) {
        for place in places { candidates[siblings.waiting[place].payload].mask = mask }
      }
      if rules.secrets.isEnabled && SecretForms.matches(text) { return Candidate(range: range, mask: .secret) }
      guard level < Self.deepest, Self.mayBeJSON(text) else { return nil }
      var inner = spare.popLast() ?? TextLook(rules, level: level + 1)
      defer { spare.append(inner) }
      let edits = inner.edits(in: text)
      if edits.isEmpty { return nil }
      return Candidate(range: range, literal: Self.literal(edits, of: text), inner: edits.counts)
    }
  }

  private static func literal(_ edits: TextEdits, of text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    edits.apply(to: text, into: &bytes)
    var writer = JSONWriter(capacity: bytes.count + 64)
    bytes.withUnsafeBufferPointer { writer.text(utf8: $0) }
    return writer.withBytes { Array($0) }
  }

  mutating func number(_ text: UnsafeRawBufferPointer) { scalar = .value }
  mutating func bool(_ value: Bool) { scalar = .bare }
  mutating func null() { scalar = .bare }

  mutating func beginString() {
    scalar = .bare
    isCollecting = false
  }

  mutating func stringPart(_ utf8: UnsafeRawBufferPointer) {
    if scalar == .bare {
      scalar = .value
      if hidden != nil || next.mask != nil { return }
      let first = utf8[0]
      isCollecting = next.role.names != 0 || Self.mayHold(first)
      if isCollecting { text.removeAll(keepingCapacity: true) }
    }
    if !isCollecting { return }
    if text.count + utf8.count > Self.longestString { isCollecting = false } else { text.append(contentsOf: utf8) }
  }
}
