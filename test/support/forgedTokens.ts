import { createHmac } from "node:crypto"

/** A part of a token. */
export const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

const hmac = (secret: string | null, input: string) =>
  createHmac("sha256", secret ?? "")
    .update(input)
    .digest("base64url")

/** A token put together by hand. */
export const forged = (header: unknown, claims: unknown, secret: string | null) => {
  const input = `${encode(header)}.${encode(claims)}`
  return `${input}.${hmac(secret, input)}`
}
