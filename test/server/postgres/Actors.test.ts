import { setTimeout } from "node:timers/promises"
import { Redacted } from "effect"
import { Client } from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Api } from "#testing/Api"
import { freshDatabase } from "../../support/databases.ts"
import { eventsOfCreation, ownProviders } from "../../support/realms.ts"
import { type Running, start } from "../ServerProcess.ts"

const KEY = "a-root-key-of-more-than-thirty-two-characters"

let environment: Readonly<Record<string, string>> = {}
let client: Client
/** The running services. A service that survives a test serves the next one. */
let running: ReadonlyArray<Running> = []

beforeAll(async () => {
  const target = await freshDatabase()
  const url = target._tag === "Postgres" ? Redacted.value(target.url) : ""
  environment = {
    DATABASE_URL: url,
    HOST: "127.0.0.1",
    SALLYPORT_ROOT_KEY: KEY,
    SALLYPORT_SECRET: "a-secret-of-more-than-thirty-two-characters"
  }
  client = new Client({ connectionString: url })
  await client.connect()
})

afterAll(async () => {
  await kill(running.length)
  await client.end()
})

/** Starts or stops services until exactly this many run on one database. */
const nodes = async (count: number) => {
  await kill(running.length - count)
  const missing = Array.from({ length: count - running.length }, () => start(environment))
  running = [...running, ...(await Promise.all(missing))]
  const [first] = running
  if (first === undefined) throw new Error("No node has started.")
  return { first, root: new Api(first.url, KEY) }
}

/** Kills the services started last. */
const kill = async (count: number) => {
  const killed = count > 0 ? running.slice(-count) : []
  running = running.filter((node) => !killed.includes(node))
  await Promise.all(killed.map(({ stop }) => stop("SIGKILL")))
}

/** Repeats a query until its result is right. */
const until = async (query: string, values: ReadonlyArray<unknown>, right: (n: number) => boolean) => {
  for (;;) {
    const { rows } = await client.query<{ n: number }>(query, [...values])
    if (right(rows[0]?.n ?? 0)) return
    // Leaves the CPU to the nodes.
    await setTimeout(25)
  }
}

const invite = `insert into invitations (realm_id, id, invitation_type, email, locale, permissions, org_id, token_digest,
    token, created_at, expires_at)
  select $1, 'nvt_' || lpad(n::text, 26, '0'), 'org', 'guest' || n || '@example.test', 'en', '{}', $2,
    sha256(n::text::bytea), 'sealed', $3::timestamptz - interval '30 days', $3 from generate_series(1, $4::int) n`

test("three nodes expire each of 10,000 invitations exactly once, even if a node is killed halfway", async () => {
  const { first, root } = await nodes(3)
  const realm = await root.post("/v2/realms", { realm: { name: "Guests", jwt_algo: "hs256" } })
  const org = await new Api(first.url, KEY, realm.id).post("/v2/orgs", { org: { name: "Org" } })
  const left = "select count(*)::int as n from invitations where realm_id = $1"
  await client.query(invite, [realm.id, org.id, new Date(), 10_000])
  await until(left, [realm.id], (n) => n <= 5_000)
  await kill(1)
  await until(left, [realm.id], (n) => n === 0)
  const { rows } = await client.query<{ events: number; invitations: number }>(
    `select count(*)::int as events, count(distinct invitation_id)::int as invitations from events
      where realm_id = $1 and event_type = 'invitation.org.expired'`,
    [realm.id]
  )
  expect(rows).toEqual([{ events: 10_000, invitations: 10_000 }])
  const ready: { actors: Record<string, { ok: boolean }> } = JSON.parse((await root.get("/readyz")).text)
  expect(Object.keys(ready.actors).sort()).toEqual([
    "CheckDomains",
    "DeleteAccounts",
    "DeleteOrgs",
    "DeleteUnusedClients",
    "DeliverHooks",
    "DeliverLogouts",
    "ExpireInvitations",
    "ExpireMemberships",
    "RecordRefusedLogins",
    "ResetRealms",
    "RetireJwtKeys",
    "RewrapSecrets",
    "SweepEvents",
    "SweepRealmChanges",
    "SweepSessions"
  ])
})

/** Inserts users with everything that depends on them: one credential, session, membership and event each. */
const crowd = [
  `insert into users (realm_id, id, user_type, state, email, email_unique, email_verification, name, sort_name,
      sort_name_alt, custom, created_at)
    select $1, 'usr_' || lpad(n::text, 26, '0'), 'human', 'active', 'user' || n || '@example.test', true, 'none', 'User',
      'user', 'user', '{}', $4::timestamptz from generate_series(1, $2::int) n where $3::text is not null`,
  `insert into credentials (realm_id, id, user_id, credential_type, password_hash, created_at)
    select $1, 'crd_' || lpad(n::text, 26, '0'), 'usr_' || lpad(n::text, 26, '0'), 'password', 'hash', $4::timestamptz
    from generate_series(1, $2::int) n where $3::text is not null`,
  `insert into sessions (realm_id, id, user_id, created_at, expires_at)
    select $1, 'kss_' || lpad(n::text, 26, '0'), 'usr_' || lpad(n::text, 26, '0'), $4::timestamptz,
      $4::timestamptz + interval '1 day' from generate_series(1, $2::int) n where $3::text is not null`,
  `insert into memberships (realm_id, id, user_id, org_id, permissions, custom, created_at)
    select $1, 'mb_' || lpad(n::text, 26, '0'), 'usr_' || lpad(n::text, 26, '0'), $3, '{}', '{}', $4::timestamptz
    from generate_series(1, $2::int) n`,
  `insert into events (realm_id, id, event_type, event_at, actor_type, changed, user_id)
    select $1, 'ev_7' || lpad(n::text, 25, '0'), 'user.created', $4::timestamptz, 'system', '{}', 'usr_' || lpad(n::text, 26, '0')
    from generate_series(1, $2::int) n where $3::text is not null`
]

const tables = async () => {
  const { rows } = await client.query<{ name: string }>(
    "select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'realm_id' order by 1"
  )
  return rows.map(({ name }) => name).filter((name) => name !== "realm_jobs" && name !== "realm_changes")
}

/** A digest and the row count of each table, for the rows of one realm. */
const contentOf = async (realmId: string) => {
  const found: Record<string, { rows: number; digest: string | null }> = {}
  for (const name of await tables()) {
    const { rows } = await client.query<{ rows: number; digest: string | null }>(
      `select count(*)::int as rows, md5(string_agg(t::text, ',' order by t::text)) as digest from ${name} t where realm_id = $1`,
      [realmId]
    )
    if (rows[0] !== undefined) found[name] = rows[0]
  }
  return found
}

const populated = async (api: Api, realmId: string, users: number, at: Date) => {
  const org = await api.post("/v2/orgs", { org: { name: "Org" } })
  for (const statement of crowd) await client.query(statement, [realmId, users, org.id, at])
  return org
}

const left = "select count(*)::int as n from users where realm_id = $1"

test("RG-12, CVE-2026-9802: a realm deletion clears only that realm, even across a SIGKILL, and returns 404 meanwhile", async () => {
  const { first, root } = await nodes(1)
  const made = async (name: string) => {
    const { id } = await root.post("/v2/realms", { realm: { name, jwt_algo: "hs256" } })
    await populated(new Api(first.url, KEY, id), id, 6_000, new Date())
    await root.post("/v2/api_keys", { api_key: { name, level: "read", realm_id: id } })
    return id
  }
  const [doomed, spared] = [await made("Doomed"), await made("Spared")]
  const before = await contentOf(spared)
  expect((await root.delete(`/v2/realms/${doomed}`)).status).toBe(202)
  expect((await root.get(`/v2/realms/${doomed}`)).status).toBe(404)
  expect((await new Api(first.url, KEY, doomed).get("/v2/users")).status).toBe(404)
  await until(left, [doomed], (n) => n < 6_000)
  await kill(1)
  await nodes(1)
  await until("select count(*)::int as n from realm_jobs", [], (n) => n === 0)
  const after = await contentOf(doomed)
  expect(Object.entries(after).filter(([, { rows }]) => rows > 0)).toEqual([
    ["events", { rows: 1, digest: after["events"]?.digest }]
  ])
  const { rows } = await client.query("select event_type from events where realm_id = $1", [doomed])
  expect(rows).toEqual([{ event_type: "realm.deleted" }])
  expect(await contentOf(spared)).toEqual(before)
})

test("RG-12: an org deletion removes each member with one event, even across a SIGKILL", async () => {
  const { first, root } = await nodes(1)
  const { id } = await root.post("/v2/realms", { realm: { name: "Large orgs", jwt_algo: "hs256" } })
  const api = new Api(first.url, KEY, id)
  const doomed = await populated(api, id, 4_000, new Date())
  const spared = await api.post("/v2/orgs", { org: { name: "Spared" } })
  const user = await api.post("/v2/users", { user: { email: "spared@example.test", credentials: [] } })
  for (const org of [doomed, spared])
    await api.post("/v2/memberships", { membership: { user_id: user.id, org_id: org.id } })
  const members = "select count(*)::int as n from memberships where realm_id = $1 and org_id = $2"
  expect((await api.delete(`/v2/orgs/${doomed.id}?force=true`)).status).toBe(202)
  expect((await api.get(`/v2/orgs/${doomed.id}`)).status).toBe(404)
  await until(members, [id, doomed.id], (n) => n < 3_500)
  await kill(1)
  const { rows: before } = await client.query<{ n: number }>(members, [id, doomed.id])
  expect(before[0]?.n).toBeGreaterThan(0)

  await nodes(1)
  await until("select count(*)::int as n from org_deletions", [], (n) => n === 0)
  const { rows } = await client.query(
    `select event_type as type, count(*)::int as events, count(distinct membership_id)::int as memberships
      from events where realm_id = $1 and org_id = $2 and event_type like '%.deleted' group by 1 order by 1`,
    [id, doomed.id]
  )
  expect(rows).toEqual([
    { type: "membership.deleted", events: 4_001, memberships: 4_001 },
    { type: "org.deleted", events: 1, memberships: 0 }
  ])
  expect((await client.query("select id from orgs where realm_id = $1", [id])).rows).toEqual([{ id: spared.id }])
  expect((await client.query(members, [id, spared.id])).rows).toEqual([{ n: 1 }])
})

test("a reset clears only data that existed when the reset was requested, and a second reset returns 409", async () => {
  const { first, root } = await nodes(1)
  const { id } = await root.post("/v2/realms", { realm: { name: "Reset", jwt_algo: "hs256" } })
  const api = new Api(first.url, KEY, id)
  const old = await api.post("/v2/users", { user: { email: "old@example.test", credentials: [] } })
  const org = await populated(api, id, 3_000, new Date())
  expect((await api.post(`/v2/realms/${id}/reset`, {})).status).toBe(202)
  const again = await api.post(`/v2/realms/${id}/reset`, {})
  const fresh = await api.post("/v2/users", { user: { email: "new@example.test", credentials: [] } })
  expect(fresh.status).toBe(201)
  for (const path of [`/v2/users/${old.id}`, "/v2/users/old@example.test", `/v2/orgs/${org.id}`]) {
    expect([path, (await api.get(path)).status]).toEqual([path, 404])
  }
  expect((await api.get("/v2/users")).items.map((user) => user["id"])).toEqual([fresh.id])
  expect([again.status, again.errors]).toEqual([409, ["This realm is being reset. Try again when that has finished."]])
  await until("select count(*)::int as n from realm_jobs", [], (n) => n === 0)
  expect((await contentOf(id))["users"]?.rows).toBe(1)
  expect((await contentOf(id))["orgs"]?.rows).toBe(0)
  expect((await api.get(`/v2/users/${fresh.id}`)).status).toBe(200)
  expect((await api.get("/v2/auth_providers")).items).toHaveLength(ownProviders.length)
  const types = (await api.get("/v2/events?max_results=1000")).items.map((event) => event["event_type"])
  expect(types).toEqual([...eventsOfCreation, "realm.reset", "user.created"])
})
