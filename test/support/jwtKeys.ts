import { createPrivateKey, generateKeyPairSync, type KeyPairKeyObjectResult, randomBytes } from "node:crypto"
import { decodeProtectedHeader } from "jose"
import type { Api, Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"

type Attributes = Readonly<Record<string, unknown>>

/** Asks for a JWT key. */
export const createKey = (api: Api, attributes: Attributes = {}, version = "v1"): Promise<Reply> =>
  api.post(`/${version}/jwt_keys`, { jwt_key: { algo: "hs256", use: "sign", ...attributes } })

/** A JWT key that a test begins with: the answer to its creation. */
export const newKey = async (realm: GivenRealm, attributes: Attributes = {}): Promise<Reply> => {
  const made = await createKey(realm, attributes)
  if (made.status !== 201) throw new Error(`A preparation failed: ${made.status} ${made.text}`)
  return made
}

/** Retires a key, or removes it. */
export const deleteKey = (api: Api, id: string, query = "", version = "v1"): Promise<Reply> =>
  api.delete(`/${version}/jwt_keys/${id}${query}`)

/** The realm's keys as they are listed, oldest first: each with whether it has expired. */
export const keysOf = async (realm: Api): Promise<ReadonlyArray<readonly [id: string, expired: boolean]>> =>
  (await realm.get("/v2/jwt_keys?direction=asc")).items.map(({ id, expired }) => [String(id), expired === true])

/** The id of the one key that a realm began with. */
export const firstKeyOf = async (realm: Api): Promise<string> => (await keysOf(realm))[0]?.[0] ?? ""

/** A fresh token of a new user of the realm. */
export const tokenOf = async (realm: GivenRealm): Promise<string> =>
  (await realm.session((await realm.user()).id)).string("token")

/** The key that signs a realm's tokens, by a token of now. */
export const signerOf = async (realm: GivenRealm): Promise<string | undefined> =>
  decodeProtectedHeader(await tokenOf(realm)).kid

/** The ids of a realm's public keys, from the service at this address. */
export const publishedBy = async (url: string, realmId: string): Promise<ReadonlyArray<string>> => {
  const body: { readonly keys: ReadonlyArray<{ readonly kid: string }> } = JSON.parse(
    await (await fetch(`${url}/realms/${realmId}/jwks`)).text()
  )
  return body.keys.map(({ kid }) => kid)
}

/** A secret of so many bytes in visible characters, which nobody knows. */
export const secretOf = (bytes: number): string => randomBytes(bytes).toString("hex").slice(0, bytes)

/** An RSA key pair as its owner has it. */
export const formsOf = ({ publicKey, privateKey }: KeyPairKeyObjectResult) => ({
  spki: publicKey.export({ type: "spki", format: "pem" }).toString(),
  pkcs8: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  pkcs1: privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
  jwk: privateKey.export({ format: "jwk" })
})

/** A new RSA key pair, of a length or with an exponent that few have. */
export const unusualPair = (modulusLength: number, publicExponent = 65_537) =>
  formsOf(generateKeyPairSync("rsa", { modulusLength, publicExponent }))

/** A private key as PEM, of the members of its JWK. */
export const pemOf = (jwk: Readonly<Record<string, unknown>>): string =>
  createPrivateKey({ key: jwk, format: "jwk" }).export({ type: "pkcs8", format: "pem" }).toString()
