/// Names with how often they came: a thousand of them, all others by the place where they stand.
package struct NamedCounts: Sendable {
  private var counts: [String: Int] = [:]
  private static let most = 1000

  /// None yet.
  package init() {}

  /// Counts a name.
  package mutating func add(_ name: String, else place: @autoclosure () -> String) {
    let key = counts.count < Self.most || counts[name] != nil ? name : place()
    counts[key, default: 0] += 1
  }

  /// The names in their order, with their counts.
  package var sorted: [(String, Int)] { counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
}
