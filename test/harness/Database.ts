import { randomBytes } from "node:crypto"
import { Client } from "pg"
import { startPostgres } from "../support/PostgresServer.ts"

/** A database that exists for one run. */
export interface Database {
  readonly url: string
  readonly version: string
  /** Whether this run started the PostgreSQL server: without fsync, and pinned to a core. */
  readonly own: boolean
  readonly stop: () => Promise<void>
}

/** Runs statements on a new connection, and closes it. */
export const withClient = async <A>(url: string, use: (client: Client) => Promise<A>): Promise<A> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** Waits until a query returns a row. */
export const waitForRow = async (client: Client, query: string, values: ReadonlyArray<unknown>): Promise<void> => {
  while (((await client.query(query, [...values])).rowCount ?? 0) === 0)
    await new Promise((resolve) => setTimeout(resolve, 20))
}

/**
 * Waits until PostgreSQL accepts connections, and returns its version. `every` is the number of milliseconds between
 * two attempts.
 */
export const waitUntilReady = async (url: string, every = 100): Promise<string> => {
  for (const began = performance.now(); ; ) {
    try {
      return await withClient(url, async (client) => {
        const { rows } = await client.query<{ server_version: string }>("show server_version")
        return rows[0]?.server_version ?? "unknown"
      })
    } catch (error) {
      if (performance.now() - began > 30_000) throw error
      await new Promise((resolve) => setTimeout(resolve, every))
    }
  }
}

/** Creates another database on the same server. */
export const createDatabaseBeside = async (
  url: string
): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> => {
  const name = `sallyport_bench_${randomBytes(6).toString("hex")}`
  await withClient(url, (client) => client.query(`create database ${name}`))
  const other = new URL(url)
  other.pathname = `/${name}`
  const drop = async () => {
    await withClient(url, (client) => client.query(`drop database ${name} with (force)`))
  }
  return { url: other.href, drop }
}

/** Creates a database on the server of TEST_DATABASE_URL, or on a server started for this run. */
export const openDatabase = async (): Promise<Database> => {
  const given = process.env.TEST_DATABASE_URL
  if (given === undefined || given === "") {
    const { url, stop } = await startPostgres()
    return { url, version: await waitUntilReady(url), own: true, stop }
  }
  const { url, drop } = await createDatabaseBeside(given)
  return { url, version: await waitUntilReady(url), own: false, stop: drop }
}

/** The PostgreSQL process that starts the processes for new connections. */
export const postmasterOf = (url: string): Promise<number> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ text: string }>("select pg_read_file('postmaster.pid') as text")
    return Number(rows[0]?.text.split("\n", 1)[0])
  })
