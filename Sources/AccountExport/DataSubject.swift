/// The person whose data is exported (GDPR Art. 4(1)), as the controller knows them.
public struct DataSubject: Sendable, Hashable {
  /// The account's identifier, as the controller writes it; nil where the account needs none (an app's own store).
  public var id: String?
  /// The person's name, for the bundle's first page.
  public var name: String?
  /// Where the person is reached.
  public var email: String?, phone: String?
  /// The name that the account goes by.
  public var username: String?

  /// A data subject with what is known of them.
  public init(id: String? = nil, name: String? = nil, email: String? = nil, phone: String? = nil, username: String? = nil) {
    self.id = id
    self.name = name
    self.email = email
    self.phone = phone
    self.username = username
  }
}
