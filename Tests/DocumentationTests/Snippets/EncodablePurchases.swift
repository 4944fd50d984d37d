import AccountExport
import AsyncRecordsSource

extension Purchase: Encodable {
  enum CodingKeys: String, CodingKey { case id, item, price, made, invoice }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(item, forKey: .item)
    try container.encode(RecordValue.number(digits: price), forKey: .price)
    try container.encode(RecordValue.moment(made), forKey: .made)
    try container.encodeIfPresent(invoice.map(RecordValue.bytes), forKey: .invoice)
  }
}

func purchases(in shop: Shop) -> AsyncRecords {
  AsyncRecords(named: "Shop") { writer, subject in
    try await writer.collection("purchases", of: shop.purchases(of: subject.id ?? ""))
  }
}
