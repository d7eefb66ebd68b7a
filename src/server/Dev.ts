import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Clock, Effect } from "effect"
import { Entropy } from "#platform/Entropy"
import { randomSecret } from "#platform/Tokens"
import type { Started } from "./Banner.ts"
import { readSettings } from "./Config.ts"
import { checkPorts } from "./Ports.ts"
import { run } from "./Run.ts"
import { ShiftedClock } from "./ShiftedClock.ts"

/** A service for development is for this machine only. */
const HOST = "127.0.0.1"

/** How a service for development runs. Without a folder it keeps nothing. */
export interface DevOptions {
  readonly port: number
  readonly dataDir: string | undefined
}

/** A service for development that answers. */
export interface DevService extends Started {
  /** Its root key. */
  readonly key: string
}

/** The root key: that of the folder, where an earlier start has left it, else a new one, readable by its owner only. */
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
 * Runs a service for development in this process until it is interrupted: on this machine only, in test mode, with its own
 * mailbox, whatever the environment says. `ready` is told when it answers.
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
  const watcher = { started: (facts: Started) => ready({ ...facts, key }), stopping: Effect.void }
  return yield* Effect.provideService(run(config, watcher, clock), Clock.Clock, clock)
}, Effect.provide(Entropy.layer))
