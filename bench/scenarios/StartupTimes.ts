import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Api } from "#testing/Api"
import { firstAnswer, type Program, start } from "../harness/Servers.ts"
import { type Spread, spreadOf } from "../load/PairedRuns.ts"

/** From the start of a process to its first 200, in milliseconds. */
export interface FirstAnswers {
  readonly title: string
  readonly target: number | undefined
  readonly alive: Spread
  readonly authenticated: Spread
}

interface Asked {
  readonly title: string
  readonly target: number | undefined
  /** An address that answers 200 to the key. */
  readonly path: string
  readonly key: string
}

/** Starts a program several times over. `signal` ends it: the embedded database must be let go gracefully. */
const several = async (
  program: Program,
  { title, target, path, key }: Asked,
  times: number,
  signal: NodeJS.Signals
): Promise<FirstAnswers> => {
  const alive: Array<number> = []
  const authenticated: Array<number> = []
  for (let n = 0; n < times; n++) {
    const server = await start(program)
    alive.push(await firstAnswer(server, "/healthz"))
    authenticated.push(await firstAnswer(server, path, key))
    await server.stop(signal)
  }
  return { title, target, alive: spreadOf(alive), authenticated: spreadOf(authenticated) }
}

/** The service and the floor on a PostgreSQL that is migrated already. */
export const onPostgres = async (
  programs: { readonly service: Program; readonly floor: Program },
  user: { readonly path: string; readonly key: string },
  times: number
): Promise<ReadonlyArray<FirstAnswers>> => [
  await several(programs.service, { title: "service on PostgreSQL", target: 300, ...user }, times, "SIGKILL"),
  await several(programs.floor, { title: "floor on PostgreSQL", target: undefined, ...user }, times, "SIGKILL")
]

/** The service on its embedded database, from the second start on. */
export const embedded = async (file: string, rootKey: string, times: number): Promise<FirstAnswers> => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-bench-"))
  try {
    const environment = { SALLYPORT_DATA_DIR: join(folder, "data"), SALLYPORT_ROOT_KEY: rootKey }
    const program = { name: "embedded", file, environment }
    const first = await start(program)
    await firstAnswer(first, "/healthz")
    const { id } = await new Api(`http://127.0.0.1:${first.port}`, rootKey).post("/v2/realms", {
      realm: { name: "Bench", jwt_algo: "hs256" }
    })
    await first.stop("SIGTERM")
    const asked = { title: "service, embedded, not its first start", target: undefined, key: rootKey }
    return await several(program, { ...asked, path: `/v2/realms/${id}` }, times, "SIGTERM")
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
