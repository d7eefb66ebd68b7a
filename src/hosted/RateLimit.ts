import { Effect } from "effect"
import { RateLimits } from "#core/limits/RateLimits"
import type { HostedRequest } from "./RequestShell.ts"

/** Counts a passkey login started by a page, per client address, and rejects it above the realm's limit (C136). */
export const challengeLimiter = Effect.map(
  RateLimits,
  (rateLimits) =>
    ({ context: { realm }, client: { key } }: HostedRequest) =>
      rateLimits.take("passkey_challenges", `${realm.id} ${key}`, realm.limits)
)

/** Counts a use of credentials, per client address, and rejects it above the realm's limits (C45). */
export const rateLimiter = Effect.gen(function* () {
  const rateLimits = yield* RateLimits
  return Effect.fnUntraced(function* ({ context: { realm }, client: { key } }: HostedRequest) {
    yield* rateLimits.take("hosted", `${realm.id} ${key}`, realm.limits)
    yield* rateLimits.take("hosted_sustained", `${realm.id} ${key}`, realm.limits)
  })
})
