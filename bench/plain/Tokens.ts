import { createDecipheriv, createHmac, createSecretKey, hkdfSync } from "node:crypto"
import type { UserRow } from "./Database.ts"

export interface JwtKeyRow {
  readonly id: string
  readonly realm_id: string
  readonly secret: string
  readonly expired_at: Date | null
}

const secretText = process.env.SALLYPORT_SECRET ?? ""
const sealingKey = createSecretKey(
  new Uint8Array(hkdfSync("sha256", secretText, "", "sallyport secrets at rest v1", 32))
)
const publicUrl = process.env.SALLYPORT_PUBLIC_URL ?? ""

/**
 * Decrypts a key's secret, which the service encrypted with AES-256-GCM. The additional data consists of the table, the
 * column and the ids.
 */
const unseal = ({ realm_id, id, secret }: JwtKeyRow): string => {
  const bytes = Buffer.from(secret.slice(secret.lastIndexOf(".") + 1), "base64url")
  const decipher = createDecipheriv("aes-256-gcm", sealingKey, bytes.subarray(0, 12), { authTagLength: 16 })
    .setAAD(Buffer.from(JSON.stringify(["jwt_keys", "secret", id, realm_id])))
    .setAuthTag(bytes.subarray(12, 28))
  return decipher.update(bytes.subarray(28), undefined, "utf8") + decipher.final("utf8")
}

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

/** Signs claims. The key is imported just once. */
export type SigningKey = (claims: object) => string

export const signingKeyOf = (row: JwtKeyRow): SigningKey => {
  const header = base64url({ alg: "HS256", kid: row.id, typ: "JWT" })
  const secret = createSecretKey(unseal(row), "utf8")
  return (claims) => {
    const input = `${header}.${base64url(claims)}`
    return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`
  }
}

const seconds = (millis: number) => Math.floor(millis / 1_000)

/** The claims of a login token. */
export const claimsOf = (sessionId: string, user: UserRow, issuedAt: number, expiresAt: Date | null) => ({
  iss: `${publicUrl}/realms/${user.realm_id}`,
  sub: user.id,
  rid: user.realm_id,
  sid: sessionId,
  iat: seconds(issuedAt),
  preferred_username: user.username,
  given_name: user.first_name,
  family_name: user.last_name,
  name: user.name,
  email: user.email,
  email_verified: user.email_verification === "verified",
  ref: user.reference,
  ...(expiresAt === null ? {} : { exp: seconds(expiresAt.getTime()) })
})
