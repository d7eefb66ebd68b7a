import { createHmac } from "node:crypto"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

const bytesOf = (base32: string): Uint8Array => {
  const bits = Array.from(base32, (character) => alphabet.indexOf(character).toString(2).padStart(5, "0")).join("")
  return Uint8Array.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/**
 * Returns a TOTP device's six-digit code at the given time (Unix milliseconds). Computed as in RFC 6238, without the library
 * that the service uses.
 */
export const codeAt = (secret: string, millis: number = STARTS_AT): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(millis / 30_000)))
  const digest = createHmac("sha1", bytesOf(secret)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, "0")
}

/** A code that the device doesn't show at or near this time. */
export const wrongCodeAt = (secret: string, millis: number = STARTS_AT): string => {
  const near = [-60_000, -30_000, 0, 30_000, 60_000].map((off) => codeAt(secret, millis + off))
  return ["000000", "111111", "222222", "333333", "444444", "555555"].find((code) => !near.includes(code)) ?? "999999"
}

/** Creates a credential for a test and returns the response. */
export const newCredential = async (
  realm: GivenRealm,
  userId: string,
  attributes: Readonly<Record<string, unknown>>
): Promise<Reply> => {
  const made = await realm.post("/v2/credentials", { credential: { user_id: userId, ...attributes } })
  if (made.status !== 201) throw new Error(`A preparation failed: ${made.status} ${made.text}`)
  return made
}

/** Creates a TOTP device for a user. */
export const newDevice = (realm: GivenRealm, userId: string): Promise<Reply> =>
  newCredential(realm, userId, { credential_type: "totp", name: uniqueText("Phone") })

/** Creates an API user. */
export const newApiUser = async (realm: GivenRealm): Promise<Reply> => {
  const made = await realm.post("/v1/users", { user: { user_type: "api" } })
  if (made.status !== 201) throw new Error(`A preparation failed: ${made.status} ${made.text}`)
  return made
}
