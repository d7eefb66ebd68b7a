import { base64url, type CryptoKey } from "jose"

/** Whether a base64url signature matches a text. */
export type SignatureCheck = (text: string, signature: string) => boolean | Promise<boolean>

/** A runtime's implementation for decoding tokens and checking their signatures. */
export interface TokenCrypto {
  /** Decodes a canonical part of a token. */
  textOf(part: string): string
  /** Checks HS256 with a secret. */
  withSecret(secret: Uint8Array<ArrayBuffer>): SignatureCheck
  /** Checks RS256 with an exportable public key. */
  withPublicKey(key: CryptoKey): SignatureCheck
}

const RSA = "RSASSA-PKCS1-v1_5"

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** The implementation for all runtimes. It is asynchronous, which takes more time than the check itself. */
export const webCrypto: TokenCrypto = {
  textOf: (part) => new TextDecoder().decode(base64url.decode(part)),

  withSecret: (secret) => {
    const key = crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["verify"])
    return async (text, signature) =>
      crypto.subtle.verify("HMAC", await key, new Uint8Array(base64url.decode(signature)), bytesOf(text))
  },

  withPublicKey: (key) => (text, signature) =>
    crypto.subtle.verify(RSA, key, new Uint8Array(base64url.decode(signature)), bytesOf(text))
}

/** Detects Node.js, as opposed to runtimes that imitate it. */
const nodeProcess = (): NodeJS.Process | undefined => {
  const { process }: { readonly process?: NodeJS.Process } = globalThis
  const { versions } = process ?? {}
  return versions === undefined || "bun" in versions || "deno" in versions ? undefined : process
}

/**
 * Returns Node's faster, synchronous implementation. It is looked up at runtime, so that bundles for browsers don't
 * include it (C110).
 */
export const nodeCrypto = (): TokenCrypto | undefined => {
  const process = nodeProcess()
  const { Buffer } = process?.getBuiltinModule?.("node:buffer") ?? {}
  const node = process?.getBuiltinModule?.("node:crypto")
  if (node === undefined || Buffer === undefined) return undefined
  return {
    textOf: (part) => Buffer.from(part, "base64url").toString(),

    withSecret: (secret) => {
      const key = node.createSecretKey(secret)
      return (text, signature) => {
        const [given, right] = [
          Buffer.from(signature, "base64url"),
          node.createHmac("sha256", key).update(text).digest()
        ]
        return given.length === right.length && node.timingSafeEqual(given, right)
      }
    },

    withPublicKey: (key) => {
      const publicKey = node.KeyObject.from(key)
      return (text, signature) =>
        node.verify("sha256", Buffer.from(text), publicKey, Buffer.from(signature, "base64url"))
    }
  }
}
