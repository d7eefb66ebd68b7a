import { describe, expect, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import { type DpopProof, type ProvedRequest, proofProblem } from "#domain/oauth/DpopProof"
import { integer } from "../support/arbitraries.ts"

const url = "https://id.example/realms/rl_1/token"
const request: ProvedRequest = { method: "POST", url, nowSeconds: 1_800_000_000, accessTokenHash: undefined }
const jwk = { kty: "EC", crv: "P-256", x: "x", y: "y" }

const proof = (header: object = {}, claims: object = {}): DpopProof => ({
  header: { typ: "dpop+jwt", alg: "ES256", jwk, ...header },
  claims: { jti: "1", htm: "POST", htu: url, iat: 1_800_000_000, ...claims }
})

describe("SEC-156: a proof of possession (RFC 9449 §4.3)", () => {
  it("is valid for its request, with any query or fragment", () => {
    expect(proofProblem(proof(), request)).toBeUndefined()
    expect(proofProblem(proof({}, { htu: "HTTPS://ID.example:443/realms/rl_1/token?x=1#y" }), request)).toBeUndefined()
    expect(proofProblem(proof({}, { ath: "h" }), { ...request, accessTokenHash: "h" })).toBeUndefined()
  })

  it.each<readonly [string, object, object]>([
    ["typ", { typ: "JWT" }, {}],
    ["typ", { typ: undefined }, {}],
    ["alg", { alg: "none" }, {}],
    ["alg", { alg: "HS256" }, {}],
    ["alg", { alg: "ES256K" }, {}],
    ["jwk", { jwk: undefined }, {}],
    ["jwk", { jwk: { ...jwk, d: "private" } }, {}],
    ["jwk", { jwk: { kty: "oct", k: "secret" } }, {}],
    ["crit", { crit: ["b64"] }, {}],
    ["jti", {}, { jti: undefined }],
    ["jti", {}, { jti: "" }],
    ["jti", {}, { jti: 1 }],
    ["jti", {}, { jti: "j".repeat(257) }],
    ["htm", {}, { htm: "GET" }],
    ["htm", {}, { htm: "post" }],
    ["htu", {}, { htu: "https://id.example/realms/rl_2/token" }],
    ["htu", {}, { htu: "https://evil.example/realms/rl_1/token" }],
    ["htu", {}, { htu: "/realms/rl_1/token" }],
    ["iat", {}, { iat: "1800000000" }],
    ["iat", {}, { iat: undefined }]
  ])("is rejected for %s: %j %j", (problem, header, claims) => {
    expect(proofProblem(proof(header, claims), request)).toBe(problem)
  })

  it("SEC-196: may contain only a key that is cheap to verify", () => {
    const rsa = (n: string, e: string) => proof({ alg: "RS256", jwk: { kty: "RSA", n, e } })
    const [modulus, exponent] = [(length: number) => "w".repeat(length), (length: number) => "_".repeat(length)]
    for (const [n, e] of [
      [683, 4],
      [683, 11]
    ] as const) {
      expect(proofProblem(rsa(modulus(n), exponent(e)), request)).toBeUndefined()
    }
    for (const [n, e] of [
      [684, 4],
      [512, 12],
      [512, 512]
    ] as const) {
      expect(proofProblem(rsa(modulus(n), exponent(e)), request)).toBe("jwk")
    }
  })

  it("is valid only with the access token named in the proof", () => {
    const presented = { ...request, accessTokenHash: "h" }
    for (const ath of [undefined, "other"]) expect(proofProblem(proof({}, { ath }), presented)).toBe("ath")
  })

  it.prop(
    "may be at most a minute old and ten seconds in the future",
    [Arbitrary.schema(integer(-120, 120))],
    ([off]) => {
      const problem = proofProblem(proof({}, { iat: request.nowSeconds + off }), request)
      expect(problem).toBe(off > -60 && off <= 10 ? undefined : "iat")
    }
  )
})
