import { Clock, Context, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { ClientAddress } from "#platform/ClientAddress"

const HOUR_MILLIS = 3_600_000

/** How many peers are remembered, so the most that are warned of within an hour. */
const MOST_PEERS = 100

const warning = (peer: string, header: string): string =>
  `${peer} forwards requests with ${header}, but is not listed in SALLYPORT_TRUSTED_PROXIES: everyone behind it counts ` +
  "as one address and shares its rate limits. If this is your proxy, add it there" +
  (header === "Forwarded" ? ", and make it send X-Forwarded-For, because Forwarded is not read." : ".")

/** Warns operators of a peer that looks like their own proxy but is not configured as trusted (SEC-100). */
export class UntrustedProxies extends Context.Service<
  UntrustedProxies,
  {
    /** Logs a warning where a request claims to be forwarded, once an hour for each peer. */
    warn(request: HttpServerRequest.HttpServerRequest): Effect.Effect<void>
  }
>()("sallyport/http/UntrustedProxies") {
  static readonly layer = Layer.effect(
    UntrustedProxies,
    Effect.gen(function* () {
      const addresses = yield* ClientAddress
      const clock = yield* Clock.Clock
      // When each peer was last warned of, the oldest first.
      const warnedAt = new Map<string, number>()

      const isDue = (peer: string): boolean => {
        const now = clock.currentTimeMillisUnsafe()
        for (const [known, at] of warnedAt) if (now - at >= HOUR_MILLIS) warnedAt.delete(known)
        if (warnedAt.has(peer) || warnedAt.size >= MOST_PEERS) return false
        warnedAt.set(peer, now)
        return true
      }

      return UntrustedProxies.of({
        warn: ({ headers, peerAddress }) => {
          const named = headers["x-forwarded-for"] !== undefined
          if (!named && headers["forwarded"] === undefined) return Effect.void
          const peer = addresses.untrustedPrivatePeer(Option.getOrUndefined(peerAddress))
          if (peer === undefined || !isDue(peer)) return Effect.void
          return Effect.logWarning(warning(peer, named ? "X-Forwarded-For" : "Forwarded"))
        }
      })
    })
  )
}
