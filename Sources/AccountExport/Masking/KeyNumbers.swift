import Synchronization

/// The numbers that stand for masked keys of one source: the same for the same key wherever it stands, so that what refers to it still does. They
/// count in the order in which keys come, which is the same in every export of the same data, and so tell nothing of the key.
///
/// It costs some 24 bytes for each masked key that other rows may refer to, or that has several columns; a key of one column that nothing refers
/// to is numbered by its row, at no cost.
final class KeyNumbers: Sendable {
  // 64 bits of a hash seeded by the process: that two of ten million keys share one has a chance of one in 400,000.
  private let numbers = Mutex<[Int: Int]>([:])

  func number(of key: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: key)
    let hash = hasher.finalize()
    return numbers.withLock { numbers in
      if let known = numbers[hash] { return known }
      numbers[hash] = numbers.count + 1
      return numbers.count
    }
  }
}
