import { Clock, Context, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { ClientAddress } from "#platform/ClientAddress"

const HOUR_MILLIS = 3_600_000

/** How many peers are remembered, and told of within an hour. */
const MOST_PEERS = 100

const warning = (peer: string, header: string): string =>
  `${peer} forwards requests with ${header}, but is not listed in SALLYPORT_TRUSTED_PROXIES: everyone behind it counts ` +
  "as one address and shares its rate limits. If this is your proxy, add it there" +
  (header === "Forwarded" ? ", and make it send X-Forwarded-For, because Forwarded is not read." : ".")

/** Tells whoever runs the service of what looks like a proxy of theirs that is not believed (SEC-100). */
export class UntrustedProxies extends Context.Service<
  UntrustedProxies,
  {
    /** Warns of a request that says for whom it was forwarded, once an hour for each peer that does. */
    notice(request: HttpServerRequest.HttpServerRequest): Effect.Effect<void>
  }
>()("sallyport/http/UntrustedProxies") {
  static readonly layer = Layer.effect(
    UntrustedProxies,
    Effect.gen(function* () {
      const addresses = yield* ClientAddress
      const clock = yield* Clock.Clock
      // Oldest first: a peer that is told of again goes to the end.
      const told = new Map<string, number>()

      const isNews = (peer: string): boolean => {
        const now = clock.currentTimeMillisUnsafe()
        for (const [one, at] of told) if (now - at >= HOUR_MILLIS) told.delete(one)
        if (told.has(peer) || told.size >= MOST_PEERS) return false
        told.set(peer, now)
        return true
      }

      return UntrustedProxies.of({
        notice: ({ headers, peerAddress }) => {
          const named = headers["x-forwarded-for"] !== undefined
          if (!named && headers["forwarded"] === undefined) return Effect.void
          const peer = addresses.privateStranger(Option.getOrUndefined(peerAddress))
          if (peer === undefined || !isNews(peer)) return Effect.void
          return Effect.logWarning(warning(peer, named ? "X-Forwarded-For" : "Forwarded"))
        }
      })
    })
  )
}
