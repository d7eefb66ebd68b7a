import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { appWithDouble, HANDLER, logInAtProvider, redirectTarget } from "../../external/BrowserLogins.ts"
import { profile } from "../../support/external.ts"
import { sentWithLink } from "../../support/invitations.ts"
import { PASSWORD } from "../../support/logins.ts"
import { newRealm } from "../../support/sallyport.ts"
import { formsIn, SAME_SITE_HEADERS, Visitor, visitorAtApp } from "../../support/visitor.ts"

const WELCOME = "https://app.example.test/welcome"

/** The handler URL that received the token, with its other parameters. */
const handlerCall = ({ leads: { origin, pathname, searchParams } }: Pick<Visitor, "leads">) => ({
  at: origin + pathname,
  ...Object.fromEntries([...searchParams].filter(([name]) => name !== "token"))
})

const signupBy = async (realm: GivenRealm, link: string, app: object = {}) => {
  const { visitor } = await visitorAtApp(realm, { app })
  await visitor.open(link)
  await visitor.fill({ password: PASSWORD })
  return visitor
}

describe("C124: signup=true is sent to the app again when the app starts its own login", () => {
  test.each(["invitation", "preverify"])("after a sign-up by emailed link (%s)", async (kind) => {
    const realm = await newRealm(kind === "preverify" ? { email_verification: "preverify" } : {})
    const link =
      kind === "preverify"
        ? `/invitation?token=${(await realm.invitation({ invitation_type: "preverify" })).string("token")}`
        : (await sentWithLink(realm)).link
    const visitor = await signupBy(realm, link)
    expect(handlerCall(visitor)).toEqual({ at: HANDLER, signup: "true" })
    // The app rejects a token without its state and begins its own login.
    await visitor.open("/login?state=mine")
    expect(handlerCall(visitor)).toEqual({ at: HANDLER, signup: "true", state: "mine" })
    await visitor.open("/login?state=again")
    expect(handlerCall(visitor)).toEqual({ at: HANDLER, state: "again" })
  })

  test("only once, and to the signup_handler if the app has one", async () => {
    const realm = await newRealm()
    const visitor = await signupBy(realm, (await sentWithLink(realm)).link, { signup_handler: WELCOME })
    expect(handlerCall(visitor)).toEqual({ at: WELCOME, signup: "true" })
    await visitor.open("/login")
    expect(handlerCall(visitor)).toEqual({ at: HANDLER })
    await visitor.open("/login?state=mine")
    expect(handlerCall(visitor)).toEqual({ at: WELCOME, signup: "true", state: "mine" })
    await visitor.open("/login?state=again")
    expect(handlerCall(visitor)).toEqual({ at: HANDLER, state: "again" })
  })

  test("unless the sign-up already returned a state", async () => {
    const realm = await newRealm({ username_validation_human: "email" })
    const { visitor } = await visitorAtApp(realm)
    await visitor.open("/signup?state=first")
    await visitor.fill({ email: "new@example.test", password: PASSWORD })
    expect(handlerCall(visitor)).toEqual({ at: HANDLER, signup: "true", state: "first" })
    await visitor.open("/login?state=second")
    expect(handlerCall(visitor)).toEqual({ at: HANDLER, state: "second" })
  })

  test("after a visit to another page", async () => {
    const realm = await newRealm({ username_validation_human: "email", org_mode: "multi_user" })
    const { visitor } = await visitorAtApp(realm)
    await visitor.open("/signup?next=profile&state=first")
    await visitor.fill({ email: "new@example.test", password: PASSWORD })
    expect(visitor.leads.pathname).toBe("/profile")
    const [user] = (await realm.get("/v2/users?email=new@example.test")).items
    for (const name of ["Pilots", "Dockers"]) {
      await realm.membership(String(user?.["id"]), (await realm.org({ name })).id)
    }
    await visitor.open("/login?state=second")
    expect(visitor.leads.pathname).toBe("/accounts")
    await visitor.follow()
    await visitor.fill({}, "Dockers")
    expect(handlerCall(visitor)).toEqual({ at: HANDLER, signup: "true", state: "second" })
    await visitor.open("/login?state=third")
    expect(handlerCall(visitor)).toEqual({ at: HANDLER, state: "third" })
  })

  test("after a sign-up at a provider, but not after a later invitation", async () => {
    const realm = await newRealm()
    const at = await appWithDouble(realm, { told: profile({}) })
    const first = redirectTarget(await logInAtProvider(at, ""))
    expect([first.searchParams.get("signup"), first.searchParams.get("state")]).toEqual(["true", null])
    const again = redirectTarget(await at.browser.go(`${at.origin}/login?state=mine`))
    expect([again.searchParams.get("signup"), again.searchParams.get("state")]).toEqual(["true", "mine"])

    const { made } = await sentWithLink(realm)
    const page = await logInAtProvider(at, `?invitation=${made.string("token")}&state=other`)
    const [form] = formsIn(page)
    const joined = await at.browser.go(`${at.path}/join`, {
      form: { ...form?.values, signup: "true" },
      headers: { ...SAME_SITE_HEADERS, origin: at.origin }
    })
    expect(redirectTarget(joined).searchParams.get("signup")).toBeNull()
  })

  test("unless the login is in another browser or for an existing user", async () => {
    const realm = await newRealm()
    const { made, link } = await sentWithLink(realm)
    const visitor = await signupBy(realm, link)
    const other = new Visitor(realm.transport, visitor.origin)
    await other.logIn(made.string("email"), PASSWORD, "?state=mine")
    expect(handlerCall(other)).toEqual({ at: HANDLER, state: "mine" })
  })
})
