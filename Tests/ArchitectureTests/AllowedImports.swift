/// Who may import whom, from the bottom up: a target only imports from lines above its own.
/// Whoever adds a target adds a line here; whoever adds an arrow has to argue for it.
let allowedImports: [(target: String, imports: Set<String>)] = [
  // The only C.
  ("CFiles", []),
  ("CProcess", []),
  ("CThreads", []),
  ("CZlib", []),
  ("CArchive", []),
  ("CCrypto", []),
  ("CSQLite", []),
  ("CPostgres", []),
  ("CUnicode", []),
  ("CMicrohttpd", []),
  // One thing each; none knows what an export is.
  ("Files", ["CFiles"]),
  ("Processes", ["CProcess", "Files"]),
  ("JSONStreaming", []),
  ("JSONReading", []),
  ("TextDecoding", []),
  ("CSVReading", []),
  ("Checksums", ["CCrypto"]),
  ("ZipArchive", ["CArchive", "CZlib"]),
  ("TarReading", ["CArchive", "Files"]),
  ("PropertyLists", []),
  ("AppContainers", ["Files", "PropertyLists"]),
  // A model is a keyed archive in raw deflate data: the list's reader and the inflater are all that it takes.
  ("CoreDataModel", ["PropertyLists", "ZipArchive"]),
  ("Ownership", ["JSONReading"]),
  ("SQLiteReading", ["CSQLite", "Files"]),
  ("SQLiteWriting", ["CSQLite", "SQLiteReading"]),
  ("PostgresReading", ["CPostgres"]),
  ("BundleSchemas", []),
  // The core.
  ("AccountExport", ["BundleSchemas", "CThreads", "CUnicode", "Checksums", "Files", "JSONReading", "JSONStreaming", "ZipArchive"]),
  // Property lists and archives stand in preferences and in records: one way to write them, which neither the core nor the reader should know.
  ("PropertyListWriting", ["AccountExport", "PropertyLists"]),
  // Files that records name lie beside databases of each kind: one way to copy them, which the core needn't know.
  ("NamedFiles", ["AccountExport", "Files", "Ownership", "Processes"]),
  // What holds an account's data: the core, and a reader each.
  ("PreferencesSource", ["AccountExport", "Files", "JSONReading", "PropertyListWriting", "PropertyLists"]),
  ("DocumentsSource", ["AccountExport", "Files"]),
  (
    "RecordsSource",
    [
      "AccountExport", "CSVReading", "CoreDataModel", "Files", "JSONReading", "JSONStreaming", "NamedFiles", "Ownership",
      "PropertyListWriting", "PropertyLists", "SQLiteReading", "TextDecoding",
    ]
  ),
  ("PostgresSource", ["AccountExport", "JSONReading", "NamedFiles", "Ownership", "PostgresReading"]),
  ("AsyncRecordsSource", ["AccountExport", "JSONStreaming"]),
  ("CommandSource", ["AccountExport", "Files", "JSONReading", "Processes", "TarReading"]),
  // The pages that people open: from the core's rows as they are written, with the hashes of their style and script.
  ("BundleView", ["AccountExport", "Checksums", "JSONReading", "JSONStreaming"]),
  // What comes after an export.
  ("AccountDeletion", ["AccountExport", "Checksums", "Files", "JSONReading", "JSONStreaming", "SQLiteReading", "SQLiteWriting"]),
  // What was exported by a walk is deleted by the same walk.
  ("FileDeletion", ["AccountDeletion", "AccountExport", "Checksums", "DocumentsSource", "Files"]),
  // The command.
  (
    "AccountExportCommand",
    [
      "AccountDeletion",
      "AccountExport", "AppContainers", "BundleSchemas", "BundleView", "CommandSource", "DocumentsSource", "Files", "JSONReading",
      "JSONStreaming",
      "NamedFiles", "Ownership", "PostgresSource",
      // A browser is started for the page that is opened.
      "PreferencesSource", "Processes", "RecordsSource", "TextDecoding",
    ]
  ),
  ("account-export", ["AccountExportCommand"]),
]

/// What every target may import: the system's own, and nothing of Foundation.
let systemModules: Set<String> = ["Darwin", "Glibc", "Musl", "Synchronization"]
