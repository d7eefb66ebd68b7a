import { createHash } from "node:crypto"
import { describe, expect, test } from "vitest"
import { WellKnown } from "#core/external/providers/Presets"
import { CALLBACK, submitCallback } from "../support/external.ts"
import { statusAndErrors } from "../support/logins.ts"
import { RawResponse } from "../support/standIns.ts"
import { documented } from "./ProviderResponses.ts"
import {
  beginLoginAt,
  credentials,
  goodClaims,
  type Known,
  knownProvider,
  knownService,
  providerDouble,
  signed
} from "./WellKnownProviders.ts"

const types: ReadonlyArray<Known> = ["apple", "facebook", "github", "google", "linkedin", "microsoft", "slack", "yahoo"]

const presets = WellKnown.defaultValue()

/** A realm with the provider, and a double that returns the responses in the provider's docs. */
const prepared = async (type: Known) => {
  const { given } = await knownService()
  const realm = await given.realm()
  const provider = await knownProvider(realm, type)
  const { profile, emails, inspection } = documented[type]
  const double = await providerDouble(type, {
    profile,
    emails: emails ?? new RawResponse(404, "{}"),
    inspection: inspection?.ours,
    "inspection/acme": inspection?.ours
  })
  return { realm, provider, double }
}

const idTokenFor = (type: Known) => async (nonce: string | null) => {
  const { profile, isInIdToken } = documented[type]
  if (presets[type].idTokens === undefined) return undefined
  const claims = goodClaims(type, Reflect.get(profile, "sub"), nonce)
  return signed(type, isInIdToken ? { ...profile, ...claims } : claims)
}

describe.each(types)("%s", (type) => {
  const { token, expected, scope } = documented[type]
  const { id: providerUserId, ...shown } = expected

  test("creates a user from the documented profile", async () => {
    const { realm, provider, double } = await prepared(type)
    const { url, state } = await beginLoginAt(realm, type, double, token, idTokenFor(type))
    const reply = await submitCallback(realm, { state })
    expect([reply.status, reply.member("user")]).toEqual([201, expect.objectContaining(shown)])
    const user = await realm.get(`/v2/users/${reply.string("user_id")}`)
    const credential = await realm.get(`/v2/credentials/${user.string("credentials", 0, "id")}`)
    expect(credential.body).toMatchObject({
      credential_type: type,
      auth_provider_id: provider.id,
      provider_user_id: providerUserId
    })
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: "acme",
      redirect_uri: CALLBACK,
      response_type: "code",
      scope
    })
  })

  test("SEC-61: sends PKCE, nonce and client secret as the provider supports them", async () => {
    const { realm, double } = await prepared(type)
    const { url, state } = await beginLoginAt(realm, type, double, token, idTokenFor(type))
    await submitCallback(realm, { state })
    const [tokenRequest] = double.at("token")
    const { code_verifier: verifier, client_secret: secret } = tokenRequest?.form ?? {}
    const challenge = verifier === undefined ? null : createHash("sha256").update(verifier).digest("base64url")
    expect(url.searchParams.get("code_challenge")).toBe(challenge)
    expect([verifier !== undefined, url.searchParams.has("nonce")]).toEqual([
      !["apple", "linkedin"].includes(type),
      ["apple", "google", "microsoft", "slack", "yahoo"].includes(type)
    ])
    const sent = type === "apple" ? expect.stringMatching(/^eyJ/) : credentials.client_secret
    expect([secret, tokenRequest?.headers.authorization?.split(" ")[0]]).toEqual(
      type === "yahoo" ? [undefined, "Basic"] : [sent, undefined]
    )
  })
})

test.each(
  types.filter((type) => documented[type].isInIdToken !== true)
)("%s: accepts an access token, but rejects another client's token if the provider can check", async (type) => {
  const { id: _, ...shown } = documented[type].expected
  const { realm, double } = await prepared(type)
  const path = `/v2/auth_providers/${type}/authorize`
  const access_token = "at-of-an-sdk"
  const reply = await realm.post(path, { access_token })
  expect([reply.status, reply.member("user")]).toEqual([201, expect.objectContaining(shown)])
  const { inspection } = documented[type]
  const inspected = double.got.filter(({ path: at }) => at.startsWith("inspection"))
  expect(inspected.length).toBe(inspection === undefined ? 0 : 1)
  if (inspection === undefined) return
  expect(`${inspected[0]?.path} ${inspected[0]?.body}`).toContain(access_token)
  double.answers({ inspection: inspection.foreign, "inspection/acme": inspection.foreign })
  const { result, events } = await realm.seen.during(() => realm.post(path, { access_token }))
  expect([...statusAndErrors(result), events]).toEqual([
    422,
    ["The provider rejected the access token or issued it to another app."],
    []
  ])
})

test("facebook: adds auth_type to the retry URL, and inspects tokens with the client secret", async () => {
  const { realm, double } = await prepared("facebook")
  const { url, state } = await beginLoginAt(realm, "facebook", double, {}, async () => undefined)
  const reply = await submitCallback(realm, { state, code: undefined, error: "access_denied" })
  expect(reply.string("retry_url")).toBe(`${url.href}&auth_type=rerequest`)
  await realm.post("/v2/auth_providers/facebook/authorize", { access_token: "EAAC" })
  const query = new URLSearchParams(double.at("inspection")[0]?.path.split("?")[1])
  expect(Object.fromEntries(query)).toEqual({ input_token: "EAAC", access_token: "acme|the-secret-of-acme" })
})

test("github: uses the public email as unverified if the list of emails is inaccessible", async () => {
  const { realm, double } = await prepared("github")
  double.answers({ emails: new RawResponse(403, '{"message":"Resource not accessible by integration"}') })
  const { state } = await beginLoginAt(realm, "github", double, documented.github.token, async () => undefined)
  const reply = await submitCallback(realm, { state })
  expect(reply.member("user")).toMatchObject({ email: "public@github.example", email_verification: "none" })
})

test.each<[Known, unknown]>([
  ["github", { error: "bad_verification_code", error_description: "The code passed is incorrect or expired." }],
  ["slack", { ok: false, error: "invalid_code" }],
  [
    "facebook",
    new RawResponse(400, '{"error":{"message":"Invalid verification code format.","type":"OAuthException"}}')
  ],
  ["google", new RawResponse(400, '{"error":"invalid_grant","error_description":"Malformed auth code."}')]
])("%s: reports a rejected code with a retry URL", async (type, answer) => {
  const { realm, double } = await prepared(type)
  const { state } = await beginLoginAt(realm, type, double, {}, async () => undefined)
  double.answers({ token: answer })
  const reply = await submitCallback(realm, { state })
  expect(statusAndErrors(reply)).toEqual([422, ["Error validating code."]])
  expect(reply.string("retry_url")).toContain(state)
})
