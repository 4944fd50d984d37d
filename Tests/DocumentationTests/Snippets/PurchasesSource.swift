import AccountExport

/// What a customer has bought.
struct PurchasesSource: ExportSource {
  let name = "records/Shop"
  let kind = "shop"
  let shop: Shop

  func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
    guard let customer = subject.id else { throw ExportError(.badInput, "the shop needs a customer's number") }
    let purchases = await shop.purchases(of: customer)
    try await writer.collection(description) { records in
      for purchase in purchases {
        try records.row { row in try write(purchase, to: &row) }
      }
    }
  }

  private var description: CollectionDescription {
    var description = CollectionDescription(
      "purchases", columns: [.init("id"), .init("item"), .init("price"), .init("made"), .init("invoice")])
    description.primaryKey = ["id"]
    return description
  }
}

extension PurchasesSource {
  private func write(_ purchase: Purchase, to row: inout RowWriter) throws {
    row.integer(purchase.id)
    row.text(purchase.item)
    try Array(purchase.price.utf8).withUnsafeBytes { try row.number(digits: $0) }
    row.moment(purchase.made)
    if let invoice = purchase.invoice {
      try invoice.withUnsafeBytes { try row.bytes($0) }
    } else {
      row.null()
    }
  }
}

extension PurchasesSource: PlannableSource {
  func plan(for subject: DataSubject, depth: PlanDepth) async throws -> SourcePlan {
    guard let customer = subject.id else { throw ExportError(.badInput, "the shop needs a customer's number") }
    let count = await shop.purchases(of: customer).count
    return SourcePlan(items: count, parts: [.init(name: "purchases", items: count)])
  }
}
