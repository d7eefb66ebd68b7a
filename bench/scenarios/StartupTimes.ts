import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Api } from "#testing/Api"
import { type Program, start, timeToFirstResponse } from "../../test/harness/Servers.ts"
import { pause } from "../load/OpenLoop.ts"
import { type Spread, spreadOf } from "../load/Rounds.ts"

/** The time from the start of a process to its first 200 response, unauthenticated and authenticated, in milliseconds. */
export interface StartupTimes {
  readonly title: string
  /** The maximum time to the authenticated 200 response in milliseconds, or undefined if there is no target. */
  readonly target: number | undefined
  readonly alive: Spread
  readonly authenticated: Spread
}

interface Asked {
  readonly title: string
  readonly target: number | undefined
  /** A path that returns 200 with the key. */
  readonly path: string
  readonly key: string
}

/** The time after which a program has stored its compiled code for later starts, in milliseconds. */
const SETTLED = 2_000

/**
 * Starts and stops a program several times, after one start that isn't measured. `signal`: the signal that stops it.
 * The embedded database needs a graceful shutdown.
 */
const measureStarts = async (
  program: Program,
  { title, target, path, key }: Asked,
  times: number,
  signal: NodeJS.Signals
): Promise<StartupTimes> => {
  const alive: Array<number> = []
  const authenticated: Array<number> = []
  const unmeasured = await start(program)
  await timeToFirstResponse(unmeasured, path, key)
  await pause(SETTLED)
  await unmeasured.stop(signal)
  for (let n = 0; n < times; n++) {
    const server = await start(program)
    alive.push(await timeToFirstResponse(server, "/healthz"))
    authenticated.push(await timeToFirstResponse(server, path, key))
    await server.stop(signal)
  }
  return { title, target, alive: spreadOf(alive), authenticated: spreadOf(authenticated) }
}

/**
 * The maximum time from the start to the first 200 response: as a multiple of the plain server's time, and from source
 * in milliseconds.
 */
const MAX_RATIO_TO_PLAIN = 2.5
const MAX_FROM_SOURCE_MS = 900
const MAX_EMBEDDED_MS = 900

/** Measures the service (from the bundle and from source) and the plain server on a migrated PostgreSQL database. */
export const measureOnPostgres = async (
  programs: { readonly service: Program; readonly plain: Program },
  user: { readonly path: string; readonly key: string },
  times: number
): Promise<ReadonlyArray<StartupTimes>> => {
  const on = (program: Program, title: string, target: number | undefined) =>
    measureStarts(program, { title, target, ...user }, times, "SIGKILL")
  const plain = await on(programs.plain, "plain on PostgreSQL", undefined)
  const most = Math.round(plain.authenticated.median * MAX_RATIO_TO_PLAIN)
  const source: Program = { ...programs.service, command: ["npm", "start"] }
  return [
    await on(programs.service, `service on PostgreSQL (target: ${MAX_RATIO_TO_PLAIN} × plain)`, most),
    plain,
    await on(source, "`npm start` on PostgreSQL", MAX_FROM_SOURCE_MS)
  ]
}

/** Measures the service on an embedded database that an earlier start has created. */
export const measureEmbedded = async (
  { file, flags = [] }: Program,
  rootKey: string,
  times: number
): Promise<StartupTimes> => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-bench-"))
  try {
    const environment = { SALLYPORT_DATA_DIR: join(folder, "data"), SALLYPORT_ROOT_KEY: rootKey }
    const program: Program = { name: "embedded", file, flags, environment }
    const first = await start(program)
    await timeToFirstResponse(first, "/healthz")
    const { id } = await new Api(`http://127.0.0.1:${first.port}`, rootKey).post("/v2/realms", {
      realm: { name: "Bench", jwt_algo: "hs256" }
    })
    await first.stop("SIGTERM")
    const asked = { title: "service, embedded, not the first start", target: MAX_EMBEDDED_MS, key: rootKey }
    return await measureStarts(program, { ...asked, path: `/v2/realms/${id}` }, times, "SIGTERM")
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
