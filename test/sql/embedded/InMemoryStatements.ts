// Runs as a separate process: executes statements in a database in memory, and writes the process's peak memory in MiB.
import * as Effect from "effect/Effect"
import { Connections, layer } from "#sql/Database"

await Connections.use(({ fast: sql }) =>
  Effect.forEach(
    Array.from({ length: 500 }),
    (_, index) => sql`select count(*) from users where email = ${index}::text`
  )
).pipe(Effect.provide(layer({ _tag: "Memory" })), Effect.runPromise)

console.log(Math.round(process.resourceUsage().maxRSS / 1024))
