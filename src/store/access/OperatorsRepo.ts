import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { CONSOLE_APP, type RealmId, type SessionId, SYSTEM, type UserId } from "#domain/Ids"
import type { Operator } from "#domain/Operator"
import type { OperatorRole } from "#domain/OperatorRole"
import type { PageOf } from "#domain/Page"
import { keysetPage } from "../statements/KeysetPage.ts"
import { date, utc, utcOrNull } from "../statements/Rows.ts"

interface Row {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly role: OperatorRole
  readonly locked_to: RealmId | null
  readonly created_at: Date
  readonly accepted_at: Date | null
  readonly last_login_at: Date | null
}

const fromRow = (row: Row): Operator => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  lockedTo: row.locked_to,
  createdAt: utc(row.created_at),
  acceptedAt: utcOrNull(row.accepted_at),
  lastLoginAt: utcOrNull(row.last_login_at)
})

/** An operator who is logged in on the console's login pages. */
export interface OperatorLogin {
  readonly operator: Operator
  readonly sessionId: SessionId
  readonly expiresAt: DateTime.Utc
}

/** Stores the operators of the service. Every query is on the system realm, where operators are users. */
export class OperatorsRepo extends Context.Service<
  OperatorsRepo,
  {
    insert(operator: Pick<Operator, "id" | "role" | "lockedTo" | "createdAt">): Effect.Effect<void>
    find(id: UserId): Effect.Effect<Operator | undefined>
    /** Returns one more row than fits on the page. */
    list(page: PageOf<"id">): Effect.Effect<ReadonlyArray<Operator>>
    setRole(id: UserId, role: OperatorRole): Effect.Effect<void>
    /** Records the first login. Returns false if the operator has logged in before. */
    accept(id: UserId, at: DateTime.Utc): Effect.Effect<boolean>
    /** Makes other transactions that change the team wait until this one ends. */
    readonly lockTeam: Effect.Effect<void>
    readonly count: Effect.Effect<number>
    /** Whether an operator has logged in at least once. */
    readonly anyAccepted: Effect.Effect<boolean>
    /** The number of other owners who have accepted their invitation and are active. */
    countOtherOwners(id: UserId): Effect.Effect<number>
    /** Finds the active operator whose unexpired login in this browser has the digest. */
    findLogin(browserId: string, now: DateTime.Utc): Effect.Effect<OperatorLogin | undefined>
    /** Finds the operator if their login session has not ended and a browser is still logged in with it. */
    findWithSession(id: UserId, sessionId: SessionId, now: DateTime.Utc): Effect.Effect<Operator | undefined>
  }
>()("sallyport/store/OperatorsRepo") {
  static readonly layer = Layer.effect(
    OperatorsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const columns = sql.literal(
        "u.id, coalesce(u.email, '') as email, u.name, o.role, o.locked_to, o.created_at, o.accepted_at, u.last_login_at"
      )
      const from = sql`from operators o join users u on u.realm_id = o.realm_id and u.id = o.user_id`
      const one = Effect.map((rows: ReadonlyArray<Row>) => (rows[0] === undefined ? undefined : fromRow(rows[0])))
      const countOf = Effect.map((rows: ReadonlyArray<{ readonly n: number }>) => rows[0]?.n ?? 0)

      return OperatorsRepo.of({
        insert: ({ id, role, lockedTo, createdAt }) =>
          sql`insert into operators (realm_id, user_id, role, locked_to, created_at)
            values (${SYSTEM}, ${id}, ${role}, ${lockedTo}, ${date(createdAt)})`.pipe(Effect.asVoid, Effect.orDie),
        find: (id) =>
          sql<Row>`select ${columns} ${from} where o.realm_id = ${SYSTEM} and o.user_id = ${id}`.pipe(
            one,
            Effect.orDie
          ),
        list: (page) =>
          sql<Row>`select ${columns} ${from} ${keysetPage(sql, [sql`o.realm_id = ${SYSTEM}`], page, { id: "u.id" })}`.pipe(
            Effect.map((rows) => rows.map(fromRow)),
            Effect.orDie
          ),
        setRole: (id, role) =>
          sql`update operators o set role = ${role} where o.realm_id = ${SYSTEM} and o.user_id = ${id}`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        accept: (id, at) =>
          sql`update operators o set accepted_at = ${date(at)} where o.realm_id = ${SYSTEM} and o.user_id = ${id} and accepted_at is null
            returning o.user_id`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          ),
        lockTeam: sql`select pg_advisory_xact_lock(hashtext('operators'))`.pipe(Effect.asVoid, Effect.orDie),
        count: sql<{ readonly n: number }>`select count(*)::int as n from operators where realm_id = ${SYSTEM}`.pipe(
          countOf,
          Effect.orDie
        ),
        anyAccepted: sql<{ readonly found: boolean }>`select exists (
            select from operators o where o.realm_id = ${SYSTEM} and o.accepted_at is not null
          ) as found`.pipe(
          Effect.map(([row]) => row?.found === true),
          Effect.orDie
        ),
        countOtherOwners: (id) =>
          sql<{
            readonly n: number
          }>`select count(*)::int as n ${from} where o.realm_id = ${SYSTEM} and o.user_id <> ${id}
            and o.role = 'owner' and o.accepted_at is not null and u.state = 'active'`.pipe(countOf, Effect.orDie),
        findLogin: (browserId, now) =>
          sql<
            Row & { readonly session_id: SessionId; readonly expires_at: Date }
          >`select ${columns}, l.id as session_id,
              least(b.expires_at, l.expires_at) as expires_at
            from browser_sessions b
              join sessions l on l.realm_id = b.realm_id and l.id = b.session_id and l.expires_at > ${date(now)}
              join operators o on o.realm_id = b.realm_id and o.user_id = b.user_id
              join users u on u.realm_id = o.realm_id and u.id = o.user_id and u.state = 'active'
            where b.realm_id = ${SYSTEM} and b.id = ${browserId} and b.login_policy_id = ${CONSOLE_APP}
              and b.expires_at > ${date(now)}`.pipe(
            Effect.map(([row]) =>
              row === undefined
                ? undefined
                : { operator: fromRow(row), sessionId: row.session_id, expiresAt: utc(row.expires_at) }
            ),
            Effect.orDie
          ),
        findWithSession: (id, sessionId, now) =>
          sql<Row>`select ${columns} ${from}
              join sessions l on l.realm_id = o.realm_id and l.user_id = o.user_id and l.id = ${sessionId}
            where o.realm_id = ${SYSTEM} and o.user_id = ${id} and u.state = 'active' and l.expires_at > ${date(now)}
              and exists (
                select from browser_sessions b
                where b.realm_id = l.realm_id and b.user_id = l.user_id and b.session_id = l.id
              )`.pipe(one, Effect.orDie)
      })
    })
  )
}
