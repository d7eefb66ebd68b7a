import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { codeAt } from "../../support/credentials.ts"
import { sentWithLink } from "../../support/invitations.ts"
import { PASSWORD } from "../../support/logins.ts"
import { statusAndHeading } from "../../support/pages.ts"
import { clockedService } from "../../support/sallyport.ts"
import { claimsIn, onProfilePage } from "../../support/visitor.ts"

const newRealm = async (settings: Readonly<Record<string, unknown>> = {}): Promise<GivenRealm> =>
  (await clockedService()).given.realm(settings)

const now = async (): Promise<number> => (await clockedService()).clock.currentTimeMillisUnsafe()

const keyOn = ({ text }: Reply): string =>
  /<code class="key">([^<]*)</.exec(text)?.[1]?.replaceAll(" ", "") ?? "nothing"

const LOGIN = "Log in"
const SET_UP = "Set up two-step verification"

describe("SEC-141: an unattended browser cannot add a second factor", () => {
  test("through acr_values without a new login", async () => {
    const { advance } = await clockedService()
    const realm = await newRealm()
    const { visitor, sid } = await onProfilePage(realm)
    await advance("11 minutes")
    await visitor.open("/login?acr_values=aal2")
    expect(statusAndHeading(visitor.page)).toEqual([200, LOGIN])
    const { events } = await realm.seen.during(async () => {
      for (const way of ["code", "factor"]) {
        const reply = await visitor.send("/login", { way, acr_values: "aal2", login: "", by: "totp", code: "123456" })
        expect(keyOn(reply)).toBe("nothing")
      }
    })
    expect(events).toEqual([])
    await visitor.open("/login?acr_values=aal2")
    await visitor.fill({ password: PASSWORD })
    expect(statusAndHeading(visitor.page)).toEqual([200, SET_UP])
    await visitor.fill({ code: codeAt(keyOn(visitor.page), await now()) })
    const authTime = Math.floor((await now()) / 1000)
    expect(claimsIn(visitor.leads)).toMatchObject({ sid, auth_time: authTime, acr: "aal2" })
  })

  test("after the realm starts to require a second factor", async () => {
    const { advance } = await clockedService()
    const realm = await newRealm()
    const { visitor } = await onProfilePage(realm)
    await realm.put(`/v2/realms/${realm.id}`, { realm: { mfa: "required" } })
    await advance("11 minutes")
    await visitor.open("/login")
    expect(statusAndHeading(visitor.page)).toEqual([200, LOGIN])
  })
})

describe("SEC-132: a login from before the realm required a second factor", () => {
  test.each([
    ["/accounts", "the org selection"],
    ["/passkey", "the passkey offer"],
    ["/auth/google/join", "the invitation after a provider login"]
  ])("gets no token from %s (%s)", async (path) => {
    const realm = await newRealm({ org_mode: "multi_user" })
    const { visitor, user } = await onProfilePage(realm)
    const org = await realm.org({ name: "Pilots" })
    await realm.membership(user.id, org.id, {})
    await realm.put(`/v2/realms/${realm.id}`, { realm: { mfa: "required" } })
    await visitor.send(path, { way: "skip", org_id: org.id, user: user.id })
    expect([visitor.page.status, visitor.leads.pathname, visitor.leads.searchParams.get("token")]).toEqual([
      303,
      "/login",
      null
    ])
  })

  test("gets no token by accepting an invitation", async () => {
    const realm = await newRealm({ org_mode: "multi_user" })
    const { visitor, email } = await onProfilePage(realm)
    const { link } = await sentWithLink(realm, { email })
    await realm.put(`/v2/realms/${realm.id}`, { realm: { mfa: "required" } })
    await visitor.open(link)
    await visitor.fill({}, "Accept and join")
    expect([visitor.leads.pathname, visitor.leads.searchParams.get("token")]).toEqual(["/login", null])
    await visitor.follow()
    expect(statusAndHeading(visitor.page)).toEqual([200, SET_UP])
  })
})
