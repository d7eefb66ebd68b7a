import { Context, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { EncryptedColumn, SecretLocation } from "#platform/SecretLocation"
import { PREFIX_LENGTH } from "#platform/Secrets"
import { SlowSql } from "#platform/Transaction"

/** A row's primary key, which has two columns. */
export type RowKey = readonly [string, string | Uint8Array]

/** An encrypted value and the key of its row. */
export interface EncryptedText {
  readonly key: RowKey
  readonly location: SecretLocation
  readonly ciphertext: string
}

/** The number of values in a column with this prefix. The prefix identifies the encryption key. */
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

const locationOf = (column: EncryptedColumn, [one, two]: RowKey): SecretLocation =>
  typeof two === "string"
    ? { ...column, row: two, realm: one }
    : { ...column, row: `${one} ${Buffer.from(two).toString("hex")}`, realm: null }

/**
 * Re-encrypts the encrypted columns of all tables. It reads whole tables on the client for slow statements, because an
 * index on the encryption key would slow down every write.
 */
export class EncryptedColumnsRepo extends Context.Service<
  EncryptedColumnsRepo,
  {
    /** Counts the values per encryption key. */
    count(column: EncryptedColumn): Effect.Effect<ReadonlyArray<PrefixCount>>
    /** Returns up to `limit` values of a column, ordered by row key, starting after the key `after`. */
    some(column: EncryptedColumn, after: RowKey | undefined, limit: number): Effect.Effect<ReadonlyArray<EncryptedText>>
    /**
     * Replaces up to `limit` values that have one of these prefixes with the result of `encrypt`, ordered by row key,
     * starting after the key `after`. If `encrypt` returns null, the value stays unchanged. Skips rows locked by another
     * transaction. Returns the number of replaced values, and the last row key if there may be more.
     */
    replaceSome(
      column: EncryptedColumn,
      prefixes: ReadonlyArray<string>,
      after: RowKey | undefined,
      limit: number,
      encrypt: (text: EncryptedText) => Effect.Effect<string | null>
    ): Effect.Effect<{ readonly replaced: number; readonly last: RowKey | undefined }>
  }
>()("sallyport/store/EncryptedColumnsRepo") {
  static readonly layer = Layer.effect(
    EncryptedColumnsRepo,
    Effect.map(SlowSql, (sql) => {
      const prefixOf = (column: string) => sql`left(${sql(column)}, ${PREFIX_LENGTH}::int)`
      const isAfter = ({ key: [one, two] }: EncryptedColumn, after: RowKey | undefined) =>
        after === undefined ? sql`true` : sql`(${sql(one)}, ${sql(two)}) > (${after[0]}, ${after[1]})`
      return EncryptedColumnsRepo.of({
        count: ({ table, column }) =>
          runSlowly(
            sql,
            sql<PrefixCount>`select ${prefixOf(column)} as prefix, count(*)::int as count from ${sql(table)}
              where ${sql(column)} is not null group by 1 order by 1`
          ),
        some: (encrypted, after, limit) => {
          const { table, column } = encrypted
          const [one, two] = encrypted.key
          return sql<Omit<Row, "at">>`select ${sql(one)} as one, ${sql(two)} as two, ${sql(column)} as sealed
              from ${sql(table)} where ${sql(column)} is not null and ${isAfter(encrypted, after)}
              order by ${sql(one)}, ${sql(two)} limit ${limit}`.pipe(
            Effect.map((rows) =>
              rows.map((row): EncryptedText => {
                const key: RowKey = [row.one, row.two]
                return { key, location: locationOf(encrypted, key), ciphertext: row.sealed }
              })
            ),
            Effect.orDie
          )
        },
        replaceSome: (encrypted, prefixes, after, limit, encrypt) => {
          const { table, column } = encrypted
          const [one, two] = encrypted.key
          return runSlowly(
            sql,
            Effect.gen(function* () {
              const rows = yield* sql<Row>`select ${sql(one)} as one, ${sql(two)} as two, ctid::text as at,
                  ${sql(column)} as sealed from ${sql(table)}
                where ${prefixOf(column)} = any(${prefixes}::text[]) and ${isAfter(encrypted, after)}
                order by ${sql(one)}, ${sql(two)} limit ${limit} for no key update skip locked`
              const replacements: Array<{ readonly at: string; readonly sealed: string }> = []
              for (const row of rows) {
                const key: RowKey = [row.one, row.two]
                const text = yield* encrypt({ key, location: locationOf(encrypted, key), ciphertext: row.sealed })
                if (text !== null) replacements.push({ at: row.at, sealed: text })
              }
              // The rows are locked, so their `ctid` has not changed since they were read.
              if (replacements.length > 0) {
                yield* sql`update ${sql(table)} t set ${sql(column)} = r.sealed
                  from json_to_recordset(${JSON.stringify(replacements)}::json) as r (at tid, sealed text) where t.ctid = r.at`
              }
              const final = rows.at(-1)
              const last: RowKey | undefined =
                rows.length < limit || final === undefined ? undefined : [final.one, final.two]
              return { replaced: replacements.length, last }
            })
          )
        }
      })
    })
  )
}

/** Runs statements in a transaction whose timeout is long enough to read a whole table. */
const runSlowly = <A, E>(sql: SqlClient, statements: Effect.Effect<A, E>) =>
  sql
    .withTransaction(Effect.andThen(sql`select set_config('statement_timeout', '10min', true)`, statements))
    .pipe(Effect.orDie)
