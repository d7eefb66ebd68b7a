import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import { KeysUnavailable } from "#client/DecodeKeys"
import type { Fetch } from "#client/Fetch"
import { memoryReplays } from "#client/resource/Replays"
import { verifyAccessToken } from "#client/resource/VerifyAccessToken"
import {
  API,
  accessToken,
  ISSUER,
  jkt,
  jwks,
  options,
  otherKey,
  publicJwk,
  reasonOf,
  SECONDS,
  signed,
  validClaims,
  verifiers
} from "../support/accessTokens.ts"
import { oneOf, UnicodeText } from "../support/arbitraries.ts"
import { encode, forged } from "../support/forgedTokens.ts"

/** The reason for rejecting a token, which must be the same on Node and on other platforms. */
const reason = async (token: string, more: object = {}): Promise<string> => {
  const [one, another] = await Promise.all(verifiers.map((check) => reasonOf(check(token, { ...options, ...more }))))
  expect(another).toBe(one)
  return String(one)
}

describe("verifyAccessToken", () => {
  it("returns the claims of a valid token", async () => {
    for (const check of verifiers) {
      expect(await check(await accessToken({ acr: "aal2" }), options)).toStrictEqual({
        iss: ISSUER,
        sub: "us_1",
        aud: [API],
        client_id: "ca_1",
        jti: "t1",
        iat: SECONDS - 10,
        exp: SECONDS + 50,
        scopes: ["openid", "notes:read"],
        jkt: null,
        claims: { ...validClaims, acr: "aal2" }
      })
    }
  })

  it("accepts both type names, several audiences and tokens without scopes", async () => {
    for (const typ of ["at+jwt", "AT+JWT", "application/at+jwt"])
      expect(await reason(await accessToken({}, { typ }))).toBe("accepted")
    expect(await reason(await accessToken({ aud: ["https://other.example.test", API] }))).toBe("accepted")
    expect(await reason(await accessToken(), { audience: ["https://other.example.test", API] })).toBe("accepted")
    expect(await reason(await accessToken({ scope: undefined }))).toBe("accepted")
  })

  it("SEC-169: rejects algorithm tricks such as alg none or the public key as a secret", async () => {
    const claims = encode(validClaims)
    expect(await reason(`${encode({ alg: "none", typ: "at+jwt" })}.${claims}.`)).toBe("malformed")
    expect(await reason(`${encode({ alg: "none", typ: "at+jwt" })}.${claims}.AAAA`)).toBe("wrong_algorithm")
    expect(
      await reason(forged({ alg: "HS256", typ: "at+jwt", kid: "k1" }, validClaims, JSON.stringify(publicJwk)))
    ).toBe("wrong_algorithm")
    for (const alg of ["RS384", "PS256"]) {
      const [, body, signature] = (await accessToken()).split(".")
      expect(await reason(`${encode({ alg, typ: "at+jwt", kid: "k1" })}.${body}.${signature}`)).toBe("wrong_algorithm")
    }
    expect(await reason(await accessToken({}, { jwk: publicJwk, jku: "https://evil.example.test" }, otherKey))).toBe(
      "wrong_signature"
    )
    expect(await reason(await accessToken({}, { kid: "k2" }))).toBe("unknown_key")
    expect(await reason(await accessToken({}, { crit: ["b64"], b64: true }))).toBe("malformed")
  })

  it("SEC-169: rejects login tokens, ID tokens, logout tokens and tokens without a type", async () => {
    for (const typ of ["JWT", "logout+jwt", "dpop+jwt", "", undefined, 7]) {
      const [, body, signature] = (await accessToken()).split(".")
      expect(await reason(`${encode({ alg: "RS256", typ, kid: "k1" })}.${body}.${signature}`)).toBe("wrong_type")
    }
  })

  it("SEC-169: compares the issuer as exact text", async () => {
    for (const iss of [`${ISSUER}/`, ISSUER.toUpperCase(), "https://id.example.test/realms/rl_2", `${ISSUER} `]) {
      expect(await reason(await accessToken({ iss }))).toBe("wrong_issuer")
    }
  })

  it("SEC-169: rejects tokens for other resources, for the client itself or without an audience", async () => {
    for (const aud of [`${API}/`, "https://api.example.test", "ca_1", ["https://other.example.test"]]) {
      expect(await reason(await accessToken({ aud }))).toBe("wrong_audience")
    }
    for (const aud of [undefined, "", [], [API, 7], { 0: API }]) {
      expect(await reason(await accessToken({ aud }))).toMatch(/^(missing_claim|wrong_audience)$/)
    }
  })

  it("accepts a token from nbf until exp, with five seconds of tolerance by default", async () => {
    expect(await reason(await accessToken({ exp: SECONDS - 4 }))).toBe("accepted")
    expect(await reason(await accessToken({ exp: SECONDS - 5 }))).toBe("expired")
    expect(await reason(await accessToken({ exp: SECONDS }), { clockTolerance: 0 })).toBe("expired")
    expect(await reason(await accessToken({ nbf: SECONDS + 5 }))).toBe("accepted")
    expect(await reason(await accessToken({ nbf: SECONDS + 6 }))).toBe("not_yet_valid")
    expect(await reason(await accessToken({ nbf: "0" }))).toBe("not_yet_valid")
  })

  it("requires every claim of RFC 9068 with the right type", async () => {
    for (const name of ["iss", "sub", "aud", "client_id", "jti", "iat", "exp"]) {
      for (const value of [undefined, null, "", {}]) {
        expect(await reason(await accessToken({ [name]: value })), name).toBe("missing_claim")
      }
    }
    expect(await reason(await accessToken({ scope: ["notes:read"] }))).toBe("missing_claim")
  })

  it("requires all requested scopes as whole words", async () => {
    expect(await reason(await accessToken(), { scopes: ["notes:read"] })).toBe("accepted")
    expect(await reason(await accessToken(), { scopes: ["notes:read", "notes:write"] })).toBe("insufficient_scope")
    expect(await reason(await accessToken(), { scopes: ["notes"] })).toBe("insufficient_scope")
    const refused = verifyAccessToken(await accessToken(), { ...options, scopes: ["notes:write"] })
    await expect(refused).rejects.toMatchObject({ status: 403, error: "insufficient_scope", scopes: ["notes:write"] })
  })

  it("rejects an unknown key binding", async () => {
    for (const cnf of [{ "x5t#S256": "x" }, {}, null, "jkt", { jkt, "x5t#S256": "x" }]) {
      expect(await reason(await accessToken({ cnf }), { replays: memoryReplays() })).toBe("binding_unknown")
    }
  })

  it("throws a TypeError for options that would skip a check", async () => {
    const token = await accessToken()
    for (const wrong of [
      { issuer: "" },
      { audience: "" },
      { audience: [] },
      { clockTolerance: -1 },
      { requireDpop: true }
    ]) {
      await expect(verifyAccessToken(token, { ...options, ...wrong })).rejects.toThrow(TypeError)
    }
  })
})

/** A service that publishes keys and records the requests it receives. */
const publishing = (keys: { current: unknown; status?: number }) => {
  const asked: Array<string> = []
  const fetch: Fetch = async (url) => {
    asked.push(url)
    const body = url.endsWith("/jwks") ? keys.current : { issuer: ISSUER, jwks_uri: `${ISSUER}/jwks` }
    return Response.json(body, { status: keys.status ?? 200 })
  }
  return { asked, fetch }
}

describe("The key cache of verifyAccessToken", () => {
  const { jwks: _jwks, ...discovering } = options

  it("fetches the issuer's keys once for all tokens, and again for an unknown key", async () => {
    const keys = { current: { keys: [{ ...publicJwk, kid: "k0", alg: "RS256" }] } }
    const { asked, fetch } = publishing(keys)
    const all = { ...discovering, fetch }
    const old = await accessToken({}, { kid: "k0" })
    expect(await reasonOf(verifyAccessToken(old, all))).toBe("accepted")
    expect(await reasonOf(verifyAccessToken(old, all))).toBe("accepted")
    expect(asked).toEqual([`${ISSUER}/.well-known/openid-configuration`, `${ISSUER}/jwks`])
    // Keys aren't fetched again within seconds: tokens from strangers must not make the API query the service.
    for (const kid of ["k1", "k2", "k3"])
      expect(await reasonOf(verifyAccessToken(await accessToken({}, { kid }), all))).toBe("unknown_key")
    expect(asked).toHaveLength(2)
  })

  it("reports an unavailable issuer rather than an invalid token if the realm is deleted or the service is down", async () => {
    for (const status of [404, 410, 500, 302]) {
      const { fetch } = publishing({ current: {}, status })
      await expect(verifyAccessToken(await accessToken(), { ...discovering, fetch })).rejects.toThrow(KeysUnavailable)
    }
    const another: Fetch = async () =>
      Response.json({ issuer: "https://evil.example.test", jwks_uri: `${ISSUER}/jwks` })
    await expect(verifyAccessToken(await accessToken(), { ...discovering, fetch: another })).rejects.toThrow(
      KeysUnavailable
    )
  })

  it("rejects tokens signed with keys that are too short or symmetric", async () => {
    const secret = { kty: "oct", k: "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0", kid: "k1", alg: "RS256" }
    expect(await reason(await accessToken(), { jwks: { keys: [secret] } })).toBe("unknown_key")
    expect(await reason(await accessToken(), { jwks: { keys: [] } })).toBe("unknown_key")
    expect(await reason(await accessToken(), { jwks: { keys: [...jwks.keys, ...jwks.keys] } })).toBe("unknown_key")
  })
})

describe("SEC-169: verification of hostile input", () => {
  const Members = Schema.Record(Schema.String, Schema.Json)

  const part = oneOf(
    Arbitrary.schema(UnicodeText),
    Arbitrary.map(Arbitrary.schema(Schema.Json), (json) => Buffer.from(JSON.stringify(json)).toString("base64url"))
  )

  it.effect.prop("rejects arbitrary text with the usual error", [Arbitrary.array(part, { maxLength: 5 })], ([parts]) =>
    Effect.promise(async () => {
      expect(await reason(parts.join("."))).not.toBe("accepted")
    })
  )

  it.effect.prop(
    "rejects arbitrary headers and claims with the usual error, even signed by the issuer",
    [Arbitrary.schema(Members), Arbitrary.schema(Members)],
    ([header, claims]) =>
      Effect.promise(async () => {
        const [head, body] = [
          { alg: "RS256", typ: "at+jwt", kid: "k1", ...header },
          { ...validClaims, aud: "other", ...claims }
        ]
        expect(await reason(signed(head, body))).not.toBe("accepted")
      })
  )

  it("rejects a token that is truncated, padded or changed in one character", async () => {
    const token = await accessToken()
    const changed = Array.from(
      token,
      (sign, at) => token.slice(0, at) + (sign === "A" ? "B" : "A") + token.slice(at + 1)
    )
    const others = [
      `${token}=`,
      ` ${token}`,
      `${token}.`,
      `.${token}`,
      token.slice(0, -1),
      token.slice(1),
      token.replace(".", "=."),
      `${token}${"A".repeat(20_000)}`
    ]
    for (const one of [...changed, ...others]) expect(await reason(one), one).not.toBe("accepted")
    expect(await reason(token)).toBe("accepted")
  })
})
