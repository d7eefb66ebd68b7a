import { Pool, type PoolClient, type QueryResultRow } from "pg"

const userColumns = `u.id, u.realm_id, u.user_type, u.state, u.email, u.email_pending, u.email_verification,
  u.username, u.first_name, u.last_name, u.name, u.locale, u.reference, u.custom, u.created_at, u.last_login_at`

const alive = "not exists (select from realms r where r.id = k.realm_id and r.deleted_at is not null)"

const eventColumns = [
  "id",
  "event_type",
  "event_at",
  "user_id",
  "org_id",
  "membership_id",
  "invitation_id",
  "session_id",
  "auth_provider_id",
  "hook_id",
  "login_policy_id",
  "request_ip",
  "request_client",
  "token_id"
]

const withType = (name: string) => `${name} ${name === "event_at" ? "timestamptz" : "text"}`

/** The statements of the service's repositories. Each is prepared under its name on every connection. */
const statements = {
  apiKey: `select id, realm_id, name, level, created_at, expires_at, last_used_at from api_keys k
    where key_digest = $1 and ${alive}`,
  touchApiKey: "update api_keys set last_used_at = $1 where id = $2",
  realm: "select * from realms where id = $1 and deleted_at is null",
  jwtKeys: "select * from jwt_keys where realm_id = $1 order by id",
  sessionWithUser: `select ${userColumns}, s.client_app_id, s.request_ip, s.request_client,
      s.created_at as session_created_at, s.expires_at as session_expires_at
    from sessions s join users u on u.realm_id = s.realm_id and u.id = s.user_id
    where s.realm_id = $1 and s.id = $2 and s.expires_at > $3`,
  insertSession: `insert into sessions
      (realm_id, id, user_id, client_app_id, request_ip, request_client, created_at, expires_at)
    select u.realm_id, $1, u.id, $2, $3, $4, $5, $6
    from users u join realms r on r.id = u.realm_id and r.deleted_at is null
    where u.realm_id = $7 and u.id = $8 and u.state = 'active' for key share returning id`,
  user: `select ${userColumns} from users u where u.realm_id = $1 and u.id = $2`,
  userDetails: `select ${userColumns},
      (select count(*)::int from memberships m where m.realm_id = u.realm_id and m.user_id = u.id
        and (m.expires_at is null or m.expires_at > $1)) as membership_count,
      (select coalesce(json_agg(json_build_array(c.id, c.credential_type) order by c.id), '[]') from credentials c
        where c.realm_id = u.realm_id and c.user_id = u.id) as credentials
    from users u where u.realm_id = $2 and u.id = $3`,
  usersFirst: `select ${userColumns} from users u where (u.realm_id = $1 and u.user_type = 'human')
    order by coalesce(u.email, '') asc, u.id asc limit $2`,
  usersAfter: `select ${userColumns} from users u where (u.realm_id = $1 and u.user_type = 'human' and
      (coalesce(u.email, ''), u.id) >
      ((select coalesce(u.email, '') from users u where u.realm_id = $2 and u.id = $3), $4))
    order by coalesce(u.email, '') asc, u.id asc limit $5`,
  insertUser: `with made as (
      insert into users (realm_id, id, user_type, created_at, email_unique, state, email, email_pending,
        email_verification, username, username_key, first_name, last_name, name, sort_name, sort_name_alt,
        locale, reference, custom, ever_verified)
      values ($1, $2, $3, $4,
        (select require_unique_emails and $5 from realms where id = $6 for share),
        $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
      returning realm_id, id, user_type, state
    ) insert into last_logins (realm_id, user_id, user_type, state, last_login_at)
    select realm_id, id, user_type, state, '-infinity' from made`,
  insertCredential: `insert into credentials ("realm_id", "id", "user_id", "credential_type", "auth_provider_id",
      "password_hash", "key_digest", "created_at", "name", "state", "secret", "provider_user_id", "token_expires_at")
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
  insertEvents: `with written as (
      insert into events (realm_id, ${eventColumns.join(", ")})
      select r.id, ${eventColumns.map((name) => `e.${name}`).join(", ")}
      from realms r, json_to_recordset($1::json) as e (${eventColumns.map(withType).join(", ")})
      where r.id = $2 and (r.deleted_at is null or r.id = $3) for key share of r returning 1
    ) select h.realm_id, h.id, h.version, h.event_types, h.hook_type, h.delay, h.default_of
    from (select count(*) as events from written) w
    left join app_hooks h on h.realm_id in ($4, $5) and h.state = 'active'
      and (h.event_types = '{}' or h.event_types && $6::text[])
    where w.events > 0`
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

/** Returns a function that runs a statement of a list, prepared by name, on the pool or inside a transaction. */
export const preparing =
  <Name extends string>(texts: Readonly<Record<Name, string>>) =>
  async <Row extends QueryResultRow>(
    name: Name,
    values: Array<unknown>,
    on: Pool | PoolClient = pool
  ): Promise<ReadonlyArray<Row>> =>
    (await on.query<Row>({ name, text: texts[name], values })).rows

/** Runs one of the service's statements and returns its rows. */
export const query = preparing(statements)

/** Runs an operation in a transaction. */
export const transaction = async <A>(operation: (client: PoolClient) => Promise<A>): Promise<A> => {
  const client = await pool.connect()
  try {
    await client.query("begin")
    const done = await operation(client)
    await client.query("commit")
    return done
  } catch (error) {
    await client.query("rollback")
    throw error
  } finally {
    client.release()
  }
}
