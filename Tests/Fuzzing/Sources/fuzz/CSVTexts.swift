import TextDecoding

@testable import CSVReading

/// Reads bytes that may be CSV, and decodes them as text of every encoding, whole and in pieces: both must give the same.
func checkCSV(_ bytes: UnsafeRawBufferPointer) {
  readCSVByAllMeans(Array(bytes))
  for encoding in TextEncoding.all {
    var (whole, cut) = (TextDecoder(encoding), TextDecoder(encoding))
    var expected: [UInt8] = []
    decode(bytes, &whole, to: &expected)
    finish(&whole, to: &expected)
    var found: [UInt8] = []
    forEachPiece(of: bytes) { decode($0, &cut, to: &found) }
    finish(&cut, to: &found)
    precondition(expected == found, "another text in pieces, as \(encoding.name)")
  }
}

private func decode(_ bytes: UnsafeRawBufferPointer, _ decoder: inout TextDecoder, to text: inout [UInt8]) {
  text += [UInt8](unsafeUninitializedCapacity: TextDecoder.room(for: bytes.count)) { buffer, count in
    count = decoder.decode(bytes, into: UnsafeMutableRawBufferPointer(buffer))
  }
}

private func finish(_ decoder: inout TextDecoder, to text: inout [UInt8]) {
  text += [UInt8](unsafeUninitializedCapacity: 8) { buffer, count in count = decoder.finish(into: UnsafeMutableRawBufferPointer(buffer)) }
}
