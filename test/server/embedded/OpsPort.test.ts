import { once } from "node:events"
import { request } from "node:http"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Api } from "#testing/Api"
import { getWith } from "../../support/getWith.ts"
import { fullReadiness } from "../Readiness.ts"
import { type Running, start } from "../ServerProcess.ts"

const environment = {
  DATABASE_URL: "memory://",
  SALLYPORT_ROOT_KEY: "a-root-key-of-more-than-thirty-two-characters",
  SALLYPORT_OPS_PORT: "0"
}

const opsUrlIn = (output: string) => /Operations: (\S+)\/readyz/.exec(output)?.[1] ?? ""

describe("SEC-99: a service with a port for operators", () => {
  let running: Running
  let ops: string

  beforeAll(async () => {
    running = await start(environment)
    ops = opsUrlIn(running.output())
  })

  afterAll(() => void running.process.kill("SIGKILL"))

  test("reports health to anyone who reaches the port, and serves no other requests there", async () => {
    const stranger = { host: "sallyport.internal:9100", "x-forwarded-for": "10.0.0.7" }
    expect((await getWith(`${ops}/healthz`, stranger)).body).toEqual({ status: "ok" })
    expect((await getWith(`${ops}/readyz`, stranger)).body).toEqual(
      fullReadiness({
        request: {
          ip: "127.0.0.1",
          peer: "127.0.0.1",
          peer_is_trusted: false,
          host: "sallyport.internal:9100",
          forwarded_for: "10.0.0.7",
          forwarded_proto: null
        }
      })
    )
    expect((await new Api(running.url, undefined).get("/v2/realms")).status).toBe(401)
    const metrics = await getWith(`${ops}/metrics`, stranger)
    expect(metrics.text).toContain('http_requests_total{method="GET",route="/v2/realms",status="401"} 1')
    expect(metrics.text).toMatch(/^build_info\{version="\d+\.\d+\.\d+"\} 1$/m)
    for (const path of ["/", "/docs", "/openapi.json", "/v2/realms", "/login", "/mailbox"]) {
      expect([path, (await getWith(ops + path, stranger)).status]).toEqual([path, 404])
    }
    expect((await getWith(`${running.url}/metrics`, stranger)).status).toBe(401)
  })

  test("SEC-302: doesn't let the service read its own operations, because a caller of the API may have chosen the URL", async () => {
    const own = { host: new URL(ops).host, "sallyport-outbound": "1" }
    const metrics = await getWith(`${ops}/metrics`, own)
    expect([metrics.status, metrics.member("error_details")]).toEqual([
      403,
      [{ field: null, code: "own_request", message: "Requests of the service itself can't read this." }]
    ])
    expect((await getWith(`${ops}/readyz`, own)).body).toEqual({ status: "ready" })
    expect((await getWith(`${ops}/healthz`, own)).body).toEqual({ status: "ok" })
  })

  test("closes the ops port on SIGTERM after the main port, once the last request has finished", async () => {
    const { port } = new URL(running.url)
    // A request with an unfinished body keeps the main port open.
    const body = JSON.stringify({ realm: { name: "Late", jwt_algo: "hs256" } })
    const headers = {
      authorization: `Bearer ${environment.SALLYPORT_ROOT_KEY}`,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body)
    }
    const slow = request({ port, host: "127.0.0.1", method: "POST", path: "/v2/realms", headers })
    const answered = new Promise<number | undefined>((resolve) => slow.on("response", (r) => resolve(r.statusCode)))
    slow.write(body.slice(0, 5))
    await once(slow, "socket").then(([socket]) => once(socket, "connect"))
    await new Api(running.url, undefined).get("/healthz")
    const stopped = running.stop("SIGTERM")
    const draining = async () => (await new Api(ops, undefined).get("/readyz")).member("draining")
    await expect.poll(draining).toBe(true)
    const closed = () =>
      fetch(`${running.url}/healthz`).then(
        () => false,
        () => true
      )
    await expect.poll(closed).toBe(true)
    expect((await new Api(ops, undefined).get("/readyz")).status).toBe(503)
    slow.end(body.slice(5))
    expect(await answered).toBe(201)
    expect(await stopped).toBe(0)
    await expect(fetch(`${ops}/healthz`)).rejects.toThrow()
  })
})
