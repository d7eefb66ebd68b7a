import { expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { fullReadiness } from "../server/Readiness.ts"
import { getWith } from "../support/getWith.ts"
import { ownService, wireService } from "../support/sallyport.ts"

/** Headers of requests that don't count as local: with the public name or through a proxy. */
const remoteRequests = [
  { host: "id.example.test" },
  { host: "localhost", "x-forwarded-for": "203.0.113.7" },
  { host: "localhost", forwarded: "for=203.0.113.7" }
]

const bearer = (key: string | undefined) => ({ authorization: `Bearer ${key ?? ""}` })

const statusOnly = { status: "ready" }

/** The expected readiness details for local requests, whatever their headers. */
const fullDetails = (headers: Readonly<Record<string, string>>) =>
  fullReadiness(
    {},
    {
      host: headers["host"] ?? expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      forwarded_for: headers["x-forwarded-for"] ?? null
    }
  )

/** The responses of `/metrics` and `/readyz` to a request with these headers. */
const opsResponses = async (url: string, headers: Readonly<Record<string, string>>) => {
  const [metrics, ready] = [await getWith(`${url}/metrics`, headers), await getWith(`${url}/readyz`, headers)]
  return { metrics, ready }
}

const errorOf = (reply: Reply) => [reply.status, reply.errors]

test("SEC-99: anonymous remote requests see only whether the service is ready", async () => {
  const { given, url } = await wireService()
  const realm = await given.realm()
  const events = await realm.seen.caused(async () => {
    for (const stranger of remoteRequests) {
      const { metrics, ready } = await opsResponses(url, stranger)
      expect(errorOf(metrics)).toEqual([401, ["An API key is required. Send it as a Bearer token."]])
      expect(metrics.headers.get("www-authenticate")).toBe("Bearer")
      expect([ready.status, ready.body]).toEqual([200, statusOnly])
      expect((await getWith(`${url}/healthz`, stranger)).body).toEqual({ status: "ok" })
    }
  })
  expect(events).toEqual([])
})

test("SEC-99: local requests and keys of the highest level see metrics and details", () =>
  ownService(
    async ({ given, key, url }) => {
      const realm = await given.realm()
      const local = await opsResponses(url, { host: "localhost:3000" })
      for (const stranger of [{}, ...remoteRequests]) {
        const { metrics, ready } = await opsResponses(url, { ...stranger, ...bearer(key) })
        expect([metrics.status, metrics.text.includes("process_resident_memory_bytes ")]).toEqual([200, true])
        expect([ready.status, ready.body]).toEqual([200, fullDetails(stranger)])
      }
      expect([local.metrics.status, local.ready.body]).toEqual([200, fullDetails({ host: "localhost:3000" })])
      for (const level of ["read", "write", "admin_realm"] as const) {
        const { metrics, ready } = await opsResponses(url, {
          ...remoteRequests[0],
          ...bearer((await realm.as(level)).key)
        })
        expect(errorOf(metrics)).toEqual([
          403,
          ["The API key's level is too low. This request requires admin_all_realms."]
        ])
        expect([ready.status, ready.body]).toEqual([200, statusOnly])
      }
      const { metrics, ready } = await opsResponses(url, { ...remoteRequests[0], ...bearer("nobody's") })
      expect(metrics.status).toBe(401)
      expect([ready.status, ready.body]).toEqual([200, statusOnly])
    },
    { publicUrl: "http://localhost:3000" }
  ))

test("C121: operators see the client address reported by a trusted proxy, and the proxy's address", () =>
  ownService(
    async ({ url, key }) => {
      const headers = {
        host: "id.example.test",
        "x-forwarded-for": "198.51.100.4, 203.0.113.7",
        "x-forwarded-proto": "https"
      }
      const seen = async (more: Readonly<Record<string, string>>) =>
        (await getWith(`${url}/readyz`, { ...more, ...bearer(key) })).body
      expect(await seen(headers)).toMatchObject({
        request: {
          ip: "203.0.113.7",
          peer: "127.0.0.1",
          peer_is_trusted: true,
          host: "id.example.test",
          forwarded_for: "198.51.100.4, 203.0.113.7",
          forwarded_proto: "https"
        }
      })
      expect(await seen({ host: "id.example.test" })).toMatchObject({
        request: { ip: "127.0.0.1", peer_is_trusted: true, forwarded_for: null, forwarded_proto: null }
      })
    },
    { trustedProxies: ["127.0.0.1"] }
  ))
