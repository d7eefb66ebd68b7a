import { Context, type DateTime, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { builtInTypes } from "#domain/AuthProvider"
import { GENERATED_FORM, type RealmId } from "#domain/Ids"
import { firstRetainedId, type Resettable } from "#domain/RealmReset"
import { SlowSql } from "#platform/Transaction"
import { utc, utcOrNull } from "../statements/Rows.ts"

/** The tables with realms' rows, in an order of deletion that respects the foreign keys. */
export const realmTables = [
  "browser_sessions",
  "known_browsers",
  "trusted_devices",
  "oauth_requests",
  "oauth_codes",
  "oauth_consents",
  "oauth_logout_requests",
  "oauth_logouts",
  "oauth_refresh_tokens",
  "oauth_revoked_tokens",
  "oauth_proofs",
  "oauth_grants",
  "oauth_devices",
  "oauth_client_secrets",
  "oauth_registrations",
  "oauth_clients",
  "login_policies",
  "sessions",
  "one_time_tokens",
  "passkey_challenges",
  "attempts",
  "unknown_attempts",
  "passkeys",
  "credentials",
  "memberships",
  "invitations",
  "last_logins",
  "users",
  "org_deletions",
  "org_domains",
  "orgs",
  "id_imports",
  "signup_tokens",
  "api_key_peppers",
  "jwt_keys",
  "retired_public_keys",
  "oauth_states",
  "auth_providers",
  "app_hooks",
  "deliveries",
  "mails",
  "event_changes",
  "events",
  "event_counts",
  "api_keys"
] as const

/** The rows of a deleted realm to retain: `realm.deleted`, and the rows needed to deliver it (C20). */
const retained: Partial<Record<(typeof realmTables)[number], string>> = {
  events: "event_type = 'realm.deleted'",
  deliveries: `exists (select from events e where e.realm_id = deliveries.realm_id and e.id = deliveries.event_id
    and e.event_type = 'realm.deleted')`,
  app_hooks: `exists (select from deliveries d join events e on e.realm_id = d.realm_id and e.id = d.event_id
    where d.hook_realm_id = app_hooks.realm_id and d.hook_id = app_hooks.id and d.state = 'in_progress'
      and e.event_type = 'realm.deleted')`
}

/** The tables whose rows belong to a user (below, to an org) and are deleted with it. */
const ofUser = [
  "browser_sessions",
  "known_browsers",
  "trusted_devices",
  "oauth_codes",
  "oauth_consents",
  "oauth_grants",
  "oauth_devices",
  "sessions",
  "one_time_tokens",
  "passkey_challenges",
  "attempts",
  "credentials",
  "memberships",
  "last_logins",
  "events"
] as const
const ofOrg = ["memberships", "invitations", "org_deletions", "org_domains", "events"] as const

/** The maximum number of rows to delete per batch, and of users or orgs to delete along with their rows. */
const ROWS_PER_BATCH = 2_000
const OWNERS_PER_BATCH = 200

interface Job {
  readonly realm_id: RealmId
  readonly kind: "delete" | "reset"
  readonly resources: ReadonlyArray<Resettable>
  readonly cutoff_at: Date
}

/** Stores the jobs that delete or reset realms, and runs them in batches on the client for slow statements. */
export class RealmJobsRepo extends Context.Service<
  RealmJobsRepo,
  {
    /**
     * Runs one batch of the next job that no other node has locked, in a transaction. Returns the number of deleted rows,
     * which is at least 1 as long as there are jobs. After a crash, the next call continues the job.
     */
    runBatch: Effect.Effect<number>
    /** When the oldest job was created. */
    nextDue: Effect.Effect<DateTime.Utc | undefined>
  }
>()("sallyport/store/RealmJobsRepo") {
  static readonly layer = Layer.effect(
    RealmJobsRepo,
    Effect.map(SlowSql, (sql) =>
      RealmJobsRepo.of({
        runBatch: sql
          .withTransaction(
            Effect.gen(function* () {
              // Jobs take turns, so that a small job waits for only one batch of each large job.
              const [job] = yield* sql<Job>`select realm_id, kind, resources, cutoff_at from realm_jobs
                order by turn, cutoff_at, kind limit 1 for update skip locked`
              if (job === undefined) return 0
              const cleared = job.kind === "delete" ? yield* clearRealm(sql, job) : yield* clearResources(sql, job)
              yield* cleared > 0 ? endTurn(sql, job) : finish(sql, job)
              return Math.max(cleared, 1)
            })
          )
          .pipe(Effect.orDie),
        nextDue: sql<{ readonly at: Date | null }>`select min(cutoff_at) as at from realm_jobs`.pipe(
          Effect.map(([row]) => utcOrNull(row?.at ?? null) ?? undefined),
          Effect.orDie
        )
      })
    )
  )
}

/** Deletes a batch of a deleted realm's rows. `realm.deleted` stays until it is delivered. */
const clearRealm = Effect.fnUntraced(function* (sql: SqlClient, { realm_id: realmId }: Job) {
  for (const table of realmTables) {
    const exceptRetained = sql.literal(retained[table] === undefined ? "" : `and not ${retained[table]}`)
    const deleted = yield* sql`delete from ${sql(table)} where realm_id = ${realmId} and ctid = any(array(
      select ctid from ${sql(table)} where realm_id = ${realmId} ${exceptRetained} limit ${ROWS_PER_BATCH})) returning 1 as gone`
    if (deleted.length > 0) return deleted.length
  }
  return 0
})

/**
 * Deletes a batch of rows for a reset: users and orgs that existed at the cutoff, with the rows that belong to them. This
 * includes events, so stored event counts are deleted too. Their ids show whether they existed, as in `isBeingReset`:
 * `created_at` of imported rows can be older.
 */
const clearResources = Effect.fnUntraced(function* (sql: SqlClient, job: Job) {
  const { realm_id: realmId, resources, cutoff_at: cutoff } = job
  yield* sql`delete from event_counts where realm_id = ${realmId}`
  for (const [resource, kind, column, dependents] of [
    ["users", "user", "user_id", ofUser],
    ["orgs", "org", "org_id", ofOrg]
  ] as const) {
    const firstRetained = firstRetainedId({ resources, cutoffAt: utc(cutoff) }, kind)
    if (firstRetained === undefined) continue
    const rows = yield* sql<{ readonly id: string }>`select id from ${sql(resource)}
      where realm_id = ${realmId} and id in (select id from ${sql(resource)}
        where realm_id = ${realmId} and (id < ${firstRetained} or id !~ ${`_${GENERATED_FORM}$`})
        limit ${OWNERS_PER_BATCH}) order by id for update`
    if (rows.length === 0) continue
    const ids = rows.map(({ id }) => id)
    for (const table of dependents) {
      yield* sql`delete from ${sql(table)} where realm_id = ${realmId} and ${sql(column)} = any(${ids})`
    }
    yield* sql`delete from ${sql(resource)} where realm_id = ${realmId} and id = any(${ids})`
    return ids.length
  }
  if (resources.includes("app_hooks")) yield* clearHookEvents(sql, job)
  if (resources.includes("login_policies")) yield* clearAppEvents(sql, job)
  return resources.includes("auth_providers") ? yield* clearProviders(sql, job) : 0
})

/** Deletes the events about hooks that the reset deleted. */
const clearHookEvents = (sql: SqlClient, { realm_id: realmId, cutoff_at: cutoff }: Job) =>
  sql`delete from events e where e.realm_id = ${realmId} and e.hook_id is not null and e.event_at <= ${cutoff}
    and not exists (select from app_hooks h where h.realm_id = e.realm_id and h.id = e.hook_id)`

/** Deletes the events about connected apps that the reset deleted. */
const clearAppEvents = (sql: SqlClient, { realm_id: realmId, cutoff_at: cutoff }: Job) =>
  sql`delete from events e where e.realm_id = ${realmId} and e.login_policy_id is not null and e.event_at <= ${cutoff}
    and not exists (select from login_policies a where a.realm_id = e.realm_id and a.id = e.login_policy_id)`

/** Restores a realm's initial providers. Returns the number of changed ones. */
const clearProviders = Effect.fnUntraced(function* (sql: SqlClient, { realm_id: realmId, cutoff_at: cutoff }: Job) {
  const deleted = yield* sql<{ readonly id: string }>`delete from auth_providers where realm_id = ${realmId}
    and provider_type not in ${sql.in(builtInTypes)} and created_at <= ${cutoff} returning id`
  const ids = deleted.map(({ id }) => id)
  yield* sql`delete from events where realm_id = ${realmId} and auth_provider_id = any(${ids})`
  const initialState = sql.literal("case when provider_type = 'email_code' then 'inactive' else 'active' end")
  const restored = yield* sql`update auth_providers set state = ${initialState}, second_factor = false,
      min_length = case when provider_type = 'password' then 8 end, preset = 'none', required_chars = '{}',
      user_verification = 'preferred', attestation = 'none', attestation_roots = '{}'
    where realm_id = ${realmId} and provider_type in ${sql.in(builtInTypes)} and created_at <= ${cutoff}
      and (state <> ${initialState} or second_factor or coalesce(min_length, 8) <> 8 or preset <> 'none' or required_chars <> '{}'
        or user_verification <> 'preferred' or attestation <> 'none' or attestation_roots <> '{}') returning id`
  return deleted.length + restored.length
})

/** Moves a job to the end of the queue. */
const endTurn = (sql: SqlClient, { realm_id: realmId, kind }: Job) =>
  sql`update realm_jobs set turn = (select max(turn) + 1 from realm_jobs)
    where realm_id = ${realmId} and kind = ${kind}`

/** Deletes a finished job. Only the id and deletion time of a deleted realm remain. */
const finish = Effect.fnUntraced(function* (sql: SqlClient, { realm_id: realmId, kind }: Job) {
  if (kind === "reset") return yield* sql`delete from realm_jobs where realm_id = ${realmId} and kind = 'reset'`
  yield* sql`delete from realm_jobs where realm_id = ${realmId}`
  return yield* sql`update realms set name = '', sort_name = '', reference = null, custom = '{}', api_key_prefix = null,
    resource_links = '[]', roles = '[]' where id = ${realmId}`
})
