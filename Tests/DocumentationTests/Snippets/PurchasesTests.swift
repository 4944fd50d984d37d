import AccountExport
import TestSupport
import Testing

@Suite struct PurchasesTests {
  @Test func conforms() async throws {
    let bundle = try await checkExportSource(empty: { PurchasesSource(shop: Shop([])) }) {
      PurchasesSource(
        shop: Shop([
          Purchase(id: 1, customer: "person-1", item: "Tea", price: "12.50", made: Timestamp(seconds: 1_700_000_000)),
          Purchase(id: 2, customer: "person-2", item: "Cup", price: "3", made: Timestamp(seconds: 1_700_000_001)),
        ]))
    }
    let rows = try bundle.rows("data/records/Shop/purchases.json")
    #expect(rows.count == 1)
    #expect(rows.first?["item"] as? String == "Tea")
  }
}
