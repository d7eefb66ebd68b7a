import { generateKeyPairSync } from "node:crypto"
import { exportJWK, type JWTPayload, SignJWT } from "jose"
import type { Preset } from "#core/external/providers/Preset"
import { WellKnown } from "#core/external/providers/Presets"
import type { WellKnownProvider } from "#domain/AuthProvider"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { urlFor } from "../support/external.ts"
import { rsaPairOf } from "../support/rsaKeys.ts"
import { type OwnService, ownService } from "../support/sallyport.ts"
import { type ScriptedResponse, type StandIn, standInNamed, standInsUrl } from "../support/standIns.ts"

export type Known = WellKnownProvider["providerType"]

/** The client credentials at the known providers. */
export const credentials = { client_id: "acme", client_secret: "the-secret-of-acme" }

/** A private key like those of Apple. */
export const appleKey = generateKeyPairSync("ec", { namedCurve: "P-256" })

/** The credentials at Apple, whose client secrets are signed with a private key. */
export const appleCredentials = {
  client_id: "acme",
  client_secret: appleKey.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  team_id: "ACMETEAM01",
  key_id: "ACMEKEY001"
}

/** The tenant of the accounts at Microsoft. */
export const TENANT = "72f988bf-86f1-41af-91ab-2d7cd011db47"

const presets = WellKnown.defaultValue()

/** A known provider type with a double's endpoints. */
const presetAtDouble = (type: Known, base: string): Preset => {
  const preset = presets[type]
  const endpoints = Object.fromEntries(Object.keys(preset.endpoints).map((name) => [name, `${base}/${type}/${name}`]))
  const inspection = type === "github" ? { inspection: `${base}/github/inspection/{client_id}` } : {}
  return { ...preset, endpoints: { ...preset.endpoints, ...endpoints, ...inspection } }
}

/** A separate service that stops with the worker. */
export const workerService = (options: Parameters<typeof ownService>[1]): Promise<OwnService> =>
  new Promise((resolve, reject) => {
    ownService((own) => {
      resolve(own)
      return new Promise<never>(() => {})
    }, options).catch(reject)
  })

const start = async (patience: number | undefined) => {
  const base = await standInsUrl()
  const providers = {
    apple: presetAtDouble("apple", base),
    facebook: presetAtDouble("facebook", base),
    github: presetAtDouble("github", base),
    google: presetAtDouble("google", base),
    linkedin: presetAtDouble("linkedin", base),
    microsoft: presetAtDouble("microsoft", base),
    slack: presetAtDouble("slack", base),
    yahoo: presetAtDouble("yahoo", base)
  }
  return workerService(patience === undefined ? { providers } : { providers, patience })
}

let started: Promise<OwnService> | undefined

/** The worker's service that uses doubles for the known providers. */
export const knownService = (): Promise<OwnService> => (started ??= start(undefined))

let hurried: Promise<OwnService> | undefined

/** The worker's service with doubles for the known providers and a timeout of 100 ms. */
export const shortTimeoutService = (): Promise<OwnService> => (hurried ??= start(100))

const ecPair = generateKeyPairSync("ec", { namedCurve: "P-256" })

const algOf = (type: Known) => (type === "yahoo" ? "ES256" : "RS256")

/** The key that signs a provider's ID tokens. */
export const keyOf = (type: Known) => (algOf(type) === "ES256" ? ecPair : rsaPairOf(1))

/** The published keys of a provider. */
export const publishedKeys = async (type: Known) => ({
  keys: [{ ...(await exportJWK(keyOf(type).publicKey)), alg: algOf(type), use: "sig", kid: "key-1" }]
})

const NOW = Math.floor(STARTS_AT / 1_000)

/** The claims of a valid ID token for a login. */
export const goodClaims = (type: Known, sub: unknown, nonce: string | null): JWTPayload => ({
  iss: String(presets[type].idTokens?.issuer).replace("{tenantid}", TENANT),
  ...(type === "microsoft" ? { tid: TENANT } : {}),
  aud: credentials.client_id,
  iat: NOW,
  exp: NOW + 3_600,
  ...(typeof sub === "string" ? { sub } : {}),
  ...(nonce === null ? {} : { nonce })
})

/** Signs claims as the provider would. */
export const signed = async (type: Known, claims: JWTPayload): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: algOf(type), kid: "key-1" }).sign(keyOf(type).privateKey)

/** A double for a known provider. */
export const providerDouble = async (
  type: Known,
  endpoints: Readonly<Record<string, ScriptedResponse>>
): Promise<StandIn> => standInNamed(type, { keys: await publishedKeys(type), ...endpoints })

/** The realm's provider of a known type. */
export const knownProvider = (realm: GivenRealm, provider_type: Known, settings: object = {}) =>
  realm.authProvider({ provider_type, ...(provider_type === "apple" ? appleCredentials : credentials), ...settings })

/** Begins a login at a known provider, whose token response will have these members. */
export const beginLoginAt = async (
  realm: GivenRealm,
  type: Known,
  double: StandIn,
  token: object,
  idToken: (nonce: string | null) => Promise<string | undefined>
) => {
  const url = await urlFor(realm, type)
  const id_token = await idToken(url.searchParams.get("nonce"))
  double.answers({ token: { ...token, ...(id_token === undefined ? {} : { id_token }) } })
  return { url, state: url.searchParams.get("state") ?? "" }
}
