import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { HANDLER, sessionOf } from "../../external/BrowserLogins.ts"
import { happened } from "../../support/invitations.ts"
import { enrolled, userEvent as event, OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { GONE_INVITATION as GONE, met, said } from "../../support/pages.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { service } from "../../support/sallyport.ts"
import { atHome, claimsIn, handed, isIn, OURS, Visitor, visiting } from "../../support/visitor.ts"

const newRealm = async (settings = {}): Promise<GivenRealm> => (await service()).given.realm(settings)

const INVITED = [200, "You're invited"]
const REFUSED = [422, "You're invited"]

/** An invitation that was sent, to an org unless told otherwise, and its link on the host of an app. */
const sent = async (realm: GivenRealm, attributes: object = {}) => {
  const org = await realm.org({ name: "Pilots" })
  const made = await realm.invitation({ org_id: org.id, permissions: "x:y", ...attributes })
  await realm.post(`/v2/invitations/${made.id}/invite`, {})
  return { org, made, link: `/invitation?token=${made.string("token")}` }
}

const joined = (user: string, org: string) => ({
  event_type: "membership.created",
  user_id: user,
  org_id: org,
  membership_id: expect.stringMatching(/^mb_/)
})

describe("The sign-up of an invitation asks for what the app asks everybody for", () => {
  test("both names (require_names), and the password twice (require_password_confirmation): all that is wrong is told", async () => {
    const realm = await newRealm()
    const app = { require_names: true, require_password_confirmation: true, signup_mode: "user_org" }
    const { visitor } = await visiting(realm, { app })
    const { made, link } = await sent(realm)
    await visitor.open(link)
    expect([...visitor.form().open].toSorted()).toEqual([
      "first_name",
      "last_name",
      "password",
      "password_confirmation"
    ])
    expect(said(visitor.page)).not.toContain("(optional)")
    const events = await realm.seen.caused(async () => {
      await visitor.fill({ password: PASSWORD, password_confirmation: PASSWORD })
      expect([met(visitor.page), said(visitor.page)]).toEqual([
        REFUSED,
        expect.stringContaining("First name can't be blank. Last name can't be blank.")
      ])
      await visitor.fill({ first_name: "Ada", last_name: "Post", password: PASSWORD, password_confirmation: "x" })
      expect([met(visitor.page), said(visitor.page)]).toEqual([
        REFUSED,
        expect.stringContaining("The passwords don't match.")
      ])
      await visitor.send("/invitation", {
        ...visitor.form().values,
        first_name: "Ada",
        last_name: "Post",
        password: PASSWORD
      })
      expect(met(visitor.page)).toEqual(REFUSED)
    })
    expect([events, visitor.cookie]).toEqual([[], undefined])
    await visitor.fill({ first_name: "Ada", last_name: "Post", password: PASSWORD, password_confirmation: PASSWORD })
    expect(claimsIn(visitor.leads)).toMatchObject({ name: "Ada Post", email: made.string("email") })
  })

  test("the password once, and names if one likes, where the app asks for no more", async () => {
    const realm = await newRealm()
    const { visitor } = await visiting(realm)
    await visitor.open((await sent(realm)).link)
    expect([...visitor.form().open].toSorted()).toEqual(["first_name", "last_name", "password"])
    await visitor.fill({ password: PASSWORD })
    expect(visitor.leads.searchParams.get("signup")).toBe("true")
  })
})

describe("Who accepts is in the app, logged in", () => {
  test("a new user, at the signup handler or where the link asks for, with its state; the browser keeps the session", async () => {
    const realm = await newRealm()
    const place = "https://app.example.test/cb?x=1"
    const { origin, app } = await visiting(realm, { app: { signup_handler: `${HANDLER}/new`, redirect_uris: [place] } })
    for (const [query, expected] of [
      ["", `${HANDLER}/new?`],
      [`&${new URLSearchParams({ redirect_uri: place, state: "s" })}`, `${place}&`]
    ] as const) {
      const { made, org, link } = await sent(realm)
      const visitor = new Visitor(realm.transport, origin)
      const page = await visitor.open(`${link}${query}`)
      expect(page.headers.get("content-security-policy")).toContain("form-action 'self' https://app.example.test;")
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
        happened("accepted", made, { user_id: user.id }),
        joined(user.id, org.id),
        { ...event(user, "login.succeeded"), session_id: session.id }
      ])
      expect([result.headers.getSetCookie()[0]?.startsWith("__Host-session="), await isIn(visitor)]).toEqual([
        true,
        true
      ])
    }
  })

  test("a user who logs in for it, and by the code of a second factor; the token names the org that was joined, in realms with several", async () => {
    const realm = await newRealm({ org_mode: "multi_user" })
    const { visitor, user, email } = await visiting(realm)
    await realm.membership(user.id, (await realm.org({ name: "Dockers" })).id)
    let previous: unknown
    for (const hasDevice of [false, true]) {
      const device = hasDevice ? await enrolled(realm, user.id) : undefined
      const { made, org, link } = await sent(realm, { email: `guest-${hasDevice}@example.test` })
      await visitor.open(`${link}&way=login`)
      const first = await realm.seen.during(() => visitor.fill({ name: email, password: PASSWORD }))
      if (device !== undefined) {
        expect([met(visitor.page), first.events]).toEqual([[200, "Enter your code"], [event(user, "login.initiated")]])
      }
      const last = device === undefined ? first : await realm.seen.during(() => visitor.fill({ code: device.code() }))
      handed(visitor.leads)
      const { sid, orgs } = claimsIn(visitor.leads)
      expect(orgs).toEqual([expect.objectContaining({ oid: org.id, selected: true, perm: ["x:y"] })])
      expect(last.events).toEqual([
        { ...event(user, "login.succeeded"), session_id: sid },
        happened("accepted", made, { user_id: user.id }),
        joined(user.id, org.id),
        ...(hasDevice ? [{ event_type: "session.deleted", user_id: user.id, session_id: previous }] : [])
      ])
      expect(await isIn(visitor)).toBe(true)
      previous = sid
    }
  })

  test("where the app has no handler, on the own profile", async () => {
    const realm = await newRealm()
    const { visitor } = await visiting(realm, { app: { login_handler: null } })
    await visitor.open(`${(await sent(realm)).link}&state=s`)
    await visitor.fill({ password: PASSWORD })
    expect([visitor.leads.pathname, visitor.leads.search]).toEqual(["/profile", "?state=s"])
    expect(met(await visitor.follow())).toEqual([200, "Your profile"])
  })

  test("SEC-33: a place that the app has not registered is refused before anybody is created, logged in or joined", async () => {
    const realm = await newRealm()
    const { visitor, user, email } = await atHome(realm)
    const { made, link } = await sent(realm)
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
          expect([form.way, ...met(reply), reply.headers.get("location")]).toEqual([form.way, ...BAD, null])
        }
        expect(met(await visitor.open(`${link}&${new URLSearchParams(more)}`))).toEqual(BAD)
      }
    })
    expect(events).toEqual([])
    expect((await realm.get(`/v2/users?email=${made.string("email")}`)).items).toEqual([])
  })
})

describe("Who is logged in already", () => {
  test("accepts with that, by one click: no login, no new session, and on to the app", async () => {
    const realm = await newRealm({ name: "Harbour", org_mode: "multi_user" })
    const { visitor, user, email, sid } = await atHome(realm)
    const { made, org, link } = await sent(realm, { email })
    const looked = await realm.seen.during(() => visitor.open(`${link}&state=s`))
    expect([looked.events, met(looked.result), [...visitor.form().open]]).toEqual([[], INVITED, []])
    expect(said(visitor.page)).toContain(`You're invited to join Pilots on Harbour . You're logged in as ${email} .`)
    const { result, events } = await realm.seen.during(() => visitor.fill({}, "Accept and join"))
    expect(events).toEqual([happened("accepted", made, { user_id: user.id }), joined(user.id, org.id)])
    expect([result.status, result.headers.getSetCookie(), visitor.leads.searchParams.get("state")]).toEqual([
      303,
      [],
      "s"
    ])
    expect(claimsIn(visitor.leads)).toMatchObject({ sid, sub: user.id, orgs: [{ oid: org.id, selected: true }] })
    expect(met(await visitor.open(link))).toEqual(GONE)
  })

  test("SEC-92: with another address than the invited one is told both, and may use another account instead", async () => {
    const realm = await newRealm()
    const { visitor, user, email } = await atHome(realm)
    const { made, org, link } = await sent(realm)
    await visitor.open(link)
    expect(said(visitor.page)).toContain(
      `You're logged in as ${email} . The invitation was sent to ${made.string("email")} .`
    )
    const other = /href="(invitation\?[^"]*way=login)"/.exec(visitor.page.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
    await visitor.open(`/${other}`)
    expect([...visitor.form().open].toSorted()).toEqual(["name", "password"])
    await visitor.open(link)
    const events = await realm.seen.caused(() => visitor.fill())
    expect(events).toEqual([happened("accepted", made, { user_id: user.id }), joined(user.id, org.id)])
  })

  test("where passwords are off, too; in an unmanaged realm the token is of a new session", async () => {
    const realm = await newRealm({ session_type: "unmanaged" })
    const { visitor, user, email, sid } = await atHome(realm)
    const { made, org, link } = await sent(realm, { email })
    await realm.put("/v2/auth_providers/password", { auth_provider: { state: "inactive" } })
    expect(met(await new Visitor(realm.transport, visitor.origin).open(link))).toEqual([
      422,
      "Password login is turned off"
    ])
    await visitor.open(link)
    const events = await realm.seen.caused(() => visitor.fill())
    handed(visitor.leads)
    expect(events).toEqual([happened("accepted", made, { user_id: user.id }), joined(user.id, org.id)])
    expect(claimsIn(visitor.leads)["sid"]).not.toBe(sid)
  })

  test("signs up all the same by the link of a sign-up of their own (preverify)", async () => {
    const realm = await newRealm({ email_verification: "preverify" })
    const { visitor, email } = await atHome(realm)
    const made = await realm.invitation({ invitation_type: "preverify" })
    await visitor.open(`/invitation?token=${made.string("token")}`)
    expect(visitor.form().open.has("password")).toBe(true)
    await visitor.fill({ password: PASSWORD })
    expect(claimsIn(visitor.leads)["email"]).toBe(made.string("email"))
    expect((await visitor.open("/profile")).text).not.toContain(email)
  })

  test("SEC-35, SEC-92: joins by nothing but that form: not by a link, another site, another user's page or after a logout", async () => {
    const realm = await newRealm()
    const { visitor, user, email, origin } = await atHome(realm)
    const { made, link } = await sent(realm, { email })
    const form = { token: made.string("token"), way: "accept", user: user.id }
    const somebody = await quickUser(realm)
    const events = await realm.seen.caused(async () => {
      expect(met(await visitor.open(`/invitation?${new URLSearchParams(form)}`))).toEqual(INVITED)
      for (const headers of [
        { origin: "https://evil.test", "sec-fetch-site": "cross-site" },
        { origin: "null", "sec-fetch-site": "same-site" }
      ]) {
        expect((await visitor.send("/invitation", form, headers)).status).toBe(403)
      }
      // The page was another user's, who is asked anew.
      for (const asked of [somebody.id, "", "usr_x"]) {
        const reply = await visitor.send("/invitation", { ...form, user: asked }, OURS)
        expect([asked, ...met(reply), visitor.form().values["user"]]).toEqual([asked, ...INVITED, user.id])
      }
      const stranger = new Visitor(realm.transport, origin)
      expect(met(await stranger.send("/invitation", form))).toEqual(INVITED)
      expect(stranger.form().open.has("password")).toBe(true)
    })
    expect(events).toEqual([])
    await realm.put(`/v2/users/${user.id}`, { user: { state: "inactive" } })
    expect(await realm.seen.caused(() => visitor.send("/invitation", form))).toEqual([])
    expect([met(visitor.page), visitor.form().values["way"]]).toEqual([INVITED, "login"])
    expect(met(await visitor.open(link))).toEqual(INVITED)
  })

  test("accepts once, whoever clicks twice; with the token of another realm, or of a closed org, nothing", async () => {
    const realm = await newRealm()
    const { visitor, user, email } = await atHome(realm)
    const { made, org } = await sent(realm, { email })
    const form = { token: made.string("token"), way: "accept", user: user.id }
    const headers = OURS
    const { result, events } = await realm.seen.during(() =>
      Promise.all([1, 2, 3].map(() => visitor.browser.go(`${visitor.origin}/invitation`, { form, headers })))
    )
    expect(result.map(({ status }) => status).toSorted()).toEqual([303, 410, 410])
    expect(events).toEqual([happened("accepted", made, { user_id: user.id }), joined(user.id, org.id)])

    const elsewhere = await newRealm()
    const foreign = await sent(elsewhere, { email })
    const closed = await sent(realm, { email })
    await realm.put(`/v2/orgs/${closed.org.id}`, { org: { state: "closed" } })
    const seen = await realm.seen.caused(async () => {
      for (const { made: other, link } of [foreign, closed]) {
        expect(met(await visitor.open(link))).toEqual(GONE)
        const reply = await visitor.send("/invitation", { ...form, token: other.string("token") })
        expect([...met(reply), reply.headers.get("location")]).toEqual([...GONE, null])
      }
    })
    expect(seen).toEqual([])
    expect((await elsewhere.get(`/v2/invitations/${foreign.made.id}`)).status).toBe(200)
  })

  test("logs in as somebody else to accept: that account joins, and the browser is theirs from then on", async () => {
    const realm = await newRealm()
    const { visitor, sid } = await atHome(realm)
    const guest = await realm.user({ password: OTHER_PASSWORD })
    const { made, org, link } = await sent(realm, { email: guest.string("email") })
    await visitor.open(`${link}&way=login`)
    const { events } = await realm.seen.during(() => visitor.fill({ password: OTHER_PASSWORD }))
    expect(events).toEqual([
      { ...event(guest, "login.succeeded"), session_id: claimsIn(visitor.leads)["sid"] },
      happened("accepted", made, { user_id: guest.id }),
      joined(guest.id, org.id)
    ])
    expect((await visitor.open("/profile")).text).toContain(guest.string("email"))
    expect((await realm.get(`/v2/sessions/${sid}`)).status).toBe(200)
  })
})

test("An acceptance that fails leaves no session of the login behind it", async () => {
  const realm = await newRealm()
  const { visitor, user, email } = await visiting(realm)
  const { made } = await sent(realm, { email })
  const form = { token: made.string("token"), way: "login", name: email, password: PASSWORD }
  const replies = await Promise.all(
    [1, 2].map(() => new Visitor(realm.transport, visitor.origin).send("/invitation", form))
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([303, 410])
  expect((await realm.get(`/v2/sessions?user_id=${user.id}`)).items.length).toBe(1)
})
