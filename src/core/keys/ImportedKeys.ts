import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto"
import { promisify } from "node:util"
import { Effect } from "effect"
import { type JwtAlgorithm, rsaProblems, secretProblems } from "#domain/JwtKey"
import { Rejected, rejection } from "#domain/Rejected"
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

const signAsync = promisify(sign)

/** Returns whether two keys form a pair. Parsing a key doesn't check whether its parts belong together. */
const isKeyPair = (privateKey: KeyObject, publicKey: KeyObject): Effect.Effect<boolean> =>
  Effect.tryPromise(async () => verify("sha256", probe, publicKey, await signAsync("sha256", probe, privateKey))).pipe(
    Effect.catch(() => Effect.succeed(false))
  )

const importRsa = Effect.fnUntraced(function* (pem: string) {
  const privateKey = privateKeyIn(pem)
  if (privateKey === undefined) return yield* rejection("key", "rsa_private_key")
  const publicKey = createPublicKey(privateKey)
  const problems = rsaProblems({
    modulus: publicKey.export({ format: "jwk" }).n ?? "",
    bits: publicKey.asymmetricKeyDetails?.modulusLength ?? 0,
    exponent: publicKey.asymmetricKeyDetails?.publicExponent ?? 0n
  })
  if (problems.length > 0) return yield* new Rejected({ problems })
  if (!(yield* isKeyPair(privateKey, publicKey))) return yield* rejection("key", "rsa_private_key")
  const material: KeyMaterial = {
    algo: "rs256",
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
    secret: privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  }
  return material
})

const importHmac = (secret: string): Effect.Effect<KeyMaterial, Rejected> => {
  const problems = secretProblems(secret)
  return problems.length > 0
    ? Effect.fail(new Rejected({ problems }))
    : Effect.succeed({ algo: "hs256", publicKey: null, secret })
}

/** Imports a caller's key: an hs256 secret, or an RSA private key as PEM. Rejects unsafe keys (SEC-43). */
export const importKey = (algo: JwtAlgorithm, key: string): Effect.Effect<KeyMaterial, Rejected> =>
  algo === "hs256" ? importHmac(key) : importRsa(key)
