import { Context, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { ClientAddress, type UntrustedPeer } from "#platform/ClientAddress"

/** The maximum number of peers remembered, and therefore the maximum number of warnings. */
const MAX_PEERS = 100

/** Anyone on the internet can send forwarding headers, so all public peers share one warning. */
const PUBLIC = "public"

/** Warns operators about a peer that looks like their own proxy but is not configured as trusted (SEC-100). */
export class UntrustedProxies extends Context.Service<
  UntrustedProxies,
  {
    /** Logs a warning if a request has forwarding headers: once for each private peer, and once for all public peers. */
    warn(request: HttpServerRequest.HttpServerRequest): Effect.Effect<void>
  }
>()("sallyport/http/UntrustedProxies") {
  static readonly layer = Layer.effect(
    UntrustedProxies,
    Effect.gen(function* () {
      const addresses = yield* ClientAddress
      const warnedPeers = new Set<string>()

      const isNew = ({ ip, isPrivate }: UntrustedPeer): boolean => {
        const warnedPeer = isPrivate ? ip : PUBLIC
        if (warnedPeers.has(warnedPeer) || warnedPeers.size >= MAX_PEERS) return false
        warnedPeers.add(warnedPeer)
        return true
      }

      return UntrustedProxies.of({
        warn: ({ headers, peerAddress }) => {
          const isNamed = headers["x-forwarded-for"] !== undefined
          if (!isNamed && headers["forwarded"] === undefined) return Effect.void
          const peer = addresses.untrustedPeer(Option.getOrUndefined(peerAddress))
          if (peer === undefined || !isNew(peer)) return Effect.void
          const warning = isNamed
            ? Effect.logWarning(
                "A peer that is not a trusted proxy sends X-Forwarded-For, which is ignored: everyone behind it counts as one address and shares its rate limits. If it is your proxy, list it in SALLYPORT_TRUSTED_PROXIES."
              )
            : Effect.logWarning(
                "A peer that is not a trusted proxy sends Forwarded, which is never read: everyone behind it counts as one address and shares its rate limits. If it is your proxy, let it send X-Forwarded-For and list it in SALLYPORT_TRUSTED_PROXIES."
              )
          return Effect.annotateLogs(warning, { peer: peer.ip })
        }
      })
    })
  )
}
