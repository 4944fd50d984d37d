/// What a source has done so far: counts for the manifest, and what is missing or masked.
struct SourceTally: Sendable {
  var items = 0
  var bytes: UInt64 = 0
  var omissions: [Omission] = []
  /// Masked values by place.
  var redactions: [RedactionPlace: Redacted] = [:]
  /// Names of omissions beyond this many of one reason are only counted: a tree of a million sockets must not fill the manifest.
  static let namedOmissions = 10_000
  private var omitted: [Omission.Reason: Int] = [:]

  struct RedactionPlace: Hashable, Sendable {
    var path: String
    var reason: Redaction.Reason
  }

  /// How many values were masked, and how many of them are not objects that say so.
  struct Redacted: Hashable, Sendable {
    var count = 0, inText = 0, asNumber = 0
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

  mutating func redact(_ path: String, _ counts: MaskCounts) {
    if counts.isEmpty { return }
    for mask in [Mask.secret, .regulated, .thirdParty] {
      let (inText, asNumber) = (counts.count(mask, .text), counts.count(mask, .number))
      let count = counts.count(mask, .marker) + inText + asNumber
      if count == 0 { continue }
      let place = RedactionPlace(path: path, reason: mask.reason)
      redactions[place, default: Redacted()].count += count
      redactions[place, default: Redacted()].inText += inText
      redactions[place, default: Redacted()].asNumber += asNumber
    }
  }
}
