/// What was masked in a value, by the places where it stands if they are asked for. What was added since a moment can be taken back.
struct MaskLedger: Sendable {
  /// Values that were masked in one place, for taking them back.
  private struct Entry: Sendable {
    var mask: Mask, form: MaskCounts.Form
    /// Its place among those with names.
    var place: Int32
    var count: Int
  }

  /// Where a value stands: the keys that lead to it.
  typealias Place = [String?]

  private(set) var total = MaskCounts()
  /// What was added since the last `settle`.
  private var journal: [Entry] = []
  private let keepsPlaces: Bool
  private var keys: Place = []
  private var numbers: [String: Int32] = [:]
  private var counted: [(name: String, counts: MaskCounts)] = []

  /// Places beyond these are told together: keys can be as many as there are values.
  private static let mostPlaces = 1000
  private static let others = "(others)"

  init(keepsPlaces: Bool) {
    self.keepsPlaces = keepsPlaces
    if keepsPlaces { keys = [nil] }
  }

  /// What was masked in each place, by the paths of their keys.
  var places: [(name: String, counts: MaskCounts)] { counted.filter { !$0.counts.isEmpty } }

  mutating func reset() {
    total = MaskCounts()
    journal.removeAll(keepingCapacity: true)
    if keepsPlaces { (numbers, counted, keys) = ([:], [], [nil]) }
  }

  // MARK: Places

  mutating func enter() { if keepsPlaces { keys.append(nil) } }

  mutating func leave() { if keepsPlaces { keys.removeLast() } }

  mutating func name(_ utf8: UnsafeBufferPointer<UInt8>) {
    if keepsPlaces { keys[keys.count - 1] = String(decoding: utf8, as: UTF8.self) }
  }

  /// Where the present value stands.
  var place: Place { keys }

  private mutating func number(of place: Place) -> Int32 {
    if !keepsPlaces { return 0 }
    let path = place.compactMap { $0 }.joined(separator: ".")
    let name = counted.count < Self.mostPlaces || numbers[path] != nil ? path : Self.others
    if let known = numbers[name] { return known }
    let number = Int32(counted.count)
    numbers[name] = number
    counted.append((name, MaskCounts()))
    return number
  }

  // MARK: Counts

  /// Adds a value that stands here, or elsewhere.
  mutating func add(_ mask: Mask, at place: Place? = nil) { add(1, mask, .marker, number(of: place ?? keys)) }

  mutating func add(_ counts: MaskCounts) {
    if counts.isEmpty { return }
    let place = number(of: keys)
    counts.forEach { mask, form, count in add(count, mask, form, place) }
  }

  private mutating func add(_ count: Int, _ mask: Mask, _ form: MaskCounts.Form, _ place: Int32) {
    journal.append(Entry(mask: mask, form: form, place: place, count: count))
    change(journal[journal.count - 1], by: 1)
  }

  private mutating func change(_ entry: Entry, by sign: Int) {
    total.add(entry.mask, entry.form, count: sign * entry.count)
    if keepsPlaces { counted[Int(entry.place)].counts.add(entry.mask, entry.form, count: sign * entry.count) }
  }

  // MARK: Taking back

  /// This moment, until the next `settle`.
  var moment: Int { journal.count }

  /// Takes back what was added between two moments.
  mutating func takeBack(_ moments: Range<Int>) {
    for index in moments {
      change(journal[index], by: -1)
      journal[index].count = 0
    }
  }

  /// Nothing that was added will be taken back.
  mutating func settle() { journal.removeAll(keepingCapacity: true) }
}
