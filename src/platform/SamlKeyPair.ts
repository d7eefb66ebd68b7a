import { Effect } from "effect"
import { Entropy } from "./Entropy.ts"
import { selfSignedCertificate } from "./SelfSignedCertificate.ts"
import { Signer } from "./Signer.ts"

/** A key pair of a service provider: it signs requests and decrypts assertions. */
export interface SamlKeyPair {
  /** The private key in PEM (PKCS #8). */
  readonly privateKey: string
  /** The certificate in DER as base64. */
  readonly certificate: string
}

const SERIAL_LENGTH = 15

/** Generates an RSA key pair of 2,048 bits with a self-signed certificate. The times are in Unix milliseconds. */
export const newSamlKeyPair = Effect.fn("SamlKeyPair.generate")(function* (options: {
  /** The common name of the certificate, which people see at their provider. */
  readonly name: string
  readonly notBefore: number
  readonly notAfter: number
}) {
  const signer = yield* Signer
  const entropy = yield* Entropy
  const { secret: privateKey } = yield* signer.generate("rs256")
  const certificate = selfSignedCertificate({ ...options, privateKey, serialNumber: entropy.bytes(SERIAL_LENGTH) })
  const pair: SamlKeyPair = { privateKey, certificate }
  return pair
})
