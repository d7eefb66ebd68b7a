import { describe, expect, test } from "vitest"
import { exportedRows, importRows } from "../../support/imports.ts"
import { PASSWORD } from "../../support/logins.ts"
import { GONE, heading, pageOf, statusAndHeading, visibleText } from "../../support/pages.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { clockedService, isolatedService } from "../../support/sallyport.ts"
import { isLoggedIn, linkTo, onSecurityPage, Visitor } from "../../support/visitor.ts"

const DAYS_30 = 30 * 86_400

const BUTTON = "Delete my account"

const CONFIRMED = { current_password: PASSWORD, confirm: "yes" }

const newRealm = async (settings = {}) =>
  (await clockedService()).given.realm({ account_deletion_days: 30, ...settings })

/** A user who has scheduled the deletion of their account. */
const scheduled = async (settings = {}) => {
  const { clock } = await clockedService()
  const realm = await newRealm(settings)
  const at = await onSecurityPage(realm)
  const deletionAt = clock.currentTimeMillisUnsafe() / 1000 + DAYS_30
  const { result, events } = await realm.seen.during(() => at.visitor.fill(CONFIRMED, BUTTON))
  expect([result.status, events]).toEqual([303, [{ event_type: "user.deletion.scheduled", user_id: at.user.id }]])
  const read = () => realm.get(`/v2/users/${at.user.id}`)
  return { ...at, realm, read, deletionAt }
}

const canceled = (userId: string) => [{ event_type: "user.deletion.canceled", user_id: userId }]

describe("deleting one's own account", () => {
  test("is off by default, and not offered or possible then", async () => {
    const { given } = await clockedService()
    const realm = await given.realm()
    expect((await realm.get(`/v2/realms/${realm.id}`)).member("account_deletion_days")).toBeNull()
    const { visitor } = await onSecurityPage(realm)
    expect(visibleText(visitor.page)).not.toContain(BUTTON)
    const { result, events } = await realm.seen.during(() =>
      visitor.send("/security", { way: "delete_account", ...CONFIRMED })
    )
    expect([result.status, events]).toEqual([303, []])
    expect(await isLoggedIn(visitor)).toBe(true)
  })

  test.each([[-1], [91], [1.5], ["soon"]])("rejects account_deletion_days %j", async (account_deletion_days) => {
    const realm = await newRealm()
    const { status } = await realm.put(`/v2/realms/${realm.id}`, { realm: { account_deletion_days } })
    expect(status).toBe(422)
  })

  test("deletes the account on the announced date, like the API, with the job as the actor", async () => {
    const { advance } = await clockedService()
    const { realm, user, visitor, read, deletionAt } = await scheduled()
    const org = await realm.org()
    const membership = await realm.membership(user.id, org.id)
    expect((await read()).member("deletion_at")).toBe(deletionAt)
    const listed = (await realm.get("/v2/users")).items
    expect(listed.map(({ id, deletion_at }) => [id, deletion_at])).toContainEqual([user.id, deletionAt])
    await visitor.open("/security")
    expect(visibleText(visitor.page)).toMatch(/It will be deleted on \w+ \d+, \d{4}/)
    await advance("29 days")
    expect((await read()).status).toBe(200)
    const { events } = await realm.seen.during(() => advance("1 day"))
    expect(events.filter(({ event_type }) => event_type !== "session.deleted")).toEqual([
      { event_type: "user.deleted", user_id: user.id },
      { event_type: "membership.deleted", membership_id: membership.id, user_id: user.id, org_id: org.id }
    ])
    expect((await read()).status).toBe(404)
    const [event] = (await realm.get("/v2/events?event_type=user.deleted")).items
    expect(event).toMatchObject({ event_at: deletionAt, actor: { type: "system", id: "DeleteAccounts" } })
  })

  test("deletes the account at once, as the user, without a delay", async () => {
    const realm = await newRealm({ account_deletion_days: 0 })
    const { visitor, user } = await onSecurityPage(realm)
    const { result, events } = await realm.seen.during(() => visitor.fill(CONFIRMED, BUTTON))
    expect(statusAndHeading(result)).toEqual([200, "Your account has been deleted"])
    expect(events[0]).toEqual({ event_type: "user.deleted", user_id: user.id })
    const [event] = (await realm.get("/v2/events?event_type=user.deleted")).items
    expect(event).toMatchObject({ actor: { type: "user", id: user.id } })
    expect([visitor.cookie, (await realm.get(`/v2/users/${user.id}`)).status]).toEqual([undefined, 404])
  })

  test("continues if the setting is turned off or the user is deactivated, until the deletion is canceled", async () => {
    const { advance } = await clockedService()
    const { realm, user, read, deletionAt } = await scheduled()
    const other = await onSecurityPage(realm)
    await other.visitor.fill(CONFIRMED, BUTTON)
    await realm.put(`/v2/realms/${realm.id}`, { realm: { account_deletion_days: null } })
    await realm.put(`/v2/users/${user.id}`, { user: { state: "inactive" } })
    expect((await read()).member("deletion_at")).toBe(deletionAt)
    await other.visitor.open("/security")
    expect(await realm.seen.caused(() => other.visitor.fill({}, "Keep my account"))).toEqual(canceled(other.user.id))
    await advance("30 days")
    expect([(await read()).status, (await realm.get(`/v2/users/${other.user.id}`)).status]).toEqual([404, 200])
  })

  test("can be canceled with the API, repeatedly, from level write", async () => {
    const { advance } = await clockedService()
    const { realm, user, read } = await scheduled()
    const path = `/v2/users/${user.id}/deletion`
    expect((await (await realm.as("read")).delete(path)).status).toBe(403)
    const { result, events } = await realm.seen.during(async () => [
      (await realm.delete(path)).status,
      (await realm.delete(path)).status,
      (await realm.delete("/v2/users/usr_0/deletion")).status
    ])
    expect([result, events]).toEqual([[204, 204, 404], canceled(user.id)])
    await advance("40 days")
    expect((await read()).member("deletion_at")).toBeNull()
  })

  test("shows a notice after a login, with which the account can be kept or the login continued", async () => {
    const { realm, user, email, origin, read } = await scheduled()
    const visitor = new Visitor(realm.transport, origin)
    await visitor.logIn(email)
    await visitor.follow()
    expect(statusAndHeading(visitor.page)).toEqual([200, "Your account will be deleted"])
    await visitor.fill({}, "Continue")
    expect(visitor.leads.searchParams.get("token")).toMatch(/^ey/)
    const again = new Visitor(realm.transport, origin)
    await again.logIn(email)
    expect(await realm.seen.caused(() => again.follow())).toEqual([])
    expect(await realm.seen.caused(() => again.fill({}, "Keep my account"))).toEqual(canceled(user.id))
    expect(again.leads.searchParams.get("token")).toMatch(/^ey/)
    expect((await read()).member("deletion_at")).toBeNull()
  })

  test("is refused to the only owner of an org with other members, until another member is an owner", async () => {
    const realm = await newRealm()
    const { visitor, user } = await onSecurityPage(realm)
    const [org, own] = [await realm.org({ name: "Acme" }), await realm.org({ name: "Just me" })]
    await realm.membership(user.id, own.id, { permissions: ["ar:owner"] })
    await realm.membership(user.id, org.id, { permissions: ["ar:owner"] })
    const member = await realm.membership((await quickUser(realm)).id, org.id)
    await visitor.open("/security")
    expect(visibleText(visitor.page)).toContain("You're the only owner of Acme")
    const sent = await realm.seen.during(() => visitor.send("/security", { way: "delete_account", ...CONFIRMED }))
    expect([sent.result.status, sent.events]).toEqual([303, []])
    await realm.put(`/v2/memberships/${member.id}`, { membership: { permissions: ["ar:owner"] } })
    await visitor.open("/security")
    expect((await realm.seen.caused(() => visitor.fill(CONFIRMED, BUTTON))).length).toBe(1)
  })

  test("is not carried over by an export and import, and left as it is by an import into the realm", async () => {
    const { realm, read, deletionAt } = await scheduled()
    const { text } = await realm.get("/v2/exports")
    expect(text).not.toContain("deletion_at")
    const [row] = exportedRows(text)
    await realm.put(`/v2/users/${(await read()).id}`, { user: { reference: String(row?.["reference"]) } })
    const imported = await importRows(realm, [{ ...row, first_name: "Ada" }])
    expect([imported.status, (await read()).member("first_name")]).toEqual([200, "Ada"])
    expect((await read()).member("deletion_at")).toBe(deletionAt)
  })
})

describe("SEC-288: the deletion of an account", () => {
  test.each([
    ["the password", { current_password: "wrong-password-1", confirm: "yes" }, "Your current password is incorrect."],
    ["the confirmation", { current_password: PASSWORD }, "Check the box to confirm."]
  ])("is rejected without %s", async (_, sent, error) => {
    const realm = await newRealm()
    const { visitor, user } = await onSecurityPage(realm)
    const { result, events } = await realm.seen.during(() =>
      visitor.send("/security", { way: "delete_account", ...sent })
    )
    expect([result.status, visibleText(result).includes(error), events]).toEqual([422, true, []])
    expect((await realm.get(`/v2/users/${user.id}`)).member("deletion_at")).toBeNull()
  })

  test("and keeping the account are rejected in a form of another site", async () => {
    const realm = await newRealm()
    const { visitor } = await onSecurityPage(realm)
    const foreign = { origin: "https://evil.example.test", "sec-fetch-site": "cross-site" }
    for (const [path, form] of [
      ["/security", { way: "delete_account", ...CONFIRMED }],
      ["/security", { way: "keep_account" }],
      ["/deletion", { way: "keep" }]
    ] as const) {
      const { result, events } = await realm.seen.during(() => visitor.send(path, form, foreign))
      expect([result.status, events]).toEqual([403, []])
    }
  })

  test("is canceled once by the emailed link, only after the button is clicked, even if logins are off", async () => {
    const { advance } = await clockedService()
    const { realm, user, email, origin, read } = await scheduled()
    const link = await linkTo(email)
    expect(link).toMatch(/\/deletion\?token=tad/)
    await advance("29 days")
    await realm.put(`/v2/realms/${realm.id}`, { realm: { state: "inactive" } })
    const visitor = new Visitor(realm.transport, origin)
    const opened = await realm.seen.during(() => visitor.open(link))
    expect([statusAndHeading(opened.result), opened.events]).toEqual([[200, "Your account will be deleted"], []])
    const kept = await realm.seen.during(() => visitor.fill({}, "Keep my account"))
    expect([heading(kept.result), kept.events]).toEqual(["Your account stays", canceled(user.id)])
    const [event] = (await realm.get("/v2/events?event_type=user.deletion.canceled")).items
    expect(event).toMatchObject({ actor: { type: "user", id: user.id } })
    expect(statusAndHeading(await visitor.open(link))).toEqual(GONE)
    await advance("2 days")
    expect((await read()).member("deletion_at")).toBeNull()
  })

  test("can't be canceled with the link of an earlier deletion, of another realm, or after the deletion", async () => {
    const { advance } = await clockedService()
    const { realm, user, email, visitor } = await scheduled()
    const [first, other] = [await linkTo(email), await newRealm()]
    await realm.delete(`/v2/users/${user.id}/deletion`)
    await visitor.open("/security")
    await visitor.fill(CONFIRMED, BUTTON)
    const token = new URL(await linkTo(email)).searchParams.get("token") ?? ""
    expect(statusAndHeading(await visitor.open(first))).toEqual(GONE)
    const elsewhere = await pageOf(other, "deletion").send({ token })
    expect(statusAndHeading(elsewhere)).toEqual(GONE)
    await advance("30 days")
    expect(statusAndHeading(await pageOf(realm, "deletion").show({ token }))).toEqual(GONE)
  })
})

test("deletions run once on several nodes, and not in realms that are deleted or reset", () =>
  isolatedService(async ({ given, advance }) => {
    const settings = { account_deletion_days: 1 }
    const kept = await given.realm(settings)
    const [gone, reset] = [await given.realm(settings), await given.realm(settings)]
    const mine = await onSecurityPage(kept)
    for (const at of [mine, await onSecurityPage(gone), await onSecurityPage(reset)]) {
      await at.visitor.fill(CONFIRMED, BUTTON)
    }
    await gone.delete(`/v2/realms/${gone.id}`)
    await reset.post(`/v2/realms/${reset.id}/reset`, {})
    await Promise.all([advance("2 days"), advance("2 days")])
    const deleted = async (realm: typeof kept) => (await realm.get("/v2/events?event_type=user.deleted")).items
    expect([await deleted(kept), await deleted(reset)]).toMatchObject([[{ user_id: mine.user.id }], []])
    expect((await kept.get(`/v2/users/${mine.user.id}`)).status).toBe(404)
  }))
