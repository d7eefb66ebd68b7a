import { decodeJwt } from "jose"
import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { Browser } from "../support/browser.ts"
import { profile } from "../support/external.ts"
import { invitationEvent } from "../support/invitations.ts"
import { enrolled, userEvent as event } from "../support/logins.ts"
import { fieldOf, GONE_INVITATION as GONE, statusAndHeading, visibleText } from "../support/pages.ts"
import { clockedService, newRealm } from "../support/sallyport.ts"
import { formsIn, SAME_SITE_HEADERS } from "../support/visitor.ts"
import {
  appWithDouble,
  beginLogin,
  logInAtProvider,
  redirectTarget,
  returnWithCode,
  sessionOf
} from "./BrowserLogins.ts"

const sentInvitation = async (realm: GivenRealm, attributes = {}): Promise<Reply> => {
  const made = await realm.invitation(attributes)
  await realm.post(`/v2/invitations/${made.id}/invite`, {})
  return made
}

const joined = (user_id: string, org: Reply) => ({
  event_type: "membership.created",
  user_id,
  org_id: org.id,
  membership_id: expect.stringMatching(/^mb_/)
})

describe("an invitation that names a provider (C40a)", () => {
  test("links to the provider's login at the oldest active app, or to the realm's page if no app is active", async () => {
    const { given, advance, postbox } = await clockedService()
    const realm = await given.realm()
    const { provider, app, path } = await appWithDouble(realm)
    const later = await appWithDouble(realm)
    const { id: github } = await realm.authProvider({ provider_type: "github", state: "inactive" })
    const linkOf = async (attributes: object) => {
      const made = await sentInvitation(realm, attributes)
      await advance("1 second")
      const mail = postbox.to(made.string("email"))[0]
      return [/https:\/\/[^\s)>"]+/.exec(mail?.text ?? "")?.[0], made.string("token")]
    }
    const expected = (before: string) => async (attributes: object) => {
      const [link, token] = await linkOf(attributes)
      expect(link).toBe(`${before}${token}`)
    }
    const page = `https://id.example.test/realms/${realm.id}/invitation?token=`
    await expected(`${path}?invitation=`)({ auth_provider_id: provider.id })
    const own = `${new URL(`${path}`).origin}/invitation?token=`
    await expected(own)({})
    await expected(own)({ auth_provider_id: github })
    await realm.put(`/v2/client_apps/${app.id}`, { client_app: { state: "inactive" } })
    await expected(`${later.origin}/auth/${provider.id}?invitation=`)({ auth_provider_id: provider.id })
    await realm.delete(`/v2/client_apps/${later.app.id}`)
    await expected(page)({ auth_provider_id: provider.id })
  })

  test("C90: links to the host of the invitation's app while the app is active", async () => {
    const { given, advance, postbox } = await clockedService()
    const realm = await given.realm()
    const [oldest, chosen] = [await appWithDouble(realm), await appWithDouble(realm)]
    const made = await realm.invitation({ client_app_id: chosen.app.id, auth_provider_id: chosen.provider.id })
    const plain = await realm.invitation({ client_app_id: chosen.app.id })
    const linkOf = async (invitation: Reply) => {
      await realm.post(`/v2/invitations/${invitation.id}/invite`, {})
      await advance("1 minute")
      const [mail] = postbox.take(invitation.string("email"))
      return /https:\/\/[^\s)>"]+/.exec(mail?.text ?? "")?.[0]
    }
    const [login, token] = [made.string("token"), plain.string("token")]
    expect(await linkOf(made)).toBe(`${chosen.path}?invitation=${login}`)
    expect(await linkOf(plain)).toBe(`${chosen.origin}/invitation?token=${token}`)
    await realm.put(`/v2/client_apps/${chosen.app.id}`, { client_app: { state: "inactive" } })
    expect(await linkOf(made)).toBe(`${oldest.origin}/auth/${chosen.provider.id}?invitation=${login}`)
    await realm.delete(`/v2/client_apps/${chosen.app.id}`)
    expect(await linkOf(plain)).toBe(`${oldest.origin}/invitation?token=${token}`)
  })

  test("is accepted by logging in if the provider has verified the invited email", async () => {
    const realm = await newRealm({ signup: "closed", jwt_scopes: ["ar.orgs"] })
    const org = await realm.org()
    const email = `${uniqueText("Invited")}@Example.test`
    const at = await appWithDouble(realm, { told: profile({ email: email.toUpperCase() }) })
    const attributes = { email, org_id: org.id, auth_provider_id: at.provider.id, permissions: "ar:admin" }
    const made = await sentInvitation(realm, attributes)
    const query = `?invitation=${made.string("token")}`
    const views = await realm.seen.during(async () => [
      (await new Browser(realm.transport).go(at.path + query)).status,
      redirectTarget(await at.browser.go(at.path + query)).searchParams.get("state") ?? ""
    ])
    expect([views.result[0], views.events]).toEqual([302, []])
    const state = String(views.result[1])
    expect(state).not.toContain(made.string("token"))

    const { result, events } = await realm.seen.during(() => returnWithCode(at, state))
    const url = redirectTarget(result)
    const session = await sessionOf(realm, url)
    const user_id = session.string("user_id")
    expect(decodeJwt(url.searchParams.get("token") ?? "")["orgs"]).toMatchObject([{ oid: org.id, perm: ["ar:admin"] }])
    expect(events).toEqual([
      { event_type: "user.created", user_id },
      { event_type: "user.login.succeeded", user_id, session_id: session.id },
      invitationEvent("accepted", made, { user_id }),
      joined(user_id, org)
    ])
    expect(statusAndHeading(await at.browser.go(at.path + query))).toEqual(GONE)
  })

  test("is accepted only after the second factor", async () => {
    const realm = await newRealm({ jwt_scopes: ["ar.orgs"] })
    const told = profile()
    const [user, org] = [await realm.user({ email: told.email, email_verification: "verified" }), await realm.org()]
    const at = await appWithDouble(realm, { told })
    const made = await sentInvitation(realm, { email: told.email, org_id: org.id, auth_provider_id: at.provider.id })
    const device = await enrolled(realm, user.id)
    const first = await realm.seen.during(() => logInAtProvider(at, `?invitation=${made.string("token")}`))
    expect(first.events).toEqual([event(user, "updated"), event(user, "login.initiated")])
    const fields = ["login", "invitation", "invited"].map((field) => [field, fieldOf(first.result, field) ?? ""])
    const form = { ...Object.fromEntries(fields), code: device.code() }
    const { result, events } = await realm.seen.during(() => at.browser.go(`${at.path}/code`, { form }))
    const session = await sessionOf(realm, redirectTarget(result))
    expect(decodeJwt(redirectTarget(result).searchParams.get("token") ?? "")["orgs"]).toMatchObject([{ oid: org.id }])
    expect(events).toEqual([
      { ...event(user, "login.succeeded"), session_id: session.id },
      invitationEvent("accepted", made, { user_id: user.id }),
      joined(user.id, org)
    ])
  })

  describe("SEC-92: sent to an email that the provider has not verified", () => {
    const ASKED = [200, "Accept this invitation?"]

    const invited = async (told: Readonly<Record<string, unknown>>, settings: object = {}, attributes: object = {}) => {
      const realm = await newRealm({ jwt_scopes: ["ar.orgs"], ...settings })
      const org = await realm.org({ name: "Pilots" })
      const at = await appWithDouble(realm, { told: profile(told) })
      const made = await sentInvitation(realm, { org_id: org.id, auth_provider_id: at.provider.id, ...attributes })
      return { realm, org, at, made, query: `?invitation=${made.string("token")}&state=mine` }
    }

    /** Presses a button of the page. */
    const press = (
      { browser, path, origin }: Awaited<ReturnType<typeof appWithDouble>>,
      page: Reply,
      button: string
    ) => {
      const form = formsIn(page).find((one) => one.button === button)
      expect(form?.action).toBe("join")
      return browser.go(`${path}/join`, { form: form?.values ?? {}, headers: { ...SAME_SITE_HEADERS, origin } })
    }

    test("is accepted only when the user presses a button", async () => {
      const { realm, org, at, made, query } = await invited({})
      const first = await realm.seen.during(() => logInAtProvider(at, query))
      expect(statusAndHeading(first.result)).toEqual(ASKED)
      const [user] = (await realm.get("/v2/users")).items
      const user_id = String(user?.["id"])
      expect(first.events.map(({ event_type }) => event_type)).toEqual(["user.created", "user.login.succeeded"])
      expect(visibleText(first.result)).toContain(String(user?.["email"]))
      expect(visibleText(first.result)).toContain(made.string("email"))
      const policy = first.result.headers.get("content-security-policy")
      expect(policy).not.toContain("form-action")
      const { result, events } = await realm.seen.during(() => press(at, first.result, "Accept and join"))
      const url = redirectTarget(result)
      expect([url.searchParams.get("signup"), url.searchParams.get("state")]).toEqual(["true", "mine"])
      expect(decodeJwt(url.searchParams.get("token") ?? "")["orgs"]).toMatchObject([{ oid: org.id }])
      expect(events).toEqual([invitationEvent("accepted", made, { user_id }), joined(user_id, org)])
      // The button works only once.
      expect(statusAndHeading(await press(at, first.result, "Accept and join"))).toEqual(GONE)
    })

    test("C104: cannot be used up by a member of the org, not even with an older page", async () => {
      const { realm, org, at, made, query } = await invited(profile())
      const older = await logInAtProvider(at, query)
      const [user] = (await realm.get("/v2/users")).items
      await realm.membership(String(user?.["id"]), org.id)
      // The app has already been notified of the sign-up.
      await at.browser.go(`${at.origin}/login?state=mine`)
      const seen = await realm.seen.caused(async () => {
        for (const reply of [await press(at, older, "Accept and join"), await logInAtProvider(at, query)]) {
          const to = new URL(reply.headers.get("location") ?? "", at.origin)
          expect([to.pathname, to.searchParams.get("state")]).toEqual(["/invitation", "mine"])
          expect(statusAndHeading(await at.browser.go(to))).toEqual([200, "You're already a member"])
        }
      })
      expect(seen.map(({ event_type }) => event_type)).toEqual(["user.login.succeeded", "session.deleted"])
      expect((await realm.get(`/v2/invitations/${made.id}`)).status).toBe(200)
    })

    test("can be declined without logging the user out or invalidating the invitation", async () => {
      for (const settings of [{}, { session_type: "unmanaged" }]) {
        const { realm, at, made, query } = await invited({}, settings)
        const page = await logInAtProvider(at, query)
        const { result, events } = await realm.seen.during(() => press(at, page, "Continue without joining"))
        const url = redirectTarget(result)
        expect(decodeJwt(url.searchParams.get("token") ?? "")["orgs"]).toEqual([])
        expect([events, url.searchParams.get("state")]).toEqual([[], "mine"])
        expect((await realm.get(`/v2/invitations/${made.id}`)).status).toBe(200)
      }
    })

    test("requires the button even if the provider returns the invited email as unverified", async () => {
      const email = `${uniqueText("invited")}@example.test`
      const { realm, at, query } = await invited({ email, email_verified: false }, {}, { email })
      const { result, events } = await realm.seen.during(() => logInAtProvider(at, query))
      expect([statusAndHeading(result), events.map(({ event_type }) => event_type)]).toEqual([
        ASKED,
        ["user.created", "user.login.succeeded"]
      ])
    })

    test("requires the button after the second factor too", async () => {
      const told = profile()
      const { realm, org, at, made, query } = await invited(told)
      const user = await realm.user({ email: told.email, email_verification: "verified" })
      const device = await enrolled(realm, user.id)
      const [form] = formsIn(await logInAtProvider(at, query))
      expect(form?.values).not.toHaveProperty("invited")
      const values = { ...form?.values, code: device.code() }
      const { result, events } = await realm.seen.during(() => at.browser.go(`${at.path}/code`, { form: values }))
      expect([statusAndHeading(result), events.map(({ event_type }) => event_type)]).toEqual([
        ASKED,
        ["user.login.succeeded"]
      ])
      const done = await realm.seen.during(() => press(at, result, "Accept and join"))
      expect(decodeJwt(redirectTarget(done.result).searchParams.get("token") ?? "")["orgs"]).toMatchObject([
        { oid: org.id }
      ])
      expect(done.events).toEqual([invitationEvent("accepted", made, { user_id: user.id }), joined(user.id, org)])
    })

    test("cannot be accepted from another site or without a login", async () => {
      const { realm, at, query } = await invited({})
      const [form] = formsIn(await logInAtProvider(at, query))
      const values = form?.values ?? {}
      const events = await realm.seen.caused(async () => {
        for (const headers of [{ origin: "https://evil.test" }, { "sec-fetch-site": "cross-site" }]) {
          expect((await at.browser.go(`${at.path}/join`, { form: values, headers })).status).toBe(403)
        }
        expect((await at.browser.go(`${at.path}/join?${new URLSearchParams(values)}`)).status).toBe(405)
        const stranger = await new Browser(realm.transport).go(`${at.path}/join`, {
          form: values,
          headers: SAME_SITE_HEADERS
        })
        expect(statusAndHeading(stranger)).toEqual([422, "This login can't be completed"])
      })
      expect(events).toEqual([])
    })
  })

  test("rejects the login and creates no user after the invitation was deleted", async () => {
    const realm = await newRealm()
    const at = await appWithDouble(realm)
    const made = await sentInvitation(realm, { auth_provider_id: at.provider.id })
    const query = `?invitation=${made.string("token")}`
    const state = await beginLogin(at, query)
    await realm.delete(`/v2/invitations/${made.id}`)
    for (const token of [query, "?invitation=nvt_x", `?invitation=${made.id}`]) {
      expect(statusAndHeading(await at.browser.go(at.path + token))).toEqual(GONE)
    }
    const { result, events } = await realm.seen.during(() => returnWithCode(at, state))
    expect([...statusAndHeading(result), events]).toEqual([...GONE, []])
    expect((await realm.get("/v2/users")).items).toEqual([])
  })
})
