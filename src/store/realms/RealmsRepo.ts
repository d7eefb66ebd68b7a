import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Kind, type RealmId, SYSTEM } from "#domain/Ids"
import type { RealmLimits } from "#domain/Limit"
import type { PageOf } from "#domain/Page"
import { type Realm, type RealmSettings, type ResourceLink, type realmSorts, realmStates } from "#domain/Realm"
import type { PendingReset } from "#domain/RealmReset"
import type { Role } from "#domain/Role"
import { sortKey } from "#domain/Text"
import { violates } from "#platform/Transaction"
import { batchedReads } from "../statements/BatchedReads.ts"
import type { KeysetOrder } from "../statements/KeysetPage.ts"
import { mergedPage } from "../statements/MergedPage.ts"
import { date, utc } from "../statements/Rows.ts"
import { shareMembers } from "../users/SharedMembers.ts"

/** The filters for lists of realms. `only` is the realm that the caller's key is locked to. */
export interface RealmFilter {
  readonly only: RealmId | undefined
  readonly reference: string | undefined
  readonly state: Realm["state"] | undefined
}

interface Row {
  readonly id: RealmId
  readonly name: string
  readonly state: Realm["state"]
  readonly reference: string | null
  readonly custom: Realm["custom"]
  readonly environment: Realm["environment"]
  readonly username_validation_human: Realm["usernameValidationHuman"]
  readonly require_unique_emails: boolean
  readonly api_key_prefix: string | null
  readonly api_key_policy: Realm["apiKeyPolicy"]
  readonly jwt_algo: Realm["jwtAlgo"]
  readonly jwt_fields: Realm["jwtFields"]
  readonly jwt_claims: Realm["jwtClaims"]
  readonly session_type: Realm["sessionType"]
  readonly session_minutes: number
  readonly session_tokens: Realm["sessionTokens"]
  readonly mfa: Realm["mfa"]
  readonly jwt_max_bytes: number
  readonly record_unknown_names: boolean
  readonly api_key_minutes: number
  readonly org_mode: Realm["orgMode"]
  readonly signup: Realm["signup"]
  readonly signup_fields: Realm["signupFields"]
  readonly email_verification: Realm["emailVerification"]
  readonly default_locale: string
  readonly available_locales: ReadonlyArray<string>
  readonly resource_links: ReadonlyArray<ResourceLink>
  readonly limits: RealmLimits
  readonly event_retention_days: number | null
  readonly account_deletion_days: number | null
  readonly trusted_devices_days: number | null
  readonly passkey_rp_id: string | null
  readonly oauth_scopes: ReadonlyArray<string>
  readonly client_registration: Realm["clientRegistration"]
  readonly registration_scopes: ReadonlyArray<string>
  readonly registration_resources: ReadonlyArray<string>
  readonly roles: ReadonlyArray<Role>
  readonly created_at: Date
  readonly clearing?: PendingReset["resources"] | null
  readonly clearing_since?: Date | null
}

const fromRow = (row: Row): Realm => ({
  id: row.id,
  name: row.name,
  state: row.state,
  reference: row.reference,
  custom: row.custom,
  environment: row.environment,
  usernameValidationHuman: row.username_validation_human,
  requireUniqueEmails: row.require_unique_emails,
  apiKeyPrefix: row.api_key_prefix,
  apiKeyPolicy: row.api_key_policy,
  jwtAlgo: row.jwt_algo,
  jwtFields: row.jwt_fields,
  jwtClaims: row.jwt_claims,
  sessionType: row.session_type,
  sessionMinutes: row.session_minutes,
  sessionTokens: row.session_tokens,
  mfa: row.mfa,
  jwtMaxBytes: row.jwt_max_bytes,
  recordsUnknownNames: row.record_unknown_names,
  apiKeyMinutes: row.api_key_minutes,
  orgMode: row.org_mode,
  signup: row.signup,
  signupFields: row.signup_fields,
  emailVerification: row.email_verification,
  defaultLocale: row.default_locale,
  availableLocales: row.available_locales,
  resourceLinks: row.resource_links,
  limits: row.limits,
  eventRetentionDays: row.event_retention_days,
  accountDeletionDays: row.account_deletion_days,
  trustedDevicesDays: row.trusted_devices_days,
  passkeyRpId: row.passkey_rp_id,
  oauthScopes: row.oauth_scopes,
  clientRegistration: row.client_registration,
  registrationScopes: row.registration_scopes,
  registrationResources: row.registration_resources,
  roles: row.roles,
  createdAt: utc(row.created_at),
  pendingReset:
    row.clearing && row.clearing_since ? { resources: row.clearing, cutoffAt: utc(row.clearing_since) } : null
})

const toRow = (realm: RealmSettings) => ({
  name: realm.name,
  sort_name: sortKey(realm.name),
  state: realm.state,
  reference: realm.reference,
  custom: JSON.stringify(realm.custom),
  environment: realm.environment,
  username_validation_human: realm.usernameValidationHuman,
  require_unique_emails: realm.requireUniqueEmails,
  api_key_prefix: realm.apiKeyPrefix,
  api_key_policy: realm.apiKeyPolicy,
  jwt_algo: realm.jwtAlgo,
  jwt_fields: realm.jwtFields,
  jwt_claims: realm.jwtClaims,
  session_type: realm.sessionType,
  session_minutes: realm.sessionMinutes,
  session_tokens: realm.sessionTokens,
  mfa: realm.mfa,
  jwt_max_bytes: realm.jwtMaxBytes,
  record_unknown_names: realm.recordsUnknownNames,
  api_key_minutes: realm.apiKeyMinutes,
  org_mode: realm.orgMode,
  signup: realm.signup,
  signup_fields: realm.signupFields,
  email_verification: realm.emailVerification,
  default_locale: realm.defaultLocale,
  available_locales: realm.availableLocales,
  resource_links: JSON.stringify(realm.resourceLinks),
  limits: JSON.stringify(realm.limits),
  event_retention_days: realm.eventRetentionDays,
  account_deletion_days: realm.accountDeletionDays,
  trusted_devices_days: realm.trustedDevicesDays,
  passkey_rp_id: realm.passkeyRpId,
  oauth_scopes: realm.oauthScopes,
  client_registration: realm.clientRegistration,
  registration_scopes: realm.registrationScopes,
  registration_resources: realm.registrationResources,
  roles: JSON.stringify(realm.roles)
})

/** The table for each kind of id that can be in a path. No other lookup finds a realm by a resource's id alone. */
const tables: Partial<Record<Kind, string>> = {
  user: "users",
  org: "orgs",
  membership: "memberships",
  invitation: "invitations",
  session: "sessions",
  signupToken: "signup_tokens",
  credential: "credentials",
  event: "events",
  hook: "app_hooks",
  app: "login_policies",
  authProvider: "auth_providers",
  jwtKey: "jwt_keys",
  grant: "oauth_grants",
  consent: "oauth_consents",
  orgDomain: "org_domains"
}

/** The minimum size of a row in PostgreSQL, in bytes: 4 for the line pointer and 24 for the header. */
const MIN_ROW_BYTES = 28

/** Stores realms. No query returns a deleted realm, and no list the system realm. */
export class RealmsRepo extends Context.Service<
  RealmsRepo,
  {
    /** Inserts a realm. Returns an upper bound for the number of realms, derived from the table's size without counting. */
    insert(realm: Realm): Effect.Effect<number>
    /** Inserts the system realm. Returns false if another node has inserted it before. */
    insertSystem(realm: Realm): Effect.Effect<boolean>
    find(id: RealmId): Effect.Effect<Realm | undefined>
    /**
     * Finds a realm and locks it until the transaction ends: either against other changes to it, or against everything,
     * including new rows that refer to it.
     */
    findLocked(id: RealmId, against: "changes" | "everything"): Effect.Effect<Realm | undefined>
    /** The number of realms. Other transactions that count them wait until this one ends. */
    count: Effect.Effect<number>
    update(realm: Realm): Effect.Effect<void>
    /** Sets whether emails in the realm must be unique. Returns false if several users share an email. */
    setUniqueEmails(id: RealmId, unique: boolean): Effect.Effect<boolean>
    markDeleted(id: RealmId, at: DateTime.Utc): Effect.Effect<void>
    /** Inserts a job that deletes the rows of a deleted or reset realm. Returns false if the realm already has a job. */
    insertJob(id: RealmId, kind: "delete" | "reset", reset: PendingReset): Effect.Effect<boolean>
    /** Returns one more row than fits on the page. */
    list(filter: RealmFilter, page: PageOf<(typeof realmSorts)[number]>): Effect.Effect<ReadonlyArray<Realm>>
    /** Finds the realm of the resource with this id, if both exist. */
    realmOf(kind: Kind, id: string): Effect.Effect<RealmId | undefined>
  }
>()("sallyport/store/RealmsRepo") {
  static readonly layer = Layer.effect(
    RealmsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const shared = shareMembers<Realm>()

      const withClearing = sql.literal(`select r.*, j.resources as clearing, j.cutoff_at as clearing_since
        from realms r left join realm_jobs j on j.realm_id = r.id and j.kind = 'reset'`)

      const one = (rows: ReadonlyArray<Row>) => (rows[0] === undefined ? undefined : fromRow(rows[0]))

      const list = (filter: RealmFilter, page: PageOf<(typeof realmSorts)[number]>) => {
        const conditions = [sql`deleted_at is null`, sql`id <> ${SYSTEM}`]
        if (filter.only !== undefined) conditions.push(sql`id = ${filter.only}`)
        if (filter.reference !== undefined) conditions.push(sql`reference = ${filter.reference}`)
        const order: KeysetOrder = {
          sortKey: { column: "sort_name", ofRow: (id) => sql`select sort_name from realms where id = ${id}` }
        }
        const filters = { "r.state": filter.state === undefined ? realmStates : [filter.state] }
        return sql<Row>`${mergedPage(sql, { columns: "r.*", from: "realms r" }, filters, conditions, page, order)}`.pipe(
          Effect.map((rows) => rows.map(fromRow)),
          Effect.orDie
        )
      }

      return RealmsRepo.of({
        insert: (realm) =>
          sql<{ readonly bytes: number }>`insert into realms
            ${sql.insert({ id: realm.id, ...toRow(realm), created_at: date(realm.createdAt) })}
            returning pg_relation_size('realms')::float8 as bytes`.pipe(
            // A distributed table reports no size.
            Effect.map(([row]) => (row?.bytes ? row.bytes / MIN_ROW_BYTES : Number.POSITIVE_INFINITY)),
            Effect.orDie
          ),
        insertSystem: (realm) =>
          sql`insert into realms ${sql.insert({ id: realm.id, ...toRow(realm), created_at: date(realm.createdAt) })}
            on conflict (id) do nothing returning id`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          ),
        find: batchedReads(sql, (ids: ReadonlyArray<RealmId>) =>
          sql<Row>`${withClearing} where r.id = any(${ids}::text[]) and r.deleted_at is null`.pipe(
            Effect.map((rows) => {
              const realms = new Map(rows.map((row) => [row.id, shared(fromRow(row))]))
              return (id: RealmId) => realms.get(id)
            }),
            Effect.orDie
          )
        ),
        findLocked: (id, against) =>
          sql<Row>`${withClearing} where r.id = ${id} and r.deleted_at is null
            ${sql.literal(against === "changes" ? "for no key update of r" : "for update of r")}`.pipe(
            Effect.map(one),
            Effect.orDie
          ),
        count: sql`select pg_advisory_xact_lock(hashtext('number of realms'))`.pipe(
          Effect.andThen(sql<{ readonly n: number }>`select count(*)::int as n from realms
            where deleted_at is null and id <> ${SYSTEM}`),
          Effect.map((rows) => rows[0]?.n ?? 0),
          Effect.orDie
        ),
        update: (realm) =>
          sql`update realms set ${sql.update(toRow(realm))} where id = ${realm.id}`.pipe(Effect.asVoid, Effect.orDie),
        setUniqueEmails: (id, unique) =>
          // Updates one row per user, which may take longer than the statement timeout.
          sql`select set_config('statement_timeout', '10min', true)`.pipe(
            Effect.andThen(sql`update users set email_unique = ${unique}
              where realm_id = ${id} and email is not null and email_unique <> ${unique}`),
            Effect.as(true),
            Effect.catchIf(violates("users_unique_email"), () => Effect.succeed(false)),
            Effect.orDie
          ),
        markDeleted: (id, at) =>
          sql`update realms set deleted_at = ${date(at)} where id = ${id}`.pipe(Effect.asVoid, Effect.orDie),
        insertJob: (id, kind, { resources, cutoffAt }) =>
          sql`insert into realm_jobs (realm_id, kind, resources, cutoff_at)
            values (${id}, ${kind}, ${resources}, ${date(cutoffAt)}) on conflict do nothing returning kind`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          ),
        list,
        realmOf: (kind, id) => {
          const table = tables[kind]
          if (table === undefined) return Effect.succeed(undefined)
          return sql<{ readonly realm_id: RealmId }>`select t.realm_id from ${sql(table)} t
              join realms r on r.id = t.realm_id and r.deleted_at is null where t.id = ${id}`.pipe(
            Effect.map((rows) => rows[0]?.realm_id),
            Effect.orDie
          )
        }
      })
    })
  )
}
