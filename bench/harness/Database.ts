import { randomBytes } from "node:crypto"
import { Client } from "pg"
import { startPostgres } from "../../test/support/PostgresServer.ts"

/** A database for the bench alone. */
export interface Database {
  readonly url: string
  readonly version: string
  /** Whether the bench started the server itself: without fsync, and placed on a core. */
  readonly own: boolean
  readonly stop: () => Promise<void>
}

/** Runs statements on a connection of their own. */
export const withClient = async <A>(url: string, use: (client: Client) => Promise<A>): Promise<A> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** Waits until a server answers, asking every so many milliseconds: its version. */
export const answering = async (url: string, every = 100): Promise<string> => {
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

/** A new database on the server of TEST_DATABASE_URL, else on a server started for this run. */
export const openDatabase = async (): Promise<Database> => {
  const given = process.env.TEST_DATABASE_URL
  if (given === undefined || given === "") {
    const { url, stop } = await startPostgres()
    return { url, version: await answering(url), own: true, stop }
  }
  const name = `sallyport_bench_${randomBytes(6).toString("hex")}`
  await withClient(given, (client) => client.query(`create database ${name}`))
  const url = new URL(given)
  url.pathname = `/${name}`
  return {
    url: url.href,
    version: await answering(url.href),
    own: false,
    stop: async () => {
      await withClient(given, (client) => client.query(`drop database ${name} with (force)`))
    }
  }
}
