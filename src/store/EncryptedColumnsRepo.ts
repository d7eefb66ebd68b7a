import { Context, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { EncryptedColumn, SecretLocation } from "#platform/SecretLocation"
import { PREFIX_LENGTH } from "#platform/Secrets"
import { SlowSql } from "#platform/Transaction"

/** Names a row by the two columns of its key. */
export type RowKey = readonly [string, string | Uint8Array]

/** The sealed text of a row. */
export interface EncryptedText {
  readonly key: RowKey
  readonly location: SecretLocation
  readonly ciphertext: string
}

/** How many texts of a column begin alike: with the key that they are under. */
export interface PrefixCount {
  readonly prefix: string
  readonly count: number
}

interface Row {
  readonly one: string
  readonly two: string | Uint8Array
  readonly at: string
  readonly sealed: string
}

const placeOf = (column: EncryptedColumn, [one, two]: RowKey): SecretLocation =>
  typeof two === "string"
    ? { ...column, row: two, realm: one }
    : { ...column, row: `${one} ${Buffer.from(two).toString("hex")}`, realm: null }

/**
 * The sealed columns of all tables, on the client for long statements: no index tells under which key a text is, as each
 * write would pay for it, so that whoever looks for others reads the table.
 */
export class EncryptedColumnsRepo extends Context.Service<
  EncryptedColumnsRepo,
  {
    /** How many texts there are under each key. */
    count(column: EncryptedColumn): Effect.Effect<ReadonlyArray<PrefixCount>>
    /**
     * Puts what `seal` makes of them in place of some texts that begin with one of these prefixes: `limit` at most, in the
     * order of their keys, after one; null leaves a text as it is. Those that another transaction is at are left to it.
     * How many were replaced, and the last one, if there may be more.
     */
    replaceSome(
      column: EncryptedColumn,
      prefixes: ReadonlyArray<string>,
      after: RowKey | undefined,
      limit: number,
      seal: (text: EncryptedText) => Effect.Effect<string | null>
    ): Effect.Effect<{ readonly replaced: number; readonly last: RowKey | undefined }>
  }
>()("sallyport/store/EncryptedColumnsRepo") {
  static readonly layer = Layer.effect(
    EncryptedColumnsRepo,
    Effect.map(SlowSql, (sql) => {
      const begin = (column: string) => sql`left(${sql(column)}, ${PREFIX_LENGTH}::int)`
      return EncryptedColumnsRepo.of({
        count: ({ table, column }) =>
          patient(
            sql,
            sql<PrefixCount>`select ${begin(column)} as prefix, count(*)::int as count from ${sql(table)}
              where ${sql(column)} is not null group by 1 order by 1`
          ),
        replaceSome: (sealed, prefixes, after, limit, seal) => {
          const { table, column } = sealed
          const [one, two] = sealed.key
          const beyond = after === undefined ? sql`true` : sql`(${sql(one)}, ${sql(two)}) > (${after[0]}, ${after[1]})`
          return patient(
            sql,
            Effect.gen(function* () {
              const rows = yield* sql<Row>`select ${sql(one)} as one, ${sql(two)} as two, ctid::text as at,
                  ${sql(column)} as sealed from ${sql(table)}
                where ${begin(column)} = any(${prefixes}::text[]) and ${beyond}
                order by ${sql(one)}, ${sql(two)} limit ${limit} for no key update skip locked`
              const anew: Array<{ readonly at: string; readonly sealed: string }> = []
              for (const row of rows) {
                const key: RowKey = [row.one, row.two]
                const text = yield* seal({ key, location: placeOf(sealed, key), ciphertext: row.sealed })
                if (text !== null) anew.push({ at: row.at, sealed: text })
              }
              // The rows are held: none has moved since it was read.
              if (anew.length > 0) {
                yield* sql`update ${sql(table)} t set ${sql(column)} = r.sealed
                  from json_to_recordset(${JSON.stringify(anew)}::json) as r (at tid, sealed text) where t.ctid = r.at`
              }
              const final = rows.at(-1)
              const last: RowKey | undefined =
                rows.length < limit || final === undefined ? undefined : [final.one, final.two]
              return { replaced: anew.length, last }
            })
          )
        }
      })
    })
  )
}

/** A transaction whose statements may read a whole table. */
const patient = <A, E>(sql: SqlClient, statements: Effect.Effect<A, E>) =>
  sql
    .withTransaction(Effect.andThen(sql`select set_config('statement_timeout', '10min', true)`, statements))
    .pipe(Effect.orDie)
