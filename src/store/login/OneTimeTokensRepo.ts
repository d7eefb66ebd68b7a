import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { AuthenticationMethod } from "#domain/Authentication"
import type { ExternalType } from "#domain/AuthProvider"
import type { RealmId, UserId } from "#domain/Ids"
import { CODES_PER_LOGIN } from "#domain/Login"
import type { Purpose } from "#domain/OneTimeToken"
import { date, dateOrNull, utc, utcOrNull } from "../statements/Rows.ts"

/**
 * A stored one-time token. `id` is the token's digest. `email` is the address that it proves. `mailed` means that the token
 * was only sent by email and never returned to a caller. `methods` are the methods already used in the login that it
 * completes, `provider` is the type of the external provider among them, and `authenticatedAt` is when they were used, if that was before the token was created. `browserId` is the
 * browser whose login it renews. `mailToken` is the id of the emailed token whose code it requires. `loginToken` is the id
 * of the pending login that an emailed code completes.
 */
export interface OneTimeToken {
  readonly id: string
  readonly realmId: RealmId
  readonly purpose: Purpose
  readonly userId: UserId
  readonly email: string | null
  readonly mailed: boolean
  readonly methods: ReadonlyArray<AuthenticationMethod>
  readonly provider: ExternalType | null
  readonly authenticatedAt: DateTime.Utc | null
  readonly browserId: string | null
  readonly secret: string | null
  readonly mailToken: string | null
  readonly loginToken: string | null
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

interface Row {
  readonly id: string
  readonly realm_id: RealmId
  readonly purpose: Purpose
  readonly user_id: UserId
  readonly email: string | null
  readonly mailed: boolean
  readonly methods: ReadonlyArray<AuthenticationMethod>
  readonly provider_type: ExternalType | null
  readonly secret: string | null
  readonly mail_token: string | null
  readonly login_token: string | null
  readonly created_at: Date
  readonly expires_at: Date
  readonly authenticated_at: Date | null
  readonly browser_id: string | null
}

const fromRow = (row: Row): OneTimeToken => ({
  id: row.id,
  realmId: row.realm_id,
  purpose: row.purpose,
  userId: row.user_id,
  email: row.email,
  mailed: row.mailed,
  methods: row.methods,
  provider: row.provider_type,
  authenticatedAt: utcOrNull(row.authenticated_at),
  browserId: row.browser_id,
  secret: row.secret,
  mailToken: row.mail_token,
  loginToken: row.login_token,
  createdAt: utc(row.created_at),
  expiresAt: utc(row.expires_at)
})

/** Stores one-time tokens. */
export class OneTimeTokensRepo extends Context.Service<
  OneTimeTokensRepo,
  {
    insert(token: OneTimeToken): Effect.Effect<void>
    /** Finds an unused token, which may have expired. */
    find(realmId: RealmId, id: string, purpose: Purpose): Effect.Effect<OneTimeToken | undefined>
    /** Finds the user of a used or expired token whose row still exists. */
    findOwnerOfInvalid(
      realmId: RealmId,
      id: string,
      purpose: Purpose,
      now: DateTime.Utc
    ): Effect.Effect<UserId | undefined>
    /** Consumes an unexpired token. Its row stays as a trace, without the secret. Returns true for only one caller. */
    spend(realmId: RealmId, id: string, purpose: Purpose, now: DateTime.Utc): Effect.Effect<boolean>
    /** Consumes an unexpired token and deletes it. Returns true for only one caller. */
    consume(realmId: RealmId, id: string, purpose: Purpose, now: DateTime.Utc): Effect.Effect<boolean>
    /** Finds the unexpired emailed token whose code is required by a caller's token or a pending login. */
    mailedCodeFor(token: OneTimeToken, now: DateTime.Utc): Effect.Effect<OneTimeToken | undefined>
    /** Deletes the tokens that were emailed for a pending login. */
    deleteMailedFor(login: OneTimeToken): Effect.Effect<void>
    /** Counts an attempt to enter a token's code. Returns false if no attempts are left or the token has expired. */
    countCode(token: OneTimeToken, now: DateTime.Utc): Effect.Effect<boolean>
    /** Deletes a user's unused tokens for these purposes. */
    deleteOfUser(realmId: RealmId, userId: UserId, purposes: ReadonlyArray<Purpose>): Effect.Effect<void>
    /**
     * Deletes a user's expired tokens. Those for password resets are deleted only after a day, because they are used as a
     * trace.
     */
    deleteExpired(realmId: RealmId, userId: UserId, now: DateTime.Utc): Effect.Effect<void>
  }
>()("sallyport/store/OneTimeTokensRepo") {
  static readonly layer = Layer.effect(
    OneTimeTokensRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const select =
        sql.literal(`select realm_id, id, purpose, user_id, email, mailed, methods, provider_type, authenticated_at, browser_id, secret, mail_token,
        login_token, created_at, expires_at from one_time_tokens`)
      const some = Effect.map((rows: ReadonlyArray<unknown>) => rows.length > 0)

      return OneTimeTokensRepo.of({
        insert: (token) =>
          sql`insert into one_time_tokens ${sql.insert({
            realm_id: token.realmId,
            id: token.id,
            purpose: token.purpose,
            user_id: token.userId,
            email: token.email,
            mailed: token.mailed,
            methods: token.methods,
            provider_type: token.provider,
            authenticated_at: dateOrNull(token.authenticatedAt),
            browser_id: token.browserId,
            secret: token.secret,
            mail_token: token.mailToken,
            login_token: token.loginToken,
            codes_tried: 0,
            created_at: date(token.createdAt),
            expires_at: date(token.expiresAt)
          })}`.pipe(Effect.asVoid, Effect.orDie),
        find: (realmId, id, purpose) =>
          sql<Row>`${select}
            where realm_id = ${realmId} and id = ${id} and purpose = ${purpose} and consumed_at is null`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : fromRow(row))),
            Effect.orDie
          ),
        findOwnerOfInvalid: (realmId, id, purpose, now) =>
          sql<Pick<Row, "user_id">>`select user_id from one_time_tokens
            where realm_id = ${realmId} and id = ${id} and purpose = ${purpose}
              and (consumed_at is not null or expires_at <= ${date(now)})`.pipe(
            Effect.map(([row]) => row?.user_id),
            Effect.orDie
          ),
        spend: (realmId, id, purpose, now) =>
          sql`update one_time_tokens set consumed_at = ${date(now)}, secret = null
            where realm_id = ${realmId} and id = ${id} and purpose = ${purpose} and consumed_at is null
              and expires_at > ${date(now)} returning id`.pipe(some, Effect.orDie),
        mailedCodeFor: ({ realmId, userId, id, purpose, mailToken }, now) =>
          sql<Row>`${select} where realm_id = ${realmId} and user_id = ${userId} and purpose = 'email_code' and mailed
              and ${purpose === "login" ? sql`login_token = ${id}` : sql`id = ${mailToken}`}
              and expires_at > ${date(now)}`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : fromRow(row))),
            Effect.orDie
          ),
        deleteMailedFor: ({ realmId, userId, id }) =>
          sql`delete from one_time_tokens where realm_id = ${realmId} and user_id = ${userId}
            and purpose = 'email_code' and mailed and login_token = ${id}`.pipe(Effect.asVoid, Effect.orDie),
        consume: (realmId, id, purpose, now) =>
          sql`delete from one_time_tokens where realm_id = ${realmId} and id = ${id} and purpose = ${purpose}
            and expires_at > ${date(now)} returning id`.pipe(some, Effect.orDie),
        // Locks the user's row first, as all operations that revoke tokens do. Otherwise the two could deadlock.
        countCode: ({ realmId, id, userId, purpose }, now) =>
          sql`update one_time_tokens t set codes_tried = codes_tried + 1
            from (select realm_id, id from users where realm_id = ${realmId} and id = ${userId} for no key update) u
            where t.realm_id = u.realm_id and t.user_id = u.id and t.id = ${id} and t.purpose = ${purpose}
              and t.expires_at > ${date(now)} and t.codes_tried < ${CODES_PER_LOGIN} returning t.id`.pipe(
            some,
            Effect.orDie
          ),
        deleteOfUser: (realmId, userId, purposes) =>
          sql`delete from one_time_tokens where realm_id = ${realmId} and user_id = ${userId}
            and purpose = any(${purposes}::text[]) and consumed_at is null`.pipe(Effect.asVoid, Effect.orDie),
        deleteExpired: (realmId, userId, now) =>
          sql`delete from one_time_tokens where realm_id = ${realmId} and user_id = ${userId}
            and expires_at <= ${date(now)} and purpose <> 'password_reset'`.pipe(Effect.asVoid, Effect.orDie)
      })
    })
  )
}
