import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Api } from "#testing/Api"
import { type Program, start, timeToFirstResponse } from "../harness/Servers.ts"
import { type Spread, spreadOf } from "../load/PairedRuns.ts"

/** Milliseconds from the start of a process to its first 200: unauthenticated and authenticated. */
export interface StartupTimes {
  readonly title: string
  readonly target: number | undefined
  readonly alive: Spread
  readonly authenticated: Spread
}

interface Asked {
  readonly title: string
  readonly target: number | undefined
  /** A path that returns 200 to the key. */
  readonly path: string
  readonly key: string
}

/** Starts and stops a program several times. `signal` stops it: the embedded database needs a graceful shutdown. */
const measureStarts = async (
  program: Program,
  { title, target, path, key }: Asked,
  times: number,
  signal: NodeJS.Signals
): Promise<StartupTimes> => {
  const alive: Array<number> = []
  const authenticated: Array<number> = []
  for (let n = 0; n < times; n++) {
    const server = await start(program)
    alive.push(await timeToFirstResponse(server, "/healthz"))
    authenticated.push(await timeToFirstResponse(server, path, key))
    await server.stop(signal)
  }
  return { title, target, alive: spreadOf(alive), authenticated: spreadOf(authenticated) }
}

/** Measures the service and the baseline on a migrated PostgreSQL database. */
export const measureOnPostgres = async (
  programs: { readonly service: Program; readonly baseline: Program },
  user: { readonly path: string; readonly key: string },
  times: number
): Promise<ReadonlyArray<StartupTimes>> => [
  await measureStarts(programs.service, { title: "service on PostgreSQL", target: 300, ...user }, times, "SIGKILL"),
  await measureStarts(
    programs.baseline,
    { title: "baseline on PostgreSQL", target: undefined, ...user },
    times,
    "SIGKILL"
  )
]

/** Measures the service on an embedded database that an earlier start has created. */
export const measureEmbedded = async (file: string, rootKey: string, times: number): Promise<StartupTimes> => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-bench-"))
  try {
    const environment = { SALLYPORT_DATA_DIR: join(folder, "data"), SALLYPORT_ROOT_KEY: rootKey }
    const program = { name: "embedded", file, environment }
    const first = await start(program)
    await timeToFirstResponse(first, "/healthz")
    const { id } = await new Api(`http://127.0.0.1:${first.port}`, rootKey).post("/v2/realms", {
      realm: { name: "Bench", jwt_algo: "hs256" }
    })
    await first.stop("SIGTERM")
    const asked = { title: "service, embedded, not its first start", target: undefined, key: rootKey }
    return await measureStarts(program, { ...asked, path: `/v2/realms/${id}` }, times, "SIGTERM")
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
