import type { JSONWebKeySet } from "jose"
import { type Decode, type DecoderOptions, decoder } from "#client/Decode"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { service } from "./sallyport.ts"

/** The time of the worker's service. */
export const now = () => new Date(STARTS_AT)

/** A realm of the worker's service. */
export const newRealm = async (settings: Readonly<Record<string, unknown>> = {}): Promise<GivenRealm> =>
  (await service()).given.realm(settings)

/** The `jwt_key` of a realm. */
export const keyOf = async (realm: GivenRealm) => (await realm.get(`/v2/realms/${realm.id}`)).string("jwt_key")

/** Where its public keys are. */
export const jwksUrl = (realm: GivenRealm) => new URL(`${realm.url}/realms/${realm.id}/jwks`)

/** What is there. */
export const jwksOf = async (realm: GivenRealm): Promise<JSONWebKeySet> =>
  JSON.parse(await (await fetch(jwksUrl(realm))).text())

/** A decoder with the realm's `jwt_key`. */
export const decoding = async (realm: GivenRealm, options: Partial<DecoderOptions> = {}): Promise<Decode> => {
  const { jwks: _jwks, ...others } = options
  return decoder({ now, ...others, jwtKey: await keyOf(realm) })
}

/** Every way to name the key of an rs256 realm. */
export const everyWay = async (realm: GivenRealm): Promise<ReadonlyArray<Decode>> => [
  decoder({ now, jwks: jwksUrl(realm) }),
  decoder({ now, jwks: await jwksOf(realm) }),
  decoder({ now, jwtKey: await keyOf(realm) })
]

/** A token of a new user. */
export const tokenOf = async (realm: GivenRealm) => (await realm.session((await realm.user()).id)).string("token")

/** Whether a token is decoded. */
export const outcome = async (decode: Decode, token: string) => ((await decode(token)) === null ? "null" : "decoded")
