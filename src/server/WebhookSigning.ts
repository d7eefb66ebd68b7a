import { DateTime, Effect } from "effect"
import { signerFor, webhookSecret } from "#core/hooks/WebhookSignature"
import { Entropy } from "#platform/Entropy"

/** Generates a webhook secret like that of a new hook. */
export const newWebhookSecret: Effect.Effect<string> = Effect.map(Entropy, webhookSecret).pipe(
  Effect.provide(Entropy.layer)
)

/**
 * Returns the headers of a webhook request as the service would send it now. `secret` begins with `whsec_`; `id` is the
 * same for each attempt.
 */
export const signedHeaders = Effect.fnUntraced(function* (secret: string, id: string, body: string) {
  const sign = signerFor({ current: secret, previous: null })
  return sign?.(id, body, yield* DateTime.now) ?? {}
})
