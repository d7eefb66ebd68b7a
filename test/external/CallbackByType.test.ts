import { expect, test } from "vitest"
import { Browser } from "../support/browser.ts"
import { newRealm } from "../support/sallyport.ts"
import { appAt, HANDLER, redirectTarget } from "./BrowserLogins.ts"
import { documented } from "./ProviderResponses.ts"
import { goodClaims, knownProvider, knownService, providerDouble, signed } from "./WellKnownProviders.ts"

test("C44: callback_by_type puts the type into the callback URL, where the browser logs in", async () => {
  const { given } = await knownService()
  const realm = await given.realm()
  const provider = await knownProvider(realm, "google", { callback_by_type: true })
  const { profile, token } = documented.google
  const double = await providerDouble("google", { profile })
  const browser = new Browser(realm.transport)
  const { origin } = await appAt(realm)
  const url = redirectTarget(await browser.go(`${origin}/auth/${provider.id}`))
  expect(url.searchParams.get("redirect_uri")).toBe(`${origin}/auth/google/callback`)
  const claims = goodClaims("google", Reflect.get(profile, "sub"), url.searchParams.get("nonce"))
  double.answers({ token: { ...token, id_token: await signed("google", claims) } })
  const query = new URLSearchParams({ code: "a-code", state: url.searchParams.get("state") ?? "" })
  const back = redirectTarget(await browser.go(`${origin}/auth/google/callback?${query}`))
  expect(back.origin + back.pathname).toBe(HANDLER)
  expect(double.at("token")[0]?.form["redirect_uri"]).toBe(`${origin}/auth/google/callback`)
})

test("C44: callback_by_type is false by default, can be changed, and is ignored for types with several providers", async () => {
  const realm = await newRealm()
  const client = { client_id: "acme", client_secret: "s3cret" }
  const google = await realm.authProvider({ provider_type: "google", ...client })
  const { result, events } = await realm.seen.during(() =>
    realm.put("/v2/auth_providers/google", { auth_provider: { callback_by_type: true } })
  )
  expect([google.member("callback_by_type"), result.member("callback_by_type"), events]).toEqual([
    false,
    true,
    [{ event_type: "auth_provider.updated", auth_provider_id: google.id }]
  ])
  const several = { ...client, issuer: "https://acme.example", callback_by_type: true }
  for (const settings of [{}, { provider_type: "oidc", ...several }]) {
    const provider = await realm.authProvider({ callback_by_type: true, ...settings })
    expect(provider.member("callback_by_type")).toBe(false)
  }
})
