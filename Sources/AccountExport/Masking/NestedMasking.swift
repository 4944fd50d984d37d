internal import JSONStreaming

/// The walk through one value with values in it: what of it is masked by its keys, by siblings that name it, as a whole, or by its form.
///
/// A value may come before the sibling that names it. It is written as it is then, and taken back if it is a secret: whatever lies between.
struct NestedMasking: Sendable {
  /// A value that a sibling may still name, and all that is to be taken back with it.
  private struct Held: Sendable {
    var range: Range<Int>
    var files: Range<Int>
    /// When it was written, as the ledger has it.
    var moments: Range<Int>
    var place: MaskLedger.Place
  }

  /// Where a value begins that may be held.
  private struct Begun: Sendable {
    var depth: Int, start: Int, files: Int
    var role: PairRole
    var moment: Int
    var place: MaskLedger.Place
  }

  private struct Hidden: Sendable {
    var mask: Mask, depth: Int
    var isEmpty = true
  }

  /// What was masked so far.
  private(set) var ledger: MaskLedger
  /// Containers that are open, and values that stand in none.
  private(set) var depth = 0, roots = 0
  /// What the value is, and whether it is masked as a whole.
  private(set) var kind: ValueKinds?, isMasked = false
  private var mask: Mask?
  private var role = PairRole.none
  /// A container that is masked as a whole.
  private var hidden: Hidden?
  /// Containers that a sibling may still name.
  private var begun: [Begun] = []
  private var siblings = Siblings<Held>()

  init(keepsPlaces: Bool = false) { ledger = MaskLedger(keepsPlaces: keepsPlaces) }

  /// Begins anew, with the memory that is there.
  /// - Parameter mask: What is known of the value as a whole.
  mutating func reset(mask: Mask?) {
    self.mask = mask
    (role, hidden, kind, isMasked, depth, roots) = (.none, nil, nil, false, 0, 0)
    ledger.reset()
    begun.removeAll(keepingCapacity: true)
    siblings.removeAll()
  }

  /// Whether nothing of what comes next is written.
  var isHiding: Bool { hidden != nil }
  /// Whether the next value is masked.
  var masksNext: Bool { hidden != nil || mask != nil }

  // MARK: Structure

  /// Begins an object or an array.
  mutating func begin(_ container: ValueKinds, _ output: inout StagedOutput) throws {
    if depth == 0 { (kind, roots) = (container, roots + 1) }
    depth += 1
    if depth > output.limits.depth {
      throw ExportError(.source, "values lie more than \(output.limits.depth) deep in one another")
    }
    if hidden != nil {
      hidden?.isEmpty = false
    } else if let mask {
      hidden = Hidden(mask: mask, depth: depth)
    } else {
      open(container, &output)
    }
    mask = nil
  }

  private mutating func open(_ container: ValueKinds, _ output: inout StagedOutput) {
    if role.values != 0 { begun.append(beginning(output)) }
    role = .none
    ledger.enter()
    if container == .object {
      output.json.beginObject()
      siblings.enter()
    } else {
      output.json.beginArray()
    }
  }

  /// Ends an object or an array.
  mutating func end(_ container: ValueKinds, _ output: inout StagedOutput) {
    depth -= 1
    if let hidden {
      if depth >= hidden.depth { return }
      self.hidden = nil
      return hidden.isEmpty ? Self.writeEmpty(container, &output) : redact(hidden.mask, &output)
    }
    ledger.leave()
    if container == .object {
      output.json.endObject()
      siblings.leave()
    } else {
      output.json.endArray()
    }
    guard let last = begun.last, last.depth == depth + 1 else { return }
    begun.removeLast()
    hold(last, output)
  }

  private func beginning(_ output: borrowing StagedOutput, at start: Int? = nil) -> Begun {
    Begun(
      depth: depth, start: start ?? output.end, files: output.files.count, role: role, moment: ledger.moment, place: ledger.place)
  }

  private static func writeEmpty(_ container: ValueKinds, _ output: inout StagedOutput) {
    if container == .object {
      output.json.beginObject()
      output.json.endObject()
    } else {
      output.json.beginArray()
      output.json.endArray()
    }
  }

  /// A key of the account's own: one that begins with `$` gets one more.
  mutating func key(_ utf8: UnsafeBufferPointer<UInt8>, _ output: inout StagedOutput) {
    if hidden != nil { return hidden!.isEmpty = false }
    output.json.userKey(utf8: utf8)
    name(utf8, &output)
  }

  /// What the next value is named by, where no key stands before it.
  mutating func name(_ utf8: UnsafeBufferPointer<UInt8>, _ output: inout StagedOutput) {
    if hidden != nil { return }
    let facts = output.names.facts(utf8)
    (mask, role) = (facts.mask, facts.role)
    if mask == nil && role.values != 0 { mask = siblings.mask(for: role, &output.names) }
    ledger.name(utf8)
  }

  /// A key that this format gives: written as it is, and it makes no secret of its value.
  mutating func formatKey(_ name: StaticString, _ output: inout StagedOutput) {
    if hidden != nil { return hidden!.isEmpty = false }
    output.json.key(name)
    (mask, role) = (nil, .none)
  }

  // MARK: Values

  /// A value without parts. `masked` is false for what hides nothing: null, true and false, an empty text.
  mutating func scalar(
    _ kind: ValueKinds?, masked: Bool = true, _ output: inout StagedOutput, _ write: (inout StagedOutput) throws -> Void
  ) rethrows {
    if depth == 0 { roots += 1 }
    if hidden != nil { return hidden!.isEmpty = false }
    if depth == 0 { self.kind = kind }
    if let mask, masked || (mask == .thirdParty && kind != nil) { return redact(mask, &output) }
    if role.values == 0 || !masked {
      try write(&output)
    } else {
      let begin = beginning(output)
      try write(&output)
      hold(begin, output)
    }
    endValue()
  }

  private mutating func endValue() {
    (mask, role) = (nil, .none)
    if begun.isEmpty && siblings.waiting.isEmpty { ledger.settle() }
  }

  /// Text, as UTF-8; bytes that are no UTF-8 become `$base64`.
  mutating func text(_ utf8: UnsafeBufferPointer<UInt8>, _ output: inout StagedOutput) throws {
    if hidden == nil {
      if mask == nil && output.rules.secrets.isEnabled && SecretForms.matches(utf8) { mask = .secret }
      if mask == nil && role.names != 0 && !utf8.isEmpty { try nameSiblings(utf8, &output) }
    }
    if mask != nil || hidden != nil || role.values == 0 || utf8.isEmpty {
      var inside = MaskCounts()
      scalar(.text, masked: !utf8.isEmpty, &output) { inside = $0.text(utf8) }
      return ledger.add(inside)
    }
    let start = output.end
    let inside = output.text(utf8)
    endPieces(from: start, inside, output)
  }

  /// Takes back what this text is the name of, and remembers it for what comes.
  private mutating func nameSiblings(_ utf8: UnsafeBufferPointer<UInt8>, _ output: inout StagedOutput) throws {
    guard let (mask, places) = siblings.name(role, utf8, &output.names) else { return }
    for place in places {
      let held = siblings.waiting[place].payload
      let shift = try output.replace(held.range, with: mask.marker)
      for file in held.files { output.files.drop(file) }
      ledger.takeBack(held.moments)
      ledger.add(mask, at: held.place)
      siblings.remove(at: place)
      siblings.update(from: place) { $0.range = $0.range.lowerBound + shift..<$0.range.upperBound + shift }
    }
  }

  private mutating func hold(_ begin: Begun, _ output: borrowing StagedOutput) {
    if output.isEmptyValue(from: begin.start) { return }
    siblings.wait(
      begin.role,
      Held(
        range: begin.start..<output.end, files: begin.files..<output.files.count, moments: begin.moment..<ledger.moment, place: begin.place)
    )
  }

  private mutating func redact(_ mask: Mask, _ output: inout StagedOutput) {
    output.json.redacted(mask.reason)
    ledger.add(mask)
    if depth == 0 { (kind, isMasked) = (.object, true) }
    endValue()
  }

  /// Ends a text that was written in pieces, and was not masked; `start` is where it begins.
  mutating func endPieces(from start: Int, _ inside: MaskCounts, _ output: borrowing StagedOutput) {
    if depth == 0 { (kind, roots) = (.text, roots + 1) }
    let begin = beginning(output, at: start)
    ledger.add(inside)
    if role.values != 0 { hold(begin, output) }
    endValue()
  }

  /// Bytes: here up to the limit (4 KiB), else in a file of their own.
  mutating func bytes(_ value: UnsafeRawBufferPointer, _ output: inout StagedOutput) throws {
    if masksNext || value.count <= output.limits.inlineBytes {
      return scalar(.object, masked: !value.isEmpty, &output) { $0.json.bytes(value) }
    }
    try scalar(.object, &output) { (output) throws in
      let file = try output.files.add(value)
      output.json.beginObject()
      output.json.reference(to: file)
      output.json.endObject()
    }
  }

  /// Takes note of a value in pieces that has been masked as a whole.
  mutating func endMasked(_ mask: Mask) {
    if depth == 0 { (kind, roots, isMasked) = (.object, roots + 1, true) }
    ledger.add(mask)
    endValue()
  }

  /// A value that its source has masked itself, and whose reason stays.
  mutating func redacted(_ mask: Mask, _ output: inout StagedOutput) {
    if depth == 0 { roots += 1 }
    if hidden != nil { return hidden!.isEmpty = false }
    redact(mask, &output)
  }

  /// Masks the next value whatever it is.
  mutating func hide(_ mask: Mask, _ output: inout StagedOutput) {
    if depth == 0 { roots += 1 }
    if hidden != nil { return hidden!.isEmpty = false }
    redact(self.mask ?? mask, &output)
  }
}
