import type { Client } from "pg"
import { Api } from "#testing/Api"
import { withClient } from "../../test/harness/Database.ts"

/** A realm with users, and an API key of level `write` that is bound to the realm. */
export interface SeededRealm {
  readonly id: string
  readonly key: string
  readonly users: ReadonlyArray<string>
  readonly sessions: ReadonlyArray<string>
  /** The first page of the users sorted by email, and the page after 85 % of the users. */
  readonly firstPage: ListedPage
  readonly deepPage: ListedPage
}

/** A page of 100 users, read from the database. `after`: the user that precedes the page. */
export interface ListedPage {
  readonly after: string | undefined
  readonly first: string
  readonly last: string
}

/** A well-formed PHC string. Nobody logs in with this password. */
export const passwordHash = `$argon2id$v=19$m=19456,t=2,p=1$${"c2FsdHNhbHRzYWx0c2FsdA"}$${"A".repeat(42)}E`

const PAGE = 100

const id = (prefix: string, n: string) => `'${prefix}' || lpad(to_hex(${n}), 10, '0') || repeat('0', 16)`

const insertUsers = (first: string) => `insert into users (realm_id, id, user_type, state, email, email_unique,
    email_verification, proved_email, username, username_key, first_name, last_name, name, sort_name, sort_name_alt, custom,
    created_at, last_login_at)
  select $1, ${id("usr_", `${first} + n`)}, 'human', 'active', 'user' || n || '@example.test', true, 'verified',
    'user' || n || '@example.test', 'user' || n, 'user' || n, 'First' || n, 'Last' || n, 'First' || n || ' Last' || n, 'first' || n || ' last' || n,
    'last' || n || ' first' || n, '{"plan":"free"}', $3::timestamptz + n * interval '1 ms',
    case when n % 2 = 0 then $3::timestamptz + n * interval '1 s' end
  from generate_series(1, $2::int) n`

const insertLastLogins = `insert into last_logins (realm_id, user_id, user_type, state, last_login_at)
  select realm_id, id, user_type, state, coalesce(last_login_at, '-infinity') from users where realm_id = $1`

const insertCredentials = (first: string) => `insert into credentials (realm_id, id, user_id, credential_type,
    password_hash, created_at)
  select $1, ${id("crd_", `${first} + n`)}, ${id("usr_", `${first} + n`)}, 'password', $4, $3
  from generate_series(1, $2::int) n`

const insertSessions = (first: string) => `insert into sessions (realm_id, id, user_id, request_ip, request_client,
    created_at, expires_at)
  select $1, ${id("kss_", `${first} + n`)}, ${id("usr_", `${first} + n`)}, '203.0.113.7', 'bench', $3,
    $3::timestamptz + interval '1 year' from generate_series(1, $2::int) n`

const listed = async (client: Client, realmId: string, skip: number): Promise<ListedPage> => {
  const { rows } = await client.query<{ id: string }>(
    "select id from users where realm_id = $1 order by coalesce(email, ''), id offset $2 limit $3",
    [realmId, Math.max(0, skip - 1), PAGE + 1]
  )
  const ids = rows.map((row) => row.id)
  const page = skip === 0 ? ids.slice(0, PAGE) : ids.slice(1, PAGE + 1)
  const [first, last] = [page[0], page[PAGE - 1]]
  if (first === undefined || last === undefined) throw new Error("The realm has too few users for a page.")
  return { after: skip === 0 ? undefined : ids[0], first, last }
}

/**
 * Creates a realm and its API key over HTTP, and its users with SQL. Each user has a name, a password and a session.
 * `number`: makes the ids of different realms distinct.
 */
export const seedRealm = async (api: Api, url: string, number: number, count: number): Promise<SeededRealm> => {
  const realm = await api.post("/v2/realms", { realm: { name: `Bench ${count}`, jwt_algo: "hs256" } })
  const made = await api.post("/v2/api_keys", {
    api_key: { name: "bench", level: "write", realm_id: realm.id }
  })
  return await withClient(url, async (client) => {
    const now = new Date()
    const first = `${number * 1_000_000}`
    await client.query(insertUsers(first), [realm.id, count, now])
    await client.query(insertLastLogins, [realm.id])
    await client.query(insertCredentials(first), [realm.id, count, now, passwordHash])
    await client.query(insertSessions(first), [realm.id, count, now])
    const { rows } = await client.query<{ id: string; session_id: string }>(
      "select user_id as id, id as session_id from sessions where realm_id = $1 order by id limit 1000",
      [realm.id]
    )
    return {
      id: realm.id,
      key: made.string("key"),
      users: rows.map((row) => row.id),
      sessions: rows.map((row) => row.session_id),
      firstPage: await listed(client, realm.id, 0),
      deepPage: await listed(client, realm.id, Math.floor(count * 0.85))
    }
  })
}

/** The realms that the cases read from and write to. The case *create user* writes to `growing`. */
export interface Seeded {
  readonly small: SeededRealm
  readonly large: SeededRealm
  readonly growing: SeededRealm
}

/** Fills the database. `service`: the URL of a running service. */
export const seed = async (service: string, rootKey: string, url: string): Promise<Seeded> => {
  const api = new Api(service, rootKey)
  const seeded = {
    small: await seedRealm(api, url, 1, 1_000),
    large: await seedRealm(api, url, 2, 100_000),
    growing: await seedRealm(api, url, 3, 1_000)
  }
  await withClient(url, (client) => client.query("vacuum analyze"))
  return seeded
}
