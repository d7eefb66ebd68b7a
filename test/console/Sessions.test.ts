import { expect, test } from "vitest"
import { isStreamed } from "#http/RouteTemplates"
import { anonymousCaller, ConsolePage, ownHeaders, signedIn } from "../support/console.ts"
import { clockedService, ownService, service } from "../support/sallyport.ts"

const over = {
  code: "console_session_over",
  field: null,
  message: "You are not logged in to the console, or your session has ended. Log in again."
}

test("C200: exchanges a key for a cookie, and shows the key's access in the session", async () => {
  const { given, transport } = await service()
  const realm = await given.realm()
  const { key = "" } = await realm.as("write")
  const [{ id: keyId }] = (await realm.get("/v2/api_keys")).items as [{ id: string }]
  const page = new ConsolePage(transport)
  const { result, events } = await realm.seen.during(() => page.signIn(key))
  expect(result.status).toBe(201)
  const session = {
    object: "console_session",
    level: "write",
    realm_id: realm.id,
    api_key: { id: keyId, name: "write" },
    operator: null,
    created_at: expect.any(Number),
    expires_at: Number(result.member("created_at")) + 12 * 3_600,
    service: {
      version: "0.1.0",
      api_url: "https://id.example.test",
      account_url: "https://id.example.test/console/auth",
      header_prefix: "X-Service",
      login_url: "https://{subdomain}.local.localhost",
      login_domain: "localhost",
      region: "local",
      deliveries: true,
      mailbox: false,
      test_mode: false,
      virtual_clock: false
    }
  }
  expect(result.body).toEqual(session)
  expect(events).toEqual([{ event_type: "console.session.created", api_key_id: keyId }])
  const [line] = result.headers.getSetCookie()
  expect(line).toMatch(/^__Host-console_session=\w{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
  expect(result.headers.get("cache-control")).toBe("no-store")
  expect((await page.session()).body).toEqual(session)
  const [event] = (await realm.get("/v2/events?event_type=console.")).items
  expect(event).toMatchObject({ actor: { type: "api_key", id: keyId }, request: { ip: "127.0.0.1" } })

  const ended = await realm.seen.during(() => page.end())
  expect([ended.result.status, ended.result.text, page.secret]).toEqual([204, "", undefined])
  expect(ended.events).toEqual([{ event_type: "console.session.deleted", api_key_id: keyId }])
  expect([(await page.session()).status, (await page.session()).member("error_details", 0)]).toEqual([401, over])
  expect(await realm.seen.during(() => page.end())).toMatchObject({ result: { status: 204 }, events: [] })
})

test("C200: returns 401 for a missing, blank or wrong key and leaves an existing session unchanged", async () => {
  const { given, transport } = await service()
  const realm = await given.realm()
  const { key = "" } = await realm.as("read")
  const page = await signedIn(transport, key)
  for (const [wrong, message] of [
    [undefined, "API key can't be blank."],
    ["  ", "API key can't be blank."],
    [{ key }, "API key can't be blank."],
    [`${key}x`, "The API key is not valid."],
    [page.secret, "The API key is not valid."]
  ] as const) {
    const reply = await page.signIn(wrong)
    expect([wrong, reply.status, reply.errors, reply.headers.getSetCookie()]).toEqual([wrong, 401, [message], []])
  }
  expect((await page.session()).status).toBe(200)
})

test("C200: ends all other sessions of a key, but not the caller's session", async () => {
  const { given, transport } = await service()
  const realm = await given.realm()
  const [{ key = "" }, { key: otherKey = "" }] = [await realm.as("write"), await realm.as("read")]
  const [page, elsewhere, third, ofOther] = await Promise.all(
    [key, key, key, otherKey].map((one) => signedIn(transport, one))
  )
  const { result, events } = await realm.seen.during(async () => (await page?.end("others"))?.status)
  expect([result, events.map(({ event_type }) => event_type)]).toEqual([
    204,
    ["console.session.deleted", "console.session.deleted"]
  ])
  const statuses = await Promise.all(
    [page, elsewhere, third, ofOther].map(async (one) => (await one?.session())?.status)
  )
  expect(statuses).toEqual([200, 401, 401, 200])
  expect((await elsewhere?.end("others"))?.status).toBe(401)
})

test("C200: accepts an all-realms key, whose events belong to no realm", async () => {
  const { given, transport } = await service()
  const made = await given.root.post("/v2/api_keys", { api_key: { name: "Ada", level: "admin_all_realms" } })
  const page = await signedIn(transport, made.string("key"))
  expect((await page.session()).body).toMatchObject({ level: "admin_all_realms", realm_id: null })
  await page.end()
  const { items } = await given.root.get(`/v2/events?realm_id=null&api_key_id=${made.id}&event_type=console.`)
  expect(items.map(({ event_type }) => event_type)).toEqual(["console.session.created", "console.session.deleted"])
  await given.root.delete(`/v2/api_keys/${made.id}`)
})

test("C201: serves the management API under /console/api with the same handlers", async () => {
  const { given, transport } = await service()
  const realm = await given.realm()
  const { key = "" } = await realm.as("write")
  const page = await signedIn(transport, key)
  const user = { user: { email: "ada@example.test", credentials: [] } }
  const headers = { "idempotency-key": "console-1" }
  const { result, events } = await realm.seen.during(() =>
    page.call("POST", "/console/api/v2/users", { body: user, headers })
  )
  expect([result.status, events.map(({ event_type }) => event_type)]).toEqual([201, ["user.created"]])
  const [created] = (await realm.get(`/v2/events?user_id=${result.id}`)).items
  const session = await page.session()
  expect(created).toMatchObject({ actor: { type: "api_key", id: session.string("api_key", "id") } })
  const again = await page.call("POST", "/console/api/v2/users", { body: user, headers })
  expect([again.status, again.id, again.headers.get("idempotency-replayed")]).toEqual([201, result.id, "true"])
  expect((await page.call("GET", `/console/api/v1/users/${result.id}`)).id).toBe(result.id)
  const invalid = await page.call("POST", "/console/api/v2/users", { body: { user: { email: "no" } } })
  expect(invalid.status).toBe(422)
  const wrong = await page.call("PATCH", "/console/api/v2/users")
  expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"])
  for (const path of ["/v2/nothing", "/v1/check_session", "/openapi.json", "/metrics", "/v3/users", ""])
    expect([path, (await page.call("GET", `/console/api${path}`)).status]).toEqual([path, 404])
})

test("C201: streams exports and imports through the console", async () => {
  const { given, transport } = await service()
  const realm = await given.realm()
  const page = await signedIn(transport, (await realm.as("admin_realm")).key ?? "")
  const headers = { "content-type": "application/x-ndjson" }
  const body = JSON.stringify({ reference: "ada", email: "ada@example.test" })
  const imported = await page.send("POST", "/console/api/v2/imports", { body, headers })
  expect([imported.status, imported.text]).toEqual([200, expect.stringContaining('"created":1')])
  const exported = await page.call("GET", "/console/api/v2/exports")
  expect([exported.status, exported.headers.get("content-type")]).toEqual([200, "application/x-ndjson"])
  expect(exported.text).toContain("ada@example.test")
})

test("C200: ends a session after 12 hours or when its key expires", async () => {
  const { given, transport, advance, clock } = await clockedService()
  const realm = await given.realm()
  const page = await signedIn(transport, (await realm.as("read")).key ?? "")
  const expiresAt = clock.currentTimeMillisUnsafe() / 1_000 + 3_600
  const short = await realm.post("/v2/api_keys", {
    api_key: { name: "Short", level: "read", realm_id: realm.id, expires_at: expiresAt }
  })
  const shortPage = await signedIn(transport, short.string("key"))
  expect((await shortPage.session()).member("expires_at")).toBe(expiresAt)
  await advance("1 hour")
  expect([(await page.session()).status, (await shortPage.session()).status]).toEqual([200, 401])
  await advance("11 hours")
  expect((await page.session()).status).toBe(401)
  expect((await page.call("GET", "/console/api/v2/users")).status).toBe(401)
})

test("C203: returns 404 under /console if the console is off, and omits the console from the page at /", async () => {
  await ownService(
    async ({ given, transport, key }) => {
      const page = new ConsolePage(transport)
      for (const [method, path] of [
        ["GET", "/console"],
        ["GET", "/console/users"],
        ["GET", "/console/assets/console-4e5f6a7b.js"],
        ["GET", "/console/session"],
        ["DELETE", "/console/session"],
        ["GET", "/console/api/v2/realms"]
      ] as const)
        expect([method, path, (await page.call(method, path)).status]).toEqual([method, path, 404])
      expect((await page.signIn(key)).status).toBe(404)
      expect((await given.root.get("/")).body).not.toHaveProperty("console")
    },
    { console: false }
  )
})

test("C201: logs and measures console routes with their prefix and without URLs", async () => {
  const { given, transport } = await service()
  const page = await signedIn(transport, given.root.key ?? "")
  await page.call("GET", "/console/api/v2/realms/rl_nobody")
  await page.call("GET", "/console/api/v2/nothing")
  const metrics = await given.root.call("GET", "/metrics")
  const routes = [...metrics.text.matchAll(/route="(\/console[^"]*)"/g)].map(([, route]) => route)
  expect(routes).toContain("/console/api/v2/realms/:realm_id")
  expect(routes).toContain("/console/session")
  expect(metrics.text).not.toMatch(/route="[^"]*rl_nobody/)
  expect(isStreamed("/console/api/v2/imports?dry_run=true")).toBe(true)
  expect(isStreamed("/console/api/v2/users")).toBe(false)
  await page.end()
})

test("C200: limits the cookie to /console without TLS, and accepts any host name of the service as origin", async () => {
  await ownService(
    async ({ given, transport }) => {
      const realm = await given.realm()
      const key = (await realm.as("read")).key ?? ""
      for (const host of ["localhost:3000", "127.0.0.1:3000", "[::1]:3000"]) {
        const headers = { host, "x-sallyport-console": "1", "sec-fetch-site": "same-origin", origin: `http://${host}` }
        const reply = await anonymousCaller(transport).call("POST", "/console/session", {
          body: { api_key: key },
          headers
        })
        expect([host, reply.status, reply.headers.getSetCookie()]).toEqual([
          host,
          201,
          [expect.stringMatching(/^console_session=\w{43}; Max-Age=43200; Path=\/console; HttpOnly; SameSite=Strict$/)]
        ])
        const other = { ...headers, origin: "http://evil.localhost:3000" }
        const refused = await anonymousCaller(transport).call("POST", "/console/session", {
          body: { api_key: key },
          headers: other
        })
        expect([host, refused.status]).toEqual([host, 403])
      }
    },
    { publicUrl: "http://localhost:3000" }
  )
})

test("C201: requires a console session for the mailbox, even on the service's own machine", async () => {
  await ownService(
    async ({ given, transport }) => {
      const origin = "http://localhost:3000"
      const headers = { host: "localhost:3000", ...ownHeaders, origin }
      const asked = (more: Readonly<Record<string, string>>) =>
        anonymousCaller(transport).call("GET", "/console/api/v2/test/messages", { headers: { ...headers, ...more } })
      expect((await asked({})).status).toBe(401)
      const body = { api_key: given.root.key }
      const reply = await anonymousCaller(transport).call("POST", "/console/session", { body, headers })
      expect(reply.member("service", "mailbox")).toBe(true)
      const [cookie = ""] = reply.headers.getSetCookie()[0]?.split(";") ?? []
      expect((await asked({ cookie })).status).toBe(200)
    },
    { publicUrl: "http://localhost:3000", mail: "mailbox" }
  )
})
