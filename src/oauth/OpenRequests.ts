import { Effect } from "effect"
import { RateLimits } from "#core/limits/RateLimits"
import type { OAuthRequest } from "./Endpoint.ts"

/**
 * Counts a request that is kept until a browser completes it, and whose sender has proved nothing: for its address, and for the
 * realm, so that nobody fills the database (SEC-197).
 */
export const openRequests = Effect.map(RateLimits, (rateLimits) =>
  Effect.fnUntraced(function* ({ realm, client }: OAuthRequest) {
    yield* rateLimits.take("open_requests", `${realm.id} ${client.key}`, realm.limits)
    yield* rateLimits.take("open_requests_total", realm.id, realm.limits)
  })
)
