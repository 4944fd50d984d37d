internal import Checksums
internal import JSONStreaming

/// A value of the open row that is written, and that a later column may still make a secret.
struct HeldValue: Sendable {
  var range: Range<Int>
  /// Its files among those of the collection.
  var files: Range<Int>
}

extension RowWriter {
  /// Tells what a naming column of this row holds before its turn: `session_tokens` in `meta_key` makes a secret of `meta_value`. A source that can look ahead
  /// spares the writer from taking a large value back.
  public mutating func announce(column index: Int, _ utf8: UnsafeBufferPointer<UInt8>) {
    if columns[index].names.isEmpty { return }
    guard let mask = output.names.mask(namedBy: utf8) else { return }
    for value in columns[index].names where !columns[value].isExempt { make(value, mask) }
  }

  /// The column that names this one's value, where there is one: the last, where there are several.
  public func namingColumn(of column: Int) -> Int? { columns[column].namedBy.last }

  /// Makes a secret of a column's value in this row, whether it is still to come or is written already.
  private mutating func make(_ value: Int, _ mask: Mask) {
    if rowMasks[value] == nil {
      rowMasks[value] = mask
      isAnyMaskOwn = true
    }
    if held[value] != nil { takeBack(value, mask) }
  }

  /// Masks the column's value: a key becomes a number, another person's data a pseudonym where that is asked for.
  mutating func redact(_ mask: Mask, _ value: UnsafeRawBufferPointer? = nil) {
    maskMadeFrom(column, mask)
    beginValue()
    var form = MaskCounts.Form.marker
    switch (columns[column].style, value) {
    case (.rowNumber, _) where mask != .thirdParty:
      output.json.integer(rows + 1)
      form = .number
    case (.keyNumber, let key?) where mask != .thirdParty:
      output.json.integer(numbers.number(of: key))
      form = .number
    case (.pseudonym, let value?) where mask == .thirdParty: writePseudonym(of: value)
    default: output.json.redacted(mask.reason)
    }
    var counts = MaskCounts()
    counts.add(mask, form)
    countRedacted(counts)
    held[column] = nil
    rowKinds[column] = form == .number ? .integer : .object
    column += 1
  }

  /// The same for a value by its printed form, so that a number and a text that says it are one key, and one person.
  mutating func redact(_ mask: Mask, printed value: some LosslessStringConvertible) {
    if columns[column].style == .marker || columns[column].style == .rowNumber { return redact(mask) }
    var text = value.description
    text.withUTF8 { redact(mask, UnsafeRawBufferPointer($0)) }
  }

  /// The same for a value by what is written of it.
  mutating func redact(_ mask: Mask, by write: (inout JSONWriter) -> Void) {
    if columns[column].style == .marker || columns[column].style == .rowNumber { return redact(mask) }
    var json = JSONWriter(capacity: 64)
    write(&json)
    json.withBytes { bytes in
      let isText = bytes.first == UInt8(ascii: "\"")
      redact(mask, isText ? UnsafeRawBufferPointer(rebasing: bytes.dropFirst().dropLast()) : bytes)
    }
  }

  private mutating func writePseudonym(of value: UnsafeRawBufferPointer) {
    output.json.beginObject()
    output.json.key("$redacted")
    output.json.string(Mask.thirdParty.reason.name)
    do throws(ChecksumError) {
      let pseudonym = try pseudonyms.pseudonym(of: value)
      output.json.key("pseudonym")
      output.json.string(pseudonym)
    } catch {
      failure = failure ?? error
    }
    output.json.endObject()
  }

  /// What is made from a masked value is masked too.
  private mutating func maskMadeFrom(_ source: Int, _ mask: Mask) {
    for made in columns[source].makes where !columns[made].isExempt { make(made, mask) }
  }

  /// Counts masked values of the present column; what the row's end makes part of the collection.
  mutating func countRedacted(_ counts: MaskCounts) {
    rowRedacted[column] += counts
    isAnyRedacted = true
  }

  mutating func countRedacted(_ mask: Mask) {
    var counts = MaskCounts()
    counts.add(mask)
    countRedacted(counts)
  }

  /// Keeps where a value stands that a later column may make a secret; null, true and false, an empty value or a masked one stay as they are.
  mutating func hold(isMaskable: Bool) {
    held[column] = nil
    guard isMaskable, columns[column].isHeld, rowMasks[column] == nil, !output.isEmptyValue(from: heldStart) else { return }
    guard columns[column].namedBy.contains(where: { $0 > column }) || columns[column].madeFrom.contains(where: { $0 > column }) else {
      return
    }
    held[column] = HeldValue(range: heldStart..<output.end, files: heldFiles..<output.files.count)
  }

  /// Masks a value that is written already.
  private mutating func takeBack(_ value: Int, _ mask: Mask) {
    guard let taken = held[value] else { return }
    held[value] = nil
    for file in taken.files { output.files.drop(file) }
    let shift: Int
    do throws(ExportError) { shift = try output.replace(taken.range, with: mask.marker) } catch {
      // The row can't be finished, and the export neither: a spool that can't be written ends it.
      spoolFailure = spoolFailure ?? error
      return
    }
    // What was masked within it is gone with it.
    rowRedacted[value] = MaskCounts()
    rowRedacted[value].add(mask)
    isAnyRedacted = true
    rowKinds[value] = .object
    for later in held.indices {
      if let other = held[later], other.range.lowerBound >= taken.range.upperBound {
        held[later]?.range = other.range.lowerBound + shift..<other.range.upperBound + shift
      }
    }
    maskMadeFrom(value, mask)
  }
}
