import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RealmId } from "#domain/Ids"
import type { SignupToken } from "#domain/SignupToken"
import { date, utc } from "../statements/Rows.ts"

interface Row {
  readonly id: string
  readonly realm_id: RealmId
  readonly username: string | null
  readonly email: string | null
  readonly first_name: string | null
  readonly last_name: string | null
  readonly password_hash: string
  readonly created_at: Date
  readonly expires_at: Date
}

const columns = "realm_id, id, username, email, first_name, last_name, password_hash, created_at, expires_at"

const fromRow = (row: Row): SignupToken => ({
  id: row.id,
  realmId: row.realm_id,
  username: row.username,
  email: row.email,
  firstName: row.first_name,
  lastName: row.last_name,
  passwordHash: row.password_hash,
  createdAt: utc(row.created_at),
  expiresAt: utc(row.expires_at)
})

/** Stores signup tokens. No query returns an expired one. */
export class SignupTokensRepo extends Context.Service<
  SignupTokensRepo,
  {
    /** Inserts a token. Returns false if its realm is deleted. */
    insert(token: SignupToken): Effect.Effect<boolean>
    find(realmId: RealmId, id: string, now: DateTime.Utc): Effect.Effect<SignupToken | undefined>
    /** Consumes an unexpired token. Returns true for only one caller. */
    consume(realmId: RealmId, id: string, now: DateTime.Utc): Effect.Effect<boolean>
    /** Deletes a realm's expired tokens, including their passwords. */
    deleteExpired(realmId: RealmId, now: DateTime.Utc): Effect.Effect<void>
  }
>()("sallyport/store/SignupTokensRepo") {
  static readonly layer = Layer.effect(
    SignupTokensRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const some = Effect.map((rows: ReadonlyArray<unknown>) => rows.length > 0)

      return SignupTokensRepo.of({
        insert: (token) =>
          sql`insert into signup_tokens (${sql.literal(columns)})
            select r.id, ${token.id}, ${token.username}, ${token.email}, ${token.firstName}, ${token.lastName},
              ${token.passwordHash}, ${date(token.createdAt)}, ${date(token.expiresAt)}
            from realms r where r.id = ${token.realmId} and r.deleted_at is null for key share returning id`.pipe(
            some,
            Effect.orDie
          ),
        find: (realmId, id, now) =>
          sql<Row>`select ${sql.literal(columns)} from signup_tokens where realm_id = ${realmId} and id = ${id} and expires_at > ${date(now)}`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : fromRow(row))),
            Effect.orDie
          ),
        consume: (realmId, id, now) =>
          sql`delete from signup_tokens where realm_id = ${realmId} and id = ${id}
            and expires_at > ${date(now)} returning id`.pipe(some, Effect.orDie),
        deleteExpired: (realmId, now) =>
          sql`delete from signup_tokens where realm_id = ${realmId} and expires_at <= ${date(now)}`.pipe(
            Effect.asVoid,
            Effect.orDie
          )
      })
    })
  )
}
