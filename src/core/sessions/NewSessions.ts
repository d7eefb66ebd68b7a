import { Context, DateTime, Effect, Layer } from "effect"
import { buildClaims } from "#domain/Claims"
import { CurrentApp } from "#domain/ConnectedApp"
import { RequestOrigin } from "#domain/Event"
import type { Realm } from "#domain/Realm"
import type { LinkedSession, Login, Session } from "#domain/Session"
import { type User, visibleUser } from "#domain/User"
import { IdGenerator } from "#platform/IdGenerator"
import { MembershipsRepo } from "#store/MembershipsRepo"
import { SessionsRepo } from "#store/SessionsRepo"
import { Issuer } from "../keys/Issuer.ts"
import { KeyRing } from "../keys/KeyRing.ts"

/** What a token is to say of memberships besides the realm's settings. */
export interface TokenScope {
  /** Whether the memberships are wanted beside the token. */
  readonly memberships: boolean
  /** Only the membership of this org. */
  readonly orgId: string | undefined
}

/** The making of sessions and their tokens, for all operations that start or show one. */
export class NewSessions extends Context.Service<
  NewSessions,
  {
    /** Starts a session now, unless the user is gone or no longer active. An unmanaged realm keeps no row. */
    begin(realm: Realm, user: User): Effect.Effect<Session | undefined>
    /** The session of an API key's login: never kept, as long as the realm's `api_key_minutes`; 0: without end. */
    ofApiKey(realm: Realm, user: User): Effect.Effect<Session>
    /** A session with its user, and its memberships where they are wanted. */
    linked(realm: Realm, session: Session, user: User, memberships: boolean): Effect.Effect<LinkedSession>
    /** A session with its user, and a token of now. */
    login(realm: Realm, session: Session, user: User, scope: TokenScope): Effect.Effect<Login>
  }
>()("sallyport/core/NewSessions") {
  static readonly layer = Layer.effect(
    NewSessions,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const repo = yield* SessionsRepo
      const memberships = yield* MembershipsRepo
      const keys = yield* KeyRing
      const issuer = yield* Issuer

      const make = Effect.fnUntraced(function* (realm: Realm, user: User, minutes: number) {
        const createdAt = yield* DateTime.now
        const { ip, client } = yield* RequestOrigin
        const session: Session = {
          id: yield* ids.make("session"),
          realmId: realm.id,
          userId: user.id,
          clientAppId: yield* CurrentApp,
          requestIp: ip,
          requestClient: client,
          createdAt,
          expiresAt: minutes === 0 ? null : DateTime.add(createdAt, { minutes })
        }
        return session
      })

      const begin = Effect.fnUntraced(function* (realm: Realm, user: User) {
        const session = yield* make(realm, user, realm.sessionMinutes)
        return realm.sessionType === "unmanaged" || (yield* repo.insert(session)) ? session : undefined
      })

      const linked = Effect.fnUntraced(function* (
        realm: Realm,
        session: Session,
        user: User,
        wanted: boolean,
        orgId?: string
      ) {
        const found = wanted ? yield* memberships.ofUser(realm.id, user.id, yield* DateTime.now, orgId) : []
        return { session, user: visibleUser(realm, user), memberships: found }
      })

      const login = Effect.fnUntraced(function* (realm: Realm, session: Session, whole: User, scope: TokenScope) {
        const wanted = scope.memberships || scope.orgId !== undefined || realm.jwtFields.includes("memberships")
        const shown = yield* linked(realm, session, whole, wanted, scope.orgId)
        const claims = buildClaims({
          issuer: issuer.of(realm.id),
          realm,
          sessionId: session.id,
          user: shown.user,
          memberships: shown.memberships,
          selectedOrgId: scope.orgId ?? null,
          issuedAt: yield* DateTime.now,
          expiresAt: session.expiresAt
        })
        return { ...shown, token: yield* keys.sign(realm.id, claims) }
      })

      return NewSessions.of({ begin, ofApiKey: (realm, user) => make(realm, user, realm.apiKeyMinutes), linked, login })
    })
  )
}
