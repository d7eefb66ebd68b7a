import { createHmac } from "node:crypto"
import { exportJWK, type JWTPayload, SignJWT } from "jose"
import { expect, test } from "vitest"
import { STARTS_AT } from "#testing/TestSallyport"
import { submitCallback } from "../support/external.ts"
import { statusAndErrors } from "../support/logins.ts"
import { rsaPairOf } from "../support/rsaKeys.ts"
import { documented } from "./ProviderResponses.ts"
import {
  beginLoginAt,
  credentials,
  goodClaims,
  keyOf,
  knownProvider,
  knownService,
  providerDouble,
  publishedKeys,
  signed
} from "./WellKnownProviders.ts"

const NOW = Math.floor(STARTS_AT / 1_000)
const { profile, token } = documented.google
const sub = String(Reflect.get(profile, "sub"))

const validClaims = (nonce: string | null) => goodClaims("google", sub, nonce)

const withoutClaim = (name: string) => (nonce: string | null) => {
  const { [name]: _, ...rest } = validClaims(nonce)
  return rest
}

const withClaim = (claims: JWTPayload) => (nonce: string | null) => ({ ...validClaims(nonce), ...claims })

const base64 = (json: unknown) => Buffer.from(JSON.stringify(json)).toString("base64url")

/** Signs claims with a shared secret: the client secret or the provider's public key. */
const hmacSigned = (claims: JWTPayload, secret: string) => {
  const content = `${base64({ alg: "HS256", kid: "key-1" })}.${base64(claims)}`
  return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`
}

const ownKey = rsaPairOf(0)

const claimed = (claims: (nonce: string | null) => object) => (nonce: string | null) =>
  signed("google", { ...claims(nonce) })

/** Invalid ID tokens, each with a single fault. */
const invalidTokens: ReadonlyArray<readonly [string, (nonce: string | null) => Promise<string | undefined>]> = [
  ["that is missing", async () => undefined],
  ["of another issuer (CVE-2026-31813)", claimed(withClaim({ iss: "https://accounts.evil.example" }))],
  ["without issuer", claimed(withoutClaim("iss"))],
  ["for another client (CVE-2026-55669)", claimed(withClaim({ aud: "another" }))],
  ["for several other clients", claimed(withClaim({ aud: ["another", "a third"] }))],
  ["without audience (CVE-2026-55669)", claimed(withoutClaim("aud"))],
  ["for this client and others, with another azp", claimed(withClaim({ aud: ["acme", "another"], azp: "another" }))],
  ["for this client and others, without azp", claimed(withClaim({ aud: ["acme", "another"] }))],
  ["that has expired", claimed(withClaim({ exp: NOW - 60 }))],
  ["without expiry (GHSA-wxg7-w2v3-w38g)", claimed(withoutClaim("exp"))],
  ["with an expiry that isn't a number", claimed((nonce) => ({ ...validClaims(nonce), exp: "tomorrow" }))],
  ["without iat (GHSA-wxg7-w2v3-w38g)", claimed(withoutClaim("iat"))],
  ["that is not valid yet", claimed(withClaim({ nbf: NOW + 600 }))],
  ["with another nonce", claimed(withClaim({ nonce: "another" }))],
  ["without nonce", claimed(withoutClaim("nonce"))],
  ["without subject", claimed(withoutClaim("sub"))],
  ["with a subject other than the profile's", claimed(withClaim({ sub: "somebody-else" }))],
  ["that is unsigned", async (nonce) => `${base64({ alg: "none" })}.${base64(validClaims(nonce))}.`],
  [
    "that was changed after signing",
    async (nonce) => {
      const [header, , signature] = (await signed("google", validClaims(nonce))).split(".")
      return `${header}.${base64({ ...validClaims(nonce), email: "victim@example.test" })}.${signature}`
    }
  ],
  [
    "signed with the attacker's key",
    async (nonce) =>
      new SignJWT(validClaims(nonce)).setProtectedHeader({ alg: "RS256", kid: "key-1" }).sign(ownKey.privateKey)
  ],
  [
    "signed with the key in its own header",
    async (nonce) => {
      const { publicKey, privateKey } = ownKey
      const header = { alg: "RS256", kid: "mine", jwk: await exportJWK(publicKey) }
      return new SignJWT(validClaims(nonce)).setProtectedHeader(header).sign(privateKey)
    }
  ],
  ["signed with the client secret", async (nonce) => hmacSigned(validClaims(nonce), credentials.client_secret)],
  [
    "signed with the public key as a secret",
    async (nonce) => hmacSigned(validClaims(nonce), JSON.stringify((await publishedKeys("google")).keys[0]))
  ],
  [
    "with an unknown critical header",
    async (nonce) =>
      new SignJWT(validClaims(nonce))
        .setProtectedHeader({ alg: "RS256", kid: "key-1", crit: ["b64"], b64: true })
        .sign(keyOf("google").privateKey)
  ],
  ["that is malformed", async () => "x.y.z"]
]

test.each(invalidTokens)("SEC-63: an ID token %s is rejected without using up the state", async (_, idToken) => {
  const { given } = await knownService()
  const realm = await given.realm()
  await knownProvider(realm, "google")
  const double = await providerDouble("google", { profile })
  const { state } = await beginLoginAt(realm, "google", double, token, idToken)
  const { result, events } = await realm.seen.during(() => submitCallback(realm, { state }))
  expect([...statusAndErrors(result), events]).toEqual([422, ["The provider's response is not valid."], []])
  expect(result.string("retry_url")).toContain(state)
  expect((await realm.get("/v2/users")).items).toEqual([])
})

test("SEC-63: a valid ID token is accepted until it expires by the service's clock", async () => {
  const { given } = await knownService()
  const realm = await given.realm()
  await knownProvider(realm, "google")
  const double = await providerDouble("google", { profile })
  const late = claimed(withClaim({ exp: NOW + 1 }))
  const { state } = await beginLoginAt(realm, "google", double, token, late)
  expect((await submitCallback(realm, { state })).status).toBe(201)
})
