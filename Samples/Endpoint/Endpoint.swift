// An HTTP endpoint that streams an account's bundle: GET /export. The account is the sample one, or another of the same layout.
//
//   export-endpoint CONTAINER [PORT [TEMP]]
//
// libmicrohttpd serves all connections with one thread, and that thread never waits for an export: while the next chunk is not there, the
// connection is suspended, and the task that awaits the chunk resumes it. A thread for each connection would do too, and cost a thread for
// each reader that stalls. The exports share the threads and the memory of `ExportResources`; one that finds none waits for its turn.
import AccountExport
import CMicrohttpd
import DocumentsSource
import Files
import Glibc
import PreferencesSource
import RecordsSource
import Synchronization

@main struct Endpoint {
  static let arguments = CommandLine.arguments
  static let account = PathBytes(arguments[1])
  static let exporter = AccountExporter(
    sources: [
      DocumentsSource(account.appending("Documents")), PreferencesSource(files: [account.appending("Library/Preferences")]),
      RecordsSource(account.appending("Library/Application Support/Notes.sqlite"), named: "Notes"),
    ], resources: ExportResources(threads: 4, memory: 64 << 20))
  /// The downloads that are under way; nil when the server is about to end.
  static let open = Mutex<[ObjectIdentifier: Download]?>([:])

  static func main() async {
    guard arguments.count > 1, let port = UInt16(arguments.count > 2 ? arguments[2] : "8080") else { exit(64) }
    // Threads that are started from here on leave these signals to `sigwait`.
    var signals = sigset_t()
    for signal in [SIGINT, SIGTERM] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    // A connection without any traffic for a minute is closed: a reader that stalls must not keep its export for ever.
    guard let server = cmicrohttpd_start(port, answer, completed, 64, 60) else { exit(74) }
    print("serving http://127.0.0.1:\(cmicrohttpd_port(server))/export")
    fflush(nil)
    var received: CInt = 0
    sigwait(&signals, &received)
    // No connection may be suspended when the server ends.
    for download in (open.withLock { $0.take() } ?? [:]).values { await download.stop() }
    MHD_stop_daemon(server)
    await exporter.resources.idle()
  }
}

/// Answers a request, on the server's thread: first with a download that begins, then, once that has a chunk or has failed, with its response.
private func answer(
  _: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?,
  _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _: UnsafeMutablePointer<Int>?,
  _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let connection, let url, let method, let request else { return .NO }
  if let known = request.pointee { return Unmanaged<Download>.fromOpaque(known).takeUnretainedValue().answer(connection) }
  guard String(cString: method) == "GET", String(cString: url) == "/export" else {
    return cmicrohttpd_say(connection, 404, "Only GET /export is served here.\n")
  }
  let download = Download(connection)
  request.pointee = Unmanaged.passRetained(download).toOpaque()
  Endpoint.open.withLock { $0?[ObjectIdentifier(download)] = download }
  if Endpoint.open.withLock({ $0 != nil }) { download.fetch() }
  return .YES
}

/// Lets a download go, whole or not: what is left of its export ends with it.
private func completed(
  _: UnsafeMutableRawPointer?, _: OpaquePointer?, _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _: MHD_RequestTerminationCode
) {
  guard let known = request?.pointee else { return }
  let download = Unmanaged<Download>.fromOpaque(known).takeRetainedValue()
  Endpoint.open.withLock { _ = $0?.removeValue(forKey: ObjectIdentifier(download)) }
}

/// One response: the chunks of a bundle, one at a time.
final class Download: Sendable {
  private enum Chunk { case bytes([UInt8], sent: Int), end, failed }
  private let state = Mutex<(chunk: Chunk, fetch: Task<Void, Never>?, isStopped: Bool)>((.failed, nil, false))
  private let chunks: ExportByteStream.Iterator
  private let name: String
  private let connection: UInt

  init(_ connection: OpaquePointer) {
    let now = Timestamp.now()
    var request = ExportRequest()
    request.subject = DataSubject(id: "42", name: "Mira Okafor")
    request.fixedTime = now
    request.temporaryFolder = Endpoint.arguments.count > 3 ? PathBytes(Endpoint.arguments[3]) : nil
    chunks = Endpoint.exporter.stream(request).makeAsyncIterator()
    (name, self.connection) = (now.bundleName + ".zip", UInt(bitPattern: connection))
  }

  /// Suspends the connection until the next chunk is there, or it is known that none comes.
  func fetch() {
    state.withLock { state in
      state.chunk = .failed
      if state.isStopped { return }
      MHD_suspend_connection(OpaquePointer(bitPattern: connection))
      state.fetch = Task { [self] in
        var chunks = chunks
        do {
          let next = try await chunks.next()
          self.state.withLock { $0.chunk = next.map { .bytes($0, sent: 0) } ?? .end }
        } catch { print("an export failed: \(error)") }
        MHD_resume_connection(OpaquePointer(bitPattern: connection))
      }
    }
  }

  func answer(_ connection: OpaquePointer) -> MHD_Result {
    guard case .bytes = state.withLock({ $0.chunk }) else { return cmicrohttpd_say(connection, 500, "The export could not be made.\n") }
    let response = MHD_create_response_from_callback(
      .max, 64 << 10, { Unmanaged<Download>.fromOpaque($0!).takeUnretainedValue().read(into: $2!, $3) },
      Unmanaged.passUnretained(self).toOpaque(), nil)
    defer { MHD_destroy_response(response) }
    MHD_add_response_header(response, "Content-Type", "application/zip")
    MHD_add_response_header(response, "Content-Disposition", "attachment; filename=\"\(name)\"")
    return MHD_queue_response(connection, 200, response)
  }

  /// Gives the server what fits; without a chunk it asks again when there is one. An export that failed breaks the connection off: nobody
  /// may take what was sent by then for a whole bundle.
  private func read(into buffer: UnsafeMutablePointer<CChar>, _ space: Int) -> Int {
    let count = state.withLock { state in
      if case .end = state.chunk { return cmicrohttpd_end }
      guard case .bytes(let bytes, let sent) = state.chunk else { return cmicrohttpd_failed }
      let count = min(space, bytes.count - sent)
      UnsafeMutableRawBufferPointer(start: buffer, count: count).copyBytes(from: bytes[sent..<sent + count])
      state.chunk = .bytes(bytes, sent: sent + count)
      return count
    }
    if count == 0 { fetch() }
    return count
  }

  func stop() async {
    state.withLock { $0.isStopped = true }
    let fetch = state.withLock { $0.fetch }
    fetch?.cancel()
    await fetch?.value
  }
}
