import Testing

@testable import AccountExport

/// Texts that are known forms of hashes, tokens and keys, each as its program writes it for a made-up password; and texts that only look so.
@Suite struct SecretFormsTests {
  private static func matches(_ text: String) -> Bool {
    Array(text.utf8).withUnsafeBufferPointer { SecretForms.matches($0) }
  }

  private static let digest = String(repeating: "Ab9./z", count: 15)

  @Test(
    arguments: [
      "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy", "$2a$05$" + digest.prefix(53), "$2y$12$" + digest.prefix(53),
      "$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHRzb21lc2FsdA$RdescudvJCsgt3ub+b0aWRWJTmaaJObGtbxnkyGaJGc",
      "$argon2i$v=19$m=16,t=2,p=1$c29tZXNhbHQ$iEdV4mAzWQ1/aFIsj2rbJg", "$P$B" + digest.prefix(30), "$H$9" + digest.prefix(30),
      "$1$salt$qJH7.N4xYta3aEG/dfqo/0", "$5$rounds=5000$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc8",
      "$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjlO/O817G3uBnIFNjnQJuesI68OTLiBFdcbYEdFCoEOfaS35inz1",
      "$y$j9T$F5Jx5fExrKuPp53xLKQ..1$X3DX6M94c7o.9agCG9G317fhZg9SqC.5i5rd.RhAtQ7", "$7$CU..../....salt$" + digest.prefix(43),
      "$scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E",
      "$pbkdf2-sha256$29000$N2YMIWQsBWBMae09x1jrPQ$1t8iyB2A.WF/Z5JZv.lfCIhXXN33N23OSgQYThBYRfk",
      "pbkdf2_sha256$260000$abcdefghijkl$" + digest.prefix(43) + "=", "scrypt:32768:8:1$abcdefgh$" + digest.prefix(64),
      "{SSHA}" + digest.prefix(40),
      "{SSHA512}" + digest.prefix(80), "{SHA}" + digest.prefix(28), "{CRYPT}$6$salt$" + digest.prefix(60),
      "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
      "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk\n",
      "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy \r\n",
      "bcrypt_sha256$$2b$12$" + digest.prefix(53), "bcrypt$$2b$12$" + digest.prefix(53),
      "argon2$argon2id$v=19$m=102400,t=2,p=8$c29tZXNhbHQ$iEdV4mAzWQ1/aFIsj2rbJg",
      "SCRAM-SHA-256$4096:c2FsdHNhbHQ=$" + digest.prefix(43) + "=:" + digest.prefix(43) + "=", "{SSHA}" + digest.prefix(39) + "=",
      "pbkdf2:sha256:600000$saltsalt$" + digest.prefix(64), "$bcrypt-sha256$v=2,t=2b,r=12$" + digest.prefix(22) + "$" + digest.prefix(31),
      // A header with a space in it, and an encrypted token of five parts.
      "eyAiYWxnIjogIkhTMjU2IiB9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r",
      "eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ.OKOawDo13gRp.48V1_ALb6US04U3b.5eym8TW_c8SuK0ltJ3rp.XFBoMYUZodetZdvTiFvSkQ",
      "eyJhbGciOiJIUzI1NiJ9..dBjftJeZ4CVP-mB92K27uhbUJU1p1r", "\n $2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy",
      "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n",
      "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n",
      "-----BEGIN RSA PRIVATE KEY-----\r\nMIIB\r\n-----END RSA PRIVATE KEY-----",
      "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----\n",
      "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nxcLY\n-----END PGP PRIVATE KEY BLOCK-----\n",
    ] as [String])
  func known(_ text: String) {
    #expect(Self.matches(text))
  }

  @Test(
    arguments: [
      "", "$", "$2b$", "$20 for lunch, $30 for dinner and $5$ more",
      "$2b$10$ is how bcrypt hashes begin, followed by fifty-three characters",
      "$P$ is for phpass", "$1$a", "$6$salt$short", "$6$nosalthere", "$9$salt$" + digest.prefix(60), "$argon2 is good",
      "$VARIABLE$OTHER$THIRD$FOURTH", "$5$10$15$20$25$30$35$40$45$50$55$60", "$2b$10$" + digest.prefix(52), "$2b$1x$" + digest.prefix(53),
      "$2b$10$" + digest.prefix(50) + "é!", "$P$B" + digest.prefix(29) + "-", "$1,000,000,000.00 or more", "$20.00$30.00$40.00$50.00",
      "eyebrows.eyelashes.eyelidsandeyes", "eyJhbGci.b3RoZXIx.dGhpcmQxMjM0", "e.g. one.two.three", "argon2 is good$and$so$is$bcrypt$2",
      "bcrypt is what we use for hashing", "SCRAM is an acronym of four words", "scrypt$ with spaces $ in it $ and more",
      "eyJ is how they begin", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.",
      "eyJhbGciOiJIUzI1NiJ9.x.y.z",
      "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP mB92K27uhbUJU1p1r", "easy.eyJzdWIiOiIxIn0.dBjftJeZ4CVPmB92K27uhb",
      "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----\n", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
      "-----BEGIN OF THE STORY-----", "- a list of things to do", "pbkdf2 is a key derivation function", "scrypt: see the manual",
      "scripture",
      "{SSHB}" + digest.prefix(40), "{\"json\": true, \"more\": 1}", "password: hunter2", "sha256:" + digest.prefix(64), digest,
      "a $2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy",
    ] as [String])
  func lookingLike(_ text: String) {
    #expect(!Self.matches(text))
  }
}
