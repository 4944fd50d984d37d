/// The members of an object that is open, as far as one may name another: what names have come, and which values wait for one.
///
/// One stack serves all open objects, so that an object costs nothing by itself. What a name says is asked only once there is a value that it may name.
struct Siblings<Payload: Sendable>: Sendable {
  /// Where the names and values of an open object begin.
  private struct Level: Sendable {
    var named: Int, waiting: Int, pending: Int, texts: Int
    /// The groups of pairs in which it has more names of secrets than are kept.
    var others: UInt32 = 0
  }

  private var levels: [Level] = []
  private var named: [(role: PairRole, mask: Mask)] = []
  /// Names of which nobody has asked yet what they say, and where their texts end.
  private var pending: [(role: PairRole, end: Int)] = []
  private var texts: [UInt8] = []
  private(set) var waiting: [(role: PairRole, payload: Payload)] = []

  /// No account's own object has as many names of secrets, nor as many values that wait for a name: beyond that each such value is masked, for which of
  /// them are secrets could only be told at any cost.
  static var mostNamed: Int { 256 }
  static var mostWaiting: Int { 50_000 }
  private static var mostPending: Int { 256 }

  /// Begins an object.
  mutating func enter() {
    levels.append(Level(named: named.count, waiting: waiting.count, pending: pending.count, texts: texts.count))
  }

  /// Ends the object: what nobody has named by now is no secret.
  mutating func leave() {
    guard let level = levels.popLast() else { return }
    if named.count > level.named { named.removeLast(named.count - level.named) }
    if waiting.count > level.waiting { waiting.removeLast(waiting.count - level.waiting) }
    forgetPending(of: level)
  }

  private mutating func forgetPending(of level: Level) {
    if pending.count > level.pending { pending.removeLast(pending.count - level.pending) }
    if texts.count > level.texts { texts.removeLast(texts.count - level.texts) }
  }

  /// Forgets everything.
  mutating func removeAll() {
    levels.removeAll(keepingCapacity: true)
    named.removeAll(keepingCapacity: true)
    pending.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    waiting.removeAll(keepingCapacity: true)
  }

  // MARK: Names

  /// Takes note of a text that may name values of the open object.
  /// - Returns: what it makes of those that are written already, by their places in `waiting`, the last first.
  mutating func name(_ role: PairRole, _ text: UnsafeBufferPointer<UInt8>, _ names: inout KnownNames) -> (mask: Mask, places: [Int])? {
    guard let level = levels.last, text.count <= KnownNames.longest else { return nil }
    let places = waiting(for: role, level)
    if places.isEmpty {
      texts += text
      pending.append((role, texts.count))
      if pending.count - level.pending >= Self.mostPending { settle(&names) }
      return nil
    }
    guard let mask = names.mask(namedBy: text) else { return nil }
    keep(role, mask)
    return (mask, places)
  }

  private mutating func keep(_ role: PairRole, _ mask: Mask) {
    let place = levels.count - 1
    if named.count - levels[place].named < Self.mostNamed { named.append((role, mask)) } else { levels[place].others |= role.names }
  }

  /// Asks what the names of the open object say.
  private mutating func settle(_ names: inout KnownNames) {
    guard let level = levels.last, pending.count > level.pending else { return }
    var start = level.texts
    for index in level.pending..<pending.count {
      let (role, end) = pending[index]
      if let mask = texts.withUnsafeBufferPointer({ names.mask(namedBy: UnsafeBufferPointer(rebasing: $0[start..<end])) }) {
        keep(role, mask)
      }
      start = end
    }
    forgetPending(of: level)
  }

  private func waiting(for name: PairRole, _ level: Level) -> [Int] {
    if waiting.count == level.waiting { return [] }
    return (level.waiting..<waiting.count).reversed().filter {
      Self.arePartners(name, waiting[$0].role) || level.others & waiting[$0].role.values != 0
    }
  }

  // MARK: Values

  /// What a sibling has said of a value that comes now.
  mutating func mask(for value: PairRole, _ names: inout KnownNames) -> Mask? {
    settle(&names)
    guard let level = levels.last else { return nil }
    if level.others & value.values != 0 || waiting.count >= Self.mostWaiting { return .secret }
    return named[level.named...].first { Self.arePartners($0.role, value) }?.mask
  }

  /// Keeps a value of the open object that may still be named.
  mutating func wait(_ role: PairRole, _ payload: Payload) {
    if !levels.isEmpty { waiting.append((role, payload)) }
  }

  /// Takes a value off the list.
  mutating func remove(at place: Int) { waiting.remove(at: place) }

  /// Lets the values change that wait from a place on.
  mutating func update(from place: Int, _ body: (inout Payload) -> Void) {
    for index in place..<waiting.count { body(&waiting[index].payload) }
  }

  private static func arePartners(_ name: PairRole, _ value: PairRole) -> Bool {
    name.mayName(value) && (name.stem == value.stem || name.stem == 0 || value.stem == 0)
  }
}
