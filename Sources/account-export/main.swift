import AccountExportCommand

await AccountExportCommand.main()
