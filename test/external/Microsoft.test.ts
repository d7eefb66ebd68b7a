import type { JWTPayload } from "jose"
import { describe, expect, test } from "vitest"
import { submitCallback, urlFor } from "../support/external.ts"
import { statusAndErrors } from "../support/logins.ts"
import { newRealm, ownService } from "../support/sallyport.ts"
import { newStandIn } from "../support/standIns.ts"
import { documented } from "./ProviderResponses.ts"
import {
  beginLoginAt,
  goodClaims,
  knownProvider,
  knownService,
  providerDouble,
  publishedKeys,
  signed,
  TENANT
} from "./WellKnownProviders.ts"

const { profile, token } = documented.microsoft
const sub = String(Reflect.get(profile, "sub"))

const [PERSONAL, OTHER] = ["9188040d-6c67-4c5b-b112-36a304b66dad", "11111111-2222-3333-4444-555555555555"]

const issuerOf = (tenant: string) => `https://login.microsoftonline.com/${tenant}/v2.0`

const idToken = (claims: JWTPayload) => (nonce: string | null) =>
  signed("microsoft", { ...profile, ...goodClaims("microsoft", sub, nonce), ...claims })

/** Logs in with the account of a tenant, at a provider with this setting. */
const logIn = async (setting: string, claims: JWTPayload = {}) => {
  const { given } = await knownService()
  const realm = await given.realm()
  await knownProvider(realm, "microsoft", { tenant: setting })
  const double = await providerDouble("microsoft", {})
  const { state } = await beginLoginAt(realm, "microsoft", double, token, idToken(claims))
  return { realm, ...(await realm.seen.during(() => submitCallback(realm, { state }))) }
}

const ofTenant = (tid: string) => ({ tid, iss: issuerOf(tid) })

describe("SEC-279: Microsoft", () => {
  test.each([
    ["common", TENANT],
    ["common", PERSONAL],
    ["organizations", TENANT],
    ["consumers", PERSONAL],
    [TENANT, TENANT],
    [TENANT.toUpperCase(), TENANT]
  ])("with tenant %s accepts an account of %s", async (setting, tenant) => {
    expect((await logIn(setting, ofTenant(tenant))).result.status).toBe(201)
  })

  test.each([
    ["organizations", ofTenant(PERSONAL)],
    ["consumers", ofTenant(TENANT)],
    [TENANT, ofTenant(OTHER)],
    [TENANT, ofTenant(PERSONAL)],
    ["common", { tid: TENANT, iss: issuerOf(OTHER) }],
    ["common", { tid: TENANT, iss: "https://login.microsoftonline.com/{tenantid}/v2.0" }],
    ["common", { tid: "common", iss: issuerOf("common") }],
    ["common", { tid: `${TENANT}/v2.0?`, iss: issuerOf(`${TENANT}/v2.0?`) }],
    ["common", { tid: undefined }],
    ["common", { ...ofTenant(TENANT), iss: `https://evil.example/${TENANT}/v2.0` }]
  ])("with tenant %s rejects an ID token with %j", async (setting, claims) => {
    const { realm, result, events } = await logIn(setting, claims)
    expect([...statusAndErrors(result), events]).toEqual([422, ["The provider's response is not valid."], []])
    expect((await realm.get("/v2/users")).items).toEqual([])
  })

  test.each([
    [issuerOf("{tenantid}"), 201],
    [issuerOf(TENANT), 201],
    [issuerOf(OTHER), 422]
  ])("accepts a key of the issuer %s only for that issuer (%s)", async (issuer, status) => {
    const keys = { keys: (await publishedKeys("microsoft")).keys.map((key) => ({ ...key, issuer })) }
    const double = await newStandIn({ keys })
    const endpoints = { keys: `${double.url}/keys`, token: `${double.url}/token` }
    await ownService(
      async ({ given }) => {
        const realm = await given.realm()
        await knownProvider(realm, "microsoft")
        const { state } = await beginLoginAt(realm, "microsoft", double, token, idToken({}))
        expect((await submitCallback(realm, { state })).status).toBe(status)
      },
      { providers: { microsoft: { endpoints } } }
    )
  })

  test.each([
    [{}, "none"],
    [{ xms_edov: false }, "none"],
    [{ xms_edov: "0" }, "none"],
    [{ email_verified: true }, "none"],
    [{ xms_edov: true }, "verified"],
    [{ xms_edov: 1 }, "verified"],
    [{ xms_edov: "1" }, "verified"]
  ])("trusts an email only if its domain is verified: %j", async (claims, email_verification) => {
    const { result } = await logIn("common", claims)
    expect(result.member("user")).toMatchObject({ email: "mikoll@contoso.example", email_verification })
  })

  test("gives nobody another user's account for an email that a tenant's admin has set", async () => {
    const { given } = await knownService()
    const realm = await given.realm()
    const victim = await realm.user({ email: "mikoll@contoso.example", email_verification: "verified" })
    await knownProvider(realm, "microsoft")
    const double = await providerDouble("microsoft", {})
    const { state } = await beginLoginAt(realm, "microsoft", double, token, idToken({}))
    const { result, events } = await realm.seen.during(() => submitCallback(realm, { state }))
    expect([...statusAndErrors(result), events]).toEqual([
      422,
      ["A user with this email already exists, and the provider has not verified it."],
      []
    ])
    expect((await realm.get(`/v2/users/${victim.id}`)).member("credentials")).toEqual([])
  })

  test("asks for the accounts of the tenant in the settings, common by default", async () => {
    const realm = await newRealm()
    const provider = await knownProvider(realm, "microsoft")
    expect(provider.member("tenant")).toBe("common")
    const pathOf = async () => (await urlFor(realm, "microsoft")).pathname
    expect(await pathOf()).toBe("/common/oauth2/v2.0/authorize")
    await realm.put("/v2/auth_providers/microsoft", { auth_provider: { tenant: TENANT } })
    expect(await pathOf()).toBe(`/${TENANT}/oauth2/v2.0/authorize`)
  })

  test.each(["contoso.onmicrosoft.com", "common/../x", "{tenantid}", "*"])("rejects the tenant %s", async (tenant) => {
    const realm = await newRealm()
    const auth_provider = { provider_type: "microsoft", client_id: "acme", client_secret: "s3cret", tenant }
    expect(statusAndErrors(await realm.post("/v2/auth_providers", { auth_provider }))).toEqual([
      422,
      ["Tenant must be common, organizations, consumers or the ID of a tenant."]
    ])
  })
})
