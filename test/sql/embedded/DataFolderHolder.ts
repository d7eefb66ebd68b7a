// A process of its own: opens the data folder it is given, writes a row, says so and stays.
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
