import { Context, DateTime, Effect, Layer } from "effect"
import type { OAuthGrant } from "#domain/oauth/OAuthGrant"
import type { CurrentRealm, RealmNotFound } from "#domain/Realm"
import { OAuthGrantsRepo } from "#store/oauth/OAuthGrantsRepo"
import { Journal } from "../events/Journal.ts"

/** Why a grant ends at the token endpoint, and the event that says so. */
export type GrantEnd = "oauth.code.reused" | "oauth.refresh.reused" | "oauth.token.revoked"

/** What is to be known of a grant that ends. */
type EndedGrant = Pick<OAuthGrant, "realmId" | "id" | "userId" | "clientId" | "sid">

/** Ends grants, and with them all of their tokens. */
export class GrantEnds extends Context.Service<
  GrantEnds,
  {
    /** Ends a grant and records why. Does nothing if it has ended before. */
    end(grant: EndedGrant, why: GrantEnd): Effect.Effect<void, RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/GrantEnds") {
  static readonly layer = Layer.effect(
    GrantEnds,
    Effect.gen(function* () {
      const journal = yield* Journal
      const repo = yield* OAuthGrantsRepo

      const end = Effect.fn("GrantEnds.end")(function* (grant: EndedGrant, why: GrantEnd) {
        const { guard, write } = repo.ending(grant, yield* DateTime.now)
        yield* journal.writeIf(guard, [{ writes: [write], events: [grantEvent(why, grant)] }])
      })

      return GrantEnds.of({ end })
    })
  )
}

/** An event of a grant. */
export const grantEvent = <Type extends GrantEnd | "oauth.grant.created">(eventType: Type, grant: EndedGrant) => ({
  eventType,
  userId: grant.userId,
  appId: grant.clientId,
  ...(grant.sid === null ? {} : { sessionId: grant.sid })
})
