@testable import PropertyLists

/// Reads bytes that may be a property list or an archive by every reader.
func checkList(_ bytes: UnsafeRawBufferPointer) {
  readByAllMeans(Array(bytes))
}
