import AccountExport
import DocumentsSource
import PreferencesSource

func exportApp(to path: PathBytes) async throws -> ExportReceipt {
  let exporter = AccountExporter(sources: [
    PreferencesSource(files: ["Library/Preferences"]),
    DocumentsSource("Documents"),
  ])
  var request = ExportRequest()
  request.subject = DataSubject(id: "42", name: "Mira Okafor")
  return try await exporter.export(request, to: path)
}
