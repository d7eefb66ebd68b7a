import { createHash, pbkdf2Sync, scryptSync } from "node:crypto"
import { expect, layer } from "@effect/vitest"
import { hash as argon2 } from "@node-rs/argon2"
import { Effect, Fiber } from "effect"
import { checkImportedHash } from "#domain/PasswordHash"
import { makePasswords as make, OneRealm, turn } from "../support/hashing.ts"
import { knownHashes } from "../support/KnownHashes.ts"

const salt = Buffer.from("a salt of 16 b..")
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64")
const unpadded = (bytes: Uint8Array) => base64(bytes).replaceAll("=", "")
const passlib = (bytes: Uint8Array) => unpadded(bytes).replaceAll("+", ".")
const ssha = (digest: "sha1" | "sha256" | "sha512", password: string, salt: Uint8Array) =>
  base64(Buffer.concat([createHash(digest).update(password).update(salt).digest(), salt]))

layer(OneRealm, { excludeTestServices: true })("a hash from another system", (it) => {
  it.effect.each(knownHashes)("SEC-16: %s: verifies only the right password", ([_, hash, password]) =>
    Effect.gen(function* () {
      const passwords = yield* make()
      expect(yield* passwords.verify(hash, password)).toBe(true)
      expect(yield* passwords.verify(hash, `x${password}`)).toBe(false)
      expect(yield* passwords.verify(hash, password.slice(1))).toBe(false)
      expect(passwords.hashCount).toBe(3)
    })
  )

  const password = "contraseña"
  it.effect.each([
    ["{SSHA}", `{SSHA}${ssha("sha1", password, salt.subarray(0, 8))}`],
    ["{SSHA256}", `{SSHA256}${ssha("sha256", password, salt.subarray(0, 4))}`],
    ["{SSHA512}", `{SSHA512}${ssha("sha512", password, salt)}`],
    ["passlib's PBKDF2-SHA1", `$pbkdf2$77$${passlib(salt)}$${passlib(pbkdf2Sync(password, salt, 77, 20, "sha1"))}`],
    [
      "PHC with the digest length",
      `$pbkdf2-sha512$i=50,l=32$${unpadded(salt)}$${unpadded(pbkdf2Sync(password, salt, 50, 32, "sha512"))}`
    ],
    ["Django's SHA-512", `pbkdf2_sha512$9$seasalt$${base64(pbkdf2Sync(password, "seasalt", 9, 64, "sha512"))}`],
    [
      "scrypt with padding",
      `$scrypt$ln=4,r=2,p=3$${base64(salt)}$${base64(scryptSync(password, salt, 32, { N: 16, r: 2, p: 3 }))}`
    ]
  ] as const)("SEC-16: %s, computed in this test: verifies only the right password", ([_, hash]) =>
    Effect.gen(function* () {
      const passwords = yield* make()
      expect(yield* passwords.verify(hash, password)).toBe(true)
      expect(yield* passwords.verify(hash, "contrasena")).toBe(false)
    })
  )

  it.effect("SEC-16: verifies with a bcrypt salt that has unused bits set", () =>
    Effect.gen(function* () {
      const passwords = yield* make()
      const hash = "$2a$05$CCCCCCCCCCCCCCCCCCCCC/E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"
      expect(yield* passwords.verify(hash, "U*U")).toBe(true)
    })
  )

  it.effect("SEC-16: can be computed at the largest accepted parameters", () =>
    Effect.gen(function* () {
      const passwords = yield* make()
      const long = "A".repeat(171)
      const digests = ["A".repeat(43), "A".repeat(86)]
      const costs = ["ln=1,r=64,p=16", "ln=15,r=1,p=16", "ln=17,r=8,p=1"]
      const hashes = [
        ...costs.flatMap((cost) => digests.map((digest) => `$scrypt$${cost}$${long}$${digest}`)),
        `$pbkdf2-sha256$2000000$${long}$${"A".repeat(43)}`,
        `$fbscrypt$v=1,n=10,r=64,p=16,sk=${"A".repeat(22)}==$AA==$${"A".repeat(22)}==`,
        `$P$D${"A".repeat(8)}${".".repeat(22)}`
      ]
      for (const hash of hashes) {
        expect([hash, checkImportedHash(hash)]).toEqual([hash, undefined])
        expect(yield* passwords.verify(hash, "correct horse")).toBe(false)
      }
      expect(passwords.hashCount).toBe(hashes.length)
    })
  )

  it.effect.each([
    "$argon2id$v=19$m=2147483648,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "$2b$31$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW",
    "$scrypt$ln=31,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E",
    "$pbkdf2-sha256$4294967295$0ZrzXitFSGltTQnBWOsdAw$Y11AchqV4b0sUisdZd0Xr97KWoymNE0LNNrnEgY4H9M",
    "pbkdf2_sha256$4294967295$seasalt$YlZ2Vggtqdc61YjArZuoApoBh9JNGYoDRBUGu6tcJQo=",
    "$P$zIQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0",
    "$fbscrypt$v=1,n=31,r=8,p=1,sk=AAAAAAAAAAAAAAAAAAAAAA==$42xEC+ixf3L2lw==$AAAAAAAAAAAAAAAAAAAAAA==",
    `{SSHA}${"A".repeat(400)}`
  ])("SEC-16, SEC-89: is rejected with absurd parameters, and matches no password even if stored: %s", (hash) =>
    Effect.gen(function* () {
      const passwords = yield* make()
      expect(checkImportedHash(hash)?.code).toBe("hash_parameters_out_of_range")
      expect(yield* passwords.verify(hash, "correct horse")).toBe(false)
      expect([passwords.hashCount, passwords.totalCost, passwords.inFlight, passwords.waiting]).toEqual([1, 1, 0, 0])
    })
  )
})

layer(OneRealm, { excludeTestServices: true })("the original text of an imported hash", (it) => {
  const typed = "contrasen\u0303a ﬁ"
  const normal = typed.normalize("NFKC")
  const django = (text: string) => `pbkdf2_sha256$9$seasalt$${base64(pbkdf2Sync(text, "seasalt", 9, 32, "sha256"))}`

  it.effect("SEC-16: can be the password as entered or in normalized form", () =>
    Effect.gen(function* () {
      const passwords = yield* make()
      expect(yield* passwords.verify(django(typed), typed)).toBe(true)
      expect(passwords.hashCount).toBe(1)
      expect(yield* passwords.verify(django(normal), typed)).toBe(true)
      expect(passwords.hashCount).toBe(3)
      expect(yield* passwords.verify(django(typed), normal)).toBe(false)
      expect(passwords.hashCount).toBe(4)
    })
  )

  it.effect("SEC-16: must be the password as entered for argon2 hashes from another system", () =>
    Effect.gen(function* () {
      const passwords = yield* make()
      const imported = yield* Effect.promise(() => argon2(typed, { memoryCost: 64, timeCost: 1 }))
      expect(yield* passwords.verify(imported, typed)).toBe(true)
      expect(yield* passwords.verify(imported, normal)).toBe(false)
    })
  )
})

layer(OneRealm, { excludeTestServices: true })("other work during a hash", (it) => {
  it.effect("SEC-05: continues while phpass is computed", () =>
    Effect.gen(function* () {
      const passwords = yield* make()
      const verifying = yield* Effect.forkChild(
        passwords.verify(`$P$D${"A".repeat(8)}${".".repeat(22)}`, "correct horse"),
        { startImmediately: true }
      )
      let turns = 0
      while (verifying.pollUnsafe() === undefined) {
        yield* turn
        turns += 1
      }
      expect(yield* Fiber.join(verifying)).toBe(false)
      expect(turns).toBeGreaterThan(20)
    })
  )
})
