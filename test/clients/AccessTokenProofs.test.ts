import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, Effect } from "effect"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import type { TokenRequest } from "#client/resource/Proof"
import { memoryReplays } from "#client/resource/Replays"
import { verifyAccessToken } from "#client/resource/VerifyAccessToken"
import {
  API,
  accessToken,
  athOf,
  jkt,
  options,
  proofOf,
  reasonOf,
  SECONDS,
  senderJwk,
  senderSecretJwk,
  verifiers
} from "../support/accessTokens.ts"
import { UnicodeText } from "../support/arbitraries.ts"

const bound = (claims: object = {}) => accessToken({ cnf: { jkt }, ...claims })

const request = (proof: string | null | undefined, more: Partial<TokenRequest> = {}): TokenRequest => ({
  method: "GET",
  url: API,
  proof,
  ...more
})

/**
 * The reason for rejecting a token with a DPoP proof. It must be the same on Node and on other platforms, each with a
 * separate replay memory.
 */
const reason = async (token: string, sent?: TokenRequest, more: object = {}): Promise<string> => {
  const [one, another] = await Promise.all(
    verifiers.map((check) => reasonOf(check(token, { ...options, replays: memoryReplays(), ...more }, sent)))
  )
  expect(another).toBe(one)
  return String(one)
}

describe("SEC-170: verification of a key-bound token", () => {
  it("accepts a proof for the same request and token", async () => {
    const token = await bound()
    expect(await reason(token, request(await proofOf(token)))).toBe("accepted")
    const { jkt: found } = await verifyAccessToken(
      token,
      { ...options, replays: memoryReplays() },
      request(await proofOf(token))
    )
    expect(found).toBe(jkt)
  })

  it("rejects a stolen token without its key: as Bearer, without a proof, or with the thief's proof", async () => {
    const token = await bound()
    expect(await reason(token)).toBe("proof_missing")
    for (const none of [null, undefined, ""]) expect(await reason(token, request(none))).toBe("proof_missing")
    const thief = await generateKeyPair("ES256")
    const proof = await new SignJWT({ jti: "p", htm: "GET", htu: API, iat: SECONDS, ath: athOf(token) })
      .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: await exportJWK(thief.publicKey) })
      .sign(thief.privateKey)
    expect(await reason(token, request(proof))).toBe("proof_wrong_key")
    const claimed = await new SignJWT({ jti: "p", htm: "GET", htu: API, iat: SECONDS, ath: athOf(token) })
      .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: senderJwk })
      .sign(thief.privateKey)
    expect(await reason(token, request(claimed))).toBe("proof_wrong_signature")
  })

  it("rejects a plain token with the DPoP scheme and where the resource requires a key", async () => {
    const token = await accessToken()
    expect(await reason(token, request(await proofOf(token)))).toBe("proof_unexpected")
    expect(await reason(token, undefined, { requireDpop: true })).toBe("proof_required")
    expect(await reason(await bound(), request("x"), { replays: undefined })).toBe("proof_unsupported")
  })

  it("requires a proof for the request's method and URL, ignoring the query", async () => {
    const token = await bound()
    for (const more of [
      { htm: "POST" },
      { htm: "get" },
      { htu: `${API}/1` },
      { htu: "http://api.example.test/notes" },
      { htu: "https://api.example.test:8443/notes" }
    ]) {
      expect(await reason(token, request(await proofOf(token, more)))).toBe("proof_wrong_request")
    }
    expect(await reason(token, request(await proofOf(token), { url: `${API}?page=2#x` }))).toBe("accepted")
    expect(await reason(token, request(await proofOf(token, { htu: "HTTPS://API.example.test:443/notes?x" })))).toBe(
      "accepted"
    )
    expect(await reason(token, request(await proofOf(token, { htu: "/notes" })))).toBe("proof_malformed")
  })

  it("requires a proof for this token that is at most a minute old", async () => {
    const token = await bound()
    expect(await reason(token, request(await proofOf(await bound({ jti: "t2" }))))).toBe("proof_wrong_token")
    for (const [iat, expected] of [
      [SECONDS - 60, "accepted"],
      [SECONDS + 60, "accepted"],
      [SECONDS - 61, "proof_wrong_time"],
      [SECONDS + 61, "proof_wrong_time"]
    ]) {
      expect(await reason(token, request(await proofOf(token, { iat })))).toBe(expected)
    }
  })

  it("rejects a proof with another form, type or algorithm", async () => {
    const token = await bound()
    const good = await proofOf(token)
    for (const more of [
      { jti: undefined },
      { jti: 7 },
      { jti: "x".repeat(513) },
      { htm: undefined },
      { htu: 1 },
      { iat: "now" },
      { ath: undefined }
    ]) {
      expect(await reason(token, request(await proofOf(token, more))), JSON.stringify(more)).toBe("proof_malformed")
    }
    for (const header of [
      { typ: "JWT" },
      { typ: undefined },
      { jwk: senderSecretJwk },
      { jwk: undefined },
      { jwk: { kty: "oct", k: "c2VjcmV0" } }
    ]) {
      expect(await reason(token, request(await proofOf(token, {}, header)))).toBe("proof_malformed")
    }
    const secret = new TextEncoder().encode("k".repeat(32))
    const symmetric = await new SignJWT({ jti: "p", htm: "GET", htu: API, iat: SECONDS, ath: athOf(token) })
      .setProtectedHeader({ alg: "HS256", typ: "dpop+jwt", jwk: { kty: "oct" } })
      .sign(secret)
    for (const proof of [symmetric, `${good}, ${good}`, `${good}.`, "a.b.c", "x".repeat(9_000)]) {
      expect(await reason(token, request(proof))).toBe("proof_malformed")
    }
  })

  it("accepts a proof once, even if the proof arrives many times simultaneously", async () => {
    const [token, replays] = [await bound(), memoryReplays()]
    const proof = await proofOf(token)
    const all = await Promise.all(
      Array.from({ length: 50 }, () => reasonOf(verifyAccessToken(token, { ...options, replays }, request(proof))))
    )
    expect(all.filter((one) => one === "accepted")).toHaveLength(1)
    expect(new Set(all)).toEqual(new Set(["accepted", "proof_replayed"]))
    const next = await proofOf(token, { jti: "p2" })
    expect(await reasonOf(verifyAccessToken(token, { ...options, replays }, request(next)))).toBe("accepted")
  })

  it("SEC-196: rejects a proof key that is too large to verify quickly", async () => {
    const token = await bound()
    for (const large of [{ e: "A".repeat(12) }, { n: "A".repeat(684) }]) {
      const header = { alg: "RS256", typ: "dpop+jwt", jwk: { kty: "RSA", n: "A".repeat(683), e: "AQAB", ...large } }
      const proof = [header, {}].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".")
      expect(await reason(token, request(`${proof}.AAAA`))).toBe("proof_malformed")
    }
  })

  it.effect.prop("rejects arbitrary text as a proof", [Arbitrary.schema(UnicodeText)], ([text]) =>
    Effect.promise(async () => {
      expect(await reason(await bound(), request(text))).toMatch(/^proof_(missing|malformed)$/)
    })
  )
})

describe("The replay memory", () => {
  it("rejects every proof while full, and forgets expired proofs", () => {
    const replays = memoryReplays(2)
    expect([replays.add("a", 100), replays.add("b", 100), replays.add("c", 100)]).toEqual([true, true, false])
    expect([replays.add("a", 221), replays.add("d", 221)]).toEqual([false, false])
    expect([replays.add("a", 241), replays.add("d", 241), replays.add("e", 241)]).toEqual([true, true, false])
  })
})
