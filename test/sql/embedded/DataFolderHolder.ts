// Runs as a separate process: opens the given data folder, writes a row, reports it and keeps running.
import * as Effect from "effect/Effect"
import { Connections, layer } from "#sql/Database"

const [, , dataDir = "", id = "r1"] = process.argv

await Connections.use(({ fast: sql }) =>
  Effect.gen(function* () {
    yield* sql`create table if not exists kept (id text primary key)`
    yield* sql`insert into kept values (${id})`
    yield* sql.withTransaction(sql`insert into kept values (${`${id} in a transaction`})`)
    yield* Effect.sync(() => process.stdout.write("written\n"))
    yield* sql.withTransaction(Effect.andThen(sql`insert into kept values ('never committed')`, Effect.never))
  })
).pipe(Effect.provide(layer({ _tag: "Embedded", dataDir })), Effect.runPromise)
