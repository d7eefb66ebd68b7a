import { Effect, Layer, Redacted } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { Entropy } from "#core/Entropy"
import { type Place, Secrets } from "#core/Secrets"

const first = "the first key, of 32 characters or more"
const second = "0123456789abcdef0123456789abcdef"

const secretsOf = (...keys: ReadonlyArray<string>) =>
  Effect.runPromise(
    Effect.provide(Secrets, Secrets.layer(keys.map((key) => Redacted.make(key))).pipe(Layer.provide(Entropy.layer)))
  )

const place: Place = { table: "jwt_keys", column: "secret", row: "jky_1", realm: "rl_1" }
const secrets = await secretsOf(first)
const seal = (plaintext: string, at = place) => Effect.runSync(secrets.seal(at, plaintext))
const open = (sealed: string, at = place) => Effect.runSync(secrets.open(at, sealed))

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
    ["column", { ...place, column: "public_key" }],
    ["table", { ...place, table: "hooks" }],
    ["realm", { ...place, realm: "rl_2" }],
    ["null realm", { ...place, realm: null }]
  ])("SEC-47: a ciphertext moved to another %s does not open", (_, elsewhere) => {
    expect(() => open(seal("secret"), elsewhere)).toThrow(/cannot be opened/)
  })

  test("SEC-47: no two places are mistaken for each other", () => {
    const name = fc.constantFrom("", "a", "b", "ab", ",", '"', '","', "null", "\0")
    const places = fc.record({ table: name, column: name, row: name, realm: fc.option(name) })
    fc.assert(
      fc.property(places, places, (a, b) => {
        const same = a.table === b.table && a.column === b.column && a.row === b.row && a.realm === b.realm
        if (same) expect(open(seal("x", a), b)).toBe("x")
        else expect(() => open(seal("x", a), b)).toThrow(/cannot be opened/)
      })
    )
  })

  test("SEC-47: one changed, dropped or added character and it does not open", () => {
    const sealed = seal("a secret")
    const alphabet = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
    for (let i = 0; i < sealed.length; i++) {
      expect(() => open(sealed.slice(0, i))).toThrow(/cannot be opened/)
      expect(() => open(sealed.slice(0, i) + sealed.slice(i + 1))).toThrow(/cannot be opened/)
      for (const character of alphabet) {
        const changed = sealed.slice(0, i) + character + sealed.slice(i + 1)
        if (changed !== sealed) expect(() => open(changed)).toThrow(/cannot be opened/)
      }
    }
    for (const text of [`${sealed}=`, `${sealed}A`, `${sealed}\n`, ` ${sealed}`, "", "v1..", "a secret"]) {
      expect(() => open(text)).toThrow(/cannot be opened/)
    }
  })

  test("SEC-47: the message says where and why, and holds neither text nor envelope", () => {
    const sealed = seal("a secret")
    expect(() => open(sealed, { ...place, row: "jky_2" })).toThrow(/^jwt_keys\.secret of jky_2 cannot be opened: /)
    const thrown = Effect.runSync(Effect.exit(secrets.open({ ...place, row: "jky_2" }, sealed)))
    expect(String(thrown)).not.toContain(sealed)
  })
})

describe("rotation", () => {
  test("SEC-47: after a rotation the old key still opens, the new one seals, and rewrapping retires the old", async () => {
    const before = await secretsOf(first)
    const during = await secretsOf(second, first)
    const after = await secretsOf(second)
    const old = await Effect.runPromise(before.seal(place, "kept"))

    expect(before.needsRewrap(old)).toBe(false)
    expect(during.needsRewrap(old)).toBe(true)
    const text = await Effect.runPromise(during.open(place, old))
    const rewrapped = await Effect.runPromise(during.seal(place, text))

    expect(during.needsRewrap(rewrapped)).toBe(false)
    expect(await Effect.runPromise(after.open(place, rewrapped))).toBe("kept")
    await expect(Effect.runPromise(after.open(place, old))).rejects.toThrow(/key [0-9a-f]{8} is not among/)
  })

  test("SEC-47: the same configured text is the same key after a restart", async () => {
    const again = await secretsOf(first)
    expect(await Effect.runPromise(again.open(place, seal("kept")))).toBe("kept")
  })
})

describe("keys", () => {
  test("SEC-48: a short key, or none, refuses to start", async () => {
    await expect(secretsOf("x".repeat(31))).rejects.toThrow("An encryption key must have 32 characters or more.")
    await expect(secretsOf(first, "short")).rejects.toThrow("32 characters or more")
    await expect(secretsOf()).rejects.toThrow("No encryption key is configured.")
  })
})
