import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPair,
  type KeyObject,
  sign,
  verify
} from "node:crypto"
import { Context, Effect, Layer } from "effect"
import type { Claims } from "#domain/Claims"
import type { JwtKeyId } from "#domain/Ids"
import { type JwtAlgorithm, type JwtKey, verificationKeyOf } from "#domain/JwtKey"
import { Entropy } from "./Entropy.ts"
import { constantTimeEqual, randomSecret } from "./Tokens.ts"

/** An imported key, ready to sign and verify tokens. */
export interface ImportedKey {
  /** Signs claims as a JWT in compact form. `type` is its `typ` header, `JWT` by default. */
  sign(claims: Claims, type?: string): Effect.Effect<string>
  /** Returns whether a JWT in compact form was signed by this key. */
  verifies(token: string): Effect.Effect<boolean>
  /** Returns the imported secret, in the form of `JwtKey`. */
  exportSecret(): string | null
  /** Returns the verification key, in the form of `verificationKeyOf`. */
  exportVerificationKey(): string | null
}

/** A public key in a JWKS. `x5c[0]` is the SPKI in base64, as expected by existing SDKs (C30). */
export type PublicJwk = Readonly<Record<string, unknown>>

/** The material of a new key. */
export type KeyMaterial = Pick<JwtKey, "algo" | "publicKey"> & { readonly secret: string }

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

const hmac = (secret: KeyObject, input: string) => createHmac("sha256", secret).update(input).digest()

/** The parts of a JWT in compact form: the signed text and the signature. */
const partsOf = (token: string) => {
  const end = token.lastIndexOf(".")
  return { signed: token.slice(0, end), signature: Buffer.from(token.slice(end + 1), "base64url") }
}

const hs256 = (kid: JwtKeyId, text: string): ImportedKey => {
  const headerOf = (typ: string) => base64url({ alg: "HS256", kid, typ })
  const defaultHeader = headerOf("JWT")
  const secret = createSecretKey(text, "utf8")
  return {
    sign: (claims, type) =>
      Effect.sync(() => {
        const header = type === undefined ? defaultHeader : headerOf(type)
        const input = `${header}.${base64url(claims)}`
        return `${input}.${hmac(secret, input).toString("base64url")}`
      }),
    verifies: (token) =>
      Effect.sync(() => {
        const { signed, signature } = partsOf(token)
        return constantTimeEqual(hmac(secret, signed), signature)
      }),
    exportSecret: () => text,
    exportVerificationKey: () => text
  }
}

const verifiesRsa = (publicKey: KeyObject, token: string) =>
  Effect.sync(() => {
    const { signed, signature } = partsOf(token)
    return verify("sha256", Buffer.from(signed), publicKey, signature)
  })

/** An rs256 key. To save memory, it stores only the private key, without the imported text or any derived value (C215). */
class RsaKey implements ImportedKey {
  readonly #kid: JwtKeyId
  readonly #privateKey: KeyObject

  constructor(kid: JwtKeyId, privateKey: KeyObject) {
    this.#kid = kid
    this.#privateKey = privateKey
  }

  sign(claims: Claims, typ = "JWT"): Effect.Effect<string> {
    return Effect.callback((resume) => {
      const input = `${base64url({ alg: "RS256", kid: this.#kid, typ })}.${base64url(claims)}`
      // Runs on another thread, because it takes a while.
      sign("sha256", Buffer.from(input), this.#privateKey, (error, signature) =>
        resume(error === null ? Effect.succeed(`${input}.${signature.toString("base64url")}`) : Effect.die(error))
      )
    })
  }

  verifies(token: string): Effect.Effect<boolean> {
    return Effect.suspend(() => verifiesRsa(createPublicKey(this.#privateKey), token))
  }

  exportSecret(): string {
    return this.#privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  }

  exportVerificationKey(): string {
    return createPublicKey(this.#privateKey).export({ type: "spki", format: "pem" }).toString()
  }
}

/** A key whose secret cannot be decrypted. An rs256 key can still verify tokens. */
const unreadableKey = (key: JwtKey): ImportedKey => ({
  sign: () => Effect.die(new Error(`The secret of the JWT key ${key.id} can't be decrypted.`)),
  verifies: (token) =>
    key.publicKey === null ? Effect.succeed(false) : verifiesRsa(createPublicKey(key.publicKey), token),
  exportSecret: () => null,
  exportVerificationKey: () => verificationKeyOf(key)
})

const importKey = (key: JwtKey): ImportedKey => {
  if (key.secret === null) return unreadableKey(key)
  return key.algo === "hs256" ? hs256(key.id, key.secret) : new RsaKey(key.id, createPrivateKey(key.secret))
}

/** Signs tokens and generates keys with node:crypto (C30, C31a, C215). */
export class Signer extends Context.Service<
  Signer,
  {
    /** Imports a key. If its secret cannot be decrypted, the key cannot sign. */
    load(key: JwtKey): Effect.Effect<ImportedKey>
    /** Generates a key: an hs256 secret (`jsk_…`) of 256 bits, or an RSA key of 2048 bits. */
    generate(algo: JwtAlgorithm): Effect.Effect<KeyMaterial>
    /** Returns the JWK for an rs256 key's public key. */
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
        load: (key) => Effect.sync(() => importKey(key)),
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
