import Testing

@testable import AccountExport

@Suite struct SecretRulesTests {
  @Test(arguments: [
    ("passwordHash", ["password", "hash"]), ("PASSWORD_HASH", ["password", "hash"]), ("password-hash", ["password", "hash"]),
    ("APIKey", ["api", "key"]), ("apiKey2", ["api", "key", "2"]), ("myAPIKeyID", ["my", "api", "key", "id"]), ("ABC", ["abc"]),
    ("a", ["a"]), ("", []), ("__", []), ("9lives", ["9", "lives"]), ("x.y/z w", ["x", "y", "z", "w"]),
    ("OAuth2Token", ["o", "auth", "2", "token"]),
    ("ÜberName", ["über", "name"]), ("пароль_пользователя", ["пароль", "пользователя"]), ("iOSToken", ["i", "os", "token"]),
    ("ZACCESSTOKEN", ["zaccesstoken"]), ("token👍id", ["token", "id"]), ("sessionID", ["session", "id"]),
    ("HTTPServer", ["http", "server"]),
  ])
  func wordsOfAName(_ name: (text: String, words: [String])) {
    #expect(words(of: name.text) == name.words)
  }

  @Test(arguments: [
    "password", "Password", "PASSWORD", "passwordHash", "password_hash", "password_digest", "encrypted_password", "encryptedPassword",
    "password2", "password_2", "user_pass", "smtpPass", "ftp_pass", "secret", "client_secret", "clientSecret", "secrets", "token", "tokens",
    "accessToken", "access_token", "refresh_token", "sessionToken", "csrf_token", "token_hash", "tokenDigest", "auth_token_encrypted",
    "api_key", "apiKey", "API_KEY", "apikey", "x-api-key", "privateKey", "private_key", "secret_key", "access_key", "recovery_code",
    "recoveryCodes", "one_time_code", "oneTimePassword", "otp", "totp_secret", "backup_codes", "session_id", "sessionId", "SESSIONID",
    "accesstoken", "userpassword", "salt", "password_salt", "passwd", "pwd", "passphrase", "jwt", "stripe_api_key_hash", "token_value",
    "passwords_hashed", "WiFiPassword", "com.example.authToken", "accesstoken-2", "ACCESSTOKEN_OLD", "user_accesstoken", "php_sessionid",
  ])
  func secrets(_ name: String) {
    #expect(SecretRules.standard.isSecret(name: name))
  }

  @Test(arguments: [
    "passenger", "passengers", "keyboard", "monkey", "hashtag", "tokenizer", "token_type", "tokenCount", "password_hint", "passwordHint",
    "password_changed_at", "api_key_name", "apiKeyID", "hash", "session", "signature", "note", "key", "keys", "value", "code", "secretary",
    "secret_santa", "compass", "bypass", "pass_count", "passport", "primary_key", "foreign_key", "sort_key", "zip_code", "country_code",
    "session_count", "cookie_consent", "salted_caramel", "basalt", "username", "user", "email", "id", "", "_", "title", "content_hash",
    "git_hash", "turkey", "donkey_key_ring", "public_key", "pin", "pinned", "has_password", "is_secret_shared", "paſſword_note",
  ])
  func others(_ name: String) {
    #expect(SecretRules.standard.isSecret(name: name) == (name == "has_password"))
  }

  @Test func termsCanBeAdded() {
    var rules = SecretRules.standard
    #expect(!rules.isSecret(name: "blood_group"))
    rules.add(term: "bloodGroup")
    #expect(rules.isSecret(name: "blood_group") && rules.isSecret(name: "donorBloodGroup2"))
    #expect(!rules.isSecret(name: "blood_groups_count") && !rules.isSecret(name: "group"))
    rules.add(term: "")
    #expect(!rules.isSecret(name: "title"))
  }

  @Test func namesCanBeAllowed() {
    var rules = SecretRules.standard
    rules.allow(name: "Design_Token")
    #expect(!rules.isSecret(name: "design_token") && !rules.isSecret(name: "DESIGN_TOKEN"))
    #expect(rules.isSecret(name: "designToken"), "an exemption is of one spelling")
    rules.isEnabled = false
    #expect(!rules.isSecret(name: "password"))
  }

  @Test(
    arguments: [
      (["meta_key", "meta_value"], [nil, 0]), (["key", "value"], [nil, 0]), (["name", "value"], [nil, 0]), (["value", "key"], [1, nil]),
      (["optionName", "optionValue"], [nil, 0]), (["a_key", "b_value"], [nil, nil]), (["value"], [nil]), (["key"], [nil]),
      (["id", "a_value", "a_name", "value"], [nil, 2, nil, nil]), (["values", "key"], [nil, nil]), ([], []),
    ] as [([String], [Int?])])
  func siblingsThatName(_ columns: (names: [String], naming: [Int?])) {
    #expect(SecretRules.standard.namingColumns(of: columns.names) == columns.naming)
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"terms": "password"}"#,
    #"{"terms": [1], "tails": [], "joined": [], "joinedEndings": [], "nameColumns": [], "valueColumns": []}"#,
  ])
  func rulesThatAreNone(_ text: String) {
    #expect(throws: (any Error).self) { try SecretRules(data: Array(text.utf8)) }
  }
}
