import { Struct } from "effect"
import { expect, test } from "vitest"
import { RealmId } from "#domain/Ids"
import { oauthEndpoints, oauthPath } from "#domain/oauth/OAuthPaths"
import type { Reply } from "#testing/Api"
import { Browser } from "../support/browser.ts"
import { everyOperation, pathOf } from "../support/operations.ts"
import { loggedInOperator, rootOf } from "../support/operators.ts"
import { query } from "../support/query.ts"
import { service, workerSql } from "../support/sallyport.ts"

const SYSTEM = RealmId.make("rl_00000000000000000000000001")

/** A realm that doesn't exist. */
const UNKNOWN = RealmId.make("rl_00000000000000000000000009")

/** What a caller learns from a response, without the realm's ID that the caller sent. */
const seenIn = (reply: Reply) => {
  const text = reply.text.replaceAll(SYSTEM, "the realm").replaceAll(UNKNOWN, "the realm")
  return [reply.status, text.replace(/"request_id":"[^"]*"/, ""), reply.headers.get("location")]
}

type Ask = (realm: RealmId) => Promise<Reply>

/** The calls whose response for the system realm differs from the response for an unknown realm. */
const differing = async (calls: ReadonlyArray<readonly [name: string, ask: Ask]>) => {
  const found: Array<unknown> = []
  for (const [name, ask] of calls) {
    const [system, unknown] = [seenIn(await ask(SYSTEM)), seenIn(await ask(UNKNOWN))]
    if (JSON.stringify(system) !== JSON.stringify(unknown)) found.push([name, system, unknown])
  }
  return found
}

test("SEC-283: the system realm looks like an unknown realm to every operation of the API", async () => {
  const own = await service()
  const root = rootOf(own)
  await loggedInOperator(own, "owner")
  const calls = everyOperation.flatMap((operation): ReadonlyArray<readonly [string, Ask]> => {
    const path = (realm: RealmId) => pathOf(operation, (param) => (param === "realm_id" ? realm : "x"))
    const body = operation.method === "GET" || operation.method === "DELETE" ? {} : { body: {} }
    return [
      [
        operation.name,
        (realm) => root.call(operation.method, path(realm), { headers: { "x-service-realm": realm }, ...body })
      ],
      [`${operation.name} by query`, (realm) => root.call(operation.method, `${path(realm)}?realm_id=${realm}`, body)]
    ]
  })
  expect(await differing(calls)).toEqual([])
  const named: ReadonlyArray<readonly [string, Ask]> = [
    ["update", (realm) => root.put(`/v2/realms/${realm}`, { realm: { name: "Mine" } })],
    ["reset", (realm) => root.post(`/v2/realms/${realm}/reset`, { users: true })],
    ["api key", (realm) => root.post("/v2/api_keys", { api_key: { name: "spy", level: "read", realm_id: realm } })],
    [
      "hook",
      (realm) =>
        root.post("/v2/hooks", {
          hook: { realm_id: realm, hook_type: "webhook", event_type: [], destination: "https://spy.example.test/" }
        })
    ],
    [
      "operator",
      (realm) =>
        root.post("/v2/operators", {
          operator: { email: "spy@example.test", role: "viewer", realm_id: realm, send_email: false }
        })
    ],
    ["import", (realm) => root.call("POST", "/v2/imports", { headers: { "x-service-realm": realm }, body: "{}\n" })]
  ]
  expect(await differing(named)).toEqual([])
  for (const [name, ask] of named) expect([name, (await ask(SYSTEM)).status]).toEqual([name, 404])
})

test("SEC-283: nothing in the system realm is found by its ID, and no list names the realm", async () => {
  const own = await service()
  const root = rootOf(own)
  const { id } = await loggedInOperator(own, "owner")
  const sql = await workerSql()
  const [session] = await query(sql<{ id: string }>`select id from sessions where realm_id = ${SYSTEM} limit 1`)
  const [hook] = await query(sql<{ id: string }>`select id from app_hooks where realm_id = ${SYSTEM} limit 1`)
  const [provider] = await query(sql<{ id: string }>`select id from auth_providers where realm_id = ${SYSTEM} limit 1`)
  const replies = [
    await root.get(`/v2/users/${id}`),
    await root.get(`/v1/users/${id}`),
    await root.get(`/v2/users/${id}/blocks`),
    await root.put(`/v2/users/${id}`, { user: { state: "inactive" } }),
    await root.delete(`/v2/users/${id}`),
    await root.post(`/v2/users/${id}/generate_password_token`, {}),
    await root.get(`/v2/sessions/${session?.id}`),
    await root.get(`/v2/hooks/${hook?.id}`),
    await root.get(`/v2/auth_providers/${provider?.id}`),
    await root.get("/v2/client_apps/lpl_00000000000000000000000001")
  ]
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 404))
  for (const list of ["realms?", "hooks?", "api_keys?", "events?realm_id=null&"]) {
    const { status, text } = await root.get(`/v2/${list}max_results=1000`)
    expect([list, status, text.includes(SYSTEM)]).toEqual([list, 200, false])
  }
})

test("SEC-283: the system realm has no OAuth endpoints, and its pages are only at the console", async () => {
  const { transport } = await service()
  const browser = new Browser(transport)
  const at = (path: string, visit = {}) => browser.go(`https://id.example.test${path}`, visit)
  const client =
    "client_id=lpl_00000000000000000000000001&response_type=code&redirect_uri=https://id.example.test/console/"
  const registration = {
    body: JSON.stringify({ redirect_uris: ["https://evil.example/back"] }),
    headers: { "content-type": "application/json" }
  }
  const calls = Struct.keys(oauthEndpoints).flatMap(
    (name): ReadonlyArray<readonly [string, Ask]> => [
      [`GET ${name}`, (realm) => at(`${oauthPath(name, realm)}?${client}`)],
      [`POST ${name}`, (realm) => at(oauthPath(name, realm), { form: { client_id: "lpl_00000000000000000000000001" } })]
    ]
  )
  const others: ReadonlyArray<readonly [string, Ask]> = [
    ["register", (realm) => at(oauthPath("registration", realm), registration)],
    ["jwks", (realm) => at(`/realms/${realm}/jwks`)],
    ["discovery", (realm) => at(`/realms/${realm}/.well-known/openid-configuration`)],
    ["discovery at the root", (realm) => at(`/.well-known/openid-configuration/realms/${realm}`)],
    ["metadata", (realm) => at(`/.well-known/oauth-authorization-server/realms/${realm}`)],
    ["login page", (realm) => at(`/realms/${realm}/login`)],
    ["reset page", (realm) => at(`/realms/${realm}/reset_password?token=x`)]
  ]
  expect(await differing([...calls, ...others])).toEqual([])
  for (const [name, ask] of [...calls, ...others]) expect([name, (await ask(SYSTEM)).status]).not.toEqual([name, 200])
  expect((await at("/console/auth/signup")).status).not.toBe(200)
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
