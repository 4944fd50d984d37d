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
    "passwords_hashed", "passwordhash", "PASSWORDSALT", "secretkey", "authkey", "encryptionkey", "bearertoken",
    "passwordresettoken", "sessiontokens", "backupcodes", "recoverycode", "verificationcode", "onetimecode", "private_key_pem", "pass_hash",
    "hashed_pw",
    "my_accesstoken", "ACCESSTOKEN_OLD", "user_accesstoken", "php_sessionid", "accesstoken-2", "note (accesstoken)", "WiFiPassword",
    "com.example.authToken",
    "pin", "PIN", "pin_hash", "card_pin", "userPin", "Authorization", "proxy-authorization", "HTTP_AUTHORIZATION", "authorizationHeader",
    "seed_phrase", "walletSeedPhrase", "recoveryPhrase", "mnemonic", "wallet_mnemonic", "cvv", "cvv2", "card_cvc", "cardSecurityCode",
    "otp_code",
  ])
  func secrets(_ name: String) {
    #expect(SecretRules.standard.isSecret(name: name))
    #expect(Array(name.utf8).withUnsafeBufferPointer { SecretRules.standard.mayName($0) })
  }

  @Test(arguments: [
    "passenger", "passengers", "keyboard", "monkey", "hashtag", "tokenizer", "token_type", "tokenCount", "password_hint", "passwordHint",
    "password_changed_at", "api_key_name", "apiKeyID", "hash", "session", "signature", "note", "key", "keys", "value", "code", "secretary",
    "secret_santa", "compass", "bypass", "pass_count", "passport", "primary_key", "foreign_key", "sort_key", "zip_code", "country_code",
    "session_count", "cookie_consent", "salted_caramel", "basalt", "username", "user", "email", "id", "", "_", "title", "content_hash",
    "git_hash", "turkey", "donkey_key_ring", "public_key", "pinned", "pin_count", "map_pin", "pins", "payment_authorization",
    "authorization_type", "kanji_mnemonic", "cvs", "otpauth_url",
    "seed", "seed_data", "phrase", "has_password", "is_secret_shared", "paſſword_note",
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

  /// What a text ends with tells that it is no name of a secret, before its words are looked at.
  @Test(arguments: [
    ("open", false), ("bread and eggs", false), ("3fa9c1e2", false), ("", false), ("42", false), ("...", false), ("Tokens!", true),
    ("PASSWORD", true), ("tokenV", true), ("APIKey", true), ("x-Password-2 ", true), ("\u{43F}\u{430}\u{440}\u{43E}\u{43B}\u{44C}", true),
    ("\u{E9}token", true), ("passwordless", false), ("Secretary", false), ("MYTOKEN", false), ("mypassword", true),
  ])
  func lastWords(_ text: String, isMaybe: Bool) {
    #expect(Array(text.utf8).withUnsafeBufferPointer { SecretRules.standard.mayName($0) } == isMaybe)
  }

  @Test func lastWordsOfOnesOwn() {
    var rules = SecretRules.standard
    rules.add(term: "blood group")
    #expect(Array("donorBloodGroup".utf8).withUnsafeBufferPointer { rules.mayName($0) })
    #expect(!Array("room 7".utf8).withUnsafeBufferPointer { rules.mayName($0) })
    rules.add(term: "room 7")
    #expect(rules.isSecret(name: "room 7") && Array("room 7".utf8).withUnsafeBufferPointer { rules.mayName($0) })
  }

  @Test func columnsCanBeAllowed() {
    var rules = SecretRules.standard
    rules.allow(name: "Users.api_key")
    #expect(rules.isSecret(name: "api_key") && rules.allows(column: "API_Key", of: "users"))
    #expect(!rules.allows(column: "api_key", of: "admins") && !rules.allows(column: "password", of: "users"))
  }

  /// Cal. Code Regs. tit. 11, § 7024(d); the GDPR has no such rule.
  @Test(arguments: [
    "ssn", "SSN", "customerSSN", "social_security_number", "driversLicenseNumber", "driver_license_no", "passport_number", "passport",
    "tax_id",
    "national_id", "bank_account_number", "accountNumber", "iban", "credit_card_number", "medical_record_number", "health_insurance_number",
    "security_answer", "securityQuestion", "secret_answer_hash", "biometric_template", "voiceprint", "fingerprintTemplate", "ssn_encrypted",
  ])
  func regulated(_ name: String) {
    let parts = words(of: name)
    #expect(RegulatedRules.terms(for: "CCPA")?.match(parts) == true)
    #expect(Array(name.utf8).withUnsafeBufferPointer { RegulatedRules.terms(for: "CCPA")?.mayMatch($0) } == true)
    #expect(RegulatedRules.terms(for: "GDPR") == nil && RegulatedRules.terms(for: nil) == nil && RegulatedRules.terms(for: "other") == nil)
    #expect(!SecretRules.standard.isSecret(name: name))
  }

  @Test(arguments: [
    "account", "account_id", "account_name", "passport_expires", "card_brand", "card_last4", "license", "number", "order_number",
    "phone_number",
    "key_fingerprint", "insurance", "medical_notes", "question", "answer", "tax_rate", "state", "bank", "face", "voice", "pin", "mission",
  ])
  func notRegulated(_ name: String) {
    #expect(RegulatedRules.terms(for: "CCPA")?.match(words(of: name)) == false)
  }

  @Test(
    arguments: [
      (["meta_key", "meta_value"], [nil, 0]), (["key", "value"], [nil, 0]), (["name", "value"], [nil, 0]), (["value", "key"], [1, nil]),
      (["optionName", "optionValue"], [nil, 0]), (["a_key", "b_value"], [nil, nil]), (["value"], [nil]), (["key"], [nil]),
      (["id", "a_value", "a_name", "value"], [nil, 2, nil, 0]), (["values", "key"], [1, nil]), ([], []),
      (["name", "val"], [nil, 0]), (["setting", "value"], [nil, 0]), (["key", "data"], [nil, 0]), (["name", "data"], [nil, nil]),
      (["setting_name", "value"], [nil, 0]), (["label", "field_value"], [nil, 0]),
      (["key_1", "value_1", "key_2", "value_2"], [nil, 0, nil, 2]),
      (["first_name", "last_name", "value"], [nil, nil, nil]), (["title", "body"], [nil, nil]), (["name", "content"], [nil, nil]),
    ] as [([String], [Int?])])
  func siblingsThatName(_ columns: (names: [String], naming: [Int?])) {
    #expect(SecretRules.standard.pairs.naming(columns.names.map(words(of:))) == columns.naming.map { $0.map { [$0] } ?? [] })
  }

  @Test func aValueMayHaveSeveralNames() {
    #expect(SecretRules.standard.pairs.naming([["key"], ["name"], ["value"]]) == [[], [], [0, 1]])
    // What a row is called by all tables takes no name's place.
    #expect(SecretRules.standard.pairs.naming([["id"], ["setting", "name"], ["value"]]) == [[], [], [0, 1]])
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"terms": "password"}"#,
    #"{"terms": [1], "whole": [], "tails": [], "joined": [], "joinedEndings": [], "pairs": []}"#,
    #"{"terms": [], "whole": [], "tails": [], "joined": [], "joinedEndings": []}"#,
    #"{"terms": [], "whole": [], "tails": [], "joined": [], "joinedEndings": [], "pairs": [{"names": ["key"]}]}"#,
  ])
  func rulesThatAreNone(_ text: String) {
    #expect(throws: (any Error).self) { try SecretRules(data: Array(text.utf8)) }
  }
}
