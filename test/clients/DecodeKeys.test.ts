import { generateKeyPairSync } from "node:crypto"
import { decodeJwt, decodeProtectedHeader, exportJWK } from "jose"
import { describe, expect, test } from "vitest"
import { decoder } from "#client/Decode"
import { KeysUnavailable, MAX_REMEMBERED } from "#client/DecodeKeys"
import type { Fetch } from "#client/Fetch"
import { STARTS_AT } from "#testing/TestSallyport"
import { fetchWithin, issuerOf, jwksOf, keyOf, newRealm, now, outcome, tokenOf } from "../support/decoding.ts"
import { forged } from "../support/forgedTokens.ts"

/** A `fetch` that records the requested URLs. */
const recordingFetch = (fetch: Fetch) => {
  const asked: Array<string> = []
  const noted: Fetch = (address, init) => {
    asked.push(String(address))
    return fetch(address, init)
  }
  return { asked, fetch: noted }
}

const rs256 = () => newRealm({ jwt_algo: "rs256" })

describe("A decoder with only an issuer", () => {
  test("finds the keys through the issuer's discovery document and rejects other issuers' tokens", async () => {
    const [realm, other] = [await rs256(), await rs256()]
    const { asked, fetch } = recordingFetch(fetchWithin(realm))
    const decode = decoder({ issuer: issuerOf(realm), fetch, now })
    expect(await decode(await tokenOf(realm))).toMatchObject({ user: { realm_id: realm.id } })
    expect(await decode(await tokenOf(other))).toBeNull()
    expect(asked).toEqual([`${issuerOf(realm)}/.well-known/openid-configuration`, `${issuerOf(realm)}/jwks`])
  })

  test("fetches each document once for all decoders of the process, even if they start simultaneously", async () => {
    const realm = await rs256()
    const { asked, fetch } = recordingFetch(fetchWithin(realm))
    const token = await tokenOf(realm)
    const [issuer, jwks] = [issuerOf(realm), new URL(`${issuerOf(realm)}/jwks`)]
    const decoders = [{ issuer }, { issuer }, { jwks }, { jwks, realmId: realm.id }].map((source) =>
      decoder({ ...source, fetch, now })
    )
    expect(await Promise.all(decoders.map((decode) => outcome(decode, token)))).toEqual(Array(4).fill("decoded"))
    for (const decode of decoders) await decode(token)
    expect(asked).toHaveLength(2)
    // Another `fetch` may reach another server, so it gets separate caches.
    const separateFetch = recordingFetch(fetchWithin(realm))
    await decoder({ issuer, fetch: separateFetch.fetch, now })(token)
    expect(separateFetch.asked).toHaveLength(2)
  })

  test("rejects an unavailable or invalid discovery document, and retries at the next call", async () => {
    const realm = await rs256()
    const [token, issuer] = [await tokenOf(realm), issuerOf(realm)]
    const document = (await realm.get(`/realms/${realm.id}/.well-known/openid-configuration`)).body
    const json = (value: unknown) => async () => Response.json(value)
    const failures: ReadonlyArray<readonly [Fetch, string]> = [
      [json({ ...Object(document), issuer: `${issuer}x` }), "belongs to the issuer"],
      [json({ ...Object(document), id_token_signing_alg_values_supported: ["HS256"] }), "jwt_key"],
      [json({ issuer }), "Invalid URL"],
      [json([]), "belongs to the issuer"],
      [async () => new Response("{"), "JSON"],
      [async () => new Response(null, { status: 503 }), "status 503"],
      [async () => Promise.reject(new TypeError("fetch failed")), "fetch failed"]
    ]
    for (const [failing, reason] of failures) {
      let broken = true
      const fetch: Fetch = (address, init) => (broken ? failing(address, init) : fetchWithin(realm)(address, init))
      const decode = decoder({ issuer, fetch, now })
      await expect(decode(token)).rejects.toThrow(KeysUnavailable)
      await expect(decode(token)).rejects.toThrow(reason)
      broken = false
      expect(await outcome(decode, token)).toBe("decoded")
    }
    const shared = await newRealm()
    const decode = decoder({ issuer: issuerOf(shared), fetch: fetchWithin(shared), now })
    const alike = forged({ alg: "RS256" }, decodeJwt(token), "k".repeat(32))
    await expect(decode(alike)).rejects.toThrow("Pass the realm's jwt_key as jwtKey.")
  })

  test("explains why a secret-signed token can't be verified", async () => {
    const [shared, keyed] = [await newRealm({ jwt_algo: "hs256" }), await rs256()]
    const token = await tokenOf(shared)
    const decode = decoder({ issuer: issuerOf(shared), fetch: fetchWithin(shared), now })
    await expect(decode(token)).rejects.toThrow("signs tokens with a secret that is not published")
    const { asked, fetch } = recordingFetch(fetchWithin(keyed))
    const other = decoder({ issuer: issuerOf(keyed), fetch, now })
    expect([await other(token), await other(token)]).toEqual([null, null])
    expect(asked).toHaveLength(1)
  })

  test("caches the most recently used issuers and key sets, up to a limit", async () => {
    const realm = await rs256()
    const [keys, token] = [await jwksOf(realm), await tokenOf(realm)]
    const asked = new Map<string, number>()
    const fetch: Fetch = async (address) => {
      asked.set(address, (asked.get(address) ?? 0) + 1)
      const [, issuer = ""] = /^(.*)\/\.well-known/.exec(address) ?? []
      return Response.json(issuer === "" ? keys : { issuer, jwks_uri: `${issuer}/jwks` })
    }
    const decodes = Array.from({ length: MAX_REMEMBERED + 1 }, (_, at) =>
      decoder({ issuer: `https://id-${at}.example.test`, fetch, now })
    )
    const [first, second] = decodes
    for (const decode of decodes) {
      expect(await decode(token)).toBeNull()
      await first?.(token)
    }
    await second?.(token)
    const counts = [0, 1, MAX_REMEMBERED].map((at) => asked.get(`https://id-${at}.example.test/jwks`))
    expect(counts).toEqual([1, 2, 1])
  })
})

describe("A decoder", () => {
  test("requires one of the three ways to verify, and a tolerance in seconds", () => {
    expect(() => Reflect.apply(decoder, undefined, [{}])).toThrow("requires jwks, jwtKey or issuer")
    for (const clockTolerance of [-1, Number.NaN])
      expect(() => decoder({ jwtKey: "k".repeat(32), clockTolerance })).toThrow("number of seconds")
  })

  test("tolerates exactly the configured clock difference", async () => {
    const realm = await newRealm()
    const [token, jwtKey] = [await tokenOf(realm), await keyOf(realm)]
    const { exp = 0 } = decodeJwt(token)
    const at = (seconds: number, clockTolerance?: number) =>
      outcome(
        decoder({
          jwtKey,
          now: () => new Date(seconds * 1_000),
          ...(clockTolerance === undefined ? {} : { clockTolerance })
        }),
        token
      )
    expect(await Promise.all([at(exp - 1), at(exp), at(exp + 4, 5), at(exp + 5, 5)])).toEqual([
      "decoded",
      "null",
      "decoded",
      "null"
    ])
    const start = STARTS_AT / 1_000
    const later = (nbf: unknown) => forged({ alg: "HS256" }, { ...decodeJwt(token), nbf }, jwtKey)
    const [strict, lenient] = [decoder({ jwtKey, now }), decoder({ jwtKey, now, clockTolerance: 5 })]
    expect([await outcome(strict, later(start)), await outcome(strict, later(start + 1))]).toEqual(["decoded", "null"])
    expect([await outcome(lenient, later(start + 5)), await outcome(lenient, later(start + 6))]).toEqual([
      "decoded",
      "null"
    ])
    expect(await outcome(lenient, later("soon"))).toBe("null")
  })

  test("accepts the current time as a Date or in milliseconds, and rejects other types", async () => {
    const realm = await newRealm()
    const [token, jwtKey] = [await tokenOf(realm), await keyOf(realm)]
    expect(await outcome(decoder({ jwtKey, now: () => STARTS_AT }), token)).toBe("decoded")
    expect(await outcome(decoder({ jwtKey, now: () => STARTS_AT + 365 * 86_400_000 }), token)).toBe("null")
    for (const time of [STARTS_AT / 1_000, Number.NaN, new Date(Number.NaN)])
      await expect(decoder({ jwtKey, now: () => time })(token)).rejects.toThrow("Unix milliseconds")
  })

  test("C110: does not compare iat with the clock, since the service's clock may be slightly ahead", async () => {
    const realm = await newRealm()
    const [token, jwtKey] = [await tokenOf(realm), await keyOf(realm)]
    expect(await outcome(decoder({ jwtKey, now: () => STARTS_AT - 30 * 86_400_000 }), token)).toBe("decoded")
  })

  test("reports which org a token is for", async () => {
    const realm = await newRealm({ jwt_scopes: ["ar.orgs"] })
    const user = await realm.user()
    const orgs = [await realm.org(), await realm.org()]
    for (const org of orgs) await realm.membership(user.id, org.id)
    const session = await realm.session(user.id)
    const decode = decoder({ jwtKey: await keyOf(realm), now })
    const selectedIn = async (token: string) =>
      (await decode(token))?.user.memberships?.map(({ org_id, selected }) => [org_id, selected])
    const all = await selectedIn(session.string("token"))
    expect(all).toHaveLength(2)
    expect(all?.map(([, selected]) => selected)).toEqual([undefined, undefined])
    const one = (await realm.get(`/v2/sessions/${session.id}?org_id=${orgs[1]?.id}`)).string("token")
    expect(await selectedIn(one)).toEqual([[orgs[1]?.id, true]])
  })

  test("rejects with the reason if a key is too short or invalid", async () => {
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 1024 })
    const realm = await rs256()
    const token = await tokenOf(realm)
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), ...decodeProtectedHeader(token) }] }
    await expect(decoder({ jwks, now })(token)).rejects.toThrow(KeysUnavailable)
    await expect(decoder({ jwtKey: "-----BEGIN PUBLIC KEY-----\nx", now })(token)).rejects.toThrow(KeysUnavailable)
  })
})
