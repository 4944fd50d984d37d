import JSONStreaming

/// What is done when a value has ended: containers that were written beside it go into their holes, and what chance ordered is sorted.
extension Place {
  /// Fills the holes of this value with the containers that were opened in it; files stay holes until the row is sure.
  func fillHoles() {
    let holes = Array(fragment.holes[firstHole...])
    var hasPlaces = false
    for case .place(let nested) in holes.lazy.map(\.content) {
      nested.close()
      hasPlaces = true
    }
    guard hasPlaces, let from = holes.first?.offset else { return }
    fragment.holes.removeSubrange(firstHole...)
    var shifts = Shifts()
    row.scratch.removeAll()
    var done = from
    for hole in holes {
      fragment.json.withBytes { row.scratch.raw(UnsafeRawBufferPointer(rebasing: $0[done..<hole.offset])) }
      done = hole.offset
      let before = (row.scratch.count, fragment.redactions)
      fill(hole, at: from + row.scratch.count)
      shifts.add(at: hole.offset, by: row.scratch.count - before.0, redactions: fragment.redactions - before.1)
    }
    fragment.json.withBytes { row.scratch.raw(UnsafeRawBufferPointer(rebasing: $0[done...])) }
    row.scratch.withBytes { fragment.json.replace(from: from, to: fragment.json.count, with: $0) }
    if level > 0 && chance == .none { return }
    for index in entries.indices { shifts.move(&entries[index]) }
  }

  private func fill(_ hole: Fragment.Hole, at offset: Int) {
    guard case .place(let nested) = hole.content else {
      return fragment.holes.append(Fragment.Hole(offset: offset, content: hole.content, isSecret: false))
    }
    let other = nested.fragment
    if hole.isSecret && other.isMaskable(0..<other.json.count) {
      row.scratch.raw(#"{"$redacted":"secret"}"#)
      fragment.redactions += 1
    } else {
      other.json.withBytes { row.scratch.raw($0) }
      fragment.redactions += other.redactions
      for inner in other.holes {
        fragment.holes.append(Fragment.Hole(offset: offset + inner.offset, content: inner.content, isSecret: false))
      }
      other.holes.removeAll(keepingCapacity: true)
    }
    row.spend(hole.content)
  }

  // MARK: Order

  /// Puts the elements of a dictionary or a set in the order of their bytes: by key, where they have keys.
  func sortEntries() {
    let live = entries.filter { !$0.isReplaced }
    let step = state == .array && chance == .pairs ? 2 : 1
    guard live.count > step, live.count % step == 0, let end = live.last?.valueEnd else { return }
    let spans = stride(from: 0, to: live.count, by: step).map { Span(first: $0, range: live[$0].keyStart..<live[$0 + step - 1].valueEnd) }
    let sorted = spans.sorted { isBefore($0, $1, live) }
    let start = live[0].keyStart
    var moved: [Entry] = []
    var holes: [Fragment.Hole] = []
    row.scratch.removeAll()
    for span in sorted {
      if !moved.isEmpty { row.scratch.raw(",") }
      let shift = start + row.scratch.count - span.range.lowerBound
      fragment.json.withBytes { row.scratch.raw(UnsafeRawBufferPointer(rebasing: $0[span.range])) }
      for entry in live[span.first..<(span.first + step)] { moved.append(entry.moved(by: shift)) }
      for var hole in files(in: span.range) {
        hole.offset += shift
        holes.append(hole)
      }
    }
    row.scratch.withBytes { fragment.json.replace(from: start, to: end, with: $0) }
    fragment.holes.removeSubrange(firstHole...)
    fragment.holes += holes
    entries = moved
    index.removeAll()
  }

  private struct Span {
    let first: Int
    let range: Range<Int>
  }

  private func files(in range: Range<Int>) -> [Fragment.Hole] {
    fragment.holes[firstHole...].filter { $0.offset >= range.lowerBound && $0.offset <= range.upperBound }
  }

  private func isBefore(_ one: Span, _ other: Span, _ live: [Entry]) -> Bool {
    let ranges = [one, other].map { span in
      // A key without the quote and the colon behind it.
      state == .object ? live[span.first].keyStart..<(live[span.first].valueStart - 2) : span.range
    }
    let (isLess, isSame) = fragment.json.withBytes { bytes in
      (bytes[ranges[0]].lexicographicallyPrecedes(bytes[ranges[1]]), bytes[ranges[0]].elementsEqual(bytes[ranges[1]]))
    }
    return isSame && one.first != other.first ? contents(of: one).lexicographicallyPrecedes(contents(of: other)) : isLess
  }

  /// What tells values apart that both lie in files of their own.
  private func contents(of span: Span) -> [UInt8] {
    files(in: span.range).flatMap { hole -> [UInt8] in
      if case .file(let bytes) = hole.content { return bytes }
      return []
    }
  }
}

extension Place.Entry {
  fileprivate func moved(by shift: Int) -> Place.Entry {
    var entry = self
    entry.keyStart += shift
    entry.valueStart += shift
    entry.valueEnd += shift
    return entry
  }
}

/// By how much places move that lie behind holes, as these are filled.
private struct Shifts {
  private var holes: [(offset: Int, length: Int, redactions: Int)] = []

  mutating func add(at offset: Int, by length: Int, redactions: Int) { holes.append((offset, length, redactions)) }

  func move(_ entry: inout Place.Entry) {
    let (key, start, end) = (entry.keyStart, entry.valueStart, entry.valueEnd)
    for hole in holes {
      if hole.offset < key { entry.keyStart += hole.length }
      if hole.offset < start { entry.valueStart += hole.length }
      if hole.offset <= end { entry.valueEnd += hole.length }
      if hole.offset >= start && hole.offset <= end { entry.redactions += hole.redactions }
    }
  }
}
