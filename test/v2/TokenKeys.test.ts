import { createPublicKey } from "node:crypto"
import { createRemoteJWKSet, decodeProtectedHeader, importSPKI, type JWTVerifyGetKey, jwtVerify } from "jose"
import { describe, expect, test } from "vitest"
import type { Api } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { ownService, service } from "../support/sallyport.ts"

const currentDate = new Date(STARTS_AT)

const tokenOf = async (given: GivenRealm) => (await given.session((await given.user()).id)).string("token")

/** The realm's public keys, fetched without an API key as by a verifier. */
const jwksOf = (given: Api, id: string): JWTVerifyGetKey =>
  createRemoteJWKSet(new URL(`${given.url}/realms/${id}/jwks`))

const keysOf = async (given: GivenRealm) => {
  const response = await fetch(`${given.url}/realms/${given.id}/jwks`)
  const body: { readonly keys: ReadonlyArray<Readonly<Record<string, unknown>>> } = JSON.parse(await response.text())
  return body.keys
}

const kids = async (given: GivenRealm) => (await keysOf(given)).map(({ kid }) => kid)

const secretOf = async (given: GivenRealm) => {
  const admin = await given.as("admin_realm")
  return new TextEncoder().encode((await admin.get(`/v2/realms/${given.id}`)).string("jwt_key"))
}

describe("an hs256 token", () => {
  test("can be verified with the bytes of jwt_key, and names its algorithm, key and type", async () => {
    const given = await (await service()).given.realm()
    const token = await tokenOf(given)
    const secret = await secretOf(given)
    expect(new TextDecoder().decode(secret)).toMatch(/^jsk_[0-9A-Za-z]{43}$/)
    const { payload, protectedHeader } = await jwtVerify(token, secret, { algorithms: ["HS256"], currentDate })
    expect(payload["rid"]).toBe(given.id)
    expect(protectedHeader).toEqual({ alg: "HS256", kid: expect.stringMatching(/^jky_/), typ: "JWT" })
    await expect(jwtVerify(`${token.slice(0, -4)}AAAA`, secret, { currentDate })).rejects.toThrow()
  })

  test("SEC-39: never exposes its secret in a JWKS", async () => {
    const given = await (await service()).given.realm()
    expect(await keysOf(given)).toEqual([])
    await expect(jwtVerify(await tokenOf(given), jwksOf(given, given.id), { currentDate })).rejects.toThrow()
  })

  test("SEC-41: can't be verified with another realm's key", async () => {
    const { given } = await service()
    const [one, two] = [await given.realm(), await given.realm()]
    const token = await tokenOf(one)
    await jwtVerify(token, await secretOf(one), { currentDate })
    await expect(jwtVerify(token, await secretOf(two), { currentDate })).rejects.toThrow("signature")
  })
})

describe("an rs256 token", () => {
  test("can be verified with jwt_key and with the JWKS listed by discovery", async () => {
    const given = await (await service()).given.realm({ jwt_algo: "rs256" })
    const token = await tokenOf(given)
    const anonymous = await fetch(`${given.url}/realms/${given.id}/.well-known/openid-configuration`)
    const discovery = JSON.parse(await anonymous.text())
    expect(anonymous.headers.get("access-control-allow-origin")).toBe("*")
    expect(discovery).toMatchObject({ id_token_signing_alg_values_supported: ["RS256"] })
    expect(`${discovery.issuer}/jwks`).toBe(discovery.jwks_uri)

    const jwks = createRemoteJWKSet(new URL(new URL(discovery.jwks_uri).pathname, given.url))
    const rules = { issuer: String(discovery.issuer), algorithms: ["RS256"], typ: "JWT", currentDate }
    const { payload, protectedHeader } = await jwtVerify(token, jwks, rules)
    expect(payload["rid"]).toBe(given.id)
    expect([protectedHeader.kid]).toEqual(await kids(given))

    const pem = (await given.get(`/v2/realms/${given.id}`)).string("jwt_key")
    expect(pem.length).toBeGreaterThan(256)
    await jwtVerify(token, await importSPKI(pem, "RS256"), rules)
    // Algorithm confusion: the public key must not work as an HMAC secret.
    await expect(jwtVerify(token, new TextEncoder().encode(pem), { currentDate })).rejects.toThrow()
  })

  test("has a JWKS with the standard members and x5c, without the private key", async () => {
    const given = await (await service()).given.realm({ jwt_algo: "rs256" })
    const pem = (await given.get(`/v2/realms/${given.id}`)).string("jwt_key")
    const spki = createPublicKey(pem).export({ type: "spki", format: "der" }).toString("base64")
    const { n, e } = createPublicKey(pem).export({ format: "jwk" })
    const { kid } = decodeProtectedHeader(await tokenOf(given))
    expect(await keysOf(given)).toEqual([{ kty: "RSA", n, e, use: "sig", alg: "RS256", kid, x5c: [spki] }])
  })

  test("SEC-41: can't be verified with another realm's JWKS", async () => {
    const { given } = await service()
    const [one, two] = [await given.realm({ jwt_algo: "rs256" }), await given.realm({ jwt_algo: "rs256" })]
    const token = await tokenOf(one)
    await jwtVerify(token, jwksOf(one, one.id), { currentDate })
    await expect(jwtVerify(token, jwksOf(two, two.id), { currentDate })).rejects.toThrow("no applicable key")
    const other = await importSPKI((await two.get(`/v2/realms/${two.id}`)).string("jwt_key"), "RS256")
    await expect(jwtVerify(token, other, { currentDate })).rejects.toThrow("signature")
  })

  test("has no JWKS or discovery document if the realm is unknown, malformed or deleted", async () => {
    const { given } = await service()
    const deletedRealm = await given.realm()
    await given.root.delete(`/v2/realms/${deletedRealm.id}`)
    for (const id of [deletedRealm.id, deletedRealm.id.replace(/.{4}$/, "zzzz"), "x", "rl_"]) {
      for (const path of ["jwks", ".well-known/openid-configuration"]) {
        const reply = await deletedRealm.call("GET", `/realms/${id}/${path}`)
        expect([reply.status, reply.errors]).toEqual([404, ["Realm could not be found."]])
      }
    }
  })
})

test("an inactive realm still creates sessions via API, and its tokens can be verified", async () => {
  const given = await (await service()).given.realm({ jwt_algo: "rs256" })
  const before = await tokenOf(given)
  await given.put(`/v2/realms/${given.id}`, { realm: { state: "inactive" } })
  for (const token of [before, await tokenOf(given)]) await jwtVerify(token, jwksOf(given, given.id), { currentDate })
})

describe("signing keys by level (C6)", () => {
  const shown = async (given: GivenRealm) => {
    const keysByLevel: Record<string, unknown> = {}
    for (const level of ["read", "write", "admin_realm"] as const) {
      const api = await given.as(level)
      const [v1, v2] = [await api.get(`/v1/realms/${given.id}`), await api.get(`/v2/realms/${given.id}`)]
      const seen = [v1.member("jwt_key"), v1.member("jwt_secret"), v2.member("jwt_key")]
      expect(v2.member("jwt_secret")).toBeUndefined()
      keysByLevel[level] = new Set(seen).size === 1 ? seen[0] : seen
    }
    return keysByLevel
  }

  test("an hs256 jwt_key or jwt_secret is shown only from level admin_realm, and null below", async () => {
    const given = await (await service()).given.realm()
    const key = (await given.get(`/v2/realms/${given.id}`)).string("jwt_key")
    expect(await shown(given)).toEqual({ read: null, write: null, admin_realm: key })
  })

  test("an rs256 public key is shown at every level", async () => {
    const given = await (await service()).given.realm({ jwt_algo: "rs256" })
    const key = (await given.get(`/v2/realms/${given.id}`)).string("jwt_key")
    expect(key).toMatch(/^-----BEGIN PUBLIC KEY-----\n/)
    expect(await shown(given)).toEqual({ read: key, write: key, admin_realm: key })
  })
})

describe("changing jwt_algo", () => {
  test("retires the previous key, and the JWKS verifies the key's tokens only during the grace period", () =>
    ownService(async ({ given, clock }) => {
      const start = { jwt_algo: "rs256" }
      const [short, long, longest] = [
        await given.realm({ ...start, session_minutes: 60 }),
        await given.realm({ ...start, session_minutes: 10 * 60 }),
        await given.realm({ ...start, session_minutes: 525_600 })
      ]
      const realms = [short, long, longest]
      const old = await Promise.all(realms.map(tokenOf))
      const oldKids = old.map((token) => decodeProtectedHeader(token).kid)
      clock.advance("1 hour")
      for (const realm of realms) {
        const change = { realm: { jwt_algo: "hs256" } }
        const { result, events } = await realm.seen.during(() => realm.put(`/v2/realms/${realm.id}`, change))
        expect([result.status, result.member("jwt_algo")]).toEqual([200, "hs256"])
        expect(events).toEqual([{ event_type: "realm.updated" }])
        const token = await tokenOf(realm)
        expect(decodeProtectedHeader(token)).toMatchObject({ alg: "HS256" })
        await jwtVerify(token, await secretOf(realm), { currentDate: new Date(clock.currentTimeMillisUnsafe()) })
      }
      const hidden = async () => (await Promise.all(realms.map(kids))).map((found) => found.length === 0)
      expect(await Promise.all(realms.map(kids))).toEqual(oldKids.map((kid) => [kid]))
      for (const [at, realm] of realms.entries())
        await jwtVerify(old[at] ?? "", jwksOf(realm, realm.id), { currentDate })

      // A day and a minute, regardless of session_minutes, because access tokens may be valid for a day (C270).
      clock.advance((24 * 60 + 1) * 60_000 - 1)
      expect(await hidden()).toEqual([false, false, false])
      clock.advance(1)
      expect(await hidden()).toEqual([true, true, true])
      await expect(jwtVerify(old[0] ?? "", jwksOf(short, short.id), { currentDate })).rejects.toThrow(
        "no applicable key"
      )
    }))

  test("creates a new key each time, and shows the current signing key", async () => {
    const given = await (await service()).given.realm()
    const seen: Array<unknown> = []
    for (const jwt_algo of ["hs256", "rs256", "hs256", "rs256"]) {
      const reply = await given.put(`/v2/realms/${given.id}`, { realm: { jwt_algo } })
      expect(reply.member("jwt_algo")).toBe(jwt_algo)
      const [token, key] = [await tokenOf(given), reply.string("jwt_key")]
      const verifying = jwt_algo === "hs256" ? new TextEncoder().encode(key) : await importSPKI(key, "RS256")
      const { protectedHeader } = await jwtVerify(token, verifying, { currentDate })
      expect(protectedHeader.alg).toBe(jwt_algo.toUpperCase())
      seen.push(protectedHeader.kid)
    }
    expect(new Set(seen).size).toBe(4)
    // The retired rs256 key and the current signing key.
    expect(await kids(given)).toEqual([seen[1], seen[3]])
  })

  test("creates no key and records no event if the value is unchanged", async () => {
    const given = await (await service()).given.realm()
    const { kid } = decodeProtectedHeader(await tokenOf(given))
    const change = { realm: { jwt_algo: "hs256" } }
    expect(await given.seen.caused(() => given.put(`/v2/realms/${given.id}`, change))).toEqual([])
    expect(decodeProtectedHeader(await tokenOf(given)).kid).toBe(kid)
  })
})
