import type { JSONWebKeySet } from "jose"
import { type Decode, type DecoderOptions, decoder, decoderWith } from "#client/Decode"
import { webCrypto } from "#client/DecodeSignature"
import type { Fetch } from "#client/Fetch"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { service } from "./sallyport.ts"

/** The time of the worker's service. */
export const now = () => new Date(STARTS_AT)

/** Creates a realm of the worker's service. */
export const newRealm = async (settings: Readonly<Record<string, unknown>> = {}): Promise<GivenRealm> =>
  (await service()).given.realm(settings)

/** The `jwt_key` of a realm. */
export const keyOf = async (realm: GivenRealm) => (await realm.get(`/v2/realms/${realm.id}`)).string("jwt_key")

/** The URL of the realm's public keys. */
export const jwksUrl = (realm: GivenRealm) => new URL(`${realm.url}/realms/${realm.id}/jwks`)

/** The realm's public keys. */
export const jwksOf = async (realm: GivenRealm): Promise<JSONWebKeySet> =>
  JSON.parse(await (await fetch(jwksUrl(realm))).text())

/** A decoder with the realm's `jwt_key`. */
export const decoding = async (realm: GivenRealm, options: Partial<DecoderOptions> = {}): Promise<Decode> => {
  const { jwks: _jwks, ...others } = options
  return decoder({ now, ...others, jwtKey: await keyOf(realm) })
}

/** A `fetch` that reaches the worker's service within the process, at any host. */
export const fetchWithin =
  ({ transport }: GivenRealm): Fetch =>
  async (address, { method, body, headers }) => {
    const { pathname, search } = new URL(address)
    const answer = await transport.send({
      method,
      path: pathname + search,
      headers,
      ...(typeof body === "string" ? { body } : {})
    })
    return new Response(answer.text === "" ? null : answer.text, { status: answer.status, headers: answer.headers })
  }

/** The issuer of a realm's tokens. */
export const issuerOf = (realm: GivenRealm) => `https://id.example.test/realms/${realm.id}`

/** Decoders for every way to name an rs256 realm's key, on Node and as in a browser. */
export const allDecoders = async (realm: GivenRealm): Promise<ReadonlyArray<Decode>> => {
  const [keys, jwtKey, fetch] = [await jwksOf(realm), await keyOf(realm), fetchWithin(realm)]
  return [decoder, decoderWith(webCrypto)].flatMap((make) => [
    make({ now, jwks: jwksUrl(realm) }),
    make({ now, jwks: keys }),
    make({ now, jwtKey }),
    make({ now, issuer: issuerOf(realm), fetch })
  ])
}

/** Decoders with an hs256 realm's secret, on Node and as in a browser. */
export const secretDecoders = async (realm: GivenRealm): Promise<ReadonlyArray<Decode>> => {
  const jwtKey = await keyOf(realm)
  return [decoder, decoderWith(webCrypto)].map((make) => make({ now, jwtKey }))
}

/** A token of a new user. */
export const tokenOf = async (realm: GivenRealm) => (await realm.session((await realm.user()).id)).string("token")

/** Returns "decoded" if the decoder accepts a token, or otherwise "null". */
export const outcome = async (decode: Decode, token: string) => ((await decode(token)) === null ? "null" : "decoded")
