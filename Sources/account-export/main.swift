print("account-export")
