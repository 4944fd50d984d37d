/// Runs what waits for something outside, and blocks its thread meanwhile (a program's output, a slow network), on a thread that holds up no
/// other export. Such threads are many, and are only started where all others wait.
///
/// What blocks has to stand in `body` itself, or in functions that are `@concurrent`: the compiler leaves out a change of threads before a call
/// of a function that runs where its caller does.
public nonisolated(nonsending) func withWaitingThread<Result: Sendable>(
  _ body: @concurrent () async throws -> Result
) async throws -> Result {
  try await withTaskExecutorPreference(ExportThreads.consumers) { try await body() }
}
