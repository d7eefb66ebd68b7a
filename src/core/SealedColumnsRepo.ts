import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RealmId } from "#domain/Ids"

/** A column of sealed texts, in a table whose rows have `realm_id` and `id`. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
}

/** The sealed text of a row. */
export interface SealedText {
  readonly realm_id: RealmId
  readonly id: string
  readonly sealed: string
}

/** The sealed columns of all tables. */
export class SealedColumnsRepo extends Context.Service<
  SealedColumnsRepo,
  {
    /** The next texts, after a row, that do not begin with a prefix: `limit` at most, held until the transaction ends. */
    othersHeld(
      column: SealedColumn,
      prefix: string,
      after: SealedText | undefined,
      limit: number
    ): Effect.Effect<ReadonlyArray<SealedText>>
    /** Puts these texts in place of the rows' own. */
    replace(column: SealedColumn, texts: ReadonlyArray<SealedText>): Effect.Effect<void>
  }
>()("sallyport/core/SealedColumnsRepo") {
  static readonly layer = Layer.effect(
    SealedColumnsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return SealedColumnsRepo.of({
        othersHeld: ({ table, column }, prefix, after, limit) => {
          const beyond = after === undefined ? sql`true` : sql`(realm_id, id) > (${after.realm_id}, ${after.id})`
          // Where nothing is left to seal again, this reads the whole table.
          return sql`select set_config('statement_timeout', '10min', true)`.pipe(
            Effect.andThen(sql<SealedText>`select realm_id, id, ${sql(column)} as sealed from ${sql(table)}
              where ${sql(column)} is not null and not starts_with(${sql(column)}, ${prefix}) and ${beyond}
              order by realm_id, id limit ${limit} for no key update`),
            Effect.orDie
          )
        },
        replace: ({ table, column }, texts) =>
          sql`update ${sql(table)} t set ${sql(column)} = r.sealed
            from json_to_recordset(${JSON.stringify(texts)}::json) as r (realm_id text, id text, sealed text)
            where t.realm_id = r.realm_id and t.id = r.id`.pipe(Effect.asVoid, Effect.orDie)
      })
    })
  )
}
