import { Clock, Context, DateTime, Effect, Layer, Metric } from "effect"
import type { Authentication } from "#domain/Authentication"
import { buildClaims } from "#domain/Claims"
import { CurrentApp } from "#domain/ConnectedApp"
import { RequestOrigin } from "#domain/Event"
import type { OrgId, UserId } from "#domain/Ids"
import { MAX_EXPANDED } from "#domain/Membership"
import type { Realm } from "#domain/Realm"
import type { LinkedSession, Login, Session } from "#domain/Session"
import { RenewedLogin } from "#domain/StepUp"
import { type User, visibleUser } from "#domain/User"
import { IdGenerator } from "#platform/IdGenerator"
import { MembershipsRepo } from "#store/orgs/MembershipsRepo"
import { SessionsRepo } from "#store/sessions/SessionsRepo"
import type { Write } from "#store/statements/Writes"
import { UsersRepo } from "#store/users/UsersRepo"
import { BoundedJwts } from "../keys/BoundedJwts.ts"
import { Issuer } from "../keys/Issuer.ts"
import { KeyRing } from "../keys/KeyRing.ts"
import { RealmSizes } from "../upkeep/RealmSizes.ts"

/** Selects the memberships in a token, in addition to those that the realm's settings require. */
export interface TokenScope {
  /** Whether to return the memberships to the caller too. */
  readonly memberships: boolean
  /** If set, the token contains only the membership in this org. */
  readonly orgId: string | undefined
  /** Whether a user's only org counts as selected, as if `orgId` were set to it. */
  readonly selectsOnlyOrg?: boolean
  /** Whether the session stores the org selected in the token, so that its later tokens name the same org (C89). */
  readonly remembersOrg?: boolean
}

const started = Metric.counter("sessions_started_total", {
  description: "Sessions started by logins and by management calls.",
  incremental: true
})

/** Returns the user's only membership in an org, if `selectsOnlyOrg` is set. */
const onlyMembership = (memberships: LinkedSession["memberships"], { selectsOnlyOrg = false }: TokenScope) => {
  const [only, ...others] = selectsOnlyOrg ? memberships.filter(({ org }) => org !== null) : []
  return others.length === 0 ? only : undefined
}

/** Creates sessions and their tokens. Used by all operations that start or return a session. */
export class NewSessions extends Context.Service<
  NewSessions,
  {
    /**
     * Starts another session for a user who has logged in before. Returns undefined if the user was deleted or is no longer
     * active. Stores no row if the realm's sessions are unmanaged.
     */
    begin(realm: Realm, user: User, authentication: Authentication | null): Effect.Effect<Session | undefined>
    /**
     * Returns the session of a user who has just logged in, and the writes that store it. Run them while the user is locked.
     * If the realm's sessions are unmanaged, there are no writes. If the request renews the user's login in its browser,
     * returns the session of that login.
     */
    draft(
      realm: Realm,
      userId: UserId,
      authentication: Authentication
    ): Effect.Effect<{ readonly session: Session; readonly insertion: ReadonlyArray<Write> }>
    /**
     * Starts a session of a human who is only known by ID, in one statement. `session` is undefined if the user is not active.
     * Returns undefined if no such human exists.
     */
    beginById(
      realm: Realm,
      userId: UserId
    ): Effect.Effect<{ readonly user: User; readonly session: Session | undefined } | undefined>
    /**
     * Makes a session for a login by API key, which is never stored. It lasts for the realm's `api_key_minutes`, where 0 means
     * that it never expires.
     */
    forApiKey(realm: Realm, user: User): Effect.Effect<Session>
    /** Returns a session with its user, and with the user's memberships if `memberships` is true. */
    expand(realm: Realm, session: Session, user: User, memberships: boolean): Effect.Effect<LinkedSession>
    /** Returns a session with its user and a newly signed token. */
    login(realm: Realm, session: Session, user: User, scope: TokenScope): Effect.Effect<Login>
  }
>()("sallyport/core/NewSessions") {
  static readonly layer = Layer.effect(
    NewSessions,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const repo = yield* SessionsRepo
      const users = yield* UsersRepo
      const memberships = yield* MembershipsRepo
      const keys = yield* KeyRing
      const issuer = yield* Issuer
      const tokens = yield* BoundedJwts
      const realms = yield* RealmSizes

      const countStart = ({ id }: Realm) =>
        Effect.andThen(
          Metric.update(started, 1),
          Effect.sync(() => realms.count("sessions", id))
        )

      const make = (realm: Realm, userId: UserId, minutes: number) =>
        Effect.contextWith((context: Context.Context<never>) => {
          const millis = Context.get(context, Clock.Clock).currentTimeMillisUnsafe()
          const { ip, client } = Context.get(context, RequestOrigin)
          const session: Session = {
            id: ids.makeAt("session", millis),
            realmId: realm.id,
            userId,
            appId: Context.get(context, CurrentApp),
            orgId: null,
            requestIp: ip,
            requestClient: client,
            authentication: null,
            lastSeenAt: null,
            createdAt: DateTime.makeUnsafe(millis),
            expiresAt: minutes === 0 ? null : DateTime.makeUnsafe(millis + minutes * 60_000)
          }
          return Effect.succeed(session)
        })

      const begin = Effect.fnUntraced(function* (realm: Realm, user: User, authentication: Authentication | null) {
        const session = { ...(yield* make(realm, user.id, realm.sessionMinutes)), authentication }
        if (realm.sessionType !== "unmanaged" && !(yield* repo.insert(session))) return undefined
        yield* countStart(realm)
        return session
      })

      const draft = Effect.fnUntraced(function* (realm: Realm, userId: UserId, authentication: Authentication) {
        const renewed = yield* RenewedLogin
        const current =
          renewed?.sessionId == null || renewed.userId !== userId
            ? undefined
            : yield* repo.find(realm.id, renewed.sessionId, yield* DateTime.now)
        if (current?.userId === userId) {
          const session: Session = { ...current, authentication }
          return { session, insertion: [repo.renewal(session)] }
        }
        const session: Session = { ...(yield* make(realm, userId, realm.sessionMinutes)), authentication }
        yield* countStart(realm)
        return { session, insertion: realm.sessionType === "unmanaged" ? [] : [repo.insertion(session)] }
      })

      const beginById = Effect.fnUntraced(function* (realm: Realm, userId: UserId) {
        const session = yield* make(realm, userId, realm.sessionMinutes)
        if (realm.sessionType === "managed") {
          const found = yield* repo.insertForUser(session)
          if (found?.user.userType !== "human") return undefined
          if (found.isStored) yield* countStart(realm)
          return { user: found.user, session: found.isStored ? session : undefined }
        }
        const user = yield* users.find(realm.id, userId)
        if (user?.userType !== "human") return undefined
        if (user.state === "active") yield* countStart(realm)
        return { user, session: user.state === "active" ? session : undefined }
      })

      const expand = (realm: Realm, session: Session, user: User, withMemberships: boolean, orgId?: string) => {
        const shown = { session, user: visibleUser(realm, user) }
        if (!withMemberships) return Effect.succeed<LinkedSession>({ ...shown, memberships: [] })
        return Effect.flatMap(DateTime.now, (now) =>
          Effect.map(
            memberships.ofUser(realm.id, user.id, now, { orgId, atMost: MAX_EXPANDED }),
            (found): LinkedSession => ({ ...shown, memberships: found })
          )
        )
      }

      /**
       * Returns the membership in the org stored with a session. Returns undefined if the user has left that org, or if the
       * token names another org.
       */
      const rememberedMembership = Effect.fnUntraced(function* (realm: Realm, session: Session, scope: TokenScope) {
        const { userId, orgId } = session
        if (orgId === null || scope.orgId !== undefined || scope.remembersOrg === true) return undefined
        const [remembered] = yield* memberships.ofUser(realm.id, userId, yield* DateTime.now, { orgId, atMost: 1 })
        return remembered
      })

      /** Stores the org selected in a session, unless it is unchanged. */
      const rememberOrg = (realm: Realm, { id, orgId: remembered }: Session, orgId: OrgId | null = null) =>
        orgId === null || orgId === remembered || realm.sessionType === "unmanaged"
          ? Effect.void
          : repo.chooseOrg(realm.id, id, orgId)

      const login = Effect.fnUntraced(function* (realm: Realm, session: Session, user: User, scope: TokenScope) {
        const remembered = yield* rememberedMembership(realm, session, scope)
        const isInToken = remembered === undefined && realm.jwtFields.includes("memberships")
        const withMemberships = scope.memberships || scope.orgId !== undefined || isInToken
        const expanded = yield* expand(realm, session, user, withMemberships, scope.orgId)
        const only = remembered ?? onlyMembership(expanded.memberships, scope)
        if (scope.remembersOrg === true) {
          const named = only ?? expanded.memberships.find(({ orgId }) => orgId === scope.orgId)
          yield* rememberOrg(realm, session, named?.orgId)
        }
        const claims = buildClaims({
          issuer: issuer.of(realm.id),
          realm,
          sessionId: session.id,
          user: expanded.user,
          memberships: only === undefined ? expanded.memberships : [only],
          selectedOrgId: only?.orgId ?? scope.orgId ?? null,
          authentication: session.authentication,
          issuedAt: yield* DateTime.now,
          expiresAt: session.expiresAt
        })
        const owner = { userId: user.id, sessionId: session.id }
        const token = yield* tokens.sign(realm, owner, claims, (fitting) => keys.sign(realm.id, fitting))
        return { ...expanded, token }
      })

      const forApiKey = (realm: Realm, user: User) =>
        Effect.tap(make(realm, user.id, realm.apiKeyMinutes), () => countStart(realm))

      return NewSessions.of({ begin, draft, beginById, forApiKey, expand, login })
    })
  )
}
