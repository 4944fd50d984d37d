/// Runs what waits for something outside, and blocks its thread meanwhile (a program's output, a slow network), on a thread of its own, which
/// ends with it: so it holds up no other export, and takes none of the threads that exports share.
///
/// What blocks has to stand in `body` itself, or in functions that are `@concurrent`: the compiler leaves out a change of threads before a call
/// of a function that runs where its caller does.
/// - Throws: what `body` throws; an `ExportError` where the system gives no thread.
public nonisolated(nonsending) func withWaitingThread<Result: Sendable>(
  _ body: @concurrent () async throws -> Result
) async throws -> Result {
  let thread = try ExportThreads.oneStarted()
  defer { thread.end() }
  return try await withTaskExecutorPreference(thread) { try await body() }
}
