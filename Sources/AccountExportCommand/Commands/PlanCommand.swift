internal import AccountExport
internal import Files
internal import JSONStreaming
internal import Ownership

extension Command {
  /// `account-export plan`
  static let plan = Command(
    name: "plan", summary: "what would be exported; nothing is written",
    about: ["Tells what would be exported: sources, counts and bytes, and what is left out", "and why. Nothing is written."],
    usages: [
      "account-export plan                          with ./account-export.json", "account-export plan --config FILE",
      "account-export plan --container DIR", "account-export plan --app ID",
      "account-export plan --preferences PATH --documents DIR --records STORE",
    ],
    sections: [sourceOptions, OptionSection(title: "output", options: [.json, .graph]), general],
    alsoAccepted: outputOptions.options + requestOptions.options + shownOptions.options,
    remarks: ["The other options of an export are taken too, so that one can be planned as it", "stands."],
    statuses: [.complete, .partial, .usage, .badInput, .inputOutput, .notPermitted, .interrupted],
    run: { options, console in try await plan(options, console) })

  private static func plan(_ options: ParsedOptions, _ console: Console) async throws -> ExitStatus {
    if options.has(.quiet) { console.audience = .quiet }
    let job = try ExportJob(options)
    let plans = await AccountExporter(sources: try job.makeSources()).plan(job.request, depth: .counts)
    try Task.checkCancellation()
    // A source whose plan failed would only fail again.
    var walks: [String: Walk] = [:]
    for case (let source as any ExportSource & SubjectWalking, .success) in plans { walks[source.name] = try await source.walk() }
    let text =
      options.has(.graph) ? PlanText.graphs(walks) : options.has(.json) ? PlanText.json(plans, walks) : PlanText.text(plans, walks)
    try StandardOutput.write(text)
    var failures = 0
    for (source, plan) in plans {
      guard case .failure(let error) = plan else { continue }
      failures += 1
      console.say("\(source.name): \(CommandError(error).message)")
    }
    return failures == 0 ? .complete : failures == plans.count ? .badInput : .partial
  }
}

/// What would be exported, written out.
enum PlanText {
  typealias Plans = [(source: any ExportSource, plan: Result<SourcePlan?, any Error>)]

  /// For people: a table for each source, then the walk to the subject's rows.
  static func text(_ plans: Plans, _ walks: [String: Walk]) -> [UInt8] {
    var lines: [String] = []
    for (source, plan) in plans {
      if !lines.isEmpty { lines.append("") }
      switch plan {
      case .failure: lines.append("\(shown(source.name))  (\(source.kind))  can't be read")
      case .success(nil): lines.append("\(shown(source.name))  (\(source.kind))  not known beforehand")
      case .success(let plan?):
        let sums = [plan.items.map { Quantity.counted($0, "item") }, plan.bytes.map { Quantity.bytes($0) }].compactMap { $0 }
        lines.append((["\(shown(source.name))  (\(source.kind))"] + sums).joined(separator: "  "))
        lines += table(plan.parts)
      }
      if let walk = walks[source.name] {
        lines.append("")
        lines += walk.plan.text(counts: walk).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { shown(String($0)) }
      }
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  private static func table(_ parts: [SourcePlan.Part]) -> [String] {
    let rows = parts.map { part in
      [
        shown(part.name), part.items.map { Quantity.grouped($0) } ?? "", part.bytes.map { Quantity.bytes($0) } ?? "",
        part.leftOut.map { "left out: \($0.name)" } ?? "",
      ]
    }
    let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let line =
        "  \(padded(row[0], widths[0]))  \(padded(row[1], widths[1], right: true))  \(padded(row[2], widths[2], right: true))  \(row[3])"
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  private static func padded(_ text: String, _ width: Int, right: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return right ? space + text : text + space
  }

  private static func shown(_ name: String) -> String { PathBytes(name).display }

  /// For diagrams: a graph for each walk, after a comment with its source's name.
  static func graphs(_ walks: [String: Walk]) -> [UInt8] {
    let graphs = walks.sorted { $0.key < $1.key }.map { "%% \(shown($0.key))\n\($0.value.plan.mermaid(counts: $0.value))" }
    return Array(graphs.joined(separator: "\n").utf8)
  }

  /// For programs.
  static func json(_ plans: Plans, _ walks: [String: Walk]) -> [UInt8] {
    var json = JSONWriter(capacity: 4096)
    json.beginObject()
    json.key("sources")
    json.beginArray()
    for (source, plan) in plans {
      json.beginObject()
      json.member("name", source.name)
      json.member("kind", source.kind)
      write(plan, &json)
      if let walk = walks[source.name] {
        json.key("walk")
        json.value(walk.plan.json(counts: walk))
      }
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.raw("\n")
    return json.withBytes { Array($0) }
  }

  private static func write(_ plan: Result<SourcePlan?, any Error>, _ json: inout JSONWriter) {
    switch plan {
    case .failure(let error): json.member("error", CommandError(error).message)
    case .success(nil): json.member("known", false)
    case .success(let plan?):
      json.member("items", plan.items)
      json.member("bytes", plan.bytes)
      json.member("copiedBytes", plan.copiedBytes)
      json.key("parts")
      json.beginArray()
      for part in plan.parts {
        json.beginObject()
        json.member("name", part.name)
        json.member("items", part.items)
        json.member("bytes", part.bytes)
        json.member("leftOut", part.leftOut?.name)
        json.endObject()
      }
      json.endArray()
    }
  }
}
