import { describe, expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { sessionOf } from "../../external/BrowserLogins.ts"
import { KNOWN } from "../../support/browser.ts"
import { userEvent as event, OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { fieldOf, statusAndHeading, visibleText } from "../../support/pages.ts"
import { clockedService, newRealm } from "../../support/sallyport.ts"
import { claimsIn, expectTokenHandover, formsIn, linkTo, Visitor, visitorAtApp } from "../../support/visitor.ts"

/** A valid sign-up form. */
const newSignup = () => {
  const username = uniqueText("newcomer")
  return { username, email: `${username}@example.test`, password: PASSWORD }
}

const FORM = [200, "Create your account"]
const REFUSED = [422, "Create your account"]
const SENT = [200, "Check your email"]
const ASKED = [200, "Access requested"]
const CLOSED = [404, "Sign-ups are closed"]
const INTO = /^https:\/\/app\.example\.test\/login\?token=ey[\w.-]+&signup=true$/

const typesOf = (events: ReadonlyArray<Readonly<Record<string, unknown>>>) => events.map(({ event_type }) => event_type)

describe("/signup", () => {
  test("creates a user and redirects to the app's handler with a token and signup=true", async () => {
    const realm = await newRealm()
    const { app, visitor } = await visitorAtApp(realm)
    const typed = { ...newSignup(), first_name: "Ada", last_name: "Lovelace" }
    expect([statusAndHeading(await visitor.open("/signup")), visitor.page.headers.getSetCookie()]).toEqual([FORM, []])
    expect([...visitor.form().open].sort()).toEqual(["email", "first_name", "last_name", "password", "username"])
    const { result, events } = await realm.seen.during(() => visitor.fill(typed))
    expect([result.status, visitor.leads.href]).toEqual([303, expect.stringMatching(INTO)])
    expect(result.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-session=\w{43}; Max-Age=21600; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
      KNOWN
    ])
    const user = await realm.get(`/v2/users/${typed.email}`)
    const { password: _, ...kept } = typed
    expect(user.body).toMatchObject({ ...kept, email_verification: "none", state: "active" })
    const session = await sessionOf(realm, visitor.leads)
    expect([session.member("user_id"), session.member("client_app_id")]).toEqual([user.id, app.id])
    expect(events).toEqual([event(user, "created"), { ...event(user, "login.succeeded"), session_id: session.id }])
    expect((await visitor.open("/profile")).status).toBe(200)
    await visitor.logIn(typed.username, PASSWORD, "?way=login")
    expectTokenHandover(visitor.leads)
  })

  test("redirects to the signup handler, the redirect_uri or a hosted page", async () => {
    const realm = await newRealm()
    const place = "https://app.example.test/cb"
    const rows = [
      [{ signup_handler: "https://app.example.test/new" }, "", "https://app.example.test/new?token="],
      [{ redirect_uris: [place] }, `?redirect_uri=${place}`, `${place}?token=`],
      [{}, "?next=accounts", "/accounts"],
      [{ login_handler: null }, "", "/profile"]
    ] as const
    for (const [app, query, expected] of rows) {
      const { visitor, origin } = await visitorAtApp(realm, { app })
      await visitor.open(`/signup${query}`)
      await visitor.fill(newSignup())
      expect(visitor.leads.href.startsWith(new URL(expected, origin).href)).toBe(true)
      if (visitor.leads.origin !== origin) expect(visitor.leads.searchParams.get("signup")).toBe("true")
    }
  })

  test("user_org: creates an org that the new user owns", async () => {
    const realm = await newRealm({ org_mode: "multi_user", jwt_scopes: ["ar.orgs"] })
    const { visitor } = await visitorAtApp(realm, { app: { signup_mode: "user_org" } })
    for (const [org_name, name] of [
      [" Acme ", "Acme"],
      ["", "Ada Lovelace"]
    ] as const) {
      await visitor.open("/signup")
      const typed = { ...newSignup(), first_name: "Ada", last_name: "Lovelace", org_name }
      const { events } = await realm.seen.during(() => visitor.fill(typed))
      expect(typesOf(events)).toEqual(["user.created", "org.created", "membership.created", "user.login.succeeded"])
      const { orgs } = claimsIn(visitor.leads)
      expect(orgs).toEqual([expect.objectContaining({ perm: ["ar:owner"] })])
      expect((await realm.get(`/v2/orgs/${events[1]?.["org_id"]}`)).member("name")).toBe(name)
    }
  })

  test("user_token: redirects to the app with a token for creating the user, without logging in", async () => {
    const realm = await newRealm()
    const { visitor } = await visitorAtApp(realm, { app: { signup_mode: "user_token" } })
    const typed = newSignup()
    await visitor.open("/signup")
    const { result, events } = await realm.seen.during(() => visitor.fill(typed))
    expect([result.status, visitor.leads.href, visitor.cookie, events]).toEqual([
      303,
      expect.stringMatching(/^https:\/\/app\.example\.test\/login\?token=utk_\w{43}$/),
      undefined,
      []
    ])
    const token = visitor.leads.searchParams.get("token")
    expect((await realm.post("/v1/users", { user: { user_type: "human", token } })).status).toBe(201)
    await visitor.logIn(typed.email)
    expectTokenHandover(visitor.leads)
    const bare = await visitorAtApp(realm, { app: { signup_mode: "user_token", login_handler: null } })
    await bare.visitor.open("/signup")
    expect(statusAndHeading(await bare.visitor.fill(newSignup()))).toEqual([422, "This login isn't set up yet"])
  })

  test("request: sends a verification email with a link to the app's host", async () => {
    const { given } = await clockedService()
    const realm = await given.realm({ email_verification: "request" })
    const { visitor, origin } = await visitorAtApp(realm)
    const typed = newSignup()
    await visitor.open("/signup")
    const { events } = await realm.seen.during(() => visitor.fill(typed))
    expect(typesOf(events)).toEqual(["user.created", "user.email.verifying", "user.login.succeeded"])
    const link = await linkTo(typed.email)
    expect(link.startsWith(`${origin}/verify?token=tve`)).toBe(true)
    await visitor.open(link)
    expect(typesOf(await realm.seen.caused(() => visitor.fill()))).toEqual(["user.email.verified"])
  })

  test("preverify: returns the same page for new and taken emails, and creates the account by emailed link", async () => {
    const { given } = await clockedService()
    const realm = await given.realm({ email_verification: "preverify" })
    // C90: the email links to the app where the sign-up began, not to the realm's oldest app.
    await realm.connectedApp()
    const { visitor, origin, email: taken, user } = await visitorAtApp(realm, { app: { signup_mode: "user_org" } })
    const email = `${uniqueText("newcomer")}@example.test`
    expect([statusAndHeading(await visitor.open("/signup")), [...visitor.form().open]]).toEqual([FORM, ["email"]])
    expect(statusAndHeading(await visitor.fill({ email: "nobody" }))).toEqual(REFUSED)
    const { result, events } = await realm.seen.during(() => visitor.fill({ email }))
    expect([statusAndHeading(result), visitor.cookie, typesOf(events)]).toEqual([
      SENT,
      undefined,
      ["invitation.preverify.created", "invitation.preverify.invited"]
    ])
    const link = await linkTo(email)
    expect(link).toMatch(new RegExp(`^${origin.replaceAll(".", "\\.")}/invitation\\?token=nvt_\\w{43}$`))
    const scanned = await realm.seen.caused(() => new Visitor(realm.transport, origin).open(link))
    expect([scanned, statusAndHeading(await visitor.open(link))]).toEqual([[], [200, "Finish signing up"]])
    await visitor.fill({ password: PASSWORD, first_name: "Ada" })
    expect([visitor.leads.searchParams.get("signup"), claimsIn(visitor.leads)["email"]]).toEqual(["true", email])
    const made = await realm.get(`/v2/users/${email}`)
    expect([made.member("email_verification"), made.member("first_name")]).toEqual(["verified", "Ada"])
    await visitor.logIn(email, PASSWORD, "?way=login")
    expectTokenHandover(visitor.leads)

    // The page doesn't reveal that the account exists. Only its owner learns it from the email.
    const other = new Visitor(realm.transport, origin)
    await other.open("/signup")
    expect([statusAndHeading(await other.fill({ email: taken })), other.page.text.replaceAll(taken, email)]).toEqual([
      SENT,
      result.text
    ])
    await other.open(await linkTo(taken))
    expect([other.form().open.has("password_confirmation"), fieldOf(other.page, "name")]).toEqual([false, taken])
    const accepted = await realm.seen.during(() => other.fill({ password: PASSWORD }))
    expectTokenHandover(other.leads)
    expect(typesOf(accepted.events)).toEqual(["user.login.succeeded", "invitation.preverify.accepted"])
    expect(accepted.events.at(-1)).toMatchObject({ user_id: user.id })
  })

  test("signup=invitation: adds each visitor to the waiting list once", async () => {
    const realm = await newRealm({ signup: "invitation" })
    const { visitor, email: known } = await visitorAtApp(realm)
    expect(visibleText(await visitor.open("/login"))).toContain("Don't have an account? Request access")
    const email = `${uniqueText("guest")}@example.test`
    const pages: Array<string> = []
    const { events } = await realm.seen.during(async () => {
      for (const typed of [email, email.toUpperCase(), known]) {
        expect(statusAndHeading(await visitor.open("/signup"))).toEqual([200, "Request access"])
        expect(statusAndHeading(await visitor.fill({ email: typed }))).toEqual(ASKED)
        pages.push(visitor.page.text.replaceAll(typed, ""))
      }
    })
    expect(new Set(pages).size).toBe(1)
    const { items } = await realm.get("/v2/invitations")
    expect(items.map((one) => [one["email"], one["invitation_type"], one["invited_at"]])).toEqual([
      [email, "request", null],
      [known, "request", null]
    ])
    expect(typesOf(events)).toEqual(["invitation.request.created", "invitation.request.created"])
    await visitor.open("/signup")
    expect(statusAndHeading(await visitor.fill({ email: " " }))).toEqual([422, "Request access"])
    // Submitting the sign-up form directly doesn't bypass the request.
    const posted = await realm.seen.during(() => visitor.send("/signup", { ...newSignup(), way: "signup" }))
    expect([statusAndHeading(posted.result), typesOf(posted.events)]).toEqual([ASKED, ["invitation.request.created"]])
  })

  const closed = [
    [{ signup: "closed" }, {}],
    [{}, { signup_mode: "none" }],
    [{ signup: "invitation" }, { signup_mode: "none" }],
    [{ signup: "closed", email_verification: "preverify" }, { signup_mode: "user_org" }]
  ] as const

  test.each(
    closed
  )("shows that sign-up is closed by realm %j or app %j, whatever is submitted", async (settings, app) => {
    const realm = await newRealm(settings)
    const { visitor } = await visitorAtApp(realm, { app })
    expect([statusAndHeading(await visitor.open("/signup")), formsIn(visitor.page)]).toEqual([CLOSED, []])
    const events = await realm.seen.caused(async () => {
      for (const way of ["signup", "preverify", "request", ""]) {
        expect([way, statusAndHeading(await visitor.send("/signup", { ...newSignup(), way }))]).toEqual([way, CLOSED])
      }
    })
    expect([events, visibleText(await visitor.open("/login")).includes("Don't have an account?")]).toEqual([[], false])
  })

  test("reports missing and invalid fields and keeps all input except passwords", async () => {
    const realm = await newRealm()
    const app = {
      signup_mode: "user_org",
      require_names: true,
      require_org_name: true,
      require_password_confirmation: true
    }
    const { visitor, email: taken } = await visitorAtApp(realm, { app })
    await visitor.open("/signup")
    expect([...visitor.form().open].sort()).toEqual([
      "email",
      "first_name",
      "last_name",
      "org_name",
      "password",
      "password_confirmation",
      "username"
    ])
    expect(visitor.page.text).not.toContain("(optional)")
    const typed = newSignup()
    const events = await realm.seen.caused(async () => {
      const all = {
        ...typed,
        first_name: "Ada",
        last_name: "Lovelace",
        org_name: "Acme",
        password_confirmation: PASSWORD
      }
      for (const [wrong, sentence] of [
        [{ first_name: "", last_name: " " }, "First name can't be blank. Last name can't be blank."],
        [{ org_name: "" }, "Can't be blank."],
        [{ password_confirmation: OTHER_PASSWORD }, "The passwords don't match."],
        [{ password_confirmation: "" }, "The passwords don't match."],
        [{ email: " " }, "Can't be blank."],
        [{ email: taken }, "Another account already uses this email."],
        [{ username: "" }, "Can't be blank."],
        [{ username: "Ada Lovelace" }, "Can't contain spaces."],
        [{ password: "short", password_confirmation: "short" }, "Too short (minimum is 8 characters)."]
      ] as const) {
        await visitor.open("/signup")
        const reply = await visitor.fill({ ...all, ...wrong })
        expect([wrong, ...statusAndHeading(reply), visitor.cookie]).toEqual([wrong, ...REFUSED, undefined])
        expect([wrong, visibleText(reply)]).toEqual([wrong, expect.stringContaining(sentence)])
        for (const [field, value] of Object.entries({ ...all, ...wrong })) {
          expect([field, fieldOf(reply, field)]).toEqual([field, field.startsWith("password") ? undefined : value])
        }
      }
    })
    expect(events).toEqual([])
  })

  test("SEC-27: ignores fields that would verify the user, change ids or join an existing org", async () => {
    const realm = await newRealm()
    const org = await realm.org()
    const { visitor } = await visitorAtApp(realm)
    const typed = newSignup()
    const more = {
      id: "usr_x",
      realm_id: "x",
      state: "inactive",
      user_type: "api",
      email_verification: "verified",
      org_id: org.id,
      permissions: "ar:owner",
      invitation: "x"
    }
    await visitor.send("/signup", { ...typed, ...more })
    // `state` is the app's own parameter and is returned to it. It never sets the user's state.
    const { leads } = visitor
    expect(leads.searchParams.get("state")).toBe("inactive")
    leads.searchParams.delete("state")
    expect(leads.href).toMatch(INTO)
    const user = await realm.get(`/v2/users/${typed.email}?expand=memberships`)
    expect(user.body).toMatchObject({ email_verification: "none", state: "active", memberships: [] })
  })

  test("creates no user in an inactive realm or while passwords are turned off", async () => {
    const realm = await newRealm()
    const { visitor } = await visitorAtApp(realm)
    await visitor.open("/signup")
    await realm.put("/v2/auth_providers/password", { auth_provider: { state: "inactive" } })
    expect(statusAndHeading(await visitor.fill(newSignup()))).toEqual([422, "Password login is turned off"])
    await realm.put(`/v2/realms/${realm.id}`, { realm: { state: "inactive" } })
    expect(statusAndHeading(await visitor.send("/signup", newSignup()))).toEqual([422, "Not available right now"])
    expect((await realm.get("/v2/users")).items.length).toBe(1)
  })
})
