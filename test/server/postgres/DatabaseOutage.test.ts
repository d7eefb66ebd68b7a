import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { setTimeout } from "node:timers/promises"
import { Redacted } from "effect"
import { expect, test } from "vitest"
import { Api } from "#testing/Api"
import { freshDatabase } from "../../support/databases.ts"
import { start } from "../ServerProcess.ts"

const KEY = "a-root-key-of-more-than-thirty-two-characters"

/** PostgreSQL behind a proxy that can be cut off. */
const severable = async () => {
  const database = await freshDatabase()
  const target = new URL(database._tag === "Postgres" ? Redacted.value(database.url) : "")
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((client) => {
    if (isCut) return client.destroy()
    const upstream = connect(Number(target.port), target.hostname)
    upstream.pipe(client).pipe(upstream)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.once("close", () => sockets.delete(socket)).on("error", () => socket.destroy())
    }
    return client
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const through = new URL(target)
  through.host = `127.0.0.1:${port}`
  return {
    url: through.href,
    cut: () => {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    mend: () => {
      isCut = false
    },
    close: () => server.close()
  }
}

/** The lines of a log as fields, without those that differ with each run. */
const linesOf = (output: string): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => {
      const { timestamp, pid, ...fields }: Record<string, unknown> = JSON.parse(line)
      expect([typeof timestamp, typeof pid]).toEqual(["string", "number"])
      return fields
    })

test("While the database is away the log has one line, and one more when it is back, however many requests are refused", async () => {
  const database = await severable()
  const running = await start({
    DATABASE_URL: database.url,
    HOST: "127.0.0.1",
    SALLYPORT_PUBLIC_URL: "http://localhost",
    SALLYPORT_ROOT_KEY: KEY,
    SALLYPORT_SECRET: "a-secret-of-more-than-thirty-two-characters"
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
    refused_requests: 5
  }
  expect(linesOf(running.output())).toEqual([ready, lost, back])
  expect((await root.get("/v2/realms")).status).toBe(200)
  await running.stop("SIGKILL")
  database.close()
})
