import { Pool, type QueryResultRow } from "pg"
import { insertUser, insertUserWithCredentials } from "./UserCreation.ts"

const userColumns = `u.id, u.realm_id, u.user_type, u.state, u.email, u.email_pending, u.email_verification,
  u.username, u.first_name, u.last_name, u.name, u.locale, u.reference, u.custom, u.created_at, u.last_login_at`

const alive = "not exists (select from realms r where r.id = k.realm_id and r.deleted_at is not null)"

/** A page of the users in one state, with the columns they are sorted by. */
const pageOfState = (condition: string, limit: string) =>
  `select ${userColumns}, coalesce(u.email, '') as sort_key from users u where ${condition}
    order by coalesce(u.email, '') asc, u.id asc limit ${limit}`

/** The condition that a user comes after another one, whose realm and id are the first two parameters. */
const isAfter = (parameter: number) => `(coalesce(u.email, ''), u.id) >
  ((select coalesce(u.email, '') from users u where u.realm_id = $${parameter} and u.id = $${parameter + 1}),
  $${parameter + 2})`

const mergedPages = (active: string, inactive: string, limit: string) =>
  `select ${userColumns.replaceAll("u.", "")} from ((${active}) union all (${inactive})) merged
    order by sort_key asc, id asc limit ${limit}`

/** The statements of the service's repositories. Each is prepared by name on every connection. */
const statements = {
  apiKey: `select id, realm_id, name, level, created_at, expires_at, last_used_at from api_keys k
    where key_digest = $1 and ${alive}`,
  touchApiKey: "update api_keys set last_used_at = $1 where id = $2",
  realm: "select * from realms where id = $1 and deleted_at is null",
  jwtKeys: "select * from jwt_keys where realm_id = $1 order by id",
  sessionWithUser: `select ${userColumns}, s.client_app_id, s.org_id, s.request_ip, s.request_client,
      s.auth_methods, s.authenticated_at, s.last_seen_at,
      s.created_at as session_created_at, s.expires_at as session_expires_at
    from sessions s join users u on u.realm_id = s.realm_id and u.id = s.user_id
    where s.realm_id = $1 and s.id = $2 and s.expires_at > $3`,
  insertSession: `with u as (
      select ${userColumns} from users u where u.realm_id = $1 and u.id = $2 for key share
    ), stored as (
      insert into sessions (realm_id, id, user_id, client_app_id, request_ip, request_client, auth_methods, authenticated_at,
        created_at, expires_at)
      select u.realm_id, $3, $4, $5, $6, $7, $8::text[], $9::timestamptz, $10::timestamptz, $11::timestamptz
      from u join realms r on r.id = u.realm_id and r.deleted_at is null
      where u.user_type = 'human' and u.state = 'active' for key share of r returning id
    ) select u.*, exists (select from stored) as is_stored from u`,
  user: `select ${userColumns} from users u where u.realm_id = $1 and u.id = $2`,
  userDetails: `select ${userColumns},
      (select count(*)::int from memberships m where m.realm_id = u.realm_id and m.user_id = u.id
        and (m.expires_at is null or m.expires_at > $1)
        and not exists (select from org_deletions d where d.realm_id = m.realm_id and d.org_id = m.org_id)
      ) as membership_count,
      (select coalesce(json_agg(json_build_array(c.id, c.credential_type) order by c.id), '[]') from credentials c
        where c.realm_id = u.realm_id and c.user_id = u.id) as credentials
    from users u where u.realm_id = $2 and u.id = $3`,
  usersFirst: mergedPages(
    pageOfState("u.realm_id = $1 and u.user_type = 'human' and u.state = 'active'", "$2"),
    pageOfState("u.realm_id = $3 and u.user_type = 'human' and u.state = 'inactive'", "$4"),
    "$5"
  ),
  usersAfter: mergedPages(
    pageOfState(`(u.realm_id = $1 and u.user_type = 'human' and u.state = 'active' and ${isAfter(2)})`, "$5"),
    pageOfState(`(u.realm_id = $6 and u.user_type = 'human' and u.state = 'inactive' and ${isAfter(7)})`, "$10"),
    "$11"
  ),
  insertUser,
  insertUserWithCredentials
}

export interface UserRow extends QueryResultRow {
  readonly id: string
  readonly realm_id: string
  readonly state: string
  readonly email: string | null
  readonly email_pending: string | null
  readonly email_verification: string
  readonly username: string | null
  readonly first_name: string | null
  readonly last_name: string | null
  readonly name: string
  readonly locale: string | null
  readonly reference: string | null
  readonly custom: unknown
  readonly created_at: Date
  readonly last_login_at: Date | null
}

/** The same number of connections and the same session settings as the service's pool. */
const pool = new Pool({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  application_name: "baseline",
  keepAlive: true,
  options: "-c TimeZone=UTC -c statement_timeout=10s -c idle_in_transaction_session_timeout=30s"
})

pool.on("error", (error) => console.error(`a connection was lost: ${error.message}`))

/** Returns a function that runs a statement of a list, prepared by name. */
export const preparing =
  <Name extends string>(texts: Readonly<Record<Name, string>>) =>
  async <Row extends QueryResultRow>(name: Name, values: Array<unknown>): Promise<ReadonlyArray<Row>> =>
    (await pool.query<Row>({ name, text: texts[name], values })).rows

/** Runs one of the service's statements and returns its rows. */
export const query = preparing(statements)
