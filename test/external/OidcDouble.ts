import { hash } from "node:crypto"
import { exportJWK, type JWTPayload, SignJWT } from "jose"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { submitCallback, urlFor } from "../support/external.ts"
import { rsaPairOf } from "../support/rsaKeys.ts"
import { newStandIn, type ScriptedResponse, type StandIn } from "../support/standIns.ts"

/** The service's time, in seconds. */
export const NOW = Math.floor(STARTS_AT / 1_000)

/** The access token that the double issues. */
export const ACCESS_TOKEN = "at-of-the-issuer"

/** The `at_hash` of an access token in an ID token that is signed with RS256. */
export const atHash = (accessToken: string): string =>
  hash("sha256", accessToken, "buffer").subarray(0, 16).toString("base64url")

/** A key set with one of the known RSA keys. */
export const keySet = async (key: 0 | 1 | 2 | 3 = 1, kid = `key-${key}`) => ({
  keys: [{ ...(await exportJWK(rsaPairOf(key).publicKey)), alg: "RS256", use: "sig", kid }]
})

/** Signs claims with one of the known RSA keys. */
export const sign = (claims: JWTPayload, key: 0 | 1 | 2 | 3 = 1, kid = `key-${key}`): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid }).sign(rsaPairOf(key).privateKey)

/** A double for an OpenID Provider, and the realm's provider that uses it. */
export interface OidcDouble {
  readonly double: StandIn
  readonly provider: Reply
  /** The claims of a valid ID token. */
  readonly claims: (nonce: string | null) => JWTPayload
}

/** A provider of type `oidc`, whose issuer is a double. `document` changes its discovery document. */
export const oidcDouble = async (
  realm: GivenRealm,
  {
    document = {},
    settings = {},
    endpoints = {}
  }: {
    readonly document?: Readonly<Record<string, unknown>>
    readonly settings?: Readonly<Record<string, unknown>>
    readonly endpoints?: Readonly<Record<string, ScriptedResponse>>
  } = {}
): Promise<OidcDouble> => {
  const double = await newStandIn({})
  const { url: issuer } = double
  double.answers({
    ".well-known/openid-configuration": {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/keys`,
      ...document
    },
    keys: await keySet(),
    ...endpoints
  })
  const client = { client_id: "acme", client_secret: "the-secret-of-acme" }
  const provider = await realm.authProvider({ provider_type: "oidc", issuer, name: "Acme SSO", ...client, ...settings })
  const sub = uniqueText("sub")
  const claims = (nonce: string | null): JWTPayload => ({
    iss: issuer,
    aud: "acme",
    sub,
    iat: NOW,
    exp: NOW + 3_600,
    email: `${sub}@example.test`,
    email_verified: true,
    name: "Jo Doe",
    at_hash: atHash(ACCESS_TOKEN),
    ...(nonce === null ? {} : { nonce })
  })
  return { double, provider, claims }
}

/** Starts a login at the double and returns with a code, for which the double issues this ID token. */
export const logInAtIssuer = async (
  realm: GivenRealm,
  { double, provider, claims }: OidcDouble,
  idToken: (claims: JWTPayload) => Promise<string | undefined> = sign,
  returned: Readonly<Record<string, unknown>> = {}
): Promise<Reply> => {
  const { searchParams } = await urlFor(realm, String(provider.id))
  const id_token = await idToken(claims(searchParams.get("nonce")))
  double.answers({
    token: { access_token: ACCESS_TOKEN, token_type: "Bearer", ...(id_token === undefined ? {} : { id_token }) }
  })
  return submitCallback(realm, { state: searchParams.get("state"), ...returned })
}
