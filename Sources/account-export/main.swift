import AccountExportCommand

AccountExportCommand.main()
