/** Published hashes with their passwords. */
export const knownHashes: ReadonlyArray<readonly [source: string, hash: string, password: string]> = [
  ["bcrypt, Openwall's crypt_blowfish", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", "U*U"],
  [
    "bcrypt with the current prefix, the same bytes",
    "$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
    "U*U"
  ],
  ["bcrypt as written by PHP, the same bytes", "$2y$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", "U*U"],
  [
    "bcrypt of a password over 72 bytes, crypt_blowfish",
    "$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui",
    `0123456789${"abcdefghijklmnopqrstuvwxyz"}${"ABCDEFGHIJKLMNOPQRSTUVWXYZ"}0123456789chars after 72 are ignored`
  ],
  ["bcrypt, Wikipedia", "$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW", "abc123xyz"],
  [
    "scrypt, passlib's page",
    "$scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E",
    "password"
  ],
  [
    "scrypt, RFC 7914 §12",
    "$scrypt$ln=10,r=8,p=16$TmFDbA$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWIurzDZLiKjiG/xCSedmDDaxyevuUqD7m2DYMvfoswGQA",
    "password"
  ],
  ["PBKDF2-SHA1, RFC 6070", "$pbkdf2$4096$c2FsdA$SwB5AbdlSJq+rUnZJvch0GWkKcE", "password"],
  ["PBKDF2-SHA1, RFC 6070, as PHC", "$pbkdf2-sha1$i=4096$c2FsdA$SwB5AbdlSJq+rUnZJvch0GWkKcE", "password"],
  ["PBKDF2-SHA1, passlib's tests", "$pbkdf2$1212$OB.dtnSEXZK8U5cgxU/GYQ$y5LKPOplRmok7CZp/aqVDVg8zGI", "password"],
  [
    "PBKDF2-SHA256, passlib's tests",
    "$pbkdf2-sha256$1212$3SABFJGDtyhrQMVt1uABPw$WyaUoqCLgvz97s523nF4iuOqZNbp5Nt8do/cuaa7AiI",
    "\u0399\u03c9\u03b1\u03bd\u03bd\u03b7\u03c2"
  ],
  [
    "PBKDF2-SHA256, passlib's page",
    "$pbkdf2-sha256$8000$XAuBMIYQQogxRg$tRRlz8hYn63B9LYiCd6PRo6FMiunY9ozmMMI3srxeRE",
    "password"
  ],
  [
    "PBKDF2-SHA512, passlib's tests",
    "$pbkdf2-sha512$1212$RHY0Fr3IDMSVO/RSZyb5ow$eNLfBK.eVozomMr.1gYa17k9B7KIK25NOEshvhrSX.esqY3s.FvWZViXz4KoLlQI.BzY/YTNJOiKc5gBYFYGww",
    "password"
  ],
  ["PBKDF2-SHA1, Django 1.9", "pbkdf2_sha1$24000$seasalt$F+kiWNHXbMBcwgxsvSKFCWHnZZ0=", "KRONOS"],
  [
    "PBKDF2-SHA256, Django's tests",
    "pbkdf2_sha256$260000$seasalt$YlZ2Vggtqdc61YjArZuoApoBh9JNGYoDRBUGu6tcJQo=",
    "lètmein"
  ],
  ["phpass, Openwall's test", "$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0", "test12345"],
  ["phpass as written by phpBB 3", "$H$9aaaaaSXBjgypwqm.JsMssPLiS8YQ00", "test1"],
  ["phpass, passlib's page", "$P$8ohUJ.1sdFw09/bMaAQPTGDNi2BIUt1", "password"],
  [
    "Firebase, its README",
    "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
    "user1password"
  ],
  [
    "Firebase, in the alphabet of its export",
    "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$42xEC-ixf3L2lw==$lSrfV15cpx95_sZS2W9c9Kp6i_LVgQNDNC_qzrCnh1SAyZvqmZqAjTdn3aoItz-VHjoZilo78198JAdRuid5lQ==",
    "user1password"
  ],
  [
    "Firebase, GoTrue's tests",
    "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=ou9tdYTGyYm8kuR6Dt0Bp0kDuAYoXrK16mbZO4yGwAn3oLspjnN0/c41v8xZnO1n14J3MjKj1b2g6AUCAlFwMw==$C0sHCg9ek77hsg==$zKVTMvnWVw5BBOZNUdnsalx4c4c7y/w7IS5p6Ut2+CfEFFlz37J9huyQfov4iizN8dbjvEJlM5tQaJP84+hfTw==",
    "mytestpassword"
  ],
  ["SSHA, passlib's page", "{SSHA}pKqkNr1tq3wtQqk+UcPyA3HnA2NsU5NJ", "password"],
  [
    "SSHA512, uffd's tests",
    "{SSHA512}dOeDLmVpHJThhHeag10Hm2g4T7s3SBE6rGHcXUolXJHVufY4qT782rwZ/0XE6cuLcBZ0KpnwmUzRpAEtZBdv+JYEEtZQs/uC",
    "password"
  ]
]
