import { Pool, type QueryResultRow } from "pg"

const alive = "not exists (select from realms r where r.id = k.realm_id and r.deleted_at is not null)"

/**
 * Statements that read the same columns of keys and realms as the service does. Each is prepared by name on every
 * connection.
 */
const statements = {
  apiKey: `select id, realm_id, name, level, created_at, expires_at, last_used_at from api_keys k
    where key_digest = $1 and ${alive}`,
  touchApiKey: "update api_keys set last_used_at = $1 where id = $2",
  realm: "select * from realms where id = $1 and deleted_at is null",
  jwtKeys: "select * from jwt_keys where realm_id = $1 order by id"
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

/** A pool with the same number of connections and the same session settings as the service's. */
const pool = new Pool({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  application_name: "plain",
  keepAlive: true,
  options: "-c TimeZone=UTC -c statement_timeout=10s -c idle_in_transaction_session_timeout=30s"
})

pool.on("error", (error) => console.error(`a connection was lost: ${error.message}`))

/** Returns a function that runs a statement from a list, prepared by name. */
export const preparing =
  <Name extends string>(texts: Readonly<Record<Name, string>>) =>
  async <Row extends QueryResultRow>(name: Name, values: Array<unknown>): Promise<ReadonlyArray<Row>> =>
    (await pool.query<Row>({ name, text: texts[name], values })).rows

/** Runs one of these statements and returns its rows. */
export const query = preparing(statements)
