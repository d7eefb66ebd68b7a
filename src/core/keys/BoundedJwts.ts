import { Context, DateTime, Effect, Layer, Metric } from "effect"
import type { Claims } from "#domain/Claims"
import type { SessionId, UserId } from "#domain/Ids"
import { CurrentRealm, type Realm } from "#domain/Realm"
import { fittingClaims } from "#domain/TokenSize"
import { LruMap } from "#platform/LruMap"
import { Transaction } from "#platform/Transaction"
import { Journal } from "../events/Journal.ts"

/** The size of a token without its payload, in bytes: the header, the dots and the signature of a 2,048-bit RSA key. */
const OVERHEAD = 450

/** How many users a node remembers for limiting their events. */
const KNOWN_USERS = 10_000

/** The minimum time between two events for a user on one node, in minutes. */
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

/** Signs users' tokens. If a token would be larger than its realm's `jwt_max_bytes`, some claims are omitted (C277). */
export class BoundedJwts extends Context.Service<
  BoundedJwts,
  {
    /**
     * Signs claims with `signWith`, without those that don't fit. If any were omitted, records `token.too_large`, at most once
     * an hour for each user on each node.
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
        // The signature is longer than `OVERHEAD` assumes if the key is longer.
        const maxPayload = realm.jwtMaxBytes - (token.length - payload.length)
        const second = token.length > realm.jwtMaxBytes ? fittingClaims(claims, maxPayload) : first
        if (second !== claims) yield* report(realm, owner)
        return second === first ? token : yield* signWith(second)
      })

      return BoundedJwts.of({
        sign: (realm, owner, claims, signWith) =>
          // All other claims have a fixed maximum size.
          claims["orgs"] === undefined && claims["cs"] === undefined
            ? signWith(claims)
            : sign(realm, owner, claims, signWith)
      })
    })
  )
}
