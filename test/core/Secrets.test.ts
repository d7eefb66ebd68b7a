import { describe, expect, it, layer } from "@effect/vitest"
import { Arbitrary, Effect, Layer, Logger, Redacted, References, Schema } from "effect"
import { Entropy } from "#platform/Entropy"
import { encryptedColumns, type SecretLocation } from "#platform/SecretLocation"
import { Secrets } from "#platform/Secrets"
import { elementOf, longText } from "../support/arbitraries.ts"
import { defectOf } from "../support/defects.ts"

const first = "the first key, of 32 characters or more"
const second = "0123456789abcdef0123456789abcdef"

const under = (...keys: ReadonlyArray<string>) =>
  Secrets.layer(keys.map((key) => Redacted.make(key))).pipe(Layer.provide(Entropy.layer))

const secretsOf = (...keys: ReadonlyArray<string>) => Effect.provide(Secrets, under(...keys))

const place: SecretLocation = { table: "jwt_keys", column: "secret", row: "jky_1", realm: "rl_1" }

const seal = (plaintext: string, at: SecretLocation = place) =>
  Effect.flatMap(Secrets, (secrets) => secrets.encrypt(at, plaintext))

const open = (sealed: string, at: SecretLocation = place) =>
  Effect.flatMap(Secrets, (secrets) => secrets.decrypt(at, sealed))

/** Records each log line with its annotations. */
const logTo = (lines: Array<unknown>) =>
  Logger.layer([
    Logger.make(({ message, fiber }) => lines.push([message, fiber.getRef(References.CurrentLogAnnotations)].flat()))
  ])

layer(under(first))("an encrypted secret", (it) => {
  it.effect.prop(
    "SEC-47: can be decrypted in its own row and column",
    [longText({ maxLength: 300 })],
    ([text]) =>
      Effect.gen(function* () {
        expect(yield* open(yield* seal(text))).toBe(text)
      }),
    { arbitrary: { size: 300 } }
  )

  it.effect("SEC-47: consists of version, key ID and base64url, without the plain text", () =>
    Effect.gen(function* () {
      const sealed = yield* seal("JBSWY3DPEHPK3PXP")
      expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{59}$/)
      expect(sealed).not.toContain("JBSWY3DPEHPK3PXP")
      expect(yield* seal("JBSWY3DPEHPK3PXP")).not.toBe(sealed)
    })
  )

  it.effect.each([
    ["row", { ...place, row: "jky_2" }],
    ["column", { ...place, table: "app_hooks", column: "previous_secret" }],
    ["table", { ...place, table: "credentials" }],
    ["realm", { ...place, realm: "rl_2" }],
    ["null realm", { ...place, realm: null }]
  ] as const)("SEC-47: can't be decrypted after being moved to another %s", ([_, elsewhere]) =>
    Effect.gen(function* () {
      expect(yield* open(yield* seal("secret"), elsewhere)).toBeNull()
    })
  )

  const Name = Schema.Literals(["", "a", "b", "ab", ",", '"', '","', "null", "\0"])
  const places = Arbitrary.map(
    Arbitrary.all([
      elementOf(encryptedColumns),
      Arbitrary.schema(Schema.Struct({ row: Name, realm: Schema.NullOr(Name) }))
    ]),
    ([column, rest]): SecretLocation => ({ ...column, ...rest })
  )

  it.effect.prop(
    "SEC-47: can be decrypted only in its own location, for any pair of locations",
    [places, places],
    ([a, b]) =>
      Effect.gen(function* () {
        const same = a.table === b.table && a.column === b.column && a.row === b.row && a.realm === b.realm
        expect(yield* open(yield* seal("x", a), a)).toBe("x")
        expect(yield* open(yield* seal("x", a), b)).toBe(same ? "x" : null)
      })
  )

  it.effect("SEC-47: can't be decrypted with a character changed, removed or added", () =>
    Effect.gen(function* () {
      const sealed = yield* seal("a secret")
      const alphabet = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
      for (let i = 0; i < sealed.length; i++) {
        expect(yield* open(sealed.slice(0, i))).toBeNull()
        expect(yield* open(sealed.slice(0, i) + sealed.slice(i + 1))).toBeNull()
        for (const character of alphabet) {
          const changed = sealed.slice(0, i) + character + sealed.slice(i + 1)
          if (changed !== sealed) expect(yield* open(changed)).toBeNull()
        }
      }
      for (const text of [`${sealed}=`, `${sealed}A`, `${sealed}\n`, ` ${sealed}`, "", "v1..", "a secret"]) {
        expect(yield* open(text)).toBeNull()
      }
    })
  )

  it.effect(
    "SEC-47, SEC-104: is logged once with location and cause if decryption fails, but without its content",
    () =>
      Effect.gen(function* () {
        const lines: Array<unknown> = []
        const logged = logTo(lines)
        const sealed = yield* seal("a secret")
        const elsewhere: SecretLocation = { ...place, row: "jky_2" }
        // A second instance, which hasn't logged anything yet.
        const other = yield* secretsOf(first)
        const twice = Effect.all([other.decrypt(elsewhere, sealed), other.decrypt(elsewhere, sealed)])
        expect(yield* Effect.provide(twice, logged)).toEqual([null, null])
        expect(lines).toEqual([
          [
            "An encrypted value can't be decrypted and reads as null.",
            { table: "jwt_keys", column: "secret", row: "jky_2", cause: expect.any(String) }
          ]
        ])
        expect(JSON.stringify(lines)).not.toContain(sealed)
        expect(JSON.stringify(lines)).not.toContain("a secret")
      })
  )
})

layer(under(first))("an encryption key rotation", (it) => {
  it.effect("SEC-47: decrypts with the old key, encrypts with the new key, and re-encrypts to retire the old key", () =>
    Effect.gen(function* () {
      const before = yield* Secrets
      const during = yield* secretsOf(second, first)
      const after = yield* secretsOf(second)
      const old = yield* before.encrypt(place, "kept")

      expect([before.currentPrefix, before.olderPrefixes]).toEqual([old.slice(0, 12), []])
      expect(during.olderPrefixes).toEqual([old.slice(0, 12)])
      const text = yield* during.decrypt(place, old)
      const rewrapped = yield* during.encrypt(place, text ?? "")

      expect(rewrapped.slice(0, 12)).toBe(during.currentPrefix)
      expect(yield* after.decrypt(place, rewrapped)).toBe("kept")
      expect(yield* after.decrypt(place, old)).toBeNull()
    })
  )

  it.effect("SEC-104: logs which key is missing", () =>
    Effect.gen(function* () {
      const lines: Array<unknown> = []
      const logged = logTo(lines)
      const old = yield* (yield* Secrets).encrypt(place, "kept")
      const after = yield* secretsOf(second)
      expect(yield* Effect.provide(after.decrypt(place, old), logged)).toBeNull()
      expect(lines).toMatchObject([[expect.any(String), { cause: `its key ${old.split(".")[1]} is not configured` }]])
    })
  )

  it.effect("SEC-47: derives the same key from the same configured text after a restart", () =>
    Effect.gen(function* () {
      const again = yield* secretsOf(first)
      expect(yield* again.decrypt(place, yield* seal("kept"))).toBe("kept")
    })
  )
})

describe("encryption keys", () => {
  it.effect("SEC-48: prevent the start if they are missing or too short", () =>
    Effect.gen(function* () {
      const short = { message: "An encryption key must be at least 32 characters long." }
      expect(yield* defectOf(secretsOf("x".repeat(31)))).toMatchObject(short)
      expect(yield* defectOf(secretsOf(first, "short"))).toMatchObject(short)
      expect(yield* defectOf(secretsOf())).toMatchObject({ message: "No encryption key is configured." })
    })
  )
})
