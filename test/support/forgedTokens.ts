import { createHmac } from "node:crypto"

/** Encodes one part of a token. */
export const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

const hmac = (secret: string | null, input: string) =>
  createHmac("sha256", secret ?? "")
    .update(input)
    .digest("base64url")

/** Builds a token from arbitrary parts. */
export const forged = (header: unknown, claims: unknown, secret: string | null) => {
  const input = `${encode(header)}.${encode(claims)}`
  return `${input}.${hmac(secret, input)}`
}
