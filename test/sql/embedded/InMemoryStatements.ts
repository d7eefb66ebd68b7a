// Runs as a separate process: executes statements in a database in memory, and writes the process's peak memory in MiB.
import { existsSync, readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { Connections, layer } from "#sql/Database"

await Connections.use(({ fast: sql }) =>
  Effect.forEach(
    Array.from({ length: 500 }),
    (_, index) => sql`select count(*) from users where email = ${index}::text`
  )
).pipe(Effect.provide(layer({ _tag: "Memory" })), Effect.runPromise)

/** On Linux, `maxRSS` includes the peak of the parent process up to the start of this one; `VmHWM` doesn't. */
const peakKilobytes = (): number => {
  const status = "/proc/self/status"
  const [, own] = existsSync(status) ? (/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(status, "utf8")) ?? []) : []
  return own === undefined ? process.resourceUsage().maxRSS : Number(own)
}

console.log(Math.round(peakKilobytes() / 1024))
