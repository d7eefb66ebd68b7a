import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { newStandIn, type ScriptedResponse, type StandIn } from "./standIns.ts"

/** The redirect URI at the app in all tests. */
export const CALLBACK = "https://app.example.test/back"

/** A provider's profile of a user, with OpenID Connect claim names. */
export const profile = (attributes: Readonly<Record<string, unknown>> = {}) => ({
  sub: uniqueText("sub"),
  email: `${uniqueText("person")}@example.test`,
  email_verified: true,
  given_name: "Jo",
  family_name: "Doe",
  ...attributes
})

/** The field mapping of an `oauth2` provider with OpenID Connect claim names. */
export const mapping = {
  id_field: "sub",
  email_field: "email",
  email_verified_field: "email_verified",
  first_name_field: "given_name",
  last_name_field: "family_name"
}

/** The access token that stand-in providers issue. */
export const ACCESS_TOKEN = "at-of-the-double"

/** A provider of type `oauth2` replaced by a stand-in, which returns this profile and accepts any code. */
export const oauth2StandIn = async (
  realm: GivenRealm,
  told: unknown,
  settings: Readonly<Record<string, unknown>> = {},
  endpoints: Readonly<Record<string, ScriptedResponse>> = {}
): Promise<{ readonly provider: Reply; readonly double: StandIn }> => {
  const double = await newStandIn({
    token: { access_token: ACCESS_TOKEN, token_type: "Bearer", expires_in: 3600 },
    profile: told,
    ...endpoints
  })
  const provider = await realm.authProvider({
    authorization_url: `${double.url}/authorize`,
    token_url: `${double.url}/token`,
    profile_url: `${double.url}/profile`,
    ...mapping,
    ...settings
  })
  return { provider, double }
}

/** The query of a request for URLs. */
export const urlQuery = (nonce?: string) =>
  `redirect_uri=${encodeURIComponent(CALLBACK)}${nonce === undefined ? "" : `&nonce=${encodeURIComponent(nonce)}`}`

/** The authorization URL of a provider. */
export const urlFor = async (realm: GivenRealm, provider: string, nonce?: string): Promise<URL> =>
  new URL((await realm.get(`/v2/auth_providers/${provider}/authorize?${urlQuery(nonce)}`)).string("auth_url"))

/** The state in a provider's authorization URL. */
export const stateFor = async (realm: GivenRealm, provider: string, nonce?: string): Promise<string> =>
  (await urlFor(realm, provider, nonce)).searchParams.get("state") ?? ""

/** Submits a provider's callback parameters under v2. */
export const submitCallback = (realm: GivenRealm, body: Readonly<Record<string, unknown>>) =>
  realm.post("/v2/auth_providers/authorize", { code: "a-code", ...body })

/** A whole login: requests a URL and returns with a code. */
export const logIn = async (realm: GivenRealm, provider: string, body: Readonly<Record<string, unknown>> = {}) =>
  submitCallback(realm, { state: await stateFor(realm, provider), ...body })
