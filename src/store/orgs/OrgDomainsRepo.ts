import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { DomainProblem } from "#domain/DomainProof"
import type { OrgDomainId, OrgId, RealmId } from "#domain/Ids"
import { type OrgDomain, type OrgDomainState, orgDomainStates } from "#domain/OrgDomain"
import type { PageOf } from "#domain/Page"
import { mergedPage } from "../statements/MergedPage.ts"
import { date, dateOrNull, utc, utcOrNull } from "../statements/Rows.ts"

/** The filters for lists of domains. */
export interface OrgDomainFilter {
  readonly orgId: string | undefined
  readonly state: OrgDomainState | undefined
  /** The first id that a pending reset does not delete. */
  readonly from?: string | undefined
}

interface Row {
  readonly id: OrgDomainId
  readonly realm_id: RealmId
  readonly org_id: OrgId
  readonly domain: string
  readonly state: OrgDomainState
  readonly token: string
  readonly problem: DomainProblem | null
  readonly found: ReadonlyArray<string>
  readonly created_at: Date
  readonly verified_at: Date | null
  readonly checked_at: Date | null
  readonly check_at: Date | null
  readonly missed_since: Date | null
}

const fromRow = (row: Row): OrgDomain => ({
  id: row.id,
  realmId: row.realm_id,
  orgId: row.org_id,
  domain: row.domain,
  state: row.state,
  token: row.token,
  problem: row.problem,
  found: row.found,
  createdAt: utc(row.created_at),
  verifiedAt: utcOrNull(row.verified_at),
  checkedAt: utcOrNull(row.checked_at),
  checkAt: utcOrNull(row.check_at),
  missedSince: utcOrNull(row.missed_since)
})

/** The columns that a check changes. */
const toRow = (domain: OrgDomain) => ({
  state: domain.state,
  problem: domain.problem,
  found: domain.found,
  verified_at: dateOrNull(domain.verifiedAt),
  checked_at: dateOrNull(domain.checkedAt),
  check_at: dateOrNull(domain.checkAt),
  missed_since: dateOrNull(domain.missedSince)
})

const columns =
  "id, realm_id, org_id, domain, state, token, problem, found, created_at, verified_at, checked_at, check_at, missed_since"

/** Stores the domains of orgs. No two orgs of a realm have the same verified domain. */
export class OrgDomainsRepo extends Context.Service<
  OrgDomainsRepo,
  {
    insert(domain: OrgDomain): Effect.Effect<void>
    /** Stores the result of a check. */
    update(domain: OrgDomain): Effect.Effect<void>
    find(realmId: RealmId, id: OrgDomainId): Effect.Effect<OrgDomain | undefined>
    /** Deletes and returns a domain. */
    delete(realmId: RealmId, id: OrgDomainId): Effect.Effect<OrgDomain | undefined>
    /** Deletes and returns all domains of an org. */
    deleteOfOrg(realmId: RealmId, orgId: OrgId): Effect.Effect<ReadonlyArray<OrgDomain>>
    /** Locks all rows of the realm with the same domain, so that no two of them are verified at the same time. */
    lockSame(realmId: RealmId, domain: string): Effect.Effect<ReadonlyArray<OrgDomain>>
    /** Finds the owner of a domain. */
    findVerified(realmId: RealmId, domain: string): Effect.Effect<OrgDomain | undefined>
    /** All domains of an org, by name. There are at most `MAX_DOMAINS_PER_ORG`. */
    ofOrg(realmId: RealmId, orgId: OrgId): Effect.Effect<ReadonlyArray<OrgDomain>>
    /** Returns one more row than fits on the page. */
    list(realmId: RealmId, filter: OrgDomainFilter, page: PageOf<"id">): Effect.Effect<ReadonlyArray<OrgDomain>>
    /**
     * Takes the domains whose daily check has been due for longest, at most `perRealm` of each realm, in all realms that are not
     * deleted. Postpones their checks to `until`, so that no other node takes them. Skips rows locked by another node.
     */
    claimDue(
      now: DateTime.Utc,
      until: DateTime.Utc,
      limits: { readonly all: number; readonly perRealm: number }
    ): Effect.Effect<ReadonlyArray<OrgDomain>>
    /** When the next check is due. It may be in the past. */
    readonly nextDue: Effect.Effect<DateTime.Utc | undefined>
  }
>()("sallyport/store/OrgDomainsRepo") {
  static readonly layer = Layer.effect(
    OrgDomainsRepo,
    Effect.map(SqlClient, (sql) => {
      const selected = sql.literal(columns)
      const many = <E>(rows: Effect.Effect<ReadonlyArray<Row>, E>) =>
        rows.pipe(
          Effect.map((found) => found.map(fromRow)),
          Effect.orDie
        )
      const one = <E>(rows: Effect.Effect<ReadonlyArray<Row>, E>) => Effect.map(many(rows), ([first]) => first)

      return OrgDomainsRepo.of({
        insert: (domain) =>
          sql`insert into org_domains ${sql.insert({
            realm_id: domain.realmId,
            id: domain.id,
            org_id: domain.orgId,
            domain: domain.domain,
            token: domain.token,
            created_at: date(domain.createdAt),
            ...toRow(domain)
          })}`.pipe(Effect.asVoid, Effect.orDie),
        update: (domain) =>
          sql`update org_domains set ${sql.update(toRow(domain))}
            where realm_id = ${domain.realmId} and id = ${domain.id}`.pipe(Effect.asVoid, Effect.orDie),
        find: (realmId, id) =>
          sql<Row>`select ${selected} from org_domains where realm_id = ${realmId} and id = ${id}`.pipe(one),
        delete: (realmId, id) =>
          sql<Row>`delete from org_domains where realm_id = ${realmId} and id = ${id} returning ${selected}`.pipe(one),
        deleteOfOrg: (realmId, orgId) =>
          sql<Row>`delete from org_domains where realm_id = ${realmId} and org_id = ${orgId}
            returning ${selected}`.pipe(
            many,
            Effect.map((rows) => rows.toSorted((a, b) => (a.domain < b.domain ? -1 : 1)))
          ),
        lockSame: (realmId, domain) =>
          sql<Row>`select ${selected} from org_domains where realm_id = ${realmId} and domain = ${domain}
            order by id for update`.pipe(many),
        findVerified: (realmId, domain) =>
          sql<Row>`select ${selected} from org_domains
            where realm_id = ${realmId} and domain = ${domain} and state = 'verified'`.pipe(one),
        ofOrg: (realmId, orgId) =>
          sql<Row>`select ${selected} from org_domains where realm_id = ${realmId} and org_id = ${orgId}
            order by domain`.pipe(many),
        list: (realmId, { orgId, state, from }, page) => {
          const conditions = [sql`realm_id = ${realmId}`]
          if (from !== undefined) conditions.push(sql`id >= ${from}`)
          const states = state === undefined ? orgDomainStates : [state]
          // An org has few domains, so they are filtered by state after reading.
          if (orgId !== undefined) conditions.push(sql`org_id = ${orgId} and state in ${sql.in(states)}`)
          const filters = orgId === undefined && state !== undefined ? { state: states } : {}
          return sql<Row>`${mergedPage(sql, { columns, from: "org_domains" }, filters, conditions, page)}`.pipe(many)
        },
        claimDue: (now, until, { all, perRealm }) =>
          sql<Row>`with due as (
              select d.realm_id, d.id, d.check_at from org_domains d
                join realms r on r.id = d.realm_id and r.deleted_at is null
                where d.check_at <= ${date(now)} order by d.check_at limit ${all} for update of d skip locked
            ), fair as (
              select realm_id, id, row_number() over (partition by realm_id order by check_at, id) as place from due
            )
            update org_domains d set check_at = ${date(until)} from fair
              where d.realm_id = fair.realm_id and d.id = fair.id and fair.place <= ${perRealm}
              returning ${sql.literal(columns.replaceAll(/\w+/g, "d.$&"))}`.pipe(many),
        nextDue: sql<{ readonly check_at: Date }>`select d.check_at from org_domains d
          join realms r on r.id = d.realm_id and r.deleted_at is null
          where d.check_at is not null order by d.check_at limit 1`.pipe(
          Effect.map(([row]) => (row === undefined ? undefined : utc(row.check_at))),
          Effect.orDie
        )
      })
    })
  )
}
