/// Runs what waits for something outside, and blocks its thread meanwhile (a program's output, a slow network), on a thread that holds up no
/// other export. Such threads are many, and are only started where all others wait.
public nonisolated(nonsending) func withWaitingThread<Result: Sendable>(
  _ body: nonisolated(nonsending) () async throws -> Result
) async throws -> Result {
  try await withTaskExecutorPreference(ExportThreads.consumers) { try await body() }
}
