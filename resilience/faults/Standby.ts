import { spawnSync } from "node:child_process"
import { appendFileSync, chownSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { waitForRow, withClient } from "../../test/harness/Database.ts"
import { type CrashablePostgres, crashableServer } from "../chaos/CrashablePostgres.ts"
import { NotPossibleHere } from "./Scenario.ts"

/** Returns a server's start parameters with other paths. */
const moved = (parameters: ReadonlyArray<string>, places: Readonly<Record<string, string>>) =>
  parameters.map((part, index) => places[parameters[index - 1] ?? ""] ?? part)

/**
 * Copies a primary to a new folder, and starts the copy as a synchronous standby. Every commit on the primary waits for
 * it. `at`: the standby's port.
 */
export const addSynchronousStandby = async (primary: CrashablePostgres, at: number): Promise<CrashablePostgres> => {
  const { binary, owner, parameters } = primary.files
  const copy = join(dirname(binary), "pg_basebackup")
  if (!existsSync(copy)) throw new NotPossibleHere("This PostgreSQL server comes without pg_basebackup.")
  const folder = mkdtempSync(join(tmpdir(), "sallyport-standby-"))
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid)
  const data = join(folder, "data")
  const from = new URL(primary.url)
  from.searchParams.set("application_name", "standby")
  const words = ["--checkpoint=fast", "--wal-method=stream", "--write-recovery-conf", `--pgdata=${data}`]
  const { status, stderr } = spawnSync(copy, [...words, `--dbname=${from.href}`], {
    ...owner,
    cwd: folder,
    encoding: "utf8"
  })
  if (status !== 0) throw new Error(`pg_basebackup: ${stderr}`)
  // After its promotion, it waits for no standby, because the last line applies.
  appendFileSync(join(data, "postgresql.auto.conf"), "synchronous_standby_names = ''\n")
  const port = String(at)
  const url = new URL(primary.url)
  url.port = port
  const files = { folder, binary, owner, parameters: moved(parameters, { "-D": data, "-p": port, "-k": folder }) }
  const server = crashableServer(url.href, files)
  await server.start()
  await withClient(primary.url, async (client) => {
    await client.query("alter system set synchronous_standby_names = 'standby'")
    await client.query("select pg_reload_conf()")
    await waitForRow(client, "select from pg_stat_replication where sync_state = 'sync'", [])
  })
  const remove = async () => {
    await server.kill()
    rmSync(folder, { recursive: true, force: true })
  }
  return { ...server, url: url.href, version: primary.version, files, remove }
}

/** Promotes a standby to primary. Resolves when the new primary accepts writes. */
export const promote = (standby: CrashablePostgres): Promise<void> =>
  withClient(standby.url, async (client) => {
    const { rows } = await client.query<{ promoted: boolean }>("select pg_promote(true, 30) as promoted")
    if (rows[0]?.promoted !== true) throw new Error("The standby was not promoted within 30 seconds.")
  })
