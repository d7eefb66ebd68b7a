import { expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { getWith } from "../support/getWith.ts"
import { wireService } from "../support/sallyport.ts"

/** Ways to call that are not those of the machine itself: by its public name, and through a proxy. */
const strangers = [
  { host: "id.example.test" },
  { host: "localhost", "x-forwarded-for": "203.0.113.7" },
  { host: "localhost", forwarded: "for=203.0.113.7" }
]

const bearer = (key: string | undefined) => ({ authorization: `Bearer ${key ?? ""}` })

const bare = { status: "ready" }

const inFull = { status: "ready", database: "ok", draining: false, actors: expect.any(Object) }

/** What `/metrics` and `/readyz` answer somebody. */
const told = async (headers: Readonly<Record<string, string>>) => {
  const { url } = await wireService()
  const [metrics, ready] = [await getWith(`${url}/metrics`, headers), await getWith(`${url}/readyz`, headers)]
  return { metrics, ready }
}

const said = (reply: Reply) => [reply.status, reply.errors]

test("SEC-99: strangers are told whether the service is ready, and nothing else of how it fares", async () => {
  const { given, url } = await wireService()
  const realm = await given.realm()
  const events = await realm.seen.caused(async () => {
    for (const stranger of strangers) {
      const { metrics, ready } = await told(stranger)
      expect(said(metrics)).toEqual([401, ["An API key is required. Send it as a Bearer token."]])
      expect(metrics.headers.get("www-authenticate")).toBe("Bearer")
      expect([ready.status, ready.body]).toEqual([200, bare])
      expect((await getWith(`${url}/healthz`, stranger)).body).toEqual({ status: "ok" })
    }
  })
  expect(events).toEqual([])
})

test("SEC-99: metrics and details are for the machine itself, and for keys of the highest level from anywhere", async () => {
  const { given, key } = await wireService()
  const realm = await given.realm()
  const here = await told({ host: "localhost:3000" })
  for (const stranger of [{}, ...strangers]) {
    const { metrics, ready } = await told({ ...stranger, ...bearer(key) })
    expect([metrics.status, metrics.text.includes("process_resident_memory_bytes ")]).toEqual([200, true])
    expect([ready.status, ready.body]).toEqual([200, inFull])
  }
  expect([here.metrics.status, here.ready.body]).toEqual([200, inFull])
  for (const level of ["read", "write", "admin_realm"] as const) {
    const { metrics, ready } = await told({ ...strangers[0], ...bearer((await realm.as(level)).key) })
    expect(said(metrics)).toEqual([403, ["The API key's level is too low. This request requires admin_all_realms."]])
    expect([ready.status, ready.body]).toEqual([200, bare])
  }
  const { metrics, ready } = await told({ ...strangers[0], ...bearer("nobody's") })
  expect(metrics.status).toBe(401)
  expect([ready.status, ready.body]).toEqual([200, bare])
})
