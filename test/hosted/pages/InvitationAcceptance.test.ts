import { describe, expect, test } from "vitest"
import { HANDLER, sessionOf } from "../../external/BrowserLogins.ts"
import { invitationEvent, membershipEvent, sentWithLink } from "../../support/invitations.ts"
import { enrolled, userEvent as event, PASSWORD } from "../../support/logins.ts"
import { statusAndHeading, visibleText } from "../../support/pages.ts"
import { newRealm } from "../../support/sallyport.ts"
import {
  claimsIn,
  expectTokenHandover,
  isLoggedIn,
  onProfilePage,
  Visitor,
  visitorAtApp
} from "../../support/visitor.ts"

const REFUSED = [422, "You're invited"]

describe("an invited person who signs up", () => {
  test("must enter everything that the app requires, and sees all errors at once", async () => {
    const realm = await newRealm()
    const app = { require_names: true, require_password_confirmation: true, signup_mode: "user_org" }
    const { visitor } = await visitorAtApp(realm, { app })
    const { made, link } = await sentWithLink(realm)
    await visitor.open(link)
    expect([...visitor.form().open].toSorted()).toEqual([
      "first_name",
      "last_name",
      "password",
      "password_confirmation"
    ])
    expect(visibleText(visitor.page)).not.toContain("(optional)")
    const events = await realm.seen.caused(async () => {
      await visitor.fill({ password: PASSWORD, password_confirmation: PASSWORD })
      expect([statusAndHeading(visitor.page), visibleText(visitor.page)]).toEqual([
        REFUSED,
        expect.stringContaining("First name can't be blank. Last name can't be blank.")
      ])
      await visitor.fill({ first_name: "Ada", last_name: "Post", password: PASSWORD, password_confirmation: "x" })
      expect([statusAndHeading(visitor.page), visibleText(visitor.page)]).toEqual([
        REFUSED,
        expect.stringContaining("The passwords don't match.")
      ])
      await visitor.send("/invitation", {
        ...visitor.form().values,
        first_name: "Ada",
        last_name: "Post",
        password: PASSWORD
      })
      expect(statusAndHeading(visitor.page)).toEqual(REFUSED)
    })
    expect([events, visitor.cookie]).toEqual([[], undefined])
    await visitor.fill({ first_name: "Ada", last_name: "Post", password: PASSWORD, password_confirmation: PASSWORD })
    expect(claimsIn(visitor.leads)).toMatchObject({ name: "Ada Post", email: made.string("email") })
  })

  test("must enter only a password by default", async () => {
    const realm = await newRealm()
    const { visitor } = await visitorAtApp(realm)
    await visitor.open((await sentWithLink(realm)).link)
    expect([...visitor.form().open].toSorted()).toEqual(["first_name", "last_name", "password"])
    await visitor.fill({ password: PASSWORD })
    expect(visitor.leads.searchParams.get("signup")).toBe("true")
  })
})

describe("an accepted invitation", () => {
  test("logs in a new user and redirects to the signup handler or the requested URI", async () => {
    const realm = await newRealm()
    const place = "https://app.example.test/cb?x=1"
    const { origin, app } = await visitorAtApp(realm, {
      app: { signup_handler: `${HANDLER}/new`, redirect_uris: [place] }
    })
    for (const [query, expected] of [
      ["", `${HANDLER}/new?`],
      [`&${new URLSearchParams({ redirect_uri: place, state: "s" })}`, `${place}&`]
    ] as const) {
      const { made, org, link } = await sentWithLink(realm)
      const visitor = new Visitor(realm.transport, origin)
      const page = await visitor.open(`${link}${query}`)
      expect(page.headers.get("content-security-policy")).not.toContain("form-action")
      const { result, events } = await realm.seen.during(() => visitor.fill({ password: PASSWORD }))
      const user = await realm.get(`/v2/users/${made.string("email")}`)
      const { searchParams, href } = visitor.leads
      expect([
        result.status,
        href.startsWith(`${expected}token=ey`),
        searchParams.get("signup"),
        searchParams.get("state")
      ]).toEqual([303, true, "true", query === "" ? null : "s"])
      const session = await sessionOf(realm, visitor.leads)
      expect([session.member("user_id"), session.member("client_app_id")]).toEqual([user.id, app.id])
      expect(events).toEqual([
        event(user, "created"),
        event(user, "email.verified"),
        invitationEvent("accepted", made, { user_id: user.id }),
        membershipEvent(user.id, org.id),
        { ...event(user, "login.succeeded"), session_id: session.id }
      ])
      expect([result.headers.getSetCookie()[0]?.startsWith("__Host-session="), await isLoggedIn(visitor)]).toEqual([
        true,
        true
      ])
    }
  })

  test("logs in an existing user after the second factor and selects the org in the token", async () => {
    const realm = await newRealm({ org_mode: "multi_user" })
    const { visitor, user, email } = await visitorAtApp(realm)
    await realm.membership(user.id, (await realm.org({ name: "Dockers" })).id)
    let previous: unknown
    for (const hasDevice of [false, true]) {
      const device = hasDevice ? await enrolled(realm, user.id) : undefined
      const { made, org, link } = await sentWithLink(realm, { email: `guest-${hasDevice}@example.test` })
      await visitor.open(`${link}&way=login`)
      const first = await realm.seen.during(() => visitor.fill({ name: email, password: PASSWORD }))
      if (device !== undefined) {
        expect([statusAndHeading(visitor.page), first.events]).toEqual([
          [200, "Enter your code"],
          [event(user, "login.initiated")]
        ])
      }
      const last = device === undefined ? first : await realm.seen.during(() => visitor.fill({ code: device.code() }))
      expectTokenHandover(visitor.leads)
      const { sid, orgs } = claimsIn(visitor.leads)
      expect(orgs).toEqual([expect.objectContaining({ oid: org.id, selected: true, perm: ["x:y"] })])
      expect(last.events).toEqual([
        { ...event(user, "login.succeeded"), session_id: sid },
        invitationEvent("accepted", made, { user_id: user.id }),
        membershipEvent(user.id, org.id),
        ...(hasDevice ? [{ event_type: "session.deleted", user_id: user.id, session_id: previous }] : [])
      ])
      expect(await isLoggedIn(visitor)).toBe(true)
      previous = sid
    }
  })

  test("redirects to the profile if the app has no handler", async () => {
    const realm = await newRealm()
    const { visitor } = await visitorAtApp(realm, { app: { login_handler: null } })
    await visitor.open(`${(await sentWithLink(realm)).link}&state=s`)
    await visitor.fill({ password: PASSWORD })
    expect([visitor.leads.pathname, visitor.leads.search]).toEqual(["/profile", "?state=s"])
    expect(statusAndHeading(await visitor.follow())).toEqual([200, "Your profile"])
  })

  test("SEC-33: has no effect if the redirect_uri is not registered", async () => {
    const realm = await newRealm()
    const { visitor, user, email } = await onProfilePage(realm)
    const { made, link } = await sentWithLink(realm)
    const token = made.string("token")
    const BAD = [422, "This link isn't valid"]
    const events = await realm.seen.caused(async () => {
      for (const more of [{ redirect_uri: "https://evil.test/" }, { state: "a\nb" }]) {
        for (const form of [
          { way: "signup", password: PASSWORD },
          { way: "login", name: email, password: PASSWORD },
          { way: "code", login: "tmf:x", code: "1" },
          { way: "accept", user: user.id }
        ]) {
          const reply = await visitor.send("/invitation", { ...form, token, ...more })
          expect([form.way, ...statusAndHeading(reply), reply.headers.get("location")]).toEqual([
            form.way,
            ...BAD,
            null
          ])
        }
        expect(statusAndHeading(await visitor.open(`${link}&${new URLSearchParams(more)}`))).toEqual(BAD)
      }
    })
    expect(events).toEqual([])
    expect((await realm.get(`/v2/users?email=${made.string("email")}`)).items).toEqual([])
  })
})

test("a failed acceptance creates no session", async () => {
  const realm = await newRealm()
  const { visitor, user, email } = await visitorAtApp(realm)
  const { made } = await sentWithLink(realm, { email })
  const form = { token: made.string("token"), way: "login", name: email, password: PASSWORD }
  const replies = await Promise.all(
    [1, 2].map(() => new Visitor(realm.transport, visitor.origin).send("/invitation", form))
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([303, 410])
  expect((await realm.get(`/v2/sessions?user_id=${user.id}`)).items.length).toBe(1)
})
