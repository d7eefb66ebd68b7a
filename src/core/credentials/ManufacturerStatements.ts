import { hash, verify, X509Certificate } from "node:crypto"
import { constantTimeEqual } from "#platform/Tokens"
import { childrenOf, type Der, readDer } from "./Der.ts"

/** The JWK members that make up a public key. */
const jwkMembers = ["x", "y", "n", "e"] as const

/**
 * An attestation statement in the format of a single manufacturer (WebAuthn Level 3), with a certificate chain that ends at
 * one of the manufacturer's roots.
 */
export interface ManufacturerStatement {
  readonly format: string
  /** The passkey's certificate, as DER. */
  readonly certificate: Uint8Array
  /** The signature, if the format has one. */
  readonly signature: Uint8Array | undefined
  readonly algorithm: number | undefined
  readonly authData: Uint8Array
  readonly clientDataHash: Uint8Array
  /** The public key of the passkey. */
  readonly key: { readonly [Part in (typeof jwkMembers)[number]]?: string | undefined }
}

const SEQUENCE = "30"
const SET = "31"
const OCTETS = "04"
const EXTENSIONS = "a3"

const oids = { androidKey: "2b06010401d679020111", apple: "2a864886f763640802" }

/** Returns the value of a certificate's extension, or undefined if the certificate doesn't have the extension. */
const extensionOf = (certificate: Uint8Array, oid: string): Uint8Array | undefined => {
  const body = childrenOf(childrenOf(readDer(certificate), SEQUENCE), SEQUENCE)
  const extensions = childrenOf(childrenOf(body, EXTENSIONS), SEQUENCE).map(({ content }) => readDer(content))
  const found = extensions.find(([id]) => id !== undefined && Buffer.from(id.content).toString("hex") === oid)
  return found?.at(-1)?.content
}

const isKeyOf = (certificate: Uint8Array, key: ManufacturerStatement["key"]): boolean => {
  const own = new X509Certificate(certificate).publicKey.export({ format: "jwk" })
  return (["x", "y", "n", "e"] as const).every((member) => own[member] === key[member])
}

/** The COSE algorithms that use SHA-256: ES256 and RS256. */
const sha256Algorithms = [-7, -257]

const isSigned = ({ certificate, signature, algorithm, authData, clientDataHash }: ManufacturerStatement): boolean =>
  signature !== undefined &&
  algorithm !== undefined &&
  sha256Algorithms.includes(algorithm) &&
  verify("sha256", Buffer.concat([authData, clientDataHash]), new X509Certificate(certificate).publicKey, signature)

/** The tags in an Android authorization list: the key's purposes, whether every app may use the key, and the key's origin. */
const tags = { purpose: "a1", allApplications: "bf8458", origin: "bf853e" }

const SIGNING = 2
const GENERATED = 0

const numbersIn = (list: ReadonlyArray<Der>): ReadonlyArray<number> =>
  list.map(({ content }) => Number.parseInt(Buffer.from(content).toString("hex"), 16))

/** Returns whether Android Keystore generated the key on the device for this registration, for signing only in one app. */
const isFromAndroid = (statement: ManufacturerStatement): boolean => {
  const extension = extensionOf(statement.certificate, oids.androidKey)
  if (extension === undefined) return false
  const description = childrenOf(readDer(extension), SEQUENCE)
  const [challenge, lists] = [description[4], description.slice(6, 8).map(({ content }) => readDer(content))]
  const purposes = lists.flatMap((list) => numbersIn(childrenOf(childrenOf(list, tags.purpose), SET)))
  const origins = lists.flatMap((list) => numbersIn(childrenOf(list, tags.origin)))
  return (
    challenge?.tag === OCTETS &&
    constantTimeEqual(challenge.content, statement.clientDataHash) &&
    lists.every((list) => list.every(({ tag }) => tag !== tags.allApplications)) &&
    purposes.includes(SIGNING) &&
    origins.length > 0 &&
    origins.every((origin) => origin === GENERATED) &&
    isSigned(statement)
  )
}

/** Returns whether Apple issued the certificate for this registration. */
const isFromApple = ({ certificate, authData, clientDataHash }: ManufacturerStatement): boolean => {
  const extension = extensionOf(certificate, oids.apple)
  if (extension === undefined) return false
  const [nonce] = childrenOf(childrenOf(readDer(extension), SEQUENCE), "a1")
  const expected = hash("sha256", Buffer.concat([authData, clientDataHash]), "buffer")
  return nonce?.tag === OCTETS && constantTimeEqual(nonce.content, expected)
}

/** Returns whether a statement attests this passkey in this registration. Throws if the statement can't be parsed. */
export const matchesPasskey = (statement: ManufacturerStatement): boolean =>
  isKeyOf(statement.certificate, statement.key) &&
  (statement.format === "apple" ? isFromApple(statement) : isFromAndroid(statement))
