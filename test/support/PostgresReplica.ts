import { appendFileSync, chmodSync, cpSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { Client } from "pg"

/** Files of a running server that don't belong in a copy. */
const left: ReadonlySet<string> = new Set(["postmaster.pid", "postmaster.opts"])

interface Places {
  /** The folder of the primary, with its data and its local socket. */
  readonly from: string
  readonly port: number
  /** The folder of the replica. */
  readonly to: string
}

/** Copies a running server's data for a streaming replica, like `pg_basebackup`, which is not always installed. */
export const copyData = async (url: string, { from, port, to }: Places): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows: versions } = await client.query<{ number: number }>(
    "select current_setting('server_version_num')::int as number"
  )
  const [start, stop] =
    (versions[0]?.number ?? 0) >= 150_000
      ? ["pg_backup_start('copy', true)", "pg_backup_stop(false)"]
      : ["pg_start_backup('copy', true, false)", "pg_stop_backup(false, false)"]
  await client.query(`select ${start}`)
  const data = join(to, "data")
  cpSync(join(from, "data"), data, { recursive: true, filter: (path) => !left.has(basename(path)) })
  const { rows } = await client.query<{ labelfile: string }>(`select labelfile from ${stop}`)
  await client.end()
  chmodSync(data, 0o700)
  writeFileSync(join(data, "backup_label"), rows[0]?.labelfile ?? "")
  writeFileSync(join(data, "standby.signal"), "")
  const source = `host=${from} port=${port} user=sallyport`
  appendFileSync(join(data, "postgresql.auto.conf"), `primary_conninfo = '${source}'\n`)
}

/** Waits until a server that has just started accepts connections. */
export const waitUntilReady = async (url: string): Promise<void> => {
  for (;;) {
    const client = new Client({ connectionString: url })
    const isReady = await client.connect().then(
      () => true,
      () => false
    )
    await client.end().catch(() => undefined)
    if (isReady) return
    await setTimeout(20)
  }
}
