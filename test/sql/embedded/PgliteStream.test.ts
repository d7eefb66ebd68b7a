import { once } from "node:events"
import * as PgClient from "@effect/sql-pg/PgClient"
import { afterAll, beforeAll, expect, it } from "@effect/vitest"
import { PGlite } from "@electric-sql/pglite"
import * as Effect from "effect/Effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { PgliteSession } from "#sql/PgliteSession"
import { PgliteStream } from "#sql/PgliteStream"
import { embeddedImage } from "../../support/embeddedImage.ts"

let database: PGlite
let session: PgliteSession

beforeAll(async () => {
  const loadDataDir = new Blob([new Uint8Array(await embeddedImage())])
  database = await PGlite.create({ loadDataDir })
  session = new PgliteSession(database)
  await database.exec("create table kept (n int)")
})

afterAll(() => database.close())

const message = (type: string, ...parts: ReadonlyArray<string | number>): Buffer => {
  const body = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(`${part}\0`) : int(part))))
  return Buffer.concat([Buffer.from(type), int(body.length + 4), body])
}

const int = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

const sslRequest = Buffer.concat([int(8), int(80877103)])
const cancelRequest = Buffer.concat([int(16), int(80877102), int(1), int(1)])
const startup = message("", 196608, "user", "postgres", "")
const terminate = message("X")

/** The types of the messages received until the database is ready, and the database's transaction state. */
const answer = async (stream: PgliteStream): Promise<string> => {
  let types = ""
  let received = Buffer.alloc(0)
  while (!types.endsWith("Z")) {
    const [chunk] = await once(stream, "data")
    received = Buffer.concat([received, chunk])
    while (received.length > 4 && received.length > received.readInt32BE(1)) {
      types += received.toString("latin1", 0, 1)
      received = received.subarray(1 + received.readInt32BE(1))
    }
  }
  return types
}

const connected = async (): Promise<PgliteStream> => {
  const stream = new PgliteStream(session)
  stream.write(startup)
  await answer(stream)
  return stream
}

const closed = async (stream: PgliteStream): Promise<void> => {
  stream.end(terminate)
  await once(stream, "close")
}

it("declines encryption, then starts the session", async () => {
  const stream = new PgliteStream(session)
  stream.write(sslRequest)
  expect(String((await once(stream, "data"))[0])).toBe("N")
  stream.write(startup)
  expect(await answer(stream)).toMatch(/^RS*K?Z$/)
  await closed(stream)
})

it("accepts a message byte by byte, and several messages together", async () => {
  const stream = new PgliteStream(session)
  for (const byte of startup) stream.write(Buffer.from([byte]))
  await answer(stream)
  const query = message("Q", "select 1")
  for (const byte of query) stream.write(Buffer.from([byte]))
  expect(await answer(stream)).toBe("TDCZ")
  stream.write(Buffer.concat([query, query.subarray(0, 3)]))
  expect(await answer(stream)).toBe("TDCZ")
  stream.write(Buffer.concat([query.subarray(3), query]))
  expect(await answer(stream)).toBe("TDCZ")
  await closed(stream)
})

it("a cancel request ends only its own connection", async () => {
  const stream = await connected()
  const canceller = new PgliteStream(session)
  canceller.write(cancelRequest)
  await once(canceller, "close")
  stream.write(message("Q", "select 1"))
  expect(await answer(stream)).toBe("TDCZ")
  await closed(stream)
})

it("a connection dropped within a transaction loses its changes and settings", async () => {
  const stream = await connected()
  for (const sql of ["begin", "insert into kept values (1)", "set search_path = nowhere", "prepare p as select 1"]) {
    stream.write(message("Q", sql))
    await answer(stream)
  }
  stream.destroy()
  const next = await connected()
  expect(database.isInTransaction()).toBe(false)
  next.write(message("Q", "select * from kept"))
  expect(await answer(next)).toBe("TCZ")
  next.write(message("Q", "prepare p as select 2"))
  expect(await answer(next)).toBe("CZ")
  await closed(next)
})

it("a second connection waits until the first is closed", async () => {
  const first = await connected()
  const second = new PgliteStream(session)
  second.write(startup)
  const order: Array<string> = []
  const started = answer(second).then(() => order.push("second started"))
  first.write(message("Q", "select 1"))
  await answer(first)
  order.push("first answered")
  await closed(first)
  await started
  expect(order).toEqual(["first answered", "second started"])
  await closed(second)
})

it("a connection that breaks while waiting doesn't block the next connection", async () => {
  const first = await connected()
  const second = new PgliteStream(session)
  second.write(startup)
  second.destroy()
  const third = connected()
  await closed(first)
  await closed(await third)
})

it.live("a client opens a new connection when its old connection breaks", () =>
  Effect.gen(function* () {
    const streams: Array<PgliteStream> = []
    const stream = () => {
      const opened = new PgliteStream(session)
      streams.push(opened)
      return opened
    }
    const sql = yield* PgClient.make({ stream, ssl: false, username: "postgres", maxConnections: 1, multiplex: true })
    const broken = yield* Effect.sync(() => streams.at(-1)?.destroy()).pipe(
      Effect.andThen(sql`insert into kept values (2)`),
      (rest) => Effect.andThen(sql`insert into kept values (1)`, rest),
      sql.withTransaction,
      Effect.exit
    )
    expect([broken._tag, yield* sql`select n from kept`]).toEqual(["Failure", []])
    expect(streams).toHaveLength(2)
  }).pipe(Effect.provideServiceEffect(Reactivity.Reactivity, Reactivity.make))
)
