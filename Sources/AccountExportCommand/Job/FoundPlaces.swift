internal import AccountExport
internal import AppContainers
internal import Files

/// The source that tells what of an app's folders is not exported, and why. It pushes nothing.
struct FoundPlaces: PlannableSource {
  let name: String
  let kind = "folders"
  let leftOut: [FoundData.LeftOut]

  func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
    for place in leftOut { writer.omit(place.shown, place.reason.omission, count: place.items, detail: place.detail) }
  }

  func plan(for subject: DataSubject, depth: PlanDepth) async throws -> SourcePlan {
    SourcePlan(
      items: 0, bytes: 0,
      parts: leftOut.map { SourcePlan.Part(name: $0.shown, items: $0.items, bytes: $0.bytes, leftOut: $0.reason.omission) })
  }
}

extension FoundData.Reason {
  /// The reason as bundles give it.
  var omission: Omission.Reason { isHarmless ? .excluded : .unclaimed }
}

extension FoundData.LeftOut {
  /// What the operator can do about it, where something of the account may be missing.
  fileprivate var detail: String? {
    switch reason {
    case .unclaimed: "\(path.display) may be this app's; name it, with --container, --documents or --app-name, if it is"
    case .link: "\(path.display) is a link, which is not followed; name what it leads to, with --documents"
    case .cache, .temporary, .cookies, .screenshots, .program, .olderCopy: nil
    }
  }
}
