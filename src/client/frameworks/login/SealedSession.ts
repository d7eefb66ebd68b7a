import { EncryptJWT, jwtDecrypt } from "jose"

/** The content of a session cookie as an OpenID Connect client. */
export interface SealedSession {
  readonly idToken: string
  /** Missing if the client may not refresh its tokens. */
  readonly refreshToken?: string
  /** When the session ends at the latest, in Unix seconds. */
  readonly expiresAt: number
}

/** Encrypts the content of session cookies, so that browsers and their extensions never see a refresh token. */
export interface Sealing {
  readonly seal: (session: SealedSession) => Promise<string>
  /** Undefined if the cookie was not sealed with the same secret. */
  readonly open: (value: string) => Promise<SealedSession | undefined>
}

const bytes = (text: string) => new TextEncoder().encode(text)

/** Derives the key from the client's secret (RFC 5869). */
const keyOf = async (clientSecret: string, context: string): Promise<Uint8Array> => {
  const secret = await crypto.subtle.importKey("raw", bytes(clientSecret), "HKDF", false, ["deriveBits"])
  const info = bytes("sallyport/hosted-login/session")
  const derivation = { name: "HKDF", hash: "SHA-256", salt: bytes(context), info }
  return new Uint8Array(await crypto.subtle.deriveBits(derivation, secret, 256))
}

/** Creates the encryption. `context`: what else the key depends on, such as the client. */
export const sealing = (clientSecret: string, context: string): Sealing => {
  let derived: Promise<Uint8Array> | undefined
  const key = () => (derived ??= keyOf(clientSecret, context))
  return {
    seal: async ({ idToken, refreshToken, expiresAt }) =>
      new EncryptJWT({
        id: idToken,
        ...(refreshToken === undefined ? {} : { refresh: refreshToken }),
        until: expiresAt
      })
        .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
        .encrypt(await key()),
    open: async (value) => {
      const algorithms = { keyManagementAlgorithms: ["dir"], contentEncryptionAlgorithms: ["A256GCM"] }
      const opened = await jwtDecrypt(value, await key(), algorithms).catch(() => undefined)
      const { id, refresh, until } = opened?.payload ?? {}
      if (typeof id !== "string" || typeof until !== "number") return undefined
      return { idToken: id, ...(typeof refresh === "string" ? { refreshToken: refresh } : {}), expiresAt: until }
    }
  }
}
