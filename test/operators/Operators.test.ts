import { expect, test } from "vitest"
import type { Api, Reply } from "#testing/Api"
import { Browser } from "../support/browser.ts"
import { ConsolePage, ORIGIN, signedIn } from "../support/console.ts"
import {
  acceptInvitation,
  inviteOperator,
  loggedInOperator,
  OPERATOR_PASSWORD,
  operatorUrl,
  rootOf,
  submitTo
} from "../support/operators.ts"
import { isolatedService, service } from "../support/sallyport.ts"

const codeOf = (reply: Reply) => [
  reply.status,
  reply.member("error_details", 0, "field"),
  reply.member("error_details", 0, "code")
]

/** The account's events of these types, with what they say about operators. */
const teamEvents = async (root: Api) =>
  (await root.get("/v2/events?realm_id=null&event_type=operator.,console.updated")).items.map(
    ({ event_type, user_id, operator, changed, actor }) => ({ event_type, user_id, operator, changed, actor })
  )

test("C302: an invited operator sets a password, and is logged in to the console under their own name", async () => {
  const own = await service()
  const root = rootOf(own)
  const invited = await inviteOperator(root, "admin")
  const { id, email, url, ...rest } = invited.body as Record<string, string>
  expect(rest).toEqual({
    object: "operator",
    name: String(email).split("@")[0],
    role: "admin",
    realm_id: null,
    state: "invited",
    created_at: expect.any(Number),
    last_login_at: null
  })
  expect(url).toMatch(/^https:\/\/id\.example\.test\/console\/auth\/invitation\?token=top%3A\w{43}$/)
  const { page } = await acceptInvitation(own, invited)
  const session = await page.session()
  expect(session.body).toMatchObject({
    level: "admin_realm",
    realm_id: null,
    api_key: null,
    operator: { id, email, role: "admin" }
  })
  expect((await root.get(`/v2/operators/${id}`)).body).toMatchObject({
    state: "active",
    last_login_at: expect.any(Number)
  })

  const realm = await own.given.realm()
  const headers = { "x-service-realm": realm.id }
  const user = { email: "grace@example.test", credentials: [] }
  const created = await page.call("POST", "/console/api/v2/users", {
    headers: { ...headers, "idempotency-key": "one" },
    body: { user }
  })
  expect(created.status).toBe(201)
  const [event] = (await realm.get("/v2/events?event_type=user.created")).items
  expect(event).toMatchObject({ user_id: created.id, actor: { type: "operator", id, email } })
  expect((await realm.get(`/v2/events?actor_id=${id}`)).items).toHaveLength(1)
})

test("C302: the link works once, and the operator then logs in with the password", async () => {
  const own = await service()
  const invited = await inviteOperator(rootOf(own), "viewer")
  await acceptInvitation(own, invited)
  const token = new URL(invited.string("url")).searchParams.get("token") ?? ""
  const browser = new Browser(own.transport)
  const again = await browser.go(operatorUrl(`invitation?token=${encodeURIComponent(token)}`))
  expect([again.status, again.text.includes("no longer works")]).toEqual([410, true])
  const wrong = await submitTo(browser, "login", { name: invited.string("email"), password: "wrong password" })
  expect(wrong.status).toBe(422)
  const right = await submitTo(browser, "login", { name: invited.string("email"), password: OPERATOR_PASSWORD })
  expect([right.status, right.headers.get("location")]).toEqual([303, "../"])
  const page = new ConsolePage(own.transport, browser)
  expect((await page.signInOperator()).status).toBe(201)
  expect((await page.end()).status).toBe(204)
  expect((await page.signInOperator()).status).toBe(401)
})

test.each([
  [{ role: "boss" }, 422, "role", "inclusion"],
  [{ role: "viewer", email: "nobody" }, 422, "email", "email_form"],
  [{ role: "viewer", email: " " }, 422, "email", "blank"],
  [{ role: "viewer", realm_id: "rl_00000000000000000000000009" }, 404, "realm_id", "not_found"]
])("C302: rejects an invitation with %j", async (more, status, field, code) => {
  const root = rootOf(await service())
  expect(codeOf(await inviteOperator(root, "viewer", more))).toEqual([status, field, code])
})

test("C302: rejects an email that another operator has, and an owner who is locked to a realm", async () => {
  const own = await service()
  const root = rootOf(own)
  const first = await inviteOperator(root, "viewer")
  expect(codeOf(await inviteOperator(root, "viewer", { email: first.string("email") }))).toEqual([
    422,
    "email",
    "taken"
  ])
  const realm_id = (await own.given.realm()).id
  expect(codeOf(await inviteOperator(root, "owner", { realm_id }))).toEqual([422, "role", "owner_of_all_realms"])
  const locked = await inviteOperator(root, "admin", { realm_id })
  const promoted = await root.put(`/v2/operators/${locked.id}`, { operator: { role: "owner" } })
  expect(codeOf(promoted)).toEqual([422, "role", "owner_of_all_realms"])
  expect(codeOf(await root.get("/v2/operators/usr_00000000000000000000000009"))).toEqual([404, "operator", "not_found"])
})

test("C302: a demotion takes effect on the operator's next request", async () => {
  const own = await service()
  const { id, page } = await loggedInOperator(own, "admin")
  const path = "/console/api/v2/api_keys"
  expect((await page.call("GET", path)).status).toBe(200)
  await rootOf(own).put(`/v2/operators/${id}`, { operator: { role: "viewer" } })
  expect((await page.call("GET", path)).errors).toEqual([
    "Your role does not allow this. It requires at least the role admin."
  ])
})

test("SEC-284: removing an operator ends their sessions and logins at once", async () => {
  const own = await service()
  const root = rootOf(own)
  const { id, email, browser, page } = await loggedInOperator(own, "owner")
  await loggedInOperator(own, "owner")
  expect((await root.delete(`/v2/operators/${id}`)).status).toBe(204)
  expect((await page.session()).member("error_details", 0, "code")).toBe("console_session_over")
  expect((await page.call("GET", "/console/api/v2/realms")).status).toBe(401)
  expect((await page.signInOperator()).status).toBe(401)
  expect((await submitTo(browser, "login", { name: email, password: OPERATOR_PASSWORD })).status).toBe(422)
  expect((await root.delete(`/v2/operators/${id}`)).status).toBe(404)
})

test("SEC-289: a console session ends when someone else logs in on the same browser, and on a logout", async () => {
  const own = await service()
  const [owner, viewer] = [await loggedInOperator(own, "owner"), await loggedInOperator(own, "viewer")]
  const login = { name: viewer.email, password: OPERATOR_PASSWORD }
  expect((await submitTo(owner.browser, "login", login)).status).toBe(303)
  expect((await owner.page.session()).member("error_details", 0, "code")).toBe("console_session_over")
  expect((await owner.page.call("GET", "/console/api/v2/operators")).status).toBe(401)
  expect((await owner.page.signInOperator()).member("operator", "id")).toBe(viewer.id)
  const loggedOut = await submitTo(owner.browser, "logout", {})
  expect(loggedOut.status).toBe(200)
  expect(loggedOut.headers.getSetCookie()).toContainEqual(
    expect.stringMatching(
      /^__Host-console_session=; Max-Age=0; Path=\/; (?:Expires=[^;]+; )?HttpOnly; Secure; SameSite=Lax$/
    )
  )
  expect(owner.page.secret ?? "").toBe("")
  expect((await owner.page.session()).status).toBe(401)
  expect((await owner.page.call("GET", "/console/api/v2/realms")).status).toBe(401)
  expect((await viewer.page.session()).status).toBe(200)
})

test("C302: a logout on the operators' pages leaves the console session of an API key alone", async () => {
  const own = await service()
  const { browser } = await loggedInOperator(own, "viewer")
  const page = new ConsolePage(own.transport, browser)
  expect((await page.signIn(own.key)).status).toBe(201)
  expect((await submitTo(browser, "logout", {})).headers.getSetCookie().join()).not.toContain("console_session")
  expect((await page.session()).member("level")).toBe("admin_all_realms")
})

test("C302: rejects an invitation for all realms that also names a realm", async () => {
  const own = await service()
  const { id } = await own.given.realm()
  const operator = { email: "nobody@example.test", role: "viewer", realm_id: null, send_email: false }
  const root = rootOf(own)
  const [before, headers] = [await teamEvents(root), { "x-service-realm": id }]
  for (const realmId of [null, "null"]) {
    const reply = await root.call("POST", "/v2/operators", {
      body: { operator: { ...operator, realm_id: realmId } },
      headers
    })
    expect([reply.status, reply.member("error_details", 0, "code")]).toEqual([400, "contradicting_realm"])
  }
  expect(await teamEvents(root)).toEqual(before)
  const { realm_id: _, ...silent } = operator
  const named = await root.call("POST", "/v2/operators", {
    body: { operator: { ...silent, email: "somebody@example.test" } },
    headers
  })
  expect([named.status, named.member("realm_id")]).toEqual([201, id])
  const everywhere = await root.post("/v2/operators", { operator: { ...operator, email: "all@example.test" } })
  expect([everywhere.status, everywhere.member("realm_id")]).toEqual([201, null])
})

test("C302: the login page loads a passkey challenge below its own path", async () => {
  const own = await service()
  const browser = new Browser(own.transport)
  const page = await browser.go(operatorUrl("login"))
  const url = new URL(/ data-from="([^"]*)"/.exec(page.text)?.[1] ?? "", operatorUrl("login"))
  expect(url.href).toBe(operatorUrl("v1/passkey_options"))
  expect(page.headers.get("content-security-policy")).toContain(`connect-src ${url.href};`)
  const challenge = await browser.go(url, { form: {}, headers: { origin: ORIGIN } })
  expect(challenge.status).toBe(200)
  expect(challenge.string("token")).toMatch(/^tpk:/)
})

test("SEC-285: the last owner can't be removed or demoted, not even by two owners at once", async () => {
  await isolatedService(async (own) => {
    const root = rootOf(own)
    const [ada, grace] = [await loggedInOperator(own, "owner"), await loggedInOperator(own, "owner")]
    await inviteOperator(root, "owner")
    const both = await Promise.all([
      ada.page.call("DELETE", `/console/api/v2/operators/${grace.id}`),
      grace.page.call("DELETE", `/console/api/v2/operators/${ada.id}`)
    ])
    const outcomes = both.map(({ status }) => status).toSorted()
    expect(outcomes[0]).toBe(204)
    expect([401, 422]).toContain(outcomes[1])
    const [left] = (await root.get("/v2/operators")).items.filter(({ state }) => state === "active")
    const path = `/v2/operators/${left?.["id"]}`
    expect(codeOf(await root.delete(path))).toEqual([422, null, "last_owner"])
    expect(codeOf(await root.put(path, { operator: { role: "admin" } }))).toEqual([422, "role", "last_owner"])
    const { actor: _, ...created } = (await teamEvents(root))[0] ?? {}
    expect(created).toMatchObject({ event_type: "operator.created", operator: { role: "owner", realm_id: null } })
    expect((await teamEvents(root)).map(({ event_type }) => event_type)).toEqual([
      "operator.created",
      "operator.created",
      "operator.created",
      "operator.deleted"
    ])
  })
})

test("C302: an invitation is emailed in the chosen language, and a new link replaces the old one", async () => {
  await isolatedService(async (own) => {
    const owner = await loggedInOperator(own, "owner")
    const operator = { email: "nadia@example.test", role: "support", locale: "es" }
    const invited = await owner.page.call("POST", "/console/api/v2/operators", { body: { operator } })
    await own.advance(1_000)
    const [mail] = own.postbox.mails
    expect([mail?.to, mail?.subject]).toEqual(["nadia@example.test", expect.stringContaining("le invita a Sallyport")])
    expect(mail?.text).toContain(invited.string("url"))
    const again = await owner.page.call("POST", `/console/api/v2/operators/${invited.id}/invite`, { body: {} })
    expect(again.status).toBe(200)
    const old = new Browser(own.transport)
    expect((await old.go(invited.string("url"))).text).toContain("no longer works")
    await acceptInvitation(own, again)
    await own.advance(1_000)
    expect(own.postbox.mails.map(({ subject }) => subject)).toEqual([mail?.subject])
    const late = await owner.page.call("POST", `/console/api/v2/operators/${invited.id}/invite`, { body: {} })
    expect(codeOf(late)).toEqual([422, null, "operator_active"])
  })
})

test("C304: once an owner turns keys off, no API key logs in, and their sessions end", async () => {
  await isolatedService(async (own) => {
    const root = rootOf(own)
    const off = { console: { api_keys: false } }
    expect(codeOf(await root.put("/v2/console", off))).toEqual([422, "api_keys", "operators_only"])
    const withKey = await signedIn(own.transport, own.key)
    const owner = await loggedInOperator(own, "owner")
    const changed = await owner.page.call("PUT", "/console/api/v2/console", { body: off })
    expect(changed.body).toEqual({ object: "console", api_keys: false })
    expect((await withKey.session()).status).toBe(401)
    expect(codeOf(await withKey.signIn(own.key))).toEqual([401, null, "console_key_refused"])
    expect((await owner.page.session()).status).toBe(200)
    expect((await root.put("/v2/console", { console: { api_keys: true } })).status).toBe(200)
    expect((await withKey.signIn(own.key)).status).toBe(201)
    expect((await teamEvents(root)).map(({ event_type, changed }) => [event_type, changed])).toEqual([
      ["operator.created", undefined],
      ["console.updated", ["api_keys"]],
      ["console.updated", ["api_keys"]]
    ])
  })
})

test("C304: with SALLYPORT_CONSOLE_KEYS off, no API key logs in and nobody can turn keys on", async () => {
  await isolatedService(
    async (own) => {
      expect((await new ConsolePage(own.transport).signIn(own.key)).member("error_details", 0, "code")).toBe(
        "console_key_refused"
      )
      expect((await rootOf(own).get("/v2/console")).body).toEqual({ object: "console", api_keys: false })
      const owner = await loggedInOperator(own, "owner")
      const on = await owner.page.call("PUT", "/console/api/v2/console", { body: { console: { api_keys: true } } })
      expect(codeOf(on)).toEqual([422, "api_keys", "console_keys_off"])
    },
    { consoleKeys: false }
  )
})
