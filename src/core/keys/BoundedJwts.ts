import { Context, DateTime, Effect, Layer, Metric } from "effect"
import type { Claims } from "#domain/Claims"
import type { SessionId, UserId } from "#domain/Ids"
import { CurrentRealm, type Realm } from "#domain/Realm"
import { fittingClaims } from "#domain/TokenSize"
import { LruMap } from "#platform/LruMap"
import { Transaction } from "#platform/Transaction"
import { Journal } from "../events/Journal.ts"

/** The bytes of a token besides its payload: header, dots and the signature of an RSA key of 2,048 bits. */
const OVERHEAD = 450

/** How many users' last events a node remembers. */
const KNOWN_USERS = 10_000

/** The minimum time between two events for one user on one node, in minutes. */
const EVENT_MINUTES = 60

const tooLarge = Metric.counter("tokens_too_large_total", {
  description: "Tokens with claims left out because the token would have exceeded its realm's maximum size.",
  incremental: true
})

/** The user and session of a token. */
interface TokenOwner {
  readonly userId: UserId
  readonly sessionId?: SessionId
}

/** Signs users' tokens. Claims are left out of a token that would be larger than its realm's `jwt_max_bytes` (C277). */
export class BoundedJwts extends Context.Service<
  BoundedJwts,
  {
    /**
     * Signs claims with `signWith`, leaving out those that don't fit. In that case records `token.too_large`, once an
     * hour per user and node.
     */
    sign(
      realm: Realm,
      owner: TokenOwner,
      claims: Claims,
      signWith: (claims: Claims) => Effect.Effect<string>
    ): Effect.Effect<string>
  }
>()("sallyport/core/BoundedJwts") {
  static readonly layer = Layer.effect(
    BoundedJwts,
    Effect.gen(function* () {
      const journal = yield* Journal
      const transaction = yield* Transaction
      const lastEvents = new LruMap<string, { readonly key: string; readonly until: DateTime.Utc }>(KNOWN_USERS)

      const report = Effect.fnUntraced(function* (realm: Realm, { userId, sessionId }: TokenOwner) {
        yield* Metric.update(tooLarge, 1)
        const key = `${realm.id} ${userId}`
        const [now, known] = [yield* DateTime.now, lastEvents.get(key)]
        if (known !== undefined && DateTime.isLessThan(now, known.until)) return
        lastEvents.set({ key, until: DateTime.add(now, { minutes: EVENT_MINUTES }) })
        const event = {
          eventType: "token.too_large" as const,
          userId,
          ...(sessionId === undefined ? {} : { sessionId })
        }
        yield* transaction.run(journal.record([event])).pipe(
          Effect.provideService(CurrentRealm, realm),
          Effect.catchTag("RealmNotFound", () => Effect.void)
        )
      })

      const sign = Effect.fnUntraced(function* (
        realm: Realm,
        owner: TokenOwner,
        claims: Claims,
        signWith: (claims: Claims) => Effect.Effect<string>
      ) {
        const first = fittingClaims(claims, realm.jwtMaxBytes - OVERHEAD)
        const token = yield* signWith(first)
        const [, payload = ""] = token.split(".")
        // Longer keys have longer signatures than `OVERHEAD` assumes.
        const maxPayload = realm.jwtMaxBytes - (token.length - payload.length)
        const second = token.length > realm.jwtMaxBytes ? fittingClaims(claims, maxPayload) : first
        if (second !== claims) yield* report(realm, owner)
        return second === first ? token : yield* signWith(second)
      })

      return BoundedJwts.of({
        sign: (realm, owner, claims, signWith) =>
          // Only these two claims have no fixed limit.
          claims["orgs"] === undefined && claims["cs"] === undefined
            ? signWith(claims)
            : sign(realm, owner, claims, signWith)
      })
    })
  )
}
