import { randomBytes } from "node:crypto"
import { mkdirSync } from "node:fs"
import { cpus, loadavg } from "node:os"
import { setTimeout } from "node:timers/promises"
import { parseArgs } from "node:util"
import type { Client } from "pg"
import { encodeId } from "#domain/Ids"
import { Api } from "#testing/Api"
import { buildService } from "../test/harness/Build.ts"
import { withClient } from "../test/harness/Database.ts"
import { table, whole } from "../test/harness/Figures.ts"

import { startCrashablePostgres } from "./chaos/CrashablePostgres.ts"
import { startNodes } from "./chaos/Nodes.ts"

const { values: options } = parseArgs({
  options: {
    events: { type: "string", default: "5000000" },
    realms: { type: "string", default: "50" },
    service: { type: "string" }
  }
})
const [events, realms] = [Number(options.events), Number(options.realms)]

/** The age of the events, which is beyond the default retention. */
const AGE = 400 * 86_400_000

/** The number of rows inserted by one statement. */
const CHUNK = 250_000

/** The share of all events at the beginning and at the end over which the first and the last rate are computed. */
const PART = 0.1

/** The maximum ratio of the first rate to the last. */
const BOUND = 2

const began = performance.now()
const logProgress = (text: string) =>
  process.stderr.write(`${((performance.now() - began) / 1_000).toFixed(1)} s: ${text}\n`)
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1))

const folder = new URL("results/clearing", import.meta.url).pathname
mkdirSync(folder, { recursive: true })
const file = buildService(options.service)
const rootKey = randomBytes(24).toString("hex")
const postgres = await startCrashablePostgres()
const environment = {
  DATABASE_URL: postgres.url,
  SALLYPORT_ROOT_KEY: rootKey,
  SALLYPORT_SECRET: randomBytes(24).toString("hex"),
  SALLYPORT_PUBLIC_URL: "http://faults.test"
}

const makeRealms = async (): Promise<ReadonlyArray<string>> => {
  const nodes = await startNodes(1, file, environment, folder)
  try {
    const root = new Api(`http://127.0.0.1:${nodes.ports[0]}`, rootKey)
    const ids: Array<string> = []
    for (let n = 0; n < realms; n++) ids.push((await root.post("/v2/realms", { realm: { name: `Realm ${n}` } })).id)
    return ids
  } finally {
    await nodes.stop()
  }
}

const fill = async (client: Client, ids: ReadonlyArray<string>) => {
  const time = encodeId("event", { millis: Date.now() - AGE, random: [0, 0] }).slice(0, -16)
  for (let from = 0; from < events; from += CHUNK) {
    await client.query(
      `insert into events (realm_id, id, event_type, event_at, user_id, actor_type, actor_id, changed)
        select ($1::text[])[n % $2 + 1], $3 || lpad(n::text, 16, '0'), 'user.updated', $4,
          'usr_' || lpad((n % 100000)::text, 26, '0'), 'api_key', 'ky_' || lpad((n % 50)::text, 26, '0'), '{name}'
        from generate_series($5::int, $6::int) n`,
      [ids, realms, time, new Date(Date.now() - AGE), from, Math.min(events, from + CHUNK) - 1]
    )
  }
  await client.query("analyze events")
}

/** Clears everything. Returns the seconds until each part was done, and the number of automatic vacuums in the meantime. */
const clear = async (client: Client) => {
  const deleted = async () => {
    const { rows } = await client.query<{ gone: string; vacuums: string }>(
      "select n_tup_del as gone, autovacuum_count as vacuums from pg_stat_user_tables where relname = 'events'"
    )
    return { gone: Number(rows[0]?.gone), vacuums: Number(rows[0]?.vacuums) }
  }
  const before = await deleted()
  const nodes = await startNodes(1, file, environment, folder)
  try {
    const from = performance.now()
    const points = [{ at: 0, gone: 0 }]
    for (let reported = 0; ; await setTimeout(250)) {
      const now = await deleted()
      const [at, gone] = [(performance.now() - from) / 1_000, now.gone - before.gone]
      points.push({ at, gone })
      if (gone >= reported + PART * events) {
        reported += PART * events
        logProgress(`${whole(gone)} events cleared, ${whole(gone / at)} a second so far`)
      }
      if (gone >= events) return { points, seconds: at, vacuums: now.vacuums - before.vacuums }
    }
  } finally {
    await nodes.stop()
  }
}

try {
  await withClient(postgres.url, async (client) => {
    const ids = await makeRealms()
    await fill(client, ids)
    logProgress(`${whole(events)} events inserted`)
    const { points, seconds, vacuums } = await clear(client)
    /** Returns the time when this many events had been cleared. */
    const at = (gone: number) => points.find((point) => point.gone >= gone)?.at ?? seconds
    const first = (PART * events) / (at(PART * events) - at(1))
    const last = (PART * events) / (seconds - at((1 - PART) * events))
    const rows = [
      ["machine; load", `${cpus().length} × ${cpus()[0]?.model.trim()}; ${loadavg()[0]?.toFixed(1)}`],
      ["events; realms", `${whole(events)}; ${whole(realms)}`],
      ["cleared in", `${whole(seconds)} s`],
      ["events per second: overall", whole(events / seconds)],
      ["for the first tenth; for the last", `${whole(first)}; ${whole(last)}`],
      ["vacuums of the table in that time, by PostgreSQL itself", whole(vacuums)]
    ]
    console.log(table(["clearing: SEC-101", ""], rows))
    const isFlat = first / last <= BOUND
    console.log(
      isFlat ? "passed" : `FAILED: the last tenth took ${(first / last).toFixed(1)} times as long as the first.`
    )
    if (!isFlat) process.exitCode = 1
  })
} finally {
  await postgres.remove()
}
