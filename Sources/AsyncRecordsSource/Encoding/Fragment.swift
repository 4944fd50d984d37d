import JSONStreaming

/// Bytes of JSON that belong together: a row, or a nested container that was opened by itself and so may be written while others are.
///
/// Where such a container stands in another fragment, that one has a hole, which is filled when the value around it has ended.
final class Fragment {
  /// A place in the bytes where something is still missing.
  struct Hole {
    var offset: Int
    let content: Content
    /// Whether its key names a secret.
    let isSecret: Bool
  }

  enum Content {
    case place(Place)
    /// Bytes that get a file of their own once the row is sure.
    case file([UInt8])
  }

  var json = JSONWriter(capacity: 512)
  var holes: [Hole] = []
  /// How many values were masked.
  var redactions = 0
  /// The place whose turn it is: a value within another is written as a whole before that goes on.
  unowned(unsafe) var top: Place?

  /// Makes it empty again.
  func reset() {
    json.removeAll()
    json.resetStructure()
    holes.removeAll(keepingCapacity: true)
    redactions = 0
    top = nil
  }

  /// A state to come back to.
  struct Mark {
    fileprivate let json: JSONWriter.Mark
    fileprivate let holes: Int
    fileprivate let redactions: Int
  }

  func mark() -> Mark { Mark(json: json.mark(), holes: holes.count, redactions: redactions) }

  /// Takes back everything since a mark.
  func rewind(to mark: Mark, _ row: RowEncoder) {
    json.rewind(to: mark.json)
    redactions = mark.redactions
    while holes.count > mark.holes { row.spend(holes.removeLast().content) }
  }

  /// Takes bytes out of the midst, with what was missing there.
  func removeAll(in range: Range<Int>, _ row: RowEncoder) {
    json.replace(from: range.lowerBound, to: range.upperBound, with: UnsafeRawBufferPointer(start: nil, count: 0))
    for index in holes.indices.reversed() where holes[index].offset >= range.lowerBound {
      if holes[index].offset < range.upperBound {
        row.spend(holes.remove(at: index).content)
      } else {
        holes[index].offset -= range.count
      }
    }
  }

  /// Puts a hole at the end, in a place of a value.
  func dig(_ content: Content, isSecret: Bool = false) {
    json.rawValue("")
    holes.append(Hole(offset: json.count, content: content, isSecret: isSecret))
  }

  func redact() {
    json.beginObject()
    json.key("$redacted")
    json.string("secret")
    json.endObject()
    redactions += 1
  }

  /// Whether a range of the bytes can be a secret: it isn't null, true, false or empty.
  func isMaskable(_ range: Range<Int>) -> Bool {
    if holes.contains(where: { range.contains($0.offset) || $0.offset == range.upperBound }) { return true }
    return json.withBytes { JSONForm(UnsafeRawBufferPointer(rebasing: $0[range])).isMaskable }
  }
}
