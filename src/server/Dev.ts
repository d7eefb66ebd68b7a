import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Clock, Effect } from "effect"
import { Entropy } from "#platform/Entropy"
import { randomSecret } from "#platform/Tokens"
import type { StartFacts } from "./Banner.ts"
import { readSettings } from "./Config.ts"
import { checkPorts } from "./Ports.ts"
import { run } from "./Run.ts"
import { ShiftedClock } from "./ShiftedClock.ts"

/** A development service is reachable from this machine only. */
const HOST = "127.0.0.1"

/** Options of a development service. Without a folder, it stores nothing. */
export interface DevOptions {
  readonly port: number
  readonly dataDir: string | undefined
}

/** A development service that is ready. */
export interface DevService extends StartFacts {
  /** Its root key. */
  readonly key: string
}

/** Returns the root key that an earlier start stored in the folder, or generates one. Only its owner can read the file. */
const rootKeyIn = (dataDir: string | undefined): Effect.Effect<string, never, Entropy> =>
  Effect.map(Entropy, (entropy) => {
    const created = `sk_${randomSecret(entropy)}`
    if (dataDir === undefined) return created
    const file = join(dataDir, "root_key")
    if (existsSync(file)) return readFileSync(file, "utf8").trim()
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    writeFileSync(file, `${created}\n`, { mode: 0o600, flag: "wx", flush: true })
    return created
  })

/**
 * Runs a development service in this process until it is interrupted. It listens on this machine only, and runs in test
 * mode with a local mailbox, regardless of the environment. Calls `ready` when it accepts requests.
 */
export const runDev = Effect.fnUntraced(function* (
  { port, dataDir }: DevOptions,
  ready: (service: DevService) => Effect.Effect<void>
) {
  yield* checkPorts({ port, host: HOST, ops: undefined })
  const key = yield* rootKeyIn(dataDir)
  const config = yield* readSettings({
    PORT: String(port),
    HOST,
    SALLYPORT_ROOT_KEY: key,
    SALLYPORT_TEST_MODE: "on",
    ...(dataDir === undefined ? { DATABASE_URL: "memory://" } : { SALLYPORT_DATA_DIR: dataDir })
  })
  const clock = new ShiftedClock(yield* Clock.Clock)
  const watcher = {
    started: (facts: StartFacts) => ready({ ...facts, key }),
    stopping: Effect.void,
    showsRootKey: true
  }
  return yield* Effect.provideService(run(config, watcher, clock), Clock.Clock, clock)
}, Effect.provide(Entropy.layer))
