/// Whether keys name secrets, remembered for the keys that come again and again.
package struct SecretKeys: Sendable {
  private var known = NameCache<Bool>()

  /// No key yet.
  package init() {}

  /// Whether a key names a secret.
  package mutating func isSecret(_ key: UnsafeBufferPointer<UInt8>, _ rules: SecretRules) -> Bool {
    known.facts(key, longest: 256) { rules.isSecret(name: $0) }
  }
}
