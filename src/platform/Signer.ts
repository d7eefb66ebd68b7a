import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPair,
  type KeyObject
} from "node:crypto"
import { Context, Effect, Layer } from "effect"
import { CompactSign, compactVerify } from "jose"
import type { Claims } from "#domain/Claims"
import type { JwtAlgorithm, JwtKey } from "#domain/JwtKey"
import { Entropy } from "./Entropy.ts"
import { constantTimeEqual, randomSecret } from "./Tokens.ts"

/** An imported key, ready to sign and verify. */
export interface SigningKey {
  readonly key: JwtKey
  /** Signs claims as a JWT in compact form. `type`: its `typ`, `JWT` unless given. */
  sign(claims: Claims, type?: string): Effect.Effect<string>
  /** Whether this key signed a JWT in compact form. */
  verifies(token: string): Effect.Effect<boolean>
}

/** A public key in a JWKS. `x5c[0]` is the base64 SPKI that existing SDKs read (C30). */
export type PublicJwk = Readonly<Record<string, unknown>>

/** The material of a new key. */
export type KeyMaterial = Pick<JwtKey, "algo" | "publicKey"> & { readonly secret: string }

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

const hmac = (secret: KeyObject, input: string) => createHmac("sha256", secret).update(input).digest()

const noSecret = (key: JwtKey) => Effect.die(new Error(`The secret of the JWT key ${key.id} can't be decrypted.`))

const hs256 = (key: JwtKey): SigningKey => {
  if (key.secret === null) return { key, sign: () => noSecret(key), verifies: () => Effect.succeed(false) }
  const headerOf = (typ: string) => base64url({ alg: "HS256", kid: key.id, typ })
  const usual = headerOf("JWT")
  const secret = createSecretKey(key.secret, "utf8")
  return {
    key,
    sign: (claims, type) =>
      Effect.sync(() => {
        const header = type === undefined ? usual : headerOf(type)
        const input = `${header}.${base64url(claims)}`
        return `${input}.${hmac(secret, input).toString("base64url")}`
      }),
    verifies: (token) =>
      Effect.sync(() => {
        const end = token.lastIndexOf(".")
        return constantTimeEqual(hmac(secret, token.slice(0, end)), Buffer.from(token.slice(end + 1), "base64url"))
      })
  }
}

const rs256 = (key: JwtKey): SigningKey => {
  const pem = key.publicKey ?? key.secret
  const publicKey = pem === null ? undefined : createPublicKey(pem)
  const privateKey = key.secret === null ? undefined : createPrivateKey(key.secret)
  return {
    key,
    sign: (claims, typ = "JWT") =>
      privateKey === undefined
        ? noSecret(key)
        : Effect.promise(() =>
            new CompactSign(Buffer.from(JSON.stringify(claims)))
              .setProtectedHeader({ alg: "RS256", kid: key.id, typ })
              .sign(privateKey)
          ),
    verifies: (token) =>
      publicKey === undefined
        ? Effect.succeed(false)
        : Effect.promise(() =>
            compactVerify(token, publicKey, { algorithms: ["RS256"] }).then(
              () => true,
              () => false
            )
          )
  }
}

/** Signs tokens and generates keys: hs256 with node:crypto, for speed, and rs256 with jose (C30, C31a). */
export class Signer extends Context.Service<
  Signer,
  {
    load(key: JwtKey): Effect.Effect<SigningKey>
    /** Generates a key: an hs256 secret `jsk_…` of 256 bits, or an RSA key of 2048 bits. */
    generate(algo: JwtAlgorithm): Effect.Effect<KeyMaterial>
    /** The JWK of an rs256 key, given its public key. */
    publicJwk(publicKey: string, kid: string): Effect.Effect<PublicJwk>
  }
>()("sallyport/platform/Signer") {
  static readonly layer = Layer.effect(
    Signer,
    Effect.gen(function* () {
      const entropy = yield* Entropy

      const rsaPair = Effect.callback<KeyMaterial>((resume) =>
        generateKeyPair(
          "rsa",
          {
            modulusLength: 2048,
            publicKeyEncoding: { type: "spki", format: "pem" },
            privateKeyEncoding: { type: "pkcs8", format: "pem" }
          },
          (error, publicKey, secret) =>
            resume(error === null ? Effect.succeed({ algo: "rs256", publicKey, secret }) : Effect.die(error))
        )
      )

      return Signer.of({
        load: (key) => Effect.sync(() => (key.algo === "hs256" ? hs256(key) : rs256(key))),
        generate: (algo) =>
          algo === "rs256"
            ? rsaPair
            : Effect.sync(() => ({ algo, publicKey: null, secret: `jsk_${randomSecret(entropy)}` })),
        publicJwk: (pem, kid) =>
          Effect.sync(() => {
            const publicKey = createPublicKey(pem)
            const spki = publicKey.export({ type: "spki", format: "der" }).toString("base64")
            return { ...publicKey.export({ format: "jwk" }), use: "sig", alg: "RS256", kid, x5c: [spki] }
          })
      })
    })
  )
}
