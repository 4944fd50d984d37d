internal import AccountExport
internal import JSONReading

/// Reading the part `information` of a configuration that was found to have the right shape: what is required is there.
extension ProcessingInformation {
  init(_ value: JSONValue) {
    self.init()
    controller = value["controller"].map(Contact.init)
    contact = value["contact"].map(Contact.init)
    dataProtectionOfficer = value["dataProtectionOfficer"].map(Contact.init)
    collections = (value["collections"]?.members ?? []).map { CollectionInformation($0.key, $0.value) }
    recipients = value["recipients"]?.elements?.map(Recipient.init)
    transfers = value["transfers"]?.elements?.map(Transfer.init)
    automatedDecisions = value["automatedDecisions"]?.elements?.map(AutomatedDecision.init)
    rights = value["rights"]?.elements?.map(Right.init)
    supervisoryAuthority = value["supervisoryAuthority"].map(Contact.init)
    soldOrShared = value["soldOrShared"].map(SoldOrShared.init)
  }
}

extension ProcessingInformation.Contact {
  fileprivate init(_ value: JSONValue) {
    self.init(
      name: value.text("name"), address: value.text("address"), email: value.text("email"), phone: value.text("phone"),
      website: value.text("website"))
  }
}

extension ProcessingInformation.CollectionInformation {
  fileprivate init(_ collection: String, _ value: JSONValue) {
    self.init(collection: collection)
    purposes = value.texts("purposes")
    legalBasis = value.text("legalBasis")
    categories = value.texts("categories")
    source = value.text("source")
    retention = value.text("retention")
  }
}

extension ProcessingInformation.Recipient {
  fileprivate init(_ value: JSONValue) {
    self.init(
      name: value.text("name") ?? "", category: value.text("category"), purpose: value.text("purpose"), country: value.text("country"))
  }
}

extension ProcessingInformation.Transfer {
  fileprivate init(_ value: JSONValue) {
    self.init(
      to: value.text("to") ?? "", safeguards: value.text("safeguards") ?? "", recipient: value.text("recipient"), copy: value.text("copy"))
  }
}

extension ProcessingInformation.AutomatedDecision {
  fileprivate init(_ value: JSONValue) {
    self.init(
      name: value.text("name") ?? "", logic: value.text("logic") ?? "", significance: value.text("significance"),
      consequences: value.text("consequences"))
  }
}

extension ProcessingInformation.Right {
  fileprivate init(_ value: JSONValue) { self.init(name: value.text("name") ?? "", how: value.text("how")) }
}

extension ProcessingInformation.SoldOrShared {
  fileprivate init(_ value: JSONValue) {
    self.init(
      sold: value["sold"]?.boolean ?? false, shared: value["shared"]?.boolean ?? false, categories: value.texts("categories"),
      thirdParties: value.texts("thirdParties"))
  }
}
