import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { type OrgId, prefixes, type RealmId } from "#domain/Ids"
import { type Org, type orgSorts, orgStates } from "#domain/Org"
import { MAX_TOTAL, type PageOf } from "#domain/Page"
import type { Search } from "#domain/Search"
import { sortKey } from "#domain/Text"
import { type KeysetOrder, keysetPage } from "../statements/KeysetPage.ts"
import { mergedPage } from "../statements/MergedPage.ts"
import { prefixSearch } from "../statements/PrefixSearch.ts"
import { isRetained } from "../statements/Retained.ts"
import { date, utc } from "../statements/Rows.ts"
import { noConflict, type Write } from "../statements/Writes.ts"

/** The filters for lists of orgs. */
export interface OrgFilter {
  readonly reference: string | undefined
  /** The states to include, or undefined for all. */
  readonly states: ReadonlyArray<Org["state"]> | undefined
  /** The first id that a pending reset does not delete. */
  readonly from?: string | undefined
}

/** An org's stored row. */
export interface OrgRow {
  readonly id: OrgId
  readonly realm_id: RealmId
  readonly state: Org["state"]
  readonly name: string
  readonly reference: string | null
  readonly custom: Org["custom"]
  readonly created_at: Date
}

const columns = "id, realm_id, state, name, reference, custom, created_at"

export const orgFromRow = (row: OrgRow): Org => ({
  id: row.id,
  realmId: row.realm_id,
  state: row.state,
  name: row.name,
  reference: row.reference,
  custom: row.custom,
  createdAt: utc(row.created_at)
})

/** The columns of an org, joined as `o`. All are null if there is no org. */
export type JoinedOrg = { readonly realm_id: RealmId; readonly org_id: OrgId | null } & (
  | OrgColumns
  | { readonly [Column in keyof OrgColumns]: null }
)

interface OrgColumns {
  readonly org_state: Org["state"]
  readonly org_name: string
  readonly org_reference: string | null
  readonly org_custom: Org["custom"]
  readonly org_created_at: Date
}

export const orgColumns = `o.state as org_state, o.name as org_name, o.reference as org_reference,
  o.custom as org_custom, o.created_at as org_created_at`

export const joinedOrg = (row: JoinedOrg): Org | null =>
  row.org_id === null || row.org_state === null
    ? null
    : {
        id: row.org_id,
        realmId: row.realm_id,
        state: row.org_state,
        name: row.org_name,
        reference: row.org_reference,
        custom: row.org_custom,
        createdAt: utc(row.org_created_at)
      }

/** The columns of an org that an update may change. */
export const orgRow = (org: Org) => ({
  state: org.state,
  name: org.name,
  sort_name: sortKey(org.name),
  reference: org.reference,
  custom: JSON.stringify(org.custom)
})

/** Stores orgs. No query returns an org that is being deleted. */
export class OrgsRepo extends Context.Service<
  OrgsRepo,
  {
    insertion(org: Org): Write
    update(org: Org): Effect.Effect<void>
    find(realmId: RealmId, id: OrgId): Effect.Effect<Org | undefined>
    findForUpdate(realmId: RealmId, id: OrgId): Effect.Effect<Org | undefined>
    /** Finds the orgs with these ids, and locks them so that none is closed before the transaction ends. */
    findManyLocked(realmId: RealmId, ids: ReadonlyArray<OrgId>): Effect.Effect<ReadonlyArray<Org>>
    /** Deletes an org that has no memberships left. Returns false if it has any. */
    delete(realmId: RealmId, id: OrgId): Effect.Effect<boolean>
    /** Returns one more row than fits on the page. */
    list(
      realmId: RealmId,
      filter: OrgFilter,
      page: PageOf<(typeof orgSorts)[number]>
    ): Effect.Effect<ReadonlyArray<Org>>
    /** Counts the orgs matching a filter, up to `MAX_TOTAL`. */
    count(realmId: RealmId, filter: OrgFilter): Effect.Effect<number>
    /**
     * Finds the orgs whose name, reference or id begins with a string. Exact matches come first, then the others by name.
     * Returns one more row than the search shows.
     */
    search(
      realmId: RealmId,
      search: Search,
      filter: Pick<OrgFilter, "states" | "from">
    ): Effect.Effect<ReadonlyArray<Org>>
  }
>()("sallyport/store/OrgsRepo") {
  static readonly layer = Layer.effect(
    OrgsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const select = sql.literal(`select ${columns} from orgs`)
      const many = <E>(rows: Effect.Effect<ReadonlyArray<OrgRow>, E>) =>
        rows.pipe(
          Effect.map((found) => found.map(orgFromRow)),
          Effect.orDie
        )
      const one = Effect.map((rows: ReadonlyArray<OrgRow>) => (rows[0] === undefined ? undefined : orgFromRow(rows[0])))

      const list = (realmId: RealmId, filter: OrgFilter, page: PageOf<(typeof orgSorts)[number]>) => {
        const conditions: Array<Fragment> = [sql`realm_id = ${realmId}`, sql`deleted_at is null`]
        if (filter.reference !== undefined) conditions.push(sql`reference = ${filter.reference}`)
        if (filter.from !== undefined) conditions.push(isRetained(sql, "id", filter.from))
        const order: KeysetOrder = {
          sortKey: {
            column: "sort_name",
            ofRow: (id) => sql`select sort_name from orgs where realm_id = ${realmId} and id = ${id}`
          }
        }
        const filters = { state: filter.states ?? orgStates }
        if (filter.reference !== undefined && page.sort === "id") {
          // Few orgs share a reference. `offset 0` makes PostgreSQL find these first and sort them afterwards.
          const found = sql`select * from orgs where ${sql.and(conditions)} and state in ${sql.in(filters.state)} offset 0`
          return sql<OrgRow>`select ${sql.literal(columns)} from (${found}) found
            ${keysetPage(sql, [sql`true`], page, order)}`.pipe(many)
        }
        return sql<OrgRow>`${mergedPage(sql, { columns, from: "orgs" }, filters, conditions, page, order)}`.pipe(many)
      }

      return OrgsRepo.of({
        insertion: (org) => ({
          realmLock: "key share",
          statement: (before) => {
            const row = orgRow(org)
            return sql`insert into orgs (realm_id, id, state, name, sort_name, reference, custom, created_at)
              select before.realm_id, ${org.id}, ${row.state}, ${row.name}, ${row.sort_name}, ${row.reference}, ${row.custom},
                ${date(org.createdAt)} from ${before}`
          },
          conflictIn: noConflict
        }),
        update: (org) =>
          sql`update orgs set ${sql.update(orgRow(org))} where realm_id = ${org.realmId} and id = ${org.id}`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        find: (realmId, id) =>
          sql<OrgRow>`${select} where realm_id = ${realmId} and id = ${id} and deleted_at is null`.pipe(
            one,
            Effect.orDie
          ),
        findForUpdate: (realmId, id) =>
          sql<OrgRow>`${select} where realm_id = ${realmId} and id = ${id} and deleted_at is null for update`.pipe(
            one,
            Effect.orDie
          ),
        findManyLocked: (realmId, ids) =>
          ids.length === 0
            ? Effect.succeed([])
            : sql<OrgRow>`${select} where realm_id = ${realmId} and id = any(${ids}) and deleted_at is null
              order by id for share`.pipe(
                Effect.map((rows) => rows.map(orgFromRow)),
                Effect.orDie
              ),
        delete: (realmId, id) =>
          sql`delete from orgs o where o.realm_id = ${realmId} and o.id = ${id} and not exists (
              select from memberships m where m.realm_id = o.realm_id and m.org_id = o.id) returning 1 as gone`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          ),
        list,
        count: (realmId, { reference, states, from }) => {
          const conditions: Array<Fragment> = [sql`realm_id = ${realmId}`, sql`deleted_at is null`]
          conditions.push(sql`state in ${sql.in(states ?? orgStates)}`)
          if (reference !== undefined) conditions.push(sql`reference = ${reference}`)
          if (from !== undefined) conditions.push(isRetained(sql, "id", from))
          return sql<{ readonly count: number }>`select count(*)::int as count from (
            select 1 from orgs where ${sql.and(conditions)} limit ${MAX_TOTAL}) counted`.pipe(
            Effect.map((rows) => rows[0]?.count ?? 0),
            Effect.orDie
          )
        },
        search: (realmId, { text, key, maxResults }, { states, from }) =>
          sql<OrgRow>`${prefixSearch(sql, {
            table: "orgs",
            columns: columns.replaceAll(/\w+/g, "t.$&"),
            order: "t.sort_name",
            realmId,
            conditions: [sql`deleted_at is null`, ...(from === undefined ? [] : [isRetained(sql, "id", from)])],
            filters: { state: states ?? orgStates },
            filteredByIndex: [
              { column: "sort_name", prefix: key },
              ...(key.startsWith(prefixes.org)
                ? [{ column: "id", prefix: text.startsWith(prefixes.org) ? text : key }]
                : [])
            ],
            filteredAfterwards: [{ column: "reference", prefix: text }],
            limit: maxResults + 1
          })}`.pipe(many)
      })
    })
  )
}
