import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import type { JWK } from "jose"
import type { Cbor } from "./Cbor.ts"

/** The common algorithms of passkeys, by their names in RFC 7518 and RFC 8037. */
export type PasskeyAlgorithm = "ES256" | "EdDSA" | "RS256"

interface Algorithm {
  /** The COSE number of the algorithm. */
  readonly cose: number
  readonly make: () => { readonly privateKey: KeyObject; readonly publicKey: KeyObject }
  /** Returns the COSE public key (RFC 9053): the key type, the algorithm, and the members of the key type. */
  readonly publicKey: (key: JWK) => ReadonlyArray<readonly [number, Cbor]>
  readonly digest: "sha256" | null
}

const bytes = (text: string | undefined): Buffer => Buffer.from(text ?? "", "base64url")

export const passkeyAlgorithms: { readonly [Name in PasskeyAlgorithm]: Algorithm } = {
  ES256: {
    cose: -7,
    make: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
    publicKey: ({ x, y }) => [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)]
    ],
    digest: "sha256"
  },
  EdDSA: {
    cose: -8,
    make: () => generateKeyPairSync("ed25519"),
    publicKey: ({ x }) => [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytes(x)]
    ],
    digest: null
  },
  RS256: {
    cose: -257,
    make: () => generateKeyPairSync("rsa", { modulusLength: 2_048 }),
    publicKey: ({ n, e }) => [
      [1, 3],
      [3, -257],
      [-1, bytes(n)],
      [-2, bytes(e)]
    ],
    digest: "sha256"
  }
}

/** The key pair of a passkey. */
export interface PasskeyKey {
  readonly algorithm: PasskeyAlgorithm
  /** The public key in the authenticators' format. */
  readonly cose: Cbor
  /** The public key in the browsers' format: SubjectPublicKeyInfo in DER. */
  readonly spki: Buffer
  readonly sign: (message: Uint8Array) => Buffer
}

export const makePasskeyKey = (algorithm: PasskeyAlgorithm): PasskeyKey => {
  const { make, publicKey: coseMembers, digest } = passkeyAlgorithms[algorithm]
  const { privateKey, publicKey } = make()
  return {
    algorithm,
    cose: new Map(coseMembers(publicKey.export({ format: "jwk" }))),
    spki: publicKey.export({ format: "der", type: "spki" }),
    sign: (message) => sign(digest, message, privateKey)
  }
}
