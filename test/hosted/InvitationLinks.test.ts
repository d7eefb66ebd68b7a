import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { invitationEvent } from "../support/invitations.ts"
import { authenticate, enrolled, userEvent as event, PASSWORD, wrongCode } from "../support/logins.ts"
import { fieldOf, GONE_INVITATION as GONE, pageOf, statusAndHeading, visibleText } from "../support/pages.ts"
import { newRealm, ownService } from "../support/sallyport.ts"

const sentInvitation = async (realm: GivenRealm, attributes = {}): Promise<Reply> => {
  const made = await realm.invitation(attributes)
  await realm.post(`/v2/invitations/${made.id}/invite`, {})
  return made
}

const both = { password: PASSWORD, password_confirmation: PASSWORD }

const WELCOME = [200, "Welcome!"]

const membershipCreated = (user: Reply, org: Reply) => ({
  event_type: "membership.created",
  user_id: user.id,
  org_id: org.id,
  membership_id: expect.stringMatching(/^mb_/)
})

/** The events of a login without a browser session, before the acceptance. */
const loginEvents = (user: Reply) => {
  const session = { user_id: user.id, session_id: expect.stringMatching(/^kss_/) }
  return [
    { event_type: "user.login.succeeded", ...session },
    { event_type: "session.deleted", ...session }
  ]
}

const usersOf = async (realm: GivenRealm) => (await realm.get("/v2/users")).items

describe("an invited person without an account", () => {
  test("signs up and joins the org once, even if sign-up is closed", async () => {
    const realm = await newRealm({ name: "Harbour", signup: "closed" })
    const [inviter, org] = [
      await realm.user({ first_name: "Ida", last_name: "Post" }),
      await realm.org({ name: "Pilots" })
    ]
    const made = await sentInvitation(realm, { org_id: org.id, inviting_user_id: inviter.id, permissions: "ar:admin" })
    const [token, email, page] = [made.string("token"), made.string("email"), pageOf(realm, "invitation")]
    const views = await realm.seen.during(async () => [await page.show({ token }), await page.show({ token })])
    expect(views.events).toEqual([])
    const shown = views.result.map(visibleText)
    expect(shown[1]).toContain("Ida Post invited you to join Pilots on Harbour .")
    expect(shown[1]).toContain("Create your account")
    expect(views.result[0]?.text).toMatch(/<input id="email"[^>]* readonly/)
    expect(views.result[0]?.text).toContain(`value="${email}"`)

    // The email is the invitation's, whatever the form says (SEC-25, SEC-27).
    const more = { email: "evil@example.test", email_verification: "none", permissions: "ar:owner", org_id: "org_x" }
    const form = { token, way: "signup", first_name: " Sam ", last_name: "", ...both, ...more }
    const { result, events } = await realm.seen.during(() => Promise.all([page.send(form), page.send(form)]))
    expect(result.map(statusAndHeading).sort()).toEqual([WELCOME, GONE])
    const user = await realm.get(`/v2/users/${email}?expand=memberships`)
    expect(user.body).toMatchObject({ email, first_name: "Sam", last_name: null, email_verification: "verified" })
    expect(user.member("memberships", 0, "permissions")).toEqual(["ar:admin"])
    expect(events).toEqual([
      event(user, "created"),
      event(user, "email.verified"),
      invitationEvent("accepted", made, { user_id: user.id }),
      membershipCreated(user, org)
    ])
    expect((await authenticate(realm, email)).status).toBe(200)
    expect((await usersOf(realm)).length).toBe(2)
    expect([statusAndHeading(await page.show({ token })), statusAndHeading(await page.send(form))]).toEqual([
      GONE,
      GONE
    ])
  })

  test("can correct and resubmit a rejected form", async () => {
    const realm = await newRealm()
    const made = await sentInvitation(realm)
    const [token, page] = [made.string("token"), pageOf(realm, "invitation")]
    const { result, events } = await realm.seen.during(async () => [
      await page.send({ token, way: "signup", first_name: "Sam", password: "short", password_confirmation: "short" }),
      await page.send({ token, way: "signup", first_name: "x".repeat(256), ...both }),
      await page.send({ token, way: "constructor", first_name: "a\0b", ...both })
    ])
    expect(result.map(({ status }) => status)).toEqual([422, 422, 422])
    expect(result[0] && [fieldOf(result[0], "first_name"), visibleText(result[0])]).toEqual([
      "Sam",
      expect.stringMatching(/Password .*Too short \(minimum is 8 characters\)\./)
    ])
    expect(result[1] && visibleText(result[1])).toMatch(/First name .*Too long \(maximum is 255 characters\)\./)
    expect(events).toEqual([])
    expect(await usersOf(realm)).toEqual([])
    expect(statusAndHeading(await page.send({ token, ...both }))).toEqual(WELCOME)
  })

  test("gets a verified email only if the invitation was emailed to that address", async () => {
    for (const [email_verification, expected] of [
      ["none", []],
      ["request", ["email.verifying"]]
    ] as const) {
      const realm = await newRealm({ email_verification })
      const made = await realm.invitation()
      const events = await realm.seen.caused(() =>
        pageOf(realm, "invitation").send({ token: made.string("token"), way: "signup", ...both })
      )
      const user = await realm.get(`/v2/users/${made.string("email")}`)
      const own = ["created", ...expected].map((type) => event(user, type))
      expect(events).toEqual([...own, invitationEvent("accepted", made, { user_id: user.id })])
    }
  })
})

describe("an invited person with an account", () => {
  test("logs in by email or username and joins the org without staying logged in", async () => {
    const realm = await newRealm()
    const user = await realm.user({ username: "sam", password: PASSWORD })
    const org = await realm.org()
    const page = pageOf(realm, "invitation")
    const first = await sentInvitation(realm, { org_id: org.id, email: user.string("email") })
    const token = first.string("token")
    const shown = await page.show({ token })
    expect([visibleText(shown), fieldOf(shown, "name")]).toEqual([
      expect.stringContaining("Log in to accept"),
      user.string("email")
    ])
    expect(visibleText(await page.show({ token, way: "signup" }))).toContain("Create your account")
    // The email is taken, so the sign-up leads to the login.
    const taken = await realm.seen.during(() => page.send({ token, way: "signup", ...both }))
    expect([taken.events, taken.result.status, visibleText(taken.result)]).toEqual([
      [],
      422,
      expect.stringMatching(/Log in to accept An account with this email already exists/)
    ])
    const { result, events } = await realm.seen.during(() =>
      page.send({ token, way: "login", name: "SAM", password: PASSWORD })
    )
    expect(statusAndHeading(result)).toEqual(WELCOME)
    expect(events).toEqual([
      ...loginEvents(user),
      invitationEvent("accepted", first, { user_id: user.id }),
      membershipCreated(user, org)
    ])
    expect((await realm.get(`/v2/sessions?user_id=${user.id}`)).items).toEqual([])

    const second = await sentInvitation(realm)
    const login = {
      token: second.string("token"),
      way: "login",
      name: user.string("email").toUpperCase(),
      password: PASSWORD
    }
    expect(statusAndHeading(await page.send(login))).toEqual(WELCOME)
    expect(await realm.seen.caused(async () => expect(statusAndHeading(await page.send(login))).toEqual(GONE))).toEqual(
      []
    )
  })

  test("C104: does not use up the invitation if the person is already a member under another email", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const org = await realm.org({ name: "Pilots" })
    await realm.membership(user.id, org.id)
    const made = await sentInvitation(realm, { org_id: org.id })
    const page = pageOf(realm, "invitation")
    const login = { token: made.string("token"), way: "login", name: user.string("email"), password: PASSWORD }
    const { result, events } = await realm.seen.during(() => page.send(login))
    expect([statusAndHeading(result), visibleText(result)]).toEqual([
      [200, "You're already a member"],
      expect.stringContaining("You already belong to Pilots .")
    ])
    expect(events).toEqual(loginEvents(user))
    expect((await realm.get(`/v2/invitations/${made.id}`)).status).toBe(200)
  })

  test("gets the same error for a wrong password as for an unknown name (SEC-06, SEC-14)", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const token = (await sentInvitation(realm)).string("token")
    const page = pageOf(realm, "invitation")
    const logInAs = (name: string) => page.send({ token, way: "login", name, password: "not the right one" })
    const wrong = await realm.seen.during(() => logInAs(user.string("email")))
    const unknown = await realm.seen.during(() => logInAs("nobody@example.test"))
    expect([wrong.events, unknown.events]).toEqual([[event(user, "login.failed")], []])
    const replies = [wrong.result, unknown.result, await logInAs(user.id), await logInAs("\0")]
    for (const reply of replies) {
      expect([reply.status, visibleText(reply)]).toEqual([
        422,
        expect.stringContaining("Incorrect username or password.")
      ])
    }
    expect(visibleText(await logInAs(" "))).toContain("Enter your email or username.")
    await Promise.all(Array.from({ length: 9 }, () => logInAs(user.string("email"))))
    const blocked = await page.send({ token, way: "login", name: user.string("email"), password: PASSWORD })
    expect([blocked.status, blocked.headers.get("retry-after"), visibleText(blocked)]).toEqual([
      429,
      "900",
      expect.stringContaining("Too many failed attempts. Try again in 15 minutes.")
    ])
    // Without a valid invitation the page checks no passwords.
    const unknownToken = `${token[0] === "x" ? "y" : "x"}${token.slice(1)}`
    const none = await realm.seen.during(() => page.send({ token: unknownToken, way: "login", name: "x" }))
    expect([none.events, statusAndHeading(none.result)]).toEqual([[], GONE])
  })

  test("must enter the second factor before the invitation is accepted", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const device = await enrolled(realm, user.id)
    const made = await sentInvitation(realm)
    const [token, page] = [made.string("token"), pageOf(realm, "invitation")]
    const first = await realm.seen.during(() =>
      page.send({ token, way: "login", name: user.string("email"), password: PASSWORD })
    )
    expect([statusAndHeading(first.result), first.events]).toEqual([
      [200, "Enter your code"],
      [event(user, "login.initiated")]
    ])
    const pending = fieldOf(first.result, "login") ?? ""
    const wrong = await realm.seen.during(() =>
      page.send({ token, way: "code", login: pending, code: wrongCode(device) })
    )
    expect([wrong.result.status, fieldOf(wrong.result, "login"), wrong.events]).toEqual([
      422,
      pending,
      [event(user, "login.failed")]
    ])
    const lapsed = await page.send({ token, way: "code", login: "tmf:x", code: device.code() })
    expect([lapsed.status, visibleText(lapsed)]).toEqual([422, expect.stringContaining("Log in again.")])

    const right = await realm.seen.during(() => page.send({ token, way: "code", login: pending, code: device.code() }))
    expect([statusAndHeading(right.result), right.events]).toEqual([
      WELCOME,
      [...loginEvents(user), invitationEvent("accepted", made, { user_id: user.id })]
    ])
    const reused = await page.send({ token, way: "code", login: pending, code: device.code(1) })
    expect(statusAndHeading(reused)).toEqual(GONE)
  })
})

test("an invitation stops working when it expires or is withdrawn, or when its org is closed", () =>
  ownService(async ({ given, clock }) => {
    const realm = await given.realm()
    const page = pageOf(realm, "invitation")
    const [withdrawn, org] = [await realm.invitation(), await realm.org()]
    const closed = await realm.invitation({ org_id: org.id })
    const late = await realm.invitation()
    await realm.delete(`/v2/invitations/${withdrawn.id}`)
    await realm.put(`/v2/orgs/${org.id}`, { org: { state: "closed" } })
    clock.advance(30 * 86_400_000)
    for (const made of [withdrawn, closed, late]) {
      const form = { token: made.string("token"), ...both }
      expect([statusAndHeading(await page.show(form)), statusAndHeading(await page.send(form))]).toEqual([GONE, GONE])
    }
    expect(await usersOf(realm)).toEqual([])
  }))

test("an invitation page shows an error if the realm is inactive or has passwords turned off", async () => {
  const realm = await newRealm()
  const [token, page] = [(await sentInvitation(realm)).string("token"), pageOf(realm, "invitation")]
  const responses = async () => [
    statusAndHeading(await page.show({ token })),
    statusAndHeading(await page.send({ token, ...both })),
    statusAndHeading(await page.send({ token, way: "login", name: "x", password: PASSWORD }))
  ]
  await realm.put("/v2/auth_providers/password", { auth_provider: { state: "inactive" } })
  expect(await responses()).toEqual(Array(3).fill([422, "Password login is turned off"]))
  await realm.put(`/v2/realms/${realm.id}`, { realm: { state: "inactive" } })
  expect(await responses()).toEqual(Array(3).fill([422, "Not available right now"]))
})
