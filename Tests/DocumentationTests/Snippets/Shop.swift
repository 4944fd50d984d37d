import AccountExport

/// A purchase, as the shop keeps it.
struct Purchase: Sendable {
  var id: Int64
  var customer: String
  var item: String
  /// All its digits: `12.50`.
  var price: String
  var made: Timestamp
  var invoice: [UInt8]?
}

/// The shop's store: an actor here, a database client in an app.
actor Shop {
  private let purchases: [Purchase]

  init(_ purchases: [Purchase]) { self.purchases = purchases }

  func purchases(of customer: String) -> [Purchase] { purchases.filter { $0.customer == customer } }
}
