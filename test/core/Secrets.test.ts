import { Effect, Layer, Logger, Redacted } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { Entropy } from "#platform/Entropy"
import { encryptedColumns, type SecretLocation } from "#platform/SecretLocation"
import { Secrets } from "#platform/Secrets"

const first = "the first key, of 32 characters or more"
const second = "0123456789abcdef0123456789abcdef"

const secretsOf = (...keys: ReadonlyArray<string>) =>
  Effect.runPromise(
    Effect.provide(Secrets, Secrets.layer(keys.map((key) => Redacted.make(key))).pipe(Layer.provide(Entropy.layer)))
  )

const place: SecretLocation = { table: "jwt_keys", column: "secret", row: "jky_1", realm: "rl_1" }
const secrets = await secretsOf(first)
const seal = (plaintext: string, at: SecretLocation = place) => Effect.runSync(secrets.encrypt(at, plaintext))
const open = (sealed: string, at: SecretLocation = place) => Effect.runSync(secrets.decrypt(at, sealed))

describe("a sealed secret", () => {
  test("SEC-47: opens where it was sealed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
        expect(open(seal(text))).toBe(text)
      })
    )
  })

  test("SEC-47: is an envelope of version, key id and base64url, without the text", () => {
    const sealed = seal("JBSWY3DPEHPK3PXP")
    expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{59}$/)
    expect(sealed).not.toContain("JBSWY3DPEHPK3PXP")
    expect(seal("JBSWY3DPEHPK3PXP")).not.toBe(sealed)
  })

  test.each([
    ["row", { ...place, row: "jky_2" }],
    ["column", { ...place, table: "app_hooks", column: "previous_secret" }],
    ["table", { ...place, table: "credentials" }],
    ["realm", { ...place, realm: "rl_2" }],
    ["null realm", { ...place, realm: null }]
  ] as const)("SEC-47: a ciphertext moved to another %s does not open", (_, elsewhere) => {
    expect(open(seal("secret"), elsewhere)).toBeNull()
  })

  test("SEC-47: no two places are mistaken for each other", () => {
    const name = fc.constantFrom("", "a", "b", "ab", ",", '"', '","', "null", "\0")
    const columns = fc.constantFrom(...encryptedColumns)
    const places = fc
      .record({ column: columns, row: name, realm: fc.option(name) })
      .map(({ column, row, realm }): SecretLocation => ({ ...column, row, realm }))
    fc.assert(
      fc.property(places, places, (a, b) => {
        const same = a.table === b.table && a.column === b.column && a.row === b.row && a.realm === b.realm
        if (same) expect(open(seal("x", a), b)).toBe("x")
        else expect(open(seal("x", a), b)).toBeNull()
      })
    )
  })

  test("SEC-47: one changed, dropped or added character and it does not open", () => {
    const sealed = seal("a secret")
    const alphabet = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
    for (let i = 0; i < sealed.length; i++) {
      expect(open(sealed.slice(0, i))).toBeNull()
      expect(open(sealed.slice(0, i) + sealed.slice(i + 1))).toBeNull()
      for (const character of alphabet) {
        const changed = sealed.slice(0, i) + character + sealed.slice(i + 1)
        if (changed !== sealed) expect(open(changed)).toBeNull()
      }
    }
    for (const text of [`${sealed}=`, `${sealed}A`, `${sealed}\n`, ` ${sealed}`, "", "v1..", "a secret"]) {
      expect(open(text)).toBeNull()
    }
  })

  test("SEC-47, SEC-104: the log says once where and why, and holds neither text nor envelope", async () => {
    const lines: Array<unknown> = []
    const logged = Logger.layer([Logger.make(({ message }) => lines.push(message))])
    const sealed = seal("a secret")
    const elsewhere: SecretLocation = { ...place, row: "jky_2" }
    const log = await secretsOf(first)
    const twice = Effect.all([log.decrypt(elsewhere, sealed), log.decrypt(elsewhere, sealed)])
    expect(await Effect.runPromise(Effect.provide(twice, logged))).toEqual([null, null])
    expect(lines).toEqual([
      [
        "encrypted value can't be decrypted: it reads as null",
        { table: "jwt_keys", column: "secret", row: "jky_2", why: expect.any(String) }
      ]
    ])
    expect(JSON.stringify(lines)).not.toContain(sealed)
    expect(JSON.stringify(lines)).not.toContain("a secret")
  })
})

describe("rotation", () => {
  test("SEC-47: after a rotation the old key still opens, the new one seals, and rewrapping retires the old", async () => {
    const before = await secretsOf(first)
    const during = await secretsOf(second, first)
    const after = await secretsOf(second)
    const old = await Effect.runPromise(before.encrypt(place, "kept"))

    expect([before.currentPrefix, before.olderPrefixes]).toEqual([old.slice(0, 12), []])
    expect(during.olderPrefixes).toEqual([old.slice(0, 12)])
    const text = await Effect.runPromise(during.decrypt(place, old))
    const rewrapped = await Effect.runPromise(during.encrypt(place, text ?? ""))

    expect(rewrapped.slice(0, 12)).toBe(during.currentPrefix)
    expect(await Effect.runPromise(after.decrypt(place, rewrapped))).toBe("kept")
    expect(await Effect.runPromise(after.decrypt(place, old))).toBeNull()
  })

  test("SEC-47: the same configured text is the same key after a restart", async () => {
    const again = await secretsOf(first)
    expect(await Effect.runPromise(again.decrypt(place, seal("kept")))).toBe("kept")
  })
})

describe("keys", () => {
  test("SEC-48: a short key, or none, refuses to start", async () => {
    await expect(secretsOf("x".repeat(31))).rejects.toThrow("An encryption key must be at least 32 characters long.")
    await expect(secretsOf(first, "short")).rejects.toThrow("at least 32 characters")
    await expect(secretsOf()).rejects.toThrow("No encryption key is configured.")
  })
})
