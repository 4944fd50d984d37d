internal import Checksums
import Synchronization

/// A column that holds what is another person's, and must not be shown.
public struct ThirdPartyColumn: Sendable, Hashable {
  /// What stands in the place of its values.
  public enum Style: Sendable, Hashable {
    /// Only that something was there.
    case removed
    /// A name that is the same for the same value all over the bundle, and nowhere else: who wrote twice can be told, not who it is.
    case pseudonym
  }

  /// The collection by its name in the account, and the column's.
  public var collection: String, column: String
  /// What stands in the place of its values.
  public var style: Style

  /// A column of a collection.
  public init(collection: String, column: String, style: Style = .removed) {
    (self.collection, self.column, self.style) = (collection, column, style)
  }

  /// A column by `collection.column`; the last dot divides them. Nil where there is none.
  public init?(_ name: String, style: Style = .removed) {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name.index(after: dot) < name.endIndex else { return nil }
    self.init(collection: String(name[..<dot]), column: String(name[name.index(after: dot)...]), style: style)
  }
}

/// Makes the pseudonyms of one bundle: 80 bits of HMAC-SHA-256 (RFC 2104) under a key that is thrown away, unless it was given.
final class Pseudonyms: Sendable {
  private struct State: ~Copyable {
    let key: [UInt8]
    var code: HMACSHA256?
  }

  private let state: Mutex<State>

  init(key: [UInt8]?) {
    var random = SystemRandomNumberGenerator()
    state = Mutex(State(key: key ?? (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }))
  }

  /// The pseudonym of a value: 20 hexadecimal digits.
  func pseudonym(of value: UnsafeRawBufferPointer) throws(ChecksumError) -> String {
    let digest = try state.withLock { (state) throws(ChecksumError) in
      if state.code == nil { state.code = try HMACSHA256.make(key: state.key) }
      state.code?.update(value)
      return try state.code?.finish()
    }
    return digest.map { String($0.hex.prefix(20)) } ?? ""
  }
}
