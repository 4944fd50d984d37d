/// What a source has done so far: counts for the manifest, and what is missing or masked.
struct SourceTally: Sendable {
  var items = 0
  var bytes: UInt64 = 0
  var omissions: [Omission] = []
  /// Masked values by place.
  var redactions: [RedactionPlace: Int] = [:]
  /// Names of omissions beyond this many of one reason are only counted: a tree of a million sockets must not fill the manifest.
  static let namedOmissions = 10_000
  private var omitted: [Omission.Reason: Int] = [:]

  struct RedactionPlace: Hashable, Sendable {
    var path: String
    var reason: Redaction.Reason
  }

  mutating func omit(_ omission: Omission) {
    let seen = omitted[omission.reason, default: 0] + 1
    omitted[omission.reason] = seen
    if seen <= Self.namedOmissions {
      omissions.append(omission)
    } else if let rest = omissions.lastIndex(where: { $0.reason == omission.reason && $0.path == Self.others }) {
      omissions[rest].count = (omissions[rest].count ?? 0) + (omission.count ?? 1)
    } else {
      omissions.append(Omission(source: omission.source, path: Self.others, reason: omission.reason, count: omission.count ?? 1))
    }
  }

  static let others = "(others)"

  mutating func redact(_ path: String, _ reason: Redaction.Reason, count: Int = 1) {
    if count > 0 { redactions[RedactionPlace(path: path, reason: reason), default: 0] += count }
  }
}
