import { Context, DateTime, Effect, Layer } from "effect"
import type { OAuthGrant } from "#domain/oauth/OAuthGrant"
import type { CurrentRealm, RealmNotFound } from "#domain/Realm"
import { OAuthGrantsRepo } from "#store/oauth/OAuthGrantsRepo"
import { Journal } from "../events/Journal.ts"

/** The reasons why the token endpoint ends a grant. Each is the type of the event to record. */
export type GrantEnd = "oauth.code.reused" | "oauth.refresh.reused" | "oauth.token.revoked"

/** The properties of an ended grant that are needed for its event. */
type EndedGrant = Pick<OAuthGrant, "realmId" | "id" | "userId" | "clientId" | "sid">

/** Ends grants together with all their tokens. */
export class GrantEnds extends Context.Service<
  GrantEnds,
  {
    /** Ends a grant and records the reason. Does nothing if the grant has already ended. */
    end(grant: EndedGrant, why: GrantEnd): Effect.Effect<void, RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/GrantEnds") {
  static readonly layer = Layer.effect(
    GrantEnds,
    Effect.gen(function* () {
      const journal = yield* Journal
      const repo = yield* OAuthGrantsRepo

      const end = Effect.fn("GrantEnds.end")(function* (grant: EndedGrant, why: GrantEnd) {
        const { guard, write } = repo.endOfGrant(grant, yield* DateTime.now)
        yield* journal.writeIf(guard, [{ writes: [write], events: [grantEvent(why, grant)] }])
      })

      return GrantEnds.of({ end })
    })
  )
}

/** Makes an event about a grant. */
export const grantEvent = <Type extends GrantEnd | "oauth.grant.created">(eventType: Type, grant: EndedGrant) => ({
  eventType,
  userId: grant.userId,
  appId: grant.clientId,
  ...(grant.sid === null ? {} : { sessionId: grant.sid })
})
