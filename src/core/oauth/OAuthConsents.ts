import { Context, DateTime, Effect, Layer } from "effect"
import { type AppId, isId, type UserId } from "#domain/Ids"
import type { AppWithAccess } from "#domain/oauth/AppWithAccess"
import { type OAuthConsent, OAuthConsentNotFound } from "#domain/oauth/OAuthConsent"
import { checkAfter, type Page, type PageOf, pageOf } from "#domain/Page"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { firstRetainedId, isBeingReset } from "#domain/RealmReset"
import type { User } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { AppsWithAccessRepo } from "#store/oauth/AppsWithAccessRepo"
import { OAuthCodesRepo } from "#store/oauth/OAuthCodesRepo"
import { OAuthConsentsRepo } from "#store/oauth/OAuthConsentsRepo"
import { OAuthDevicesRepo } from "#store/oauth/OAuthDevicesRepo"
import { OAuthGrantEndsRepo } from "#store/oauth/OAuthGrantEndsRepo"
import { Journal } from "../events/Journal.ts"
import { grantRevoked } from "./OAuthGrants.ts"

/** The maximum number of apps shown to a user. */
const MAX_SHOWN = 100

/** Lists and revokes users' consents to OAuth clients (C180). */
export class OAuthConsents extends Context.Service<
  OAuthConsents,
  {
    get(id: string): Effect.Effect<OAuthConsent, OAuthConsentNotFound, CurrentRealm>
    /** Lists the consents of a user, a client or the whole realm. */
    list(
      filter: { readonly userId: string | undefined; readonly clientId: string | undefined },
      page: PageOf<"id">
    ): Effect.Effect<Page<OAuthConsent>, OAuthConsentNotFound, CurrentRealm>
    /** Deletes a consent, and ends the grants that the user has given the client. */
    revoke(id: string): Effect.Effect<void, OAuthConsentNotFound | RealmNotFound, CurrentRealm>
    /** The apps with access to a user's account, sorted by name. `more` is true if there are more apps. */
    apps(user: User): Effect.Effect<Page<AppWithAccess>>
    /** Removes all of an app's access to a user's account. Does nothing if the app has no access. */
    remove(user: User, clientId: string): Effect.Effect<void, RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/OAuthConsents") {
  static readonly layer = Layer.effect(
    OAuthConsents,
    Effect.gen(function* () {
      const access = yield* AppsWithAccessRepo
      const codes = yield* OAuthCodesRepo
      const devices = yield* OAuthDevicesRepo
      const consents = yield* OAuthConsentsRepo
      const ends = yield* OAuthGrantEndsRepo
      const journal = yield* Journal
      const transaction = yield* Transaction

      const get = Effect.fn("OAuthConsents.get")(function* (id: string) {
        const realm = yield* CurrentRealm
        const isFindable = isId("consent", id) && !isBeingReset(realm.pendingReset, "consent", id)
        const found = isFindable ? yield* consents.get(realm.id, id) : undefined
        return found ?? (yield* new OAuthConsentNotFound({ id }))
      })

      const list = Effect.fn("OAuthConsents.list")(function* (
        filter: { readonly userId: string | undefined; readonly clientId: string | undefined },
        page: PageOf<"id">
      ) {
        const realm = yield* CurrentRealm
        yield* checkAfter(page, "consent", get)
        const from = firstRetainedId(realm.pendingReset, "consent")
        return pageOf(yield* consents.list(realm.id, { ...filter, from }, page), page.maxResults)
      })

      const end = Effect.fnUntraced(function* (userId: UserId, clientId: AppId) {
        const realm = yield* CurrentRealm
        yield* transaction.run(
          Effect.gen(function* () {
            const wasConsented = yield* consents.delete(realm.id, userId, clientId)
            yield* codes.deleteOfClient(realm.id, userId, clientId)
            yield* devices.deleteOfClient(realm.id, userId, clientId)
            const grants = yield* ends.endOfClient(realm.id, userId, clientId, yield* DateTime.now)
            const revoked = { eventType: "oauth.consent.revoked", userId, appId: clientId } as const
            yield* journal.record([...(wasConsented ? [revoked] : []), ...grants.map(grantRevoked)])
          })
        )
      })

      return OAuthConsents.of({
        get,
        list,
        revoke: Effect.fn("OAuthConsents.revoke")(function* (id) {
          const { userId, clientId } = yield* get(id)
          yield* end(userId, clientId)
        }),
        apps: Effect.fn("OAuthConsents.apps")(function* ({ realmId, id }) {
          return pageOf(yield* access.ofUser(realmId, id, yield* DateTime.now, MAX_SHOWN), MAX_SHOWN)
        }),
        remove: Effect.fn("OAuthConsents.remove")(function* ({ id }, clientId) {
          if (isId("app", clientId)) yield* end(id, clientId)
        })
      })
    })
  )
}
