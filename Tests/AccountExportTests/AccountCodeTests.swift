import Testing

@testable import AccountExport

/// Whose export a receipt is for is told to those who hold the key, and to nobody else.
@Suite struct AccountCodeTests {
  @Test(arguments: [
    (DataSubject(id: "a"), DataSubject(id: "a", name: "A", email: "b@example.com"), true),
    (DataSubject(id: "a"), DataSubject(id: "A"), false),
    (DataSubject(email: " Mira@Example.com"), DataSubject(email: "mira@example.com"), true),
    (DataSubject(phone: "+49 (30) 12-34"), DataSubject(phone: "+49301234"), true),
    (DataSubject(username: "mira"), DataSubject(username: "Mira"), false),
    (DataSubject(id: "a"), DataSubject(username: "a"), false), (DataSubject(), DataSubject(name: "A"), true),
    (DataSubject(email: "a", phone: "1"), DataSubject(email: "a"), false),
    // No way to put the end of one into the next.
    (DataSubject(email: "a\nphone11"), DataSubject(email: "a", phone: "1"), false),
  ])
  func whoIsTheSame(_ one: DataSubject, _ other: DataSubject, _ isSame: Bool) throws {
    let signer = try ReceiptSigner()
    #expect((try signer.code(of: one) == signer.code(of: other)) == isSame)
    #expect(try signer.code(of: one).utf8.count == 43)
    #expect(try signer.code(of: one) != ReceiptSigner().code(of: one))
  }
}
