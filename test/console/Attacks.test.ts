import { DateTime } from "effect"
import { expect, test } from "vitest"
import { Api } from "#testing/Api"
import { anonymousCaller, COOKIE, ConsolePage, ORIGIN, ownHeaders, signedIn } from "../support/console.ts"
import { query } from "../support/query.ts"
import { ownService, service, workerSql } from "../support/sallyport.ts"

/** A realm and a console page, logged in with a key of this level that is locked to the realm. */
const pageIn = async (level: "read" | "write" | "admin_realm") => {
  const { given, transport } = await service()
  const realm = await given.realm()
  const key = (await realm.as(level)).key ?? ""
  return { given, transport, realm, key, page: await signedIn(transport, key) }
}

const otherSite = {
  code: "console_other_site",
  field: null,
  message: "The console accepts requests only from its own pages."
}

/** The headers that a browser sends from other pages, together with the console's cookie. */
const elsewhere: ReadonlyArray<readonly [what: string, headers: Readonly<Record<string, string>>]> = [
  ["a form of another site", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
  ["a form in an older browser", { origin: "https://evil.example" }],
  ["a form of a page without an origin", { origin: "null" }],
  ["a login page of the same site", { origin: "https://acme.local.id.example.test", "sec-fetch-site": "same-site" }],
  ["the service's host without TLS", { origin: "http://id.example.test" }],
  ["another port", { origin: `${ORIGIN}:8443` }],
  ["a followed link", { "sec-fetch-site": "none" }],
  ["an unknown source", {}]
]

test("SEC-199: rejects requests from other pages that carry the console's cookie", async () => {
  const { page, transport, realm } = await pageIn("admin_realm")
  const cookie = `${COOKIE}=${page.secret}`
  const calls = [
    ["POST", "/console/api/v2/users", { user: { email: "eve@example.test", credentials: [] } }],
    ["DELETE", "/console/session", undefined],
    ["DELETE", "/console/session?others=true", undefined],
    ["POST", "/console/session", { api_key: "sk_of_eve" }],
    ["GET", "/console/api/v2/users", undefined]
  ] as const
  const caused = await realm.seen.caused(async () => {
    for (const [what, headers] of elsewhere) {
      for (const [method, path, body] of calls) {
        // Sent with the header that only console pages send, if another header already gives the request away, and
        // always without it.
        const { "x-sallyport-console": named } = ownHeaders
        for (const more of Object.keys(headers).length === 0 ? [{}] : [{}, { "x-sallyport-console": named }]) {
          const sent = { host: "id.example.test", cookie, ...headers, ...more }
          const reply = await anonymousCaller(transport).call(method, path, { body, headers: sent })
          expect([what, method, path, reply.status, reply.member("error_details", 0)]).toEqual([
            what,
            method,
            path,
            403,
            otherSite
          ])
          expect(reply.headers.get("access-control-allow-origin")).toBeNull()
        }
      }
    }
  })
  expect(caused).toEqual([])
  expect((await page.session()).status).toBe(200)
})

test("SEC-199: allows no origin in a preflight request", async () => {
  const { transport } = await pageIn("read")
  const asked = {
    host: "id.example.test",
    origin: "https://evil.example",
    "access-control-request-method": "POST",
    "access-control-request-headers": "x-sallyport-console"
  }
  for (const path of ["/console/session", "/console/api/v2/users"]) {
    const reply = await anonymousCaller(transport).call("OPTIONS", path, { headers: asked })
    expect([path, reply.status >= 400, reply.headers.get("access-control-allow-origin")]).toEqual([path, true, null])
  }
})

test("SEC-200: creates a new session secret at login, and ends the browser's previous session", async () => {
  const { page, key, transport, realm } = await pageIn("write")
  const first = page.secret
  const planted = new ConsolePage(transport)
  const fixed = "a".repeat(43)
  const fixing = await planted.signIn(key, { cookie: `${COOKIE}=${fixed}` })
  expect([fixing.status, planted.secret === fixed]).toEqual([201, false])
  const withFixed = { headers: { ...ownHeaders, host: "id.example.test", cookie: `${COOKIE}=${fixed}` } }
  expect((await anonymousCaller(transport).call("GET", "/console/session", withFixed)).status).toBe(401)

  const events = await realm.seen.caused(() => page.signIn(key))
  expect(events.map(({ event_type }) => event_type)).toEqual(["console.session.created", "console.session.deleted"])
  const withFirst = { headers: { ...withFixed.headers, cookie: `${COOKIE}=${first}` } }
  expect((await anonymousCaller(transport).call("GET", "/console/session", withFirst)).status).toBe(401)
  expect((await page.session()).status).toBe(200)
})

test("SEC-201: ends a session as soon as its key or the key's realm is deleted", async () => {
  const { given, page, realm, transport } = await pageIn("write")
  const keyId = (await page.session()).string("api_key", "id")
  const other = await given.realm()
  const ofOther = await signedIn(transport, (await other.as("read")).key ?? "")
  const statuses = async (one: ConsolePage) => [
    (await one.session()).status,
    (await one.call("GET", "/console/api/v2/users")).status,
    (await one.call("POST", "/console/api/v2/users", { body: { user: {} } })).status
  ]
  expect(await statuses(page)).toEqual([200, 200, 422])
  await realm.delete(`/v2/api_keys/${keyId}`)
  expect(await statuses(page)).toEqual([401, 401, 401])
  expect(await statuses(ofOther)).toEqual([200, 200, 403])
  await given.root.delete(`/v2/realms/${other.id}`)
  expect(await statuses(ofOther)).toEqual([401, 401, 401])
})

test("SEC-201: ends the session at logout, so that a copied cookie stops working", async () => {
  const { page, transport } = await pageIn("write")
  const headers = { ...ownHeaders, host: "id.example.test", cookie: `${COOKIE}=${page.secret}` }
  const copy = (path: string) => anonymousCaller(transport).call("GET", path, { headers })
  expect([(await copy("/console/session")).status, (await copy("/console/api/v2/users")).status]).toEqual([200, 200])
  const { headers: answered } = await page.end()
  expect(answered.getSetCookie()).toEqual([expect.stringMatching(/^__Host-console_session=; Max-Age=0; Path=\//)])
  expect([(await copy("/console/session")).status, (await copy("/console/api/v2/users")).status]).toEqual([401, 401])
})

test("SEC-201: rejects an expired session even if its row still exists", async () => {
  await ownService(async ({ given, transport, clock, sql }) => {
    const realm = await given.realm()
    const page = await signedIn(transport, (await realm.as("read")).key ?? "")
    const keyId = (await page.session()).string("api_key", "id")
    clock.setTo(DateTime.makeUnsafe(clock.currentTimeMillisUnsafe() + 12 * 3_600_000))
    expect((await page.session()).status).toBe(401)
    expect((await page.call("GET", "/console/api/v2/users")).status).toBe(401)
    expect(await query(sql`select 1 as one from console_sessions where api_key_id = ${keyId}`)).toHaveLength(1)
  })
})

test("SEC-201: never stores or returns the session secret or the key", async () => {
  const { transport, key, page } = await pageIn("write")
  const keyId = (await page.session()).string("api_key", "id")
  const sql = await workerSql()
  const rows = await query(sql`select * from console_sessions where api_key_id = ${keyId}`)
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(page.secret)
  const reply = await new ConsolePage(transport).signIn(key)
  expect(reply.text).not.toContain(key)
  expect(reply.text).not.toMatch(/sk_/)
})

test("SEC-202: accepts the cookie only in the console, and an API key in a header only outside the console", async () => {
  const { given, page, transport, key, realm } = await pageIn("admin_realm")
  const host = "id.example.test"
  const cookie = `${COOKIE}=${page.secret}`
  for (const path of ["/v2/users", "/v1/users", "/v2/realms"]) {
    const reply = await anonymousCaller(transport).call("GET", path, { headers: { ...ownHeaders, host, cookie } })
    expect([path, reply.status]).toEqual([path, 401])
  }
  const asKey = new Api(transport, page.secret)
  expect((await asKey.get("/v2/users")).status).toBe(401)
  for (const named of [{ authorization: `Bearer ${key}` }, { "x-service-api-key": key }]) {
    const headers = { ...ownHeaders, host, ...named }
    const reply = await anonymousCaller(transport).call("GET", "/console/api/v2/users", { headers })
    expect([reply.status, reply.member("error_details", 0, "code")]).toEqual([401, "console_session_over"])
    expect((await anonymousCaller(transport).call("GET", "/console/session", { headers })).status).toBe(401)
  }
  // A stronger key alongside the cookie gives no more access.
  const strong = { authorization: `Bearer ${given.root.key}` }
  const beside = await page.call("GET", `/console/api/v2/realms/${(await given.realm()).id}`, { headers: strong })
  expect(beside.status).toBe(404)
  expect((await page.call("GET", `/console/api/v2/realms/${realm.id}`, { headers: strong })).status).toBe(200)
})

test("SEC-202: limits a session to its key's level and realm", async () => {
  const { given, page, realm, transport } = await pageIn("read")
  const body = { user: { email: "eve@example.test", credentials: [] } }
  const refused = await page.call("POST", "/console/api/v2/users", { body })
  expect([refused.status, refused.errors]).toEqual([
    403,
    ["The API key's level is too low. This request requires write."]
  ])
  const other = await given.realm()
  const user = await other.user()
  const locked = await signedIn(transport, (await realm.as("admin_realm")).key ?? "")
  for (const [method, path, more] of [
    ["GET", `/v2/users/${user.id}`, {}],
    ["GET", `/v2/users?realm_id=${other.id}`, {}],
    ["GET", "/v2/users", { "x-service-realm": other.id }],
    ["DELETE", `/v2/realms/${other.id}`, {}],
    ["POST", "/v2/realms", {}]
  ] as const) {
    const reply = await locked.call(method, `/console/api${path}`, {
      headers: more,
      ...(method === "POST" ? { body: { realm: { name: "Eve" } } } : {})
    })
    expect([method, path, [403, 404].includes(reply.status)]).toEqual([method, path, true])
  }
  expect((await other.get(`/v2/users/${user.id}`)).status).toBe(200)
})

test("SEC-203: allows ten wrong keys per minute and IP address, without counting correct ones", async () => {
  await ownService(
    async ({ given, transport }) => {
      const realm = await given.realm()
      const key = (await realm.as("read")).key ?? ""
      const page = new ConsolePage(transport)
      for (let n = 0; n < 12; n += 1) expect((await page.signIn(key)).status).toBe(201)
      for (let n = 0; n < 10; n += 1) expect((await page.signIn(`${key}${n}`)).status).toBe(401)
      const refused = await page.signIn(key)
      expect([refused.status, refused.headers.get("retry-after"), refused.errors]).toEqual([
        429,
        "60",
        ["Too many wrong API keys from this IP address: at most 10 in 60 seconds. Try again in 60 seconds."]
      ])
      expect((await page.session()).status).toBe(200)
    },
    { limits: "all" }
  )
})

test("SEC-291: events of console requests record the browser, whatever the request states about another one", async () => {
  const { page, realm } = await pageIn("admin_realm")
  const headers = { "user-agent": "Firefox" }
  const before = (await realm.seen.all()).length
  const forged = { ip: "203.0.113.7", client: "Somebody else" }
  const body = { user: { email: "ada@example.test", credentials: [] }, request: forged }
  const user = await page.call("POST", "/console/api/v2/users", { body, headers })
  const at = `/console/api/v2/users/${user.string("id")}`
  await page.call("PUT", at, { body: { user: { locale: "es" } }, headers })
  const other = await page.call("POST", "/console/api/v2/users", {
    body: { user: { email: "bo@example.test", credentials: [] } },
    headers
  })
  await page.call("DELETE", `${at}?request[ip]=${forged.ip}&request[client]=Else`, { headers })
  await page.call("DELETE", `/console/api/v2/users/${other.string("id")}`, { body: { request: forged }, headers })
  await page.call("DELETE", "/console/session", { headers })
  const events = (await realm.seen.all()).slice(before)
  expect(events.map(({ event_type, request }) => [event_type, request])).toEqual(
    ["user.created", "user.updated", "user.created", "user.deleted", "user.deleted", "console.session.deleted"].map(
      (type) => [type, { ip: "127.0.0.1", client: "Firefox" }]
    )
  )
})
