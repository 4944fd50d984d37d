/// What a controller tells beside the data: GDPR Art. 15(1) and (2), Art. 12(3), and the CCPA's sale or sharing.
///
/// Each part is written into `data/metadata.json`, or named there and in the manifest as not provided.
public struct ProcessingInformation: Sendable, Hashable {
  /// Who decides about the data.
  public var controller: Contact?
  /// Where questions about this export go.
  public var contact: Contact?
  /// The data protection officer.
  public var dataProtectionOfficer: Contact?
  /// What each collection is for, by its path below `data/` without `.json`; a folder's path stands for all in it, field by field.
  public var collections: [CollectionInformation] = []
  /// Who got or gets the data, named; an empty list says that nobody does.
  public var recipients: [Recipient]?
  /// Transfers to other countries; an empty list says that there are none.
  public var transfers: [Transfer]?
  /// Decisions made by machines alone; an empty list says that there are none.
  public var automatedDecisions: [AutomatedDecision]?
  /// The rights that the subject has.
  public var rights: [Right]?
  /// Where a complaint goes.
  public var supervisoryAuthority: Contact?
  /// Whether the data is sold or shared, as the CCPA means it.
  public var soldOrShared: SoldOrShared?

  /// Information with nothing in it.
  public init() {}

  /// A person or office, and how to reach them.
  public struct Contact: Sendable, Hashable {
    /// Each as it is to be read; nil where it isn't given.
    public var name: String?, address: String?, email: String?, phone: String?, website: String?

    /// A contact.
    public init(name: String? = nil, address: String? = nil, email: String? = nil, phone: String? = nil, website: String? = nil) {
      (self.name, self.address, self.email, self.phone, self.website) = (name, address, email, phone, website)
    }
  }

  /// Art. 15(1)(a, b, d, g) for one collection.
  public struct CollectionInformation: Sendable, Hashable {
    /// The collection, as `records/Notes/note`.
    public var collection: String
    /// What it is processed for.
    public var purposes: [String]?
    /// Why that is lawful.
    public var legalBasis: String?
    /// The categories of personal data in it.
    public var categories: [String]?
    /// Where it is from, if not from the subject.
    public var source: String?
    /// How long it is kept, or by what that is decided.
    public var retention: String?

    /// A collection of which nothing is told yet.
    public init(collection: String) { self.collection = collection }
  }

  /// Art. 15(1)(c).
  public struct Recipient: Sendable, Hashable {
    /// Who.
    public var name: String
    /// What kind of recipient, what for, and where.
    public var category: String?, purpose: String?, country: String?

    /// A recipient.
    public init(name: String, category: String? = nil, purpose: String? = nil, country: String? = nil) {
      (self.name, self.category, self.purpose, self.country) = (name, category, purpose, country)
    }
  }

  /// Art. 15(2).
  public struct Transfer: Sendable, Hashable {
    /// The country or international organisation, and the safeguard of Art. 46.
    public var to: String, safeguards: String
    /// To whom there, and where a copy of the safeguards can be had.
    public var recipient: String?, copy: String?

    /// A transfer.
    public init(to: String, safeguards: String, recipient: String? = nil, copy: String? = nil) {
      (self.to, self.safeguards, self.recipient, self.copy) = (to, safeguards, recipient, copy)
    }
  }

  /// Art. 15(1)(h).
  public struct AutomatedDecision: Sendable, Hashable {
    /// What is decided, and by what logic.
    public var name: String, logic: String
    /// How much it matters, and what follows from it.
    public var significance: String?, consequences: String?

    /// A decision.
    public init(name: String, logic: String, significance: String? = nil, consequences: String? = nil) {
      (self.name, self.logic, self.significance, self.consequences) = (name, logic, significance, consequences)
    }
  }

  /// Art. 15(1)(e).
  public struct Right: Sendable, Hashable {
    /// What can be asked for, and how.
    public var name: String, how: String?

    /// A right.
    public init(name: String, how: String? = nil) { (self.name, self.how) = (name, how) }
  }

  /// California Civil Code 1798.110 and 1798.115.
  public struct SoldOrShared: Sendable, Hashable {
    /// Whether data was sold, and whether it was shared.
    public var sold: Bool, shared: Bool
    /// The categories, and to whom.
    public var categories: [String]?, thirdParties: [String]?

    /// Whether data was sold or shared.
    public init(sold: Bool, shared: Bool, categories: [String]? = nil, thirdParties: [String]? = nil) {
      (self.sold, self.shared, self.categories, self.thirdParties) = (sold, shared, categories, thirdParties)
    }
  }
}
