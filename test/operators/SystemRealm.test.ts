import { expect, test } from "vitest"
import { Browser } from "../support/browser.ts"
import { loggedInOperator, rootOf } from "../support/operators.ts"
import { query } from "../support/query.ts"
import { service, workerSql } from "../support/sallyport.ts"

const SYSTEM = "rl_00000000000000000000000001"

test("SEC-283: the system realm is not found at any address of the API, like an unknown realm", async () => {
  const own = await service()
  const root = rootOf(own)
  const { id } = await loggedInOperator(own, "owner")
  const sql = await workerSql()
  const [session] = await query(sql<{ id: string }>`select id from sessions where realm_id = ${SYSTEM} limit 1`)
  const [hook] = await query(sql<{ id: string }>`select id from app_hooks where realm_id = ${SYSTEM} limit 1`)
  const [provider] = await query(sql<{ id: string }>`select id from auth_providers where realm_id = ${SYSTEM} limit 1`)
  const header = { headers: { "x-service-realm": SYSTEM } }
  const api_key = { name: "spy", level: "read", realm_id: SYSTEM }
  const replies = [
    await root.get(`/v2/realms/${SYSTEM}`),
    await root.get(`/v2/realms/${SYSTEM}/statistics`),
    await root.put(`/v2/realms/${SYSTEM}`, { realm: { name: "Mine" } }),
    await root.post(`/v2/realms/${SYSTEM}/reset`, {}),
    await root.delete(`/v2/realms/${SYSTEM}`),
    await root.get(`/v2/users?realm_id=${SYSTEM}`),
    await root.call("GET", "/v2/users", header),
    await root.get(`/v2/users/${id}`),
    await root.get(`/v1/users/${id}`),
    await root.post(`/v2/users/${id}/generate_password_token`, {}),
    await root.get(`/v2/sessions/${session?.id}`),
    await root.get(`/v2/hooks/${hook?.id}`),
    await root.get(`/v2/auth_providers/${provider?.id}`),
    await root.get("/v2/client_apps/lpl_00000000000000000000000001"),
    await root.get(`/v2/events?realm_id=${SYSTEM}`),
    await root.post("/v2/api_keys", { api_key }),
    await root.call("GET", "/v2/exports", header),
    await root.call("POST", "/v2/imports", { ...header, body: "{}\n" })
  ]
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 404))
  const unknown = await root.get("/v2/users?realm_id=rl_00000000000000000000000009")
  expect((await root.get(`/v2/users?realm_id=${SYSTEM}`)).errors).toEqual(unknown.errors)
  const realms = await root.get("/v2/realms?max_results=1000")
  expect(realms.items.map((realm) => realm["id"])).not.toContain(SYSTEM)
  const hooks = await root.get("/v2/hooks?max_results=1000")
  expect(hooks.items.map((one) => one["realm_id"])).not.toContain(SYSTEM)
})

test("SEC-283: the system realm has no OAuth endpoints, and its pages are only at the console", async () => {
  const { transport } = await service()
  const browser = new Browser(transport)
  const at = (path: string, visit = {}) => browser.go(`https://id.example.test${path}`, visit)
  const registration = {
    body: JSON.stringify({ redirect_uris: ["https://evil.example/back"] }),
    headers: { "content-type": "application/json" }
  }
  const replies = [
    await at(`/oauth/${SYSTEM}/authorize?client_id=lpl_00000000000000000000000001&response_type=code`),
    await at(`/oauth/${SYSTEM}/register`, registration),
    await at(`/.well-known/openid-configuration/oauth/${SYSTEM}`),
    await at(`/.well-known/oauth-authorization-server/oauth/${SYSTEM}`),
    await at(`/console/auth/signup`)
  ]
  expect(replies.map(({ status }) => status)).not.toContain(200)
  expect((await browser.go("https://acme.local.localhost/console/auth/login")).text).not.toContain("Sallyport")
  expect((await at("/console/auth/login")).text).toContain("Sallyport")
})

test("SEC-283: hooks for all realms don't receive the events of operators' logins", async () => {
  const own = await service()
  const root = rootOf(own)
  const hook = { realm_id: null, hook_type: "webhook", event_type: [], destination: "https://hooks.example.test/all" }
  const created = await root.post("/v2/hooks", { hook })
  expect(created.status).toBe(201)
  await loggedInOperator(own, "viewer")
  const sql = await workerSql()
  const rows = await query(sql<{ n: number }>`select count(*)::int as n from deliveries
    where realm_id = ${SYSTEM} and hook_id = ${created.id}`)
  expect(rows).toEqual([{ n: 0 }])
  await root.delete(`/v2/hooks/${created.id}`)
})
