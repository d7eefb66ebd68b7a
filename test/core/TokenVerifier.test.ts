import { expect, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { KeyRing } from "#core/keys/KeyRing"
import { LoginTokenVerifier } from "#core/keys/LoginTokenVerifier"
import { Realms } from "#core/realms/Realms"
import { Sessions } from "#core/sessions/Sessions"
import { Users } from "#core/users/Users"
import { CurrentRealm, defaultSettings, type Realm, type RealmSettings } from "#domain/Realm"
import { freshCore, newUserData, publicUrl, withRealClock } from "../support/core.ts"
import { encode, forged } from "../support/forgedTokens.ts"

const newRealm = (settings: Partial<RealmSettings> = {}) =>
  Effect.flatMap(Realms, (realms) =>
    realms.create({ ...defaultSettings("v2"), name: "Realm", jwtAlgo: "hs256", ...settings })
  )

let users = 0

const newToken = (realm: Realm) =>
  Effect.gen(function* () {
    const { user } = yield* (yield* Users).create(newUserData(`user-${++users}@example.test`))
    return (yield* (yield* Sessions).create(user.id)).token
  }).pipe(Effect.provideService(CurrentRealm, realm))

/** The realm's verdict on a token: "live" or the reason for rejecting it. */
const verdictOf = (realm: Realm, token: string) =>
  Effect.flatMap(LoginTokenVerifier, (verifier) => verifier.verify(token)).pipe(
    Effect.map(() => "live"),
    Effect.catch(({ why }) => Effect.succeed(why)),
    Effect.provideService(CurrentRealm, realm)
  )

layer(
  freshCore,
  withRealClock
)((it) => {
  it.effect("accepts a realm's own tokens with hs256 and rs256", () =>
    Effect.gen(function* () {
      for (const jwtAlgo of ["hs256", "rs256"] as const) {
        const realm = yield* newRealm({ jwtAlgo })
        expect(yield* verdictOf(realm, yield* newToken(realm))).toBe("live")
      }
    })
  )

  it.effect(
    "SEC-39: uses the key's algorithm, not the token's (CVE-2026-11800, CVE-2022-23540, CVE-2023-48223, CVE-2026-34950, CVE-2026-22817)",
    () =>
      Effect.gen(function* () {
        const realm = yield* newRealm({ jwtAlgo: "rs256" })
        const key = yield* (yield* KeyRing).current(realm.id)
        const [, body = ""] = (yield* newToken(realm)).split(".")
        const claims: unknown = JSON.parse(Buffer.from(body, "base64url").toString())
        const pem = key.imported.exportVerificationKey() ?? ""
        const header = { alg: "HS256", kid: key.id, typ: "JWT" }
        const variants: ReadonlyArray<readonly [string, string]> = [
          ["public key as secret", forged(header, claims, pem)],
          ["with a leading space", forged(header, claims, ` ${pem}`)],
          ["with a leading newline", forged(header, claims, `\n${pem}`)],
          ["without the last newline", forged(header, claims, pem.trim())],
          ["hs256", forged({ ...header, alg: "hs256" }, claims, pem)],
          ["none", `${encode({ ...header, alg: "none" })}.${body}.`],
          ["None", `${encode({ ...header, alg: "None" })}.${body}.`],
          ["rs256 in lower case", forged({ ...header, alg: "rs256" }, claims, pem)],
          ["RS256 with an HMAC", forged({ ...header, alg: "RS256" }, claims, pem)],
          ["RS384", forged({ ...header, alg: "RS384" }, claims, pem)],
          ["no algorithm", forged({ kid: key.id }, claims, pem)],
          ["an algorithm that is not a string", forged({ ...header, alg: ["RS256"] }, claims, pem)]
        ]
        for (const [name, token] of variants) expect(yield* verdictOf(realm, token), name).not.toBe("live")
      })
  )

  it.effect(
    "SEC-40: looks up kid in the realm, ignores other headers and rejects crit (CVE-2026-35042, GHSA-869p-cjfg-cm3x)",
    () =>
      Effect.gen(function* () {
        const realm = yield* newRealm()
        const other = yield* newRealm()
        const keys = yield* KeyRing
        const { id: kid, imported } = yield* keys.current(realm.id)
        const secret = imported.exportVerificationKey()
        const foreign = yield* keys.current(other.id)
        const [, body = ""] = (yield* newToken(realm)).split(".")
        const claims: unknown = JSON.parse(Buffer.from(body, "base64url").toString())
        const header = { alg: "HS256", kid, typ: "JWT" }
        expect(yield* verdictOf(realm, forged(header, claims, secret))).toBe("live")
        expect(
          yield* verdictOf(realm, forged({ ...header, jku: "https://evil.test", jwk: {}, x5u: "x" }, claims, secret))
        ).toBe("live")
        expect(yield* verdictOf(realm, forged({ ...header, crit: ["exp"] }, claims, secret))).toBe("key")
        for (const wrong of [undefined, null, "", "../../dev/null", "' or 1=1 --", foreign.id, [kid], { id: kid }]) {
          expect(yield* verdictOf(realm, forged({ ...header, kid: wrong }, claims, secret))).toBe("key")
        }
        const theirs = foreign.imported.exportVerificationKey()
        expect(yield* verdictOf(realm, forged({ ...header, kid: foreign.id }, claims, theirs))).toBe("key")
      })
  )

  it.effect("SEC-41: rejects a token of another realm, even if both have the same key (CVE-2026-9094)", () =>
    Effect.gen(function* () {
      const keys = yield* KeyRing
      const [a, b] = [yield* newRealm(), yield* newRealm()]
      const { algo, imported } = yield* keys.current(a.id)
      const secret = imported.exportSecret() ?? ""
      yield* keys.replace(b.id, { algo, publicKey: null, secret })
      const [, body = ""] = (yield* newToken(a)).split(".")
      const claims: Readonly<Record<string, unknown>> = JSON.parse(Buffer.from(body, "base64url").toString())
      const { id: kid } = yield* keys.current(b.id)
      const inB = (changed: object) => verdictOf(b, forged({ alg: "HS256", kid }, { ...claims, ...changed }, secret))
      expect(yield* verdictOf(b, yield* newToken(a))).toBe("key")
      expect(yield* inB({})).toBe("realm")
      expect(yield* inB({ rid: b.id })).toBe("issuer")
      expect(yield* inB({ rid: b.id, iss: `${publicUrl}/realms/${b.id}` })).toBe("live")
    })
  )

  it.effect("SEC-42: rejects a token that was truncated, padded or changed in one character (CVE-2026-27840)", () =>
    Effect.gen(function* () {
      const realm = yield* newRealm()
      const token = yield* newToken(realm)
      const wrong = [
        ...Array.from({ length: 60 }, (_, n) => token.slice(0, -1 - n)),
        ...Array.from({ length: token.length }, (_, n) => {
          const other = token[n] === "A" ? "B" : "A"
          return token.slice(0, n) + other + token.slice(n + 1)
        }),
        `${token}=`,
        `${token}A`,
        `${token}.`,
        ` ${token}`,
        `${token}\n`,
        `.${token}`,
        "",
        "..",
        "a.b.c",
        "x".repeat(100_000)
      ]
      for (const text of wrong) expect(yield* verdictOf(realm, text), text.slice(-20)).not.toBe("live")
    })
  )

  it.effect("C31: enforces exp exactly, and allows a missing exp only if the realm's sessions never expire", () =>
    Effect.gen(function* () {
      const keys = yield* KeyRing
      const realm = yield* newRealm()
      const endless = yield* newRealm({ sessionType: "unmanaged", sessionMinutes: 0 })
      const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const withExpiry = (of: Realm, exp: unknown) =>
        Effect.gen(function* () {
          const { id: kid, imported } = yield* keys.current(of.id)
          const [, body = ""] = (yield* newToken(of)).split(".")
          const claims = { ...JSON.parse(Buffer.from(body, "base64url").toString()), exp }
          return yield* verdictOf(of, forged({ alg: "HS256", kid }, claims, imported.exportVerificationKey()))
        })
      expect(yield* withExpiry(realm, now + 60)).toBe("live")
      expect(yield* withExpiry(realm, now)).toBe("expired")
      expect(yield* withExpiry(realm, undefined)).toBe("claims")
      expect(yield* withExpiry(realm, String(now + 60))).toBe("claims")
      expect(yield* withExpiry(endless, undefined)).toBe("live")
      expect(yield* withExpiry(endless, now - 1)).toBe("expired")
    })
  )
})
