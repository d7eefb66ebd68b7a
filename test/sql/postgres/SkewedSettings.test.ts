import { expect, it } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { hookStates, hookTypes } from "#domain/AppHook"
import { providerStates } from "#domain/AuthProvider"
import { appSorts } from "#domain/ConnectedApp"
import { encodeId, type Kind, type RealmId } from "#domain/Ids"
import { Connections } from "#sql/Database"
import { ApiKeysRepo } from "#store/access/ApiKeysRepo"
import { AppsRepo } from "#store/apps/AppsRepo"
import { AppHooksRepo } from "#store/hooks/AppHooksRepo"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { JwtKeysRepo } from "#store/realms/JwtKeysRepo"
import { freshConnections } from "../../support/databases.ts"
import { type Lists, pagesThatRead, withoutForeignKeyChecks } from "../../support/queryPlans.ts"
import { unsealed } from "../../support/repositories.ts"

/** The number of rows of each common kind, which precede the rare rows, and the number of rare rows. */
const COMMON = 6_000
const RARE = 40
const PAGE = 20

const idAt = <K extends Kind>(kind: K, n: number) => encodeId(kind, { millis: n, random: [0, 0] })
/** Most rows belong to the first realm. The rare rows also belong to the second. */
const [realm, other]: [RealmId, RealmId] = [idAt("realm", 1), idAt("realm", 2)]
const now = DateTime.makeUnsafe("2026-06-01T00:00:00Z")

/**
 * Two common kinds come first, each sharing one of two values with the rare kind: `webhook` and `inactive`, then
 * `email` and `active`. A few rows with `webhook` and `active` follow.
 */
const seed = Effect.gen(function* () {
  const sql = yield* SqlClient
  const id = (prefix: string) => sql.literal(`'${prefix}' || lpad(to_hex(n), 10, '0') || repeat('0', 16)`)
  const at = sql.literal("'2026-01-01Z'::timestamptz")
  const all = sql.literal(`generate_series(1, ${2 * COMMON + 2 * RARE}) n`)
  const place = sql.literal(`case when n <= ${2 * COMMON + RARE} then '${realm}' else '${other}' end`)
  const state = sql.literal(`case when n % 2 = 0 and n <= ${2 * COMMON} then 'inactive' else 'active' end`)
  const type = (one: string, two: string) =>
    sql.literal(`case when n % 2 = 0 or n > ${2 * COMMON} then '${one}' else '${two}' end`)
  yield* sql`insert into realms (id, name, sort_name, state, reference, custom, environment, username_validation_human,
      require_unique_emails, api_key_policy, jwt_algo, jwt_fields, jwt_claims, session_type, session_minutes,
      api_key_minutes, org_mode, signup, email_verification, default_locale, available_locales, resource_links, created_at)
    select i, 'R', 'r', 'active', null, '{}', 'live', 'standard', true, 'hash', 'hs256', '{}', 'v2', 'managed', 360, 0,
      'multi_user', 'open', 'none', 'en', '{en}', '[]', ${at} from unnest(array[${realm}, ${other}]) i`
  yield* sql`insert into app_hooks (realm_id, id, version, state, hook_type, event_types, delay, destination, secret,
      email_renderer, email_subject, email_template, user_type, created_at)
    select ${place}, ${id("hk_")}, 'v2', ${state}, ${type("webhook", "email")}, '{user.created}', 0, 'd', 's', 'text', 's', 't',
      'all', ${at} from ${all}`
  yield* sql`insert into auth_providers (realm_id, id, provider_type, state, client_id, client_secret, authorization_url,
      token_url, profile_url, id_field, email_field, created_at)
    select ${place}, ${id("ap_")}, 'oauth2', case when n <= ${2 * COMMON}::int then 'inactive' else 'active' end, 'c', 's', 'u',
      'u', 'u', 'i', 'e', ${at} from ${all}
    union all select ${realm}, ${id("ap_")}, provider, 'active', 'c', 's', null, null, null, null, null, ${at}
      from (values (${3 * COMMON}::int, 'github'), (${3 * COMMON}::int + 1, 'google')) v (n, provider)`
  yield* sql`insert into api_keys (id, realm_id, name, level, key_digest, root, created_at)
    select ${id("key_")}, case when n > ${2 * COMMON}::int then ${place} end, 'K', 'read', int4send(n), false, ${at} from ${all}`
  yield* sql`insert into login_policies (realm_id, id, state, name, sort_name, client_type, subdomain, redirect_uris,
      logout_uris, signup_mode, require_password_confirmation, require_names, require_org_name, allow_jsonp, auto_continue,
      allow_invitations, invitation_permissions, created_at)
    select ${place}, ${id("lpl_")}, ${state}, 'A', 'a' || lpad(n::text, 8, '0'), 'standard', 's' || n, '{}', '{}', 'user', false,
      false, false, false, false, false, '{}', ${at} from ${all}`
  yield* sql`insert into jwt_keys (realm_id, id, algo, secret, created_at)
    select ${place}, ${id("jky_")}, 'hs256', 's', ${at} from ${all}`
  yield* sql`analyze`
})

const Repositories = Layer.mergeAll(
  ApiKeysRepo.layer,
  AppHooksRepo.layer,
  AuthProvidersRepo.layer,
  AppsRepo.layer,
  JwtKeysRepo.layer
).pipe(
  Layer.provide(unsealed),
  Layer.provideMerge(
    Layer.effect(
      SqlClient,
      Effect.map(Connections, ({ slow }) => slow)
    )
  )
)

let turn = 0

/** Reads one page. The lists alternate between both directions, and between first and deep pages. */
const pageBy = <Sort extends string>(sort: Sort, kind: Kind) => {
  turn += 1
  const after = [undefined, undefined, { id: idAt(kind, 200) }, { id: idAt(kind, 2 * COMMON) }][turn % 4]
  return { after, maxResults: PAGE, sort, direction: turn % 3 === 0 ? ("asc" as const) : ("desc" as const) }
}

const allLists = Effect.gen(function* () {
  const [hooks, providers, keys] = [yield* AppHooksRepo, yield* AuthProvidersRepo, yield* ApiKeysRepo]
  const [apps, jwtKeys] = [yield* AppsRepo, yield* JwtKeysRepo]
  const lists: Lists = []
  for (const _ of [1, 2, 3, 4]) {
    lists.push([
      "hooks",
      hooks.list({ realmId: undefined, hookType: undefined, state: undefined }, pageBy("id", "hook"))
    ])
    for (const realmId of [null, realm, other])
      for (const hookType of [undefined, ...hookTypes])
        for (const state of [undefined, ...hookStates]) {
          const filter = { realmId, hookType, state }
          lists.push([`hooks, ${JSON.stringify(filter)}`, hooks.list(filter, pageBy("id", "hook"))])
        }
    for (const realmId of [realm, other]) {
      for (const providerType of [undefined, "oauth2", "github"] as const)
        for (const state of [undefined, ...providerStates]) {
          const filter = { providerType, state }
          const page = pageBy("id", "authProvider")
          lists.push([`providers of ${realmId}, ${JSON.stringify(filter)}`, providers.list(realmId, filter, page)])
        }
      for (const sort of appSorts)
        lists.push([`apps of ${realmId} by ${sort}`, apps.list(realmId, pageBy(sort, "app"))])
      lists.push([
        `signing keys of ${realmId}`,
        jwtKeys.list({ id: realmId, sessionMinutes: 60 }, now, pageBy("id", "jwtKey"))
      ])
    }
    for (const realmId of [undefined, realm, other])
      for (const locked of [false, true])
        lists.push([`API keys of ${realmId}, locked: ${locked}`, keys.list(realmId, locked, pageBy("id", "apiKey"))])
  }
  return lists
})

it.live(
  "a page of hooks, providers, apps or keys reads only a few times its size with any filter",
  () =>
    Effect.gen(function* () {
      yield* withoutForeignKeyChecks(seed)
      const lists = yield* allLists
      expect(lists.length).toBeGreaterThan(180)
      expect(yield* pagesThatRead(lists, { rows: 10 * PAGE, blocks: 30 * PAGE })).toEqual([])
    }).pipe(Effect.provide(Repositories), Effect.provide(freshConnections)),
  60_000
)
