import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { foldedEmail } from "#domain/Email"
import { conflictOf } from "../statements/Writes.ts"

/** The columns that store emails in the form used for comparison. Each has a companion column for the email as entered. */
export const foldedColumns = [
  { table: "users", column: "email" },
  { table: "users", column: "email_pending" },
  { table: "invitations", column: "email" }
] as const

/** The primary key of a row. */
interface RowKey {
  readonly id: string
  readonly realm_id: string
}

type Row = RowKey & { readonly email: string }

/** Folds the emails in rows written before migration 0023, whose domains are stored as entered (C257). */
export class UnfoldedEmailsRepo extends Context.Service<
  UnfoldedEmailsRepo,
  {
    /**
     * Folds up to `limit` emails of a column, ordered by row key, starting after the key `after`. Returns the ids of users
     * left unchanged because another user has the folded email, and the last key if there may be more.
     */
    foldSome(
      column: (typeof foldedColumns)[number],
      after: RowKey | undefined,
      limit: number
    ): Effect.Effect<{ readonly taken: ReadonlyArray<string>; readonly last: RowKey | undefined }>
  }
>()("sallyport/store/UnfoldedEmailsRepo") {
  static readonly layer = Layer.effect(
    UnfoldedEmailsRepo,
    Effect.map(SqlClient, (sql) =>
      UnfoldedEmailsRepo.of({
        foldSome: Effect.fnUntraced(function* ({ table, column }, after = { id: "", realm_id: "" }, limit) {
          // Repeats the condition of an index that contains only these rows.
          const rows = yield* sql<Row>`select id, realm_id, ${sql(column)} as email from ${sql(table)}
            where ${sql(column)} ~ '@.*[^ -~]' and (id, realm_id) > (${after.id}, ${after.realm_id})
            order by id, realm_id limit ${limit}`.pipe(Effect.orDie)
          const taken: Array<string> = []
          for (const { id, realm_id, email } of rows) {
            const folded = foldedEmail(email)
            if (folded === email) continue
            const isTaken = yield* conflictOf(
              sql`update ${sql(table)} set ${sql(column)} = ${folded}, ${sql(`${column}_shown`)} = ${email}
                where realm_id = ${realm_id} and id = ${id} and ${sql(column)} = ${email}`,
              ({ reason }) => (reason._tag === "UniqueViolation" ? true : undefined)
            )
            if (isTaken === true) taken.push(id)
          }
          return { taken, last: rows.length < limit ? undefined : rows.at(-1) }
        })
      })
    )
  )
}
