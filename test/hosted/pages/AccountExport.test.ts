import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { codeAt } from "../../support/credentials.ts"
import { PASSWORD } from "../../support/logins.ts"
import { loggedInOperator } from "../../support/operators.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { clockedService } from "../../support/sallyport.ts"
import { onProfilePage, Visitor } from "../../support/visitor.ts"

const newRealm = async (settings = {}): Promise<GivenRealm> => (await clockedService()).given.realm(settings)

/** Downloads the account's data from the profile page. */
const downloadExport = async (visitor: Visitor) => {
  await visitor.open("/profile")
  const reply = await visitor.fill({}, "Download my data")
  return { reply, data: reply.status === 200 ? JSON.parse(reply.text) : undefined }
}

describe("the account data export", () => {
  test("contains the user's data, but no secrets", async () => {
    const { clock } = await clockedService()
    const realm = await newRealm({ jwt_scopes: ["ar.custom"] })
    const { visitor, user, email, sid } = await onProfilePage(realm, {
      user: { first_name: "Ada", custom: { plan: "free" }, reference: "42" }
    })
    await visitor.open("/security")
    await visitor.fill({ device_name: "Phone", current_password: PASSWORD }, "Set up")
    const secret = /<code class="key">([^<]*)</.exec(visitor.page.text)?.[1]?.replaceAll(" ", "") ?? ""
    await visitor.fill({ code: codeAt(secret, clock.currentTimeMillisUnsafe()) })
    const other = await quickUser(realm)
    const before = await realm.seen.all()
    const { reply, data } = await downloadExport(visitor)
    expect([reply.status, reply.headers.get("content-type"), reply.headers.get("content-disposition")]).toEqual([
      200,
      "application/json; charset=utf-8",
      'attachment; filename="account.json"'
    ])
    expect(reply.headers.get("cache-control")).toBe("no-store")
    expect(data).toMatchObject({
      object: "account_export",
      user: { id: user.id, email, first_name: "Ada", reference: "42", custom: { plan: "free" } },
      sign_in_methods: [{ type: "password" }, { type: "totp", name: "Phone" }],
      memberships: [],
      sessions: [{ id: sid }],
      events_complete: true
    })
    const own = before.filter(({ user_id }) => user_id === user.id).map(({ event_type }) => event_type)
    expect(data.events.map(({ event_type }: { event_type: string }) => event_type).toReversed()).toEqual(own)
    expect(data.exported_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    for (const hidden of [secret, other.id, other.string("email"), "argon2", "password_hash", "token", visitor.cookie])
      expect([hidden, reply.text.includes(String(hidden))]).toEqual([hidden, false])
    // The export records no event.
    expect(await realm.seen.all()).toEqual(before)
  })

  test("omits custom attributes unless the realm's tokens include them", async () => {
    const { visitor } = await onProfilePage(await newRealm(), { user: { custom: { score: 3 } } })
    expect((await downloadExport(visitor)).reply.text).not.toContain("score")
  })

  test("SEC-137: hides the address and browser of an administrator", async () => {
    const realm = await newRealm()
    const { visitor, user } = await onProfilePage(realm)
    const request = { ip: "203.0.113.99", client: "Browser of an administrator" }
    const changed = await realm.put(`/v2/users/${user.id}`, { user: { first_name: "Ada" }, request })
    expect(changed.status).toBe(200)
    const { reply, data } = await downloadExport(visitor)
    expect([reply.text.includes(request.ip), reply.text.includes(request.client)]).toEqual([false, false])
    expect(data.events).toContainEqual(expect.objectContaining({ event_type: "user.updated", request: null }))
    const own = expect.objectContaining({ ip: expect.any(String) })
    expect(data.events).toContainEqual(expect.objectContaining({ event_type: "user.login.succeeded", request: own }))
  })

  test("SEC-137: hides the address and browser of an operator", async () => {
    const realm = await newRealm()
    const { visitor, user } = await onProfilePage(realm)
    const { page } = await loggedInOperator(await clockedService(), "admin")
    const request = { ip: "203.0.113.99", client: "Browser of an operator" }
    const changed = await page.call("PUT", `/console/api/v2/users/${user.id}`, {
      body: { user: { first_name: "Ada" }, request },
      headers: { "x-service-realm": realm.id }
    })
    expect(changed.status).toBe(200)
    const { data } = await downloadExport(visitor)
    expect(data.events).toContainEqual(
      expect.objectContaining({ event_type: "user.updated", by: "operator", request: null })
    )
  })

  test("SEC-137: requires a login within the last ten minutes", async () => {
    const { advance } = await clockedService()
    const realm = await newRealm()
    const { visitor, user } = await onProfilePage(realm)
    const other = await quickUser(realm)
    for (const more of [{ user: other.id }, { user_id: other.id }, { id: other.id, email: other.string("email") }]) {
      await visitor.send("/profile", { way: "export", ...more })
      expect(JSON.parse(visitor.page.text).user.id).toBe(user.id)
      expect(visitor.page.text).not.toContain(other.id)
    }
    await visitor.send("/profile", { way: "export" }, { origin: "https://evil.example.test" })
    expect(visitor.page.status).toBe(403)
    expect((await visitor.open("/profile?way=export")).headers.get("content-disposition")).toBeNull()
    await advance("10 minutes")
    await visitor.send("/profile", { way: "export" })
    expect([visitor.page.status, visitor.leads.pathname, Object.fromEntries(visitor.leads.searchParams)]).toEqual([
      303,
      "/login",
      { next: "profile", way: "login", why: "proof" }
    ])
    const stranger = new Visitor(realm.transport, visitor.origin)
    await stranger.send("/profile", { way: "export" })
    expect(stranger.leads.pathname).toBe("/login")
  })
})
