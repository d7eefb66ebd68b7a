import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, DateTime, Schema } from "effect"
import { encodeId } from "#domain/Ids"
import { type CodeBinding, type CodePresentation, codeProblem } from "#domain/oauth/CodeRedemption"
import { integer } from "../support/arbitraries.ts"

const now = DateTime.makeUnsafe(1_800_000_000_000)
const later = DateTime.add(now, { seconds: 30 })
const clientOf = (n: number) => encodeId("app", { millis: 1, random: [0, n] })
const verifier = "a".repeat(43)

const code: CodeBinding = {
  clientId: clientOf(1),
  redirectUri: "https://app.example/cb",
  codeChallenge: "challenge",
  jkt: null,
  usedAt: null,
  expiresAt: later
}
const presented: CodePresentation = {
  clientId: clientOf(1),
  redirectUri: "https://app.example/cb",
  codeVerifier: verifier,
  matchesChallenge: true,
  jkt: null
}

describe("SEC-155, SEC-160: an authorization code (RFC 6749 §4.1.3, RFC 7636 §4.6)", () => {
  it("can be redeemed by a client that presents all values bound to the code", () => {
    expect(codeProblem(code, presented, now)).toBeUndefined()
    expect(codeProblem(code, { ...presented, redirectUri: undefined }, now)).toBeUndefined()
    expect(codeProblem({ ...code, jkt: "k" }, { ...presented, jkt: "k" }, now)).toBeUndefined()
  })

  it.each<readonly [string, Partial<CodeBinding>, Partial<CodePresentation>]>([
    ["code_of_another", {}, { clientId: clientOf(2) }],
    ["redirect_uri_mismatch", {}, { redirectUri: "https://app.example/cb/" }],
    ["redirect_uri_mismatch", { codeChallenge: null }, { redirectUri: undefined, codeVerifier: undefined }],
    ["verifier_missing", {}, { codeVerifier: undefined }],
    ["verifier_unexpected", { codeChallenge: null }, {}],
    ["verifier_malformed", {}, { codeVerifier: "a".repeat(42) }],
    ["verifier_malformed", {}, { codeVerifier: `${"a".repeat(42)}+` }],
    ["verifier_malformed", {}, { codeVerifier: "a".repeat(129) }],
    ["verifier_mismatch", {}, { matchesChallenge: false }],
    ["proof_key_mismatch", { jkt: "k" }, { jkt: "other" }],
    ["proof_key_mismatch", { jkt: "k" }, {}],
    ["code_reused", { usedAt: now }, {}],
    ["code_expired", { expiresAt: now }, {}]
  ])("is rejected with %s", (reason, bound, sent) => {
    expect(codeProblem({ ...code, ...bound }, { ...presented, ...sent }, now)).toBe(reason)
  })

  it.prop(
    "SEC-155: is reported as reused only to a client that could have redeemed the code",
    {
      client: integer(1, 2),
      redirectUri: Schema.Literals(["https://app.example/cb", "https://evil.example/cb"]),
      codeVerifier: Arbitrary.schema(Schema.Literals([verifier, "short"])),
      matchesChallenge: Schema.Boolean
    },
    ({ client, ...sent }) => {
      const all = { ...sent, clientId: clientOf(client), jkt: null }
      const reused = codeProblem({ ...code, usedAt: now }, all, now) === "code_reused"
      expect(reused).toBe(codeProblem(code, all, now) === undefined)
    }
  )
})
