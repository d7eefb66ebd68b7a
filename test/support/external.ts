import type { Reply } from "#testing/Api"
import { type GivenRealm, unique } from "#testing/Given"
import { type Answering, type Double, newDouble } from "./doubles.ts"

/** Where codes arrive in the app of all tests. */
export const CALLBACK = "https://app.example.test/back"

/** What a provider tells of somebody, in the names of OpenID Connect. */
export const person = (attributes: Readonly<Record<string, unknown>> = {}) => ({
  sub: unique("sub"),
  email: `${unique("person")}@example.test`,
  email_verified: true,
  given_name: "Jo",
  family_name: "Doe",
  ...attributes
})

/** The field mapping of an `oauth2` provider that speaks so. */
export const mapping = {
  id_field: "sub",
  email_field: "email",
  email_verified_field: "email_verified",
  first_name_field: "given_name",
  last_name_field: "family_name"
}

/** The access token that doubles give out. */
export const ACCESS_TOKEN = "at-of-the-double"

/** A provider of type `oauth2` with a double in its place, which knows this person and takes any code. */
export const oauth2Double = async (
  realm: GivenRealm,
  told: unknown,
  settings: Readonly<Record<string, unknown>> = {},
  endpoints: Readonly<Record<string, Answering>> = {}
): Promise<{ readonly provider: Reply; readonly double: Double }> => {
  const double = await newDouble({
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

/** The state in the authorization URL of a provider. */
export const stateFor = async (realm: GivenRealm, provider: string, nonce?: string): Promise<string> =>
  (await urlFor(realm, provider, nonce)).searchParams.get("state") ?? ""

/** Hands on what came back from a provider, under v2. */
export const comeBack = (realm: GivenRealm, body: Readonly<Record<string, unknown>>) =>
  realm.post("/v2/auth_providers/authorize", { code: "a-code", ...body })

/** The whole way: a URL, and back with a code. */
export const logIn = async (realm: GivenRealm, provider: string, body: Readonly<Record<string, unknown>> = {}) =>
  comeBack(realm, { state: await stateFor(realm, provider), ...body })
