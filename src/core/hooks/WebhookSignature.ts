import { createHmac, createSecretKey, type KeyObject } from "node:crypto"
import { DateTime } from "effect"
import type { Entropy } from "#platform/Entropy"
import type { HookSecrets } from "#store/hooks/AppHooksRepo"

const PREFIX = "whsec_"

/** The length of a secret, in bytes. The Standard Webhooks specification allows 24 to 64 bytes. */
const SECRET_BYTES = 32

/** Generates a webhook secret: `whsec_`, followed by base64 (SEC-70). */
export const webhookSecret = (entropy: Entropy["Service"]): string =>
  PREFIX + Buffer.from(entropy.bytes(SECRET_BYTES)).toString("base64")

const keyOf = (secret: string): KeyObject => createSecretKey(secret.slice(PREFIX.length), "base64")

/** Returns the headers of a webhook request, except the signature. */
export const unsignedHeaders = (id: string, now: DateTime.Utc) => ({
  "content-type": "application/json",
  "user-agent": "Sallyport-Webhooks/1",
  "webhook-id": id,
  "webhook-timestamp": String(Math.floor(now.epochMilliseconds / 1000))
})

/** Returns the headers of a webhook request (Standard Webhooks): content type, ID, timestamp and signatures. */
export type Sign = (id: string, body: string, now: DateTime.Utc) => Readonly<Record<string, string>>

/**
 * Returns the signer for a hook's secrets. During a rotation it signs with both secrets. Returns undefined if the current
 * secret can't be decrypted, because receivers can't trust an unsigned request.
 */
export const signerFor = ({ current, previous }: HookSecrets): Sign | undefined => {
  if (current === null) return undefined
  const key = keyOf(current)
  const before = previous === null ? undefined : { key: keyOf(previous.secret), until: previous.until }
  return (id, body, now) => {
    const unsigned = unsignedHeaders(id, now)
    const timestamp = unsigned["webhook-timestamp"]
    const keys = before !== undefined && DateTime.isGreaterThan(before.until, now) ? [key, before.key] : [key]
    const signatures = keys.map(
      (each) => `v1,${createHmac("sha256", each).update(`${id}.${timestamp}.${body}`).digest("base64")}`
    )
    return { ...unsigned, "webhook-signature": signatures.join(" ") }
  }
}
