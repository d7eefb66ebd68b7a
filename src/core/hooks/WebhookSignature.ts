import { createHmac } from "node:crypto"
import { DateTime } from "effect"
import type { Entropy } from "../Entropy.ts"
import type { HookSecrets } from "./AppHooksRepo.ts"

const PREFIX = "whsec_"

/** The bytes of randomness in a secret, between the 24 and 64 of the Standard Webhooks specification. */
const SECRET_BYTES = 32

/** A fresh secret of a webhook: `whsec_` and base64 (SEC-70). */
export const webhookSecret = (entropy: Entropy["Service"]): string =>
  PREFIX + Buffer.from(entropy.bytes(SECRET_BYTES)).toString("base64")

const signature = (secret: string, signed: string): string => {
  const key = Buffer.from(secret.slice(PREFIX.length), "base64")
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`
}

/** The headers of a post by the Standard Webhooks specification: while a rotation is under way both secrets sign. */
export const signedHeaders = (secrets: HookSecrets, id: string, body: string, now: DateTime.Utc) => {
  const timestamp = String(Math.floor(now.epochMilliseconds / 1000))
  const signed = `${id}.${timestamp}.${body}`
  const { current, previous } = secrets
  const alive =
    previous !== null && DateTime.isGreaterThan(previous.until, now) ? [current, previous.secret] : [current]
  return {
    "content-type": "application/json",
    "user-agent": "Sallyport-Webhooks/1",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": alive.map((secret) => signature(secret, signed)).join(" ")
  }
}
