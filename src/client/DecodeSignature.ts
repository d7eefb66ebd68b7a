import { base64url, type CryptoKey } from "jose"

/** Whether a signature, in base64url, is that of a text. */
export type SignatureCheck = (text: string, signature: string) => boolean | Promise<boolean>

/** How a runtime reads tokens and checks their signatures. */
export interface TokenCrypto {
  /** The text in a canonical part of a token. */
  textOf(part: string): string
  /** HS256 with a secret. */
  withSecret(secret: Uint8Array<ArrayBuffer>): SignatureCheck
  /** RS256 with a public key, which can be exported. */
  withPublicKey(key: CryptoKey): SignatureCheck
}

const RSA = "RSASSA-PKCS1-v1_5"

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** What every runtime has: it works in the background, which takes longer than the check itself. */
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

/** Node, told from runtimes that imitate it. */
const nodeProcess = (): NodeJS.Process | undefined => {
  const { process }: { readonly process?: NodeJS.Process } = globalThis
  const { versions } = process ?? {}
  return versions === undefined || "bun" in versions || "deno" in versions ? undefined : process
}

/** What Node has besides: it answers at once. Asked for at run time, so that a bundle for browsers has none of it (C110). */
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
