import { Context, DateTime, Effect, Layer } from "effect"
import type { EventWithToken } from "#domain/Event"
import { MAX_EXPANDED } from "#domain/Membership"
import { type Position, pageOf } from "#domain/Page"
import { CurrentRealm } from "#domain/Realm"
import type { User } from "#domain/User"
import { AppsWithAccessRepo } from "#store/oauth/AppsWithAccessRepo"
import { MembershipsRepo } from "#store/orgs/MembershipsRepo"
import { SessionsRepo } from "#store/sessions/SessionsRepo"
import { Journal } from "../events/Journal.ts"
import { SignInMethods } from "./SignInMethods.ts"

const EVENTS_PER_PAGE = 1_000

/** The maximum number of events in an export. The export contains the latest events. */
const MAX_EVENTS = 10_000

const MAX_SESSIONS = 1_000

const MAX_APPS = 1_000

const time = (at: DateTime.Utc | null): string | null => (at === null ? null : DateTime.formatIso(at))

/**
 * Returns whether the request behind an event was made by the user, or by someone acting as the user. API keys, operators
 * and other users may act from an administrator's browser, so the export omits the IP address and client of their requests. Logins by API key
 * count as the user's own.
 */
const isOwnRequest = ({ eventType, actor }: EventWithToken, user: User): boolean => {
  if (actor.type === "api_key") return eventType.startsWith("user.login.")
  if (actor.type === "operator") return false
  return actor.type !== "user" || actor.id === user.id
}

const eventOf = (user: User) => (event: EventWithToken) => ({
  id: event.id,
  event_type: event.eventType,
  event_at: time(event.eventAt),
  by: event.actor.type,
  changed: event.changed,
  request: isOwnRequest(event, user) ? { ip: event.requestIp, client: event.requestClient } : null
})

/** Exports everything that the service stores about a user, as a download for that user (C155). */
export class AccountExports extends Context.Service<
  AccountExports,
  {
    /**
     * Returns all data of a user in JSON form: profile, sign-in methods, memberships, sessions, authorized apps and events.
     * Times are in ISO 8601. Contains no secret, hash or token, and no data about other people (SEC-137).
     */
    of(user: User): Effect.Effect<Readonly<Record<string, unknown>>, never, CurrentRealm>
  }
>()("sallyport/core/AccountExports") {
  static readonly layer = Layer.effect(
    AccountExports,
    Effect.gen(function* () {
      const methods = yield* SignInMethods
      const memberships = yield* MembershipsRepo
      const access = yield* AppsWithAccessRepo
      const sessions = yield* SessionsRepo
      const journal = yield* Journal

      const eventsOf = Effect.fnUntraced(function* (user: User) {
        const query = {
          version: "v2",
          eventTypes: [],
          related: { user: user.id },
          actorId: undefined,
          changed: [],
          createdAfter: undefined
        } as const
        const found: Array<EventWithToken> = []
        let after: Position | undefined
        while (found.length < MAX_EVENTS) {
          const page = { after, maxResults: EVENTS_PER_PAGE, sort: "id", direction: "desc" } as const
          const { items, more } = yield* Effect.orDie(journal.list(query, page))
          found.push(...items)
          after = items.at(-1)
          if (!more) return { events: found, isComplete: true }
        }
        return { events: found, isComplete: false }
      })

      const sessionsOf = Effect.fnUntraced(function* ({ realmId, id: userId }: User, now: DateTime.Utc) {
        const page = { after: undefined, maxResults: MAX_SESSIONS, sort: "id", direction: "desc" } as const
        return pageOf(yield* sessions.list(realmId, { userId, from: undefined }, now, page), MAX_SESSIONS).items
      })

      const of = Effect.fn("AccountExports.of")(function* (user: User) {
        const realm = yield* CurrentRealm
        const now = yield* DateTime.now
        const { events, isComplete } = yield* eventsOf(user)
        const isCustomShown = realm.jwtFields.includes("custom")
        return {
          object: "account_export",
          exported_at: time(now),
          service: realm.name,
          user: {
            id: user.id,
            email: user.email,
            email_pending: user.emailPending,
            email_verification: user.emailVerification,
            username: user.username,
            first_name: user.firstName,
            last_name: user.lastName,
            locale: user.locale,
            reference: user.reference,
            ...(isCustomShown ? { custom: user.custom } : {}),
            created_at: time(user.createdAt),
            last_login_at: time(user.lastLoginAt),
            deletion_at: time(user.deletionAt)
          },
          sign_in_methods: (yield* methods.of(user)).map(({ credentialType, name, providerName, createdAt }) => ({
            type: credentialType,
            name: name ?? providerName,
            created_at: time(createdAt)
          })),
          memberships: (yield* memberships.ofUser(realm.id, user.id, now, { atMost: MAX_EXPANDED })).map((one) => ({
            org: one.org === null ? null : { id: one.org.id, name: one.org.name },
            permissions: one.permissions,
            created_at: time(one.createdAt),
            expires_at: time(one.expiresAt)
          })),
          sessions: (yield* sessionsOf(user, now)).map((session) => ({
            id: session.id,
            created_at: time(session.createdAt),
            last_seen_at: time(session.lastSeenAt),
            expires_at: time(session.expiresAt),
            request: { ip: session.requestIp, client: session.requestClient }
          })),
          apps_with_access: (yield* access.ofUser(realm.id, user.id, now, MAX_APPS)).slice(0, MAX_APPS).map((app) => ({
            id: app.id,
            name: app.name,
            scopes: app.scopes,
            since: time(app.since),
            last_used_at: time(app.lastUsedAt)
          })),
          events: events.map(eventOf(user)),
          events_complete: isComplete
        }
      })

      return AccountExports.of({ of })
    })
  )
}
