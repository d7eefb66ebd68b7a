import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from "node:crypto"

/** A signing key in its stored form. */
export interface StoredKey {
  readonly realm_id: string
  readonly id: string
  readonly secret: string
}

const dataOf = ({ realm_id, id }: Pick<StoredKey, "realm_id" | "id">) =>
  Buffer.from(JSON.stringify(["jwt_keys", "secret", id, realm_id]))

/** Encrypts a realm's private key for another realm, as the service with this `SALLYPORT_SECRET` would. */
export const resealed = (secretText: string, key: StoredKey, to: Pick<StoredKey, "realm_id" | "id">): StoredKey => {
  const sealingKey = createSecretKey(
    new Uint8Array(hkdfSync("sha256", secretText, "", "sallyport secrets at rest v1", 32))
  )
  const at = key.secret.lastIndexOf(".") + 1
  const bytes = Buffer.from(key.secret.slice(at), "base64url")
  const decipher = createDecipheriv("aes-256-gcm", sealingKey, bytes.subarray(0, 12), { authTagLength: 16 })
    .setAAD(dataOf(key))
    .setAuthTag(bytes.subarray(12, 28))
  const plain = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()])
  const nonce = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", sealingKey, nonce, { authTagLength: 16 }).setAAD(dataOf(to))
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  const secret = key.secret.slice(0, at) + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url")
  return { ...to, secret }
}
