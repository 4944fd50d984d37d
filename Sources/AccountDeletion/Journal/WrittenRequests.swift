internal import AccountExport
internal import SQLiteReading
internal import SQLiteWriting

/// Requests as the journal's rows.
extension WritableDatabase {
  private static let columns = "id, account, idempotency_key, received, grace_days, state, until, step"

  borrowing func request(_ id: String) throws(DeletionError) -> DeletionRequest {
    guard let request = try request(where: "id = ?", id) else { throw DeletionError(.notFound, "there is no request \(id)") }
    return request
  }

  borrowing func request(where condition: String, _ value: String) throws(DeletionError) -> DeletionRequest? {
    try requests(where: condition, .text(value)).first
  }

  borrowing func requests(where condition: String, _ value: WrittenValue) throws(DeletionError) -> [DeletionRequest] {
    try rows("SELECT \(Self.columns) FROM request WHERE \(condition)", [value]) { (row) throws(DeletionError) in try Self.request(row) }
  }

  private static func request(_ row: borrowing SQLiteStatement) throws(DeletionError) -> DeletionRequest {
    let id = row.text(at: 0)
    let until = Timestamp(seconds: row.integer(at: 6))
    guard let state = DeletionState(name: row.text(at: 5), until: until, step: row.text(at: 7)) else {
      throw DeletionError(.journal, "the journal has the request \(id) in a state that this version doesn't know")
    }
    return DeletionRequest(
      id: id, account: row.name(at: 1).map { String(decoding: $0.bytes, as: UTF8.self) }, idempotencyKey: row.text(at: 2),
      received: Timestamp(seconds: row.integer(at: 3)),
      gracePeriod: try GracePeriod(days: Int(row.integer(at: 4)), within: GracePeriod.widestBounds),
      state: state)
  }

  /// Writes a state down. Of a request that is at its end, the account's name goes.
  borrowing func set(_ state: DeletionState, of id: String) throws(DeletionError) {
    try run(
      "UPDATE request SET state = ?, until = ?, step = ?, account = CASE WHEN ? THEN NULL ELSE account END WHERE id = ?",
      [.text(state.name), .optional(state.until?.seconds), .optional(state.step), .integer(state.isFinal ? 1 : 0), .text(id)])
  }

  /// Moves a request on, where that was found to be allowed. At its end, all that told of the person goes.
  borrowing func move(_ request: DeletionRequest, to state: DeletionState, at now: Timestamp) throws(DeletionError) -> DeletionRequest {
    try set(state, of: request.id)
    try note(state, of: request.id, at: now)
    if state.isFinal { try forget(request.id) }
    return try self.request(request.id)
  }

  borrowing func note(_ state: DeletionState, of id: String, at now: Timestamp) throws(DeletionError) {
    try run(
      "INSERT INTO history (request, at, state, step) VALUES (?, ?, ?, ?)",
      [.text(id), .integer(now.seconds), .text(state.name), .optional(state.step)])
  }
}

extension DeletionState {
  init?(name: String, until: Timestamp, step: String) {
    switch name {
    case "confirming": self = .confirming
    case "exporting": self = .exporting
    case "scheduled": self = .scheduled(until: until)
    case "deleting": self = .deleting
    case "completed": self = .completed
    case "failed": self = .failed(step: step)
    case "cancelled": self = .cancelled
    default: return nil
    }
  }

  var until: Timestamp? { if case .scheduled(let until) = self { until } else { nil } }
  var step: String? { if case .failed(let step) = self { step } else { nil } }
}
