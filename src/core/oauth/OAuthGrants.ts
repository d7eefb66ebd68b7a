import { Context, DateTime, Effect, Layer } from "effect"
import { isId } from "#domain/Ids"
import { type ListedGrant, type OAuthGrant, OAuthGrantNotFound } from "#domain/oauth/OAuthGrant"
import { checkAfter, type Page, type PageOf, pageOf } from "#domain/Page"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { firstRetainedId, isBeingReset } from "#domain/RealmReset"
import { Transaction } from "#platform/Transaction"
import { OAuthGrantEndsRepo } from "#store/oauth/OAuthGrantEndsRepo"
import { OAuthGrantListRepo } from "#store/oauth/OAuthGrantListRepo"
import { Journal } from "../events/Journal.ts"
import type { NewEvent } from "../events/NewEvent.ts"

/** Makes the event for a grant that is revoked directly, and does not end with its session or user. */
export const grantRevoked = ({ userId, clientId, sid }: OAuthGrant): NewEvent => ({
  eventType: "oauth.grant.revoked",
  userId,
  appId: clientId,
  ...(sid === null ? {} : { sessionId: sid })
})

/** Lists and revokes users' grants to OAuth clients (C177). */
export class OAuthGrants extends Context.Service<
  OAuthGrants,
  {
    get(id: string): Effect.Effect<ListedGrant, OAuthGrantNotFound, CurrentRealm>
    /** Lists the unexpired grants of a user, a client or the whole realm. Includes grants that have ended. */
    list(
      filter: { readonly userId: string | undefined; readonly clientId: string | undefined },
      page: PageOf<"id">
    ): Effect.Effect<Page<ListedGrant>, OAuthGrantNotFound, CurrentRealm>
    /** Ends a grant and its tokens, and records `oauth.grant.revoked`. Does nothing if the grant has already ended. */
    revoke(id: string): Effect.Effect<void, OAuthGrantNotFound | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/OAuthGrants") {
  static readonly layer = Layer.effect(
    OAuthGrants,
    Effect.gen(function* () {
      const repo = yield* OAuthGrantListRepo
      const ends = yield* OAuthGrantEndsRepo
      const journal = yield* Journal
      const transaction = yield* Transaction

      const get = Effect.fn("OAuthGrants.get")(function* (id: string) {
        const realm = yield* CurrentRealm
        const isFindable = isId("grant", id) && !isBeingReset(realm.pendingReset, "grant", id)
        const found = isFindable ? yield* repo.find(realm.id, id, yield* DateTime.now) : undefined
        return found ?? (yield* new OAuthGrantNotFound({ id }))
      })

      const list = Effect.fn("OAuthGrants.list")(function* (
        filter: { readonly userId: string | undefined; readonly clientId: string | undefined },
        page: PageOf<"id">
      ) {
        const realm = yield* CurrentRealm
        yield* checkAfter(page, "grant", get)
        const from = firstRetainedId(realm.pendingReset, "grant")
        return pageOf(yield* repo.list(realm.id, { ...filter, from }, yield* DateTime.now, page), page.maxResults)
      })

      const revoke = Effect.fn("OAuthGrants.revoke")(function* (id: string) {
        const grant = yield* get(id)
        yield* transaction.run(
          Effect.gen(function* () {
            const ended = yield* ends.end(grant.realmId, grant.id, yield* DateTime.now)
            if (ended !== undefined) yield* journal.record([grantRevoked(ended)])
          })
        )
      })

      return OAuthGrants.of({ get, list, revoke })
    })
  )
}
