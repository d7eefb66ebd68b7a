import { createPrivateKey, generateKeyPairSync, type KeyPairKeyObjectResult, randomBytes } from "node:crypto"
import { decodeProtectedHeader } from "jose"
import type { Api, Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"

type Attributes = Readonly<Record<string, unknown>>

/** Requests a new JWT key. */
export const createKey = (api: Api, attributes: Attributes = {}, version = "v1"): Promise<Reply> =>
  api.post(`/${version}/jwt_keys`, { jwt_key: { algo: "hs256", use: "sign", ...attributes } })

/** Creates a JWT key for a test and returns the response. Tries again if the service sheds load on a busy machine. */
export const newKey = async (realm: GivenRealm, attributes: Attributes = {}): Promise<Reply> => {
  const made = await createKey(realm, attributes)
  if (made.status === 503) return newKey(realm, attributes)
  if (made.status !== 201) throw new Error(`A preparation failed: ${made.status} ${made.text}`)
  return made
}

/** Retires or deletes a key. */
export const deleteKey = (api: Api, id: string, query = "", version = "v1"): Promise<Reply> =>
  api.delete(`/${version}/jwt_keys/${id}${query}`)

/** The listed keys of a realm, oldest first, and whether each has expired. */
export const keysOf = async (realm: Api): Promise<ReadonlyArray<readonly [id: string, expired: boolean]>> =>
  (await realm.get("/v2/jwt_keys?direction=asc")).items.map(({ id, expired }) => [String(id), expired === true])

/** The id of a realm's initial key. */
export const firstKeyOf = async (realm: Api): Promise<string> => (await keysOf(realm))[0]?.[0] ?? ""

/** A new token of a new user in the realm. */
export const tokenOf = async (realm: GivenRealm): Promise<string> =>
  (await realm.session((await realm.user()).id)).string("token")

/** The id of the key that signs a realm's tokens, read from a new token. */
export const signerOf = async (realm: GivenRealm): Promise<string | undefined> =>
  decodeProtectedHeader(await tokenOf(realm)).kid

/** The ids of a realm's public keys, from the service at this URL. */
export const publishedKeyIds = async (url: string, realmId: string): Promise<ReadonlyArray<string>> => {
  const body: { readonly keys: ReadonlyArray<{ readonly kid: string }> } = JSON.parse(
    await (await fetch(`${url}/realms/${realmId}/jwks`)).text()
  )
  return body.keys.map(({ kid }) => kid)
}

/** A random secret of this many bytes in printable characters. */
export const secretOf = (bytes: number): string => randomBytes(bytes).toString("hex").slice(0, bytes)

/** The forms in which the owner of an RSA key pair may have it. */
export const formsOf = ({ publicKey, privateKey }: KeyPairKeyObjectResult) => ({
  spki: publicKey.export({ type: "spki", format: "pem" }).toString(),
  pkcs8: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  pkcs1: privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
  jwk: privateKey.export({ format: "jwk" })
})

/** A new RSA key pair with an unusual length or exponent. */
export const unusualPair = (modulusLength: number, publicExponent = 65_537) =>
  formsOf(generateKeyPairSync("rsa", { modulusLength, publicExponent }))

/** A private key in PEM form, from its JWK members. */
export const pemOf = (jwk: Readonly<Record<string, unknown>>): string =>
  createPrivateKey({ key: jwk, format: "jwk" }).export({ type: "pkcs8", format: "pem" }).toString()
