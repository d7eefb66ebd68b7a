import { execFile } from "node:child_process"
import { once } from "node:events"
import { Agent, request } from "node:http"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import { Redacted } from "effect"
import { expect, test } from "vitest"
import { Api, Reply } from "#testing/Api"
import { freshDatabase } from "../../support/databases.ts"
import { fullReadiness } from "../Readiness.ts"
import { type Running, runToEnd, start } from "../ServerProcess.ts"
import { portInUse, takenPort } from "../TakenPort.ts"

const KEY = "a-root-key-of-more-than-thirty-two-characters"

const environment = async () => {
  const target = await freshDatabase()
  return {
    DATABASE_URL: target._tag === "Postgres" ? Redacted.value(target.url) : "",
    HOST: "127.0.0.1",
    SALLYPORT_WORKERS: "2",
    SALLYPORT_OPS_PORT: "0",
    SALLYPORT_ROOT_KEY: KEY,
    SALLYPORT_SECRET: "a-secret-of-more-than-thirty-two-characters"
  }
}

const opsUrlOf = ({ output }: Running) => /Operations: (\S+)\/readyz/.exec(output())?.[1] ?? ""

const workersOf = async ({ process }: Running): Promise<ReadonlyArray<number>> => {
  const { stdout } = await promisify(execFile)("pgrep", ["-P", String(process.pid)])
  return stdout.trim().split("\n").map(Number)
}

/** A persistent connection, which always reaches the same worker. */
class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  get(path: string, key = KEY): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}` }
      request(this.#url + path, { agent: this.#agent, headers }, async (response) => {
        const chunks = await response.toArray()
        resolve(new Reply(response.statusCode ?? 0, new Headers(), Buffer.concat(chunks).toString()))
      })
        .on("error", reject)
        .end()
    })
  }
}

/** Opens a connection to one worker. The others are stopped meanwhile, so they can't accept it. */
const connectionTo = async (url: string, others: ReadonlyArray<number>) => {
  const connection = new Connection(url)
  for (const pid of others) process.kill(pid, "SIGSTOP")
  expect((await connection.get("/healthz")).status).toBe(200)
  for (const pid of others) process.kill(pid, "SIGCONT")
  return connection
}

const valueOf = (metrics: Reply, series: string) =>
  Number(
    metrics.text
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1)
  )

const LISTED = 'http_requests_total{method="GET",route="/v2/realms",status="200"}'
const TIMED = 'http_request_duration_seconds_count{method="GET",route="/v2/realms"}'

test("C62: two workers share one port, metrics and shutdown, and a killed worker is replaced", async () => {
  const running = await start(await environment())
  expect(running.output().match(/Sallyport is ready/g)).toHaveLength(1)
  expect(running.output()).toContain("Workers: 2")
  await expect.poll(running.output).toMatch(/"The service is ready\."/)
  const ops = new Api(opsUrlOf(running), undefined)
  expect((await ops.get("/readyz")).body).toEqual(
    fullReadiness({
      actors: expect.objectContaining({ DeliverHooks: { ok: true, restarts: 0, lag_seconds: expect.any(Number) } })
    })
  )

  // Both respond, each on its own connections.
  const [first = 0, second = 0] = await workersOf(running)
  const one = await connectionTo(running.url, [second])
  const other = await connectionTo(running.url, [first])
  const api = new Api(running.url, KEY)
  const realm = await api.post("/v2/realms", { realm: { name: "Shared", jwt_algo: "hs256" } })
  for (const connection of [one, other, one, other, one]) {
    expect((await connection.get("/v2/realms")).member("collection", 0, "id")).toBe(realm.id)
  }

  // Both workers report the totals.
  for (const connection of [one, other]) {
    const metrics = await connection.get("/metrics")
    expect([valueOf(metrics, LISTED), valueOf(metrics, TIMED), valueOf(metrics, "workers")]).toEqual([5, 5, 2])
    expect(metrics.text.match(/^# TYPE http_requests_total counter$/gm)).toHaveLength(1)
    expect(valueOf(metrics, 'actor_ok{actor="DeliverHooks"}')).toBe(1)
  }

  // A key deleted on one worker is rejected by the other within a second.
  const made = await api.post("/v2/api_keys", { api_key: { name: "short-lived", level: "read" } })
  const key = made.string("key")
  expect([(await one.get("/v2/realms", key)).status, (await other.get("/v2/realms", key)).status]).toEqual([200, 200])
  await api.delete(`/v2/api_keys/${made.id}`)
  const deleted = performance.now()
  const refusedAt = async (connection: Connection) => {
    while ((await connection.get("/v2/realms", key)).status === 200) await setTimeout(10)
    return performance.now() - deleted
  }
  expect(Math.max(...(await Promise.all([refusedAt(one), refusedAt(other)])))).toBeLessThan(1_500)

  // One worker is killed. The other one responds, the service is not ready until there are two again, and no count is
  // lost.
  const before = valueOf(await other.get("/metrics"), LISTED)
  process.kill(first, "SIGKILL")
  while ((await other.get("/readyz")).status === 200);
  while ((await other.get("/readyz")).status !== 200) {
    expect((await new Connection(running.url).get("/healthz")).status).toBe(200)
    // Leaves the CPU to the new worker.
    await setTimeout(10)
  }
  const after = await other.get("/metrics")
  expect([valueOf(after, LISTED), valueOf(after, "workers"), valueOf(after, "workers_ended_total")]).toEqual([
    before,
    2,
    1
  ])
  // The new worker may have the lower process ID, since IDs start over after the highest one.
  const workers = await workersOf(running)
  expect([workers.length, workers.includes(second)]).toEqual([2, true])
  expect(running.output()).toMatch(/A worker has ended and will be replaced\..*SIGKILL/)
  expect(running.output().match(/Sallyport is ready/g)).toHaveLength(1)

  // On SIGTERM readiness turns 503 first, a request in flight finishes, and all workers end.
  const { port } = new URL(running.url)
  const body = JSON.stringify({ realm: { name: "Late", jwt_algo: "hs256" } })
  const headers = {
    authorization: `Bearer ${KEY}`,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body)
  }
  const slow = request({ port, host: "127.0.0.1", method: "POST", path: "/v2/realms", headers })
  const answered = new Promise<number | undefined>((resolve) => slow.on("response", (r) => resolve(r.statusCode)))
  slow.write(body.slice(0, 5))
  await once(slow, "socket").then(([socket]) => once(socket, "connect"))
  await api.get("/healthz")
  const stopped = running.stop("SIGTERM")
  let reply = await ops.get("/readyz")
  while (reply.status === 200) reply = await ops.get("/readyz")
  expect(reply.body).toEqual(fullReadiness({ status: "not ready", draining: true }))
  expect((await api.get("/v2/realms")).status).toBe(200)
  slow.end(body.slice(5))
  expect(await answered).toBe(201)
  expect(await stopped).toBe(0)
  await expect(fetch(`${running.url}/healthz`)).rejects.toThrow()
  for (const told of ["ready", "stopping"]) {
    expect(running.output().split(`"The service is ${told}."`)).toHaveLength(2)
  }
  expect(running.output().split(`"The service has stopped."`)).toHaveLength(2)
}, 60_000)

test("C62: an unusable setting is reported once for all workers, and the service exits with 1", async () => {
  const settings = await environment()
  await using taken = await takenPort()
  const [busy, unreachable] = await Promise.all([
    runToEnd({ ...settings, PORT: taken.port }),
    runToEnd({
      ...settings,
      DATABASE_URL: "postgres://u:hidden@127.0.0.1:1/none",
      SALLYPORT_DATABASE_WAIT_SECONDS: "0"
    })
  ])
  expect([busy.code, busy.output.trim()]).toEqual([1, portInUse("PORT", taken.port)])
  expect([unreachable.code, unreachable.output.trim()]).toEqual([
    1,
    expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:1.*\nCheck the host and .*$/)
  ])
})
