/// Local headers, data and descriptors.
extension ZipStreamReader {
  mutating func takeLocalHeader(endingAt end: UInt64, _ emit: (ZipEvent) -> Void) throws(ZipError) {
    let header = held.withUnsafeBytes { ZipLocalHeader($0) }
    let offset = start
    let index = records.count
    let earlier = try remember(header, offset: offset)
    let path = currentPath
    if let obstacle = header.obstacle { throw ZipError(.unsupported, entry: path, detail: "\(obstacle) is not supported") }
    if let earlier { report(.duplicate, entry: path, at: offset, "entry \(earlier) has the same path") }
    checkPath(path, flags: header.flags, at: offset)
    checkFields(header, path: path, at: offset)

    current = EntryInProgress(header)
    let size = current.saidSize
    held.withUnsafeBytes { raw in
      let event = ZipEntryHeader(
        index: index, offset: offset, path: raw.part(30, header.pathCount), size: size, method: header.method, flags: header.flags,
        modified: header.modified)
      emit(.entry(event))
    }
    start = end
    stage = .data
    if current.isDeflated {
      try inflater.reset()
    } else if current.left == 0 {
      dataEnded(at: end, emit)
    }
  }

  private mutating func remember(_ header: ZipLocalHeader, offset: UInt64) throws(ZipError) -> Int? {
    let limits = limits
    let path = held[30..<30 + header.pathCount]
    return try records.append(header.record(offset: offset), path: path, limits: limits)
  }

  private mutating func checkPath(_ path: String, flags: UInt16, at offset: UInt64) {
    let index = records.count - 1
    var text = path
    let (isASCII, isText, isSafe) = records.withPath(index) { bytes in
      // Decoding puts another character in place of what is no text, and so changes it.
      let isText = text.withUTF8 { UnsafeRawBufferPointer($0).equals(bytes) }
      return (bytes.allSatisfy { $0 < 0x80 }, isText, isSafePath(bytes))
    }
    if !isText { report(.path, entry: path, at: offset, "the path is no valid UTF-8") }
    if !isASCII, flags & ZipFlags.utf8 == 0 { report(.path, entry: path, at: offset, "the path isn't flagged as UTF-8") }
    if !isSafe { report(.path, entry: path, at: offset, "the path is empty, absolute, holds a NUL or leads upwards") }
  }

  private mutating func checkFields(_ header: ZipLocalHeader, path: String, at offset: UInt64) {
    if let complaint = header.complaint { report(.field, entry: path, at: offset, complaint) }
    if header.flags & ~ZipFlags.known != 0 { report(.field, entry: path, at: offset, "undefined flags") }
    if seconds(dosTime: header.dosTime) == nil { report(.field, entry: path, at: offset, "no date") }
  }

  mutating func readData(_ bytes: UnsafeRawBufferPointer, _ emit: (ZipEvent) -> Void) throws(ZipError) -> Int {
    let left = current.left
    let input = left.map { bytes.part(0, Int(min($0, UInt64(bytes.count)))) } ?? bytes
    return current.isDeflated ? try inflateData(input, left: left, emit) : try copyData(input, emit)
  }

  private mutating func copyData(_ input: UnsafeRawBufferPointer, _ emit: (ZipEvent) -> Void) throws(ZipError) -> Int {
    current.compressedSize += UInt64(input.count)
    try takeContent(input, emit)
    if current.left == 0 { dataEnded(at: position + UInt64(input.count), emit) }
    return input.count
  }

  private mutating func inflateData(
    _ input: UnsafeRawBufferPointer, left: UInt64?, _ emit: (ZipEvent) -> Void
  ) throws(ZipError) -> Int {
    let step = try inflater.step(input)
    current.compressedSize += UInt64(step.used)
    try takeContent(step.output, emit)
    let end = position + UInt64(step.used)
    switch step.outcome {
    case .more:
      guard step.used == 0, step.output.isEmpty else { break }
      // Nothing went in and nothing came out: the data that the header speaks of is used up.
      guard left == 0 else { throw ZipError(.library, entry: currentPath, detail: "inflate makes no progress") }
      dataFailed("the deflate data is not finished")
      dataEnded(at: end, emit)
    case .end:
      if let rest = current.left, rest > 0 {
        dataFailed("\(rest) bytes after the end of the deflate data")
        stage = .skipping(rest)
      } else {
        dataEnded(at: end, emit)
      }
    case .invalid:
      guard let rest = current.left else {
        throw ZipError(.format, entry: currentPath, detail: "the data is no valid deflate data, so that its end can't be found")
      }
      dataFailed("the data is no valid deflate data")
      if rest > 0 { stage = .skipping(rest) } else { dataEnded(at: end, emit) }
    }
    return step.used
  }

  mutating func skipData(_ bytes: UnsafeRawBufferPointer, left: UInt64, _ emit: (ZipEvent) -> Void) -> Int {
    let count = Int(min(left, UInt64(bytes.count)))
    current.compressedSize += UInt64(count)
    let rest = left - UInt64(count)
    if rest > 0 { stage = .skipping(rest) } else { dataEnded(at: position + UInt64(count), emit) }
    return count
  }

  private mutating func takeContent(_ content: UnsafeRawBufferPointer, _ emit: (ZipEvent) -> Void) throws(ZipError) {
    guard !content.isEmpty else { return }
    guard UInt64(content.count) <= limits.inflatedBytes - totalInflated else {
      throw ZipError(.limit, entry: currentPath, detail: "more than \(limits.inflatedBytes) bytes in all")
    }
    totalInflated += UInt64(content.count)
    current.size += UInt64(content.count)
    if current.size > 1 << 20, current.size / max(current.compressedSize, 1) > limits.ratio {
      throw ZipError(.limit, entry: currentPath, detail: "more than \(limits.ratio) times larger than its compressed data")
    }
    current.crc = crc32(current.crc, content)
    emit(.content(content))
  }

  private mutating func dataFailed(_ detail: String) {
    report(.data, entry: currentPath, at: start, detail)
    current.isSound = false
  }

  /// The data is over: a descriptor comes, or the next record.
  private mutating func dataEnded(at end: UInt64, _ emit: (ZipEvent) -> Void) {
    checkSaid(size: current.saidSize, compressedSize: current.saidCompressedSize, crc: current.saidCRC, in: "header")
    guard current.hasDescriptor else { return entryEnded(at: end, emit) }
    awaitRecord(at: end)
    stage = .descriptor(isWhole: false)
  }

  mutating func takeDescriptor(isWhole: Bool, endingAt end: UInt64, _ emit: (ZipEvent) -> Void) {
    // The signature is optional (APPNOTE 4.3.9.3).
    let signature: UInt32 = held.withUnsafeBytes { $0.number(at: 0) }
    let front = signature == ZipRecord.descriptorSignature ? 4 : 0
    guard isWhole else {
      needed = front + (current.isZip64 ? 20 : 12)
      stage = .descriptor(isWhole: true)
      return
    }
    let isZip64 = current.isZip64
    let (crc, compressedSize, size): (UInt32, UInt64, UInt64) = held.withUnsafeBytes { raw in
      let sizes = front + 4
      return isZip64
        ? (raw.number(at: front), raw.number(at: sizes), raw.number(at: sizes + 8))
        : (raw.number(at: front), UInt64(raw.number(UInt32.self, at: sizes)), UInt64(raw.number(UInt32.self, at: sizes + 4)))
    }
    checkSaid(size: size, compressedSize: compressedSize, crc: crc, in: "descriptor")
    entryEnded(at: end, emit)
  }

  private mutating func checkSaid(size: UInt64?, compressedSize: UInt64?, crc: UInt32?, in place: String) {
    let (found, offset) = (current, start)
    if let size, size != found.size {
      report(.size, entry: currentPath, at: offset, "\(size) bytes in the \(place), \(found.size) found")
      current.isSound = false
    }
    if let compressedSize, compressedSize != found.compressedSize {
      report(.size, entry: currentPath, at: offset, "\(compressedSize) compressed bytes in the \(place), \(found.compressedSize) found")
      current.isSound = false
    }
    if let crc, crc != found.crc {
      report(.checksum, entry: currentPath, at: offset, "another CRC-32 in the \(place)")
      current.isSound = false
    }
  }

  private mutating func entryEnded(at end: UInt64, _ emit: (ZipEvent) -> Void) {
    records.completeLast(size: current.size, compressedSize: current.compressedSize, crc: current.crc)
    emit(
      .entryEnd(
        ZipEntryEnd(
          index: records.count - 1, size: current.size, compressedSize: current.compressedSize, crc: current.crc,
          isSound: current.isSound)))
    awaitRecord(at: end)
  }
}

/// Whether a path stays inside the folder that it is unpacked in.
private func isSafePath(_ path: UnsafeRawBufferPointer) -> Bool {
  if path.first == UInt8(ascii: "/") { return false }
  var start = 0
  for end in 0...path.count {
    if end < path.count, path[end] != UInt8(ascii: "/") {
      if path[end] == 0 { return false }
      continue
    }
    if end - start == 2, path[start] == UInt8(ascii: "."), path[start + 1] == UInt8(ascii: ".") { return false }
    start = end + 1
  }
  return !path.isEmpty
}
