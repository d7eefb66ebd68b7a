import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto"
import { promisify } from "node:util"
import { Effect } from "effect"
import { type JwtAlgorithm, rsaProblems, secretProblems } from "#domain/JwtKey"
import { Rejected, rejected } from "#domain/Rejected"
import type { KeyMaterial } from "#platform/Signer"

const privateKeyIn = (pem: string): KeyObject | undefined => {
  try {
    const key = createPrivateKey(pem.trim())
    return key.asymmetricKeyType === "rsa" ? key : undefined
  } catch {
    return undefined
  }
}

const probe = Buffer.from("probe")

const signed = promisify(sign)

/** Whether what the one signs the other verifies: parsing does not look whether the parts of a key fit together. */
const fit = (privateKey: KeyObject, publicKey: KeyObject): Effect.Effect<boolean> =>
  Effect.tryPromise(async () => verify("sha256", probe, publicKey, await signed("sha256", probe, privateKey))).pipe(
    Effect.catch(() => Effect.succeed(false))
  )

const rsa = Effect.fnUntraced(function* (pem: string) {
  const privateKey = privateKeyIn(pem)
  if (privateKey === undefined) return yield* rejected("key", "rsa_private_key")
  const publicKey = createPublicKey(privateKey)
  const problems = rsaProblems({
    modulus: publicKey.export({ format: "jwk" }).n ?? "",
    bits: publicKey.asymmetricKeyDetails?.modulusLength ?? 0,
    exponent: publicKey.asymmetricKeyDetails?.publicExponent ?? 0n
  })
  if (problems.length > 0) return yield* new Rejected({ problems })
  if (!(yield* fit(privateKey, publicKey))) return yield* rejected("key", "rsa_private_key")
  const material: KeyMaterial = {
    algo: "rs256",
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
    secret: privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  }
  return material
})

const hmac = (secret: string): Effect.Effect<KeyMaterial, Rejected> => {
  const problems = secretProblems(secret)
  return problems.length > 0
    ? Effect.fail(new Rejected({ problems }))
    : Effect.succeed({ algo: "hs256", publicKey: null, secret })
}

/** What a key of a caller's own consists of: an hs256 secret, or an RSA private key as PEM; refused when unfit (SEC-43). */
export const givenKey = (algo: JwtAlgorithm, key: string): Effect.Effect<KeyMaterial, Rejected> =>
  algo === "hs256" ? hmac(key) : rsa(key)
