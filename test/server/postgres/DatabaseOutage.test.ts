import { setTimeout } from "node:timers/promises"
import { expect, test } from "vitest"
import { Api } from "#testing/Api"
import { severablePostgres } from "../../support/severable.ts"
import { start } from "../ServerProcess.ts"

const KEY = "5a1f8c0d2b7e4936a8d1c3f7b0e29d64"

/** The lines of a log as objects, without the fields that differ in each run. */
const linesOf = (output: string): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => {
      const { timestamp, pid, ...fields }: Record<string, unknown> = JSON.parse(line)
      expect([typeof timestamp, typeof pid]).toEqual(["string", "number"])
      return fields
    })

test("an unreachable database is logged once, and once more when the database returns", async () => {
  const database = await severablePostgres()
  const running = await start({
    DATABASE_URL: database.url,
    HOST: "127.0.0.1",
    SALLYPORT_PUBLIC_URL: "http://localhost",
    SALLYPORT_ROOT_KEY: KEY,
    SALLYPORT_SECRET: "8f14e45fceea167a5a36dedd4bea2543c9f0f895fb98ab9159f51fd0297e236d"
  })
  const root = new Api(running.url, KEY)
  expect((await root.get("/v2/realms")).status).toBe(200)
  database.cut()
  for (let n = 0; n < 5; n++) {
    const refused = await root.get("/v2/realms")
    expect([refused.status, refused.errors]).toEqual([
      503,
      ["The service can't reach its database. Try again in a moment."]
    ])
  }
  // Concurrent reads and transactions, on all connections.
  const many = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0 ? root.get("/v2/realms") : root.post("/v2/realms", { realm: { name: `R${n}` } })
    )
  )
  expect(many.map(({ status }) => status)).toEqual(many.map(() => 503))
  expect((await root.get("/readyz")).body).toMatchObject({ status: "not ready", database: "unreachable" })
  const lost = {
    level: "ERROR",
    message: "The database can't be reached.",
    cause: expect.stringMatching(/\w/)
  }
  const ready = expect.objectContaining({ level: "INFO", message: "The service is ready." })
  expect(linesOf(running.output())).toEqual([ready, lost])
  database.mend()
  while (linesOf(running.output()).length < 3) await setTimeout(20)
  const back = {
    level: "INFO",
    message: "The database can be reached again.",
    seconds: expect.any(Number),
    refused_requests: 25
  }
  expect(linesOf(running.output())).toEqual([ready, lost, back])
  expect((await root.get("/v2/realms")).status).toBe(200)
  await running.stop("SIGKILL")
  database.close()
})
