internal import JSONStreaming

/// What of a collection is masked, as far as its description tells.
struct CollectionMasking: Sendable {
  let masking: MaskingRules
  let thirdParty: [ThirdPartyColumn]

  /// A description without promises that masked columns can't keep: a masked key is none, and leads nowhere a reader could check.
  func masked(_ description: CollectionDescription) -> CollectionDescription {
    var masked = description
    if description.columns.contains(where: { description.primaryKey.contains($0.name) && mask(of: $0, description.name) != nil }) {
      masked.primaryKey = []
    }
    for index in masked.foreignKeys.indices {
      let key = masked.foreignKeys[index]
      let isMasked =
        key.columns.contains { thirdPartyStyle(of: $0, description.name) != nil }
        || key.referenced.contains { thirdPartyStyle(of: $0, key.collection) != nil }
      if isMasked { masked.foreignKeys[index].isSatisfied = false }
    }
    return masked
  }

  /// The third parties' columns that a collection has.
  func met(by description: CollectionDescription) -> [ThirdPartyColumn] {
    thirdParty.filter { column in
      Self.isSame(column.collection, description.name) && description.columns.contains { Self.isSame($0.name, column.column) }
    }
  }

  /// Why a column is masked whatever its values are.
  private func mask(of column: CollectionDescription.Column, _ collection: String) -> Mask? {
    if thirdPartyStyle(of: column.name, collection) != nil { return .thirdParty }
    if column.isKey || column.namesFiles || masking.secrets.allows(column: column.name, of: collection) { return nil }
    return masking.mask(name: column.name)
  }

  private func thirdPartyStyle(of column: String, _ collection: String) -> ThirdPartyColumn.Style? {
    thirdParty.first { Self.isSame($0.collection, collection) && Self.isSame($0.column, column) }?.style
  }

  /// Names are told apart by case nowhere in SQL, and whoever configures a column means it however it is spelt.
  private static func isSame(_ name: String, _ other: String) -> Bool { name == other || name.lowercased() == other.lowercased() }

  /// The columns as their values are written.
  func preparedColumns(of description: CollectionDescription) -> [RowWriter.PreparedColumn] {
    let columns = description.columns
    var prepared = columns.map { column in
      var made = RowWriter.PreparedColumn(key: .user(column.name))
      made.mask = mask(of: column, description.name)
      made.isExempt = made.mask == nil && masking.secrets.allows(column: column.name, of: description.name)
      made.style = style(of: column, description)
      return made
    }
    if masking.isActive { setNaming(&prepared, columns) }
    setMadeFrom(&prepared, columns)
    return prepared
  }

  private func style(of column: CollectionDescription.Column, _ description: CollectionDescription) -> RowWriter.MaskStyle {
    if thirdPartyStyle(of: column.name, description.name) == .pseudonym { return .pseudonym }
    if column.isKey { return .keyNumber }
    if !column.isPrimary { return .marker }
    return description.columns.count(where: \.isPrimary) == 1 ? .rowNumber : .keyNumber
  }

  private func setNaming(_ prepared: inout [RowWriter.PreparedColumn], _ columns: [CollectionDescription.Column]) {
    for (value, naming) in masking.secrets.pairs.naming(columns.map { words(of: $0.name) }).enumerated() {
      prepared[value].namedBy = naming
      for name in naming { prepared[name].names.append(value) }
    }
  }

  /// A generated column is a secret where its expression names one: a column that is masked, or a text such as the path `$.password`.
  private func setMadeFrom(_ prepared: inout [RowWriter.PreparedColumn], _ columns: [CollectionDescription.Column]) {
    for made in columns.indices {
      guard let expression = columns[made].expression else { continue }
      let canBeMasked = !columns[made].isKey && !prepared[made].isExempt
      var tokens = SQLTokens(expression)
      while let token = tokens.next() {
        switch token {
        case .name(let name):
          for source in columns.indices
          where source != made && Self.isSame(columns[source].name, name) && !prepared[source].makes.contains(made) {
            prepared[made].madeFrom.append(source)
            prepared[source].makes.append(made)
          }
        case .text(let text):
          if canBeMasked { prepared[made].mask = prepared[made].mask ?? masking.mask(name: text) }
        case .mark: break
        }
      }
    }
    // Through as many as are made from one another.
    let made = columns.indices.filter { !prepared[$0].madeFrom.isEmpty && !prepared[$0].isExempt && !columns[$0].isKey }
    for _ in made {
      for column in made where prepared[column].mask == nil {
        for source in prepared[column].madeFrom where prepared[column].mask == nil { prepared[column].mask = prepared[source].mask }
      }
    }
  }
}
