import { decodeJwt } from "jose"
import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { profile } from "../support/external.ts"
import { enrolled } from "../support/logins.ts"
import { statusAndHeading } from "../support/pages.ts"
import { newRealm } from "../support/sallyport.ts"
import { claimsIn, expectTokenHandover, formsIn, SAME_SITE_HEADERS, Visitor } from "../support/visitor.ts"
import {
  appWithDouble,
  beginLogin,
  logInAtProvider,
  redirectTarget,
  returnWithCode,
  sessionOf
} from "./BrowserLogins.ts"

const CHOICE = [200, "Choose an organization"]

/** A user with this number of orgs, known to a provider, at an app's host. */
const prepared = async (count: number, settings: object = {}) => {
  const realm = await newRealm({ ...settings })
  const told = profile()
  const user = await realm.user({ email: told.email, email_verification: "verified" })
  const at = await appWithDouble(realm, { told, app: { redirect_uris: ["https://app.example.test/cb"] } })
  const orgs: Array<Reply> = []
  for (const name of ["Pilots", "Dockers"].slice(0, count)) {
    const org = await realm.org({ name })
    orgs.push(org)
    await realm.membership(user.id, org.id, { permissions: ["x:y"] })
  }
  return { realm, user, told, at, orgs, visitor: new Visitor(realm.transport, at.origin, at.browser) }
}

const selectedOrg = (org: Reply | undefined) => [expect.objectContaining({ oid: org?.id, selected: true })]

/** The orgs in a later token of the same session. */
const orgsInNextToken = async (realm: GivenRealm, url: URL) =>
  Object(decodeJwt((await sessionOf(realm, url)).string("token")))["orgs"]

const pathOf = (reply: Reply): URL => new URL(reply.headers.get("location") ?? "", "https://pages.test")

describe("a provider login in a realm where users may have several orgs", () => {
  test("asks which org to use, and the session's tokens contain only the selected org", async () => {
    const { realm, at, orgs, visitor } = await prepared(2)
    const reply = await logInAtProvider(at, "?redirect_uri=https://app.example.test/cb&state=mine")
    const { pathname, searchParams } = pathOf(reply)
    expect([reply.status, pathname, ...searchParams]).toEqual([
      302,
      "/accounts",
      ["redirect_uri", "https://app.example.test/cb"],
      ["state", "mine"]
    ])
    expect(statusAndHeading(await visitor.open(reply.headers.get("location") ?? ""))).toEqual(CHOICE)
    expect(formsIn(visitor.page).map(({ button }) => button)).toEqual(["Pilots", "Dockers"])
    await visitor.fill({}, "Dockers")
    expect([visitor.leads.origin + visitor.leads.pathname, visitor.leads.searchParams.get("state")]).toEqual([
      "https://app.example.test/cb",
      "mine"
    ])
    expect(claimsIn(visitor.leads)["orgs"]).toEqual(selectedOrg(orgs[1]))
    expect(await orgsInNextToken(realm, visitor.leads)).toEqual(selectedOrg(orgs[1]))
    await visitor.open("/login")
    expect(claimsIn(visitor.leads)["orgs"]).toEqual(selectedOrg(orgs[1]))
  })

  test("asks for the org after the second factor too", async () => {
    const { realm, user, at } = await prepared(2)
    const device = await enrolled(realm, user.id)
    const [form] = formsIn(await logInAtProvider(at))
    const reply = await at.browser.go(`${at.path}/code`, { form: { ...form?.values, code: device.code() } })
    expect(pathOf(reply).pathname).toBe("/accounts")
  })

  test("does not ask for an org if the user has fewer than two orgs or can't choose", async () => {
    for (const count of [0, 1]) {
      const { realm, at, orgs } = await prepared(count)
      const url = redirectTarget(await logInAtProvider(at))
      expectTokenHandover(url)
      expect(claimsIn(url)["orgs"] ?? []).toEqual(count === 0 ? [] : selectedOrg(orgs[0]))
      expect((await orgsInNextToken(realm, url)) ?? []).toEqual(count === 0 ? [] : selectedOrg(orgs[0]))
    }
    const { at } = await prepared(2, { org_mode: "single_user", jwt_scopes: ["ar.orgs"] })
    expectTokenHandover(redirectTarget(await logInAtProvider(at)))
    const several = await prepared(2)
    expect(pathOf(await logInAtProvider(several.at, "?next=profile")).pathname).toBe("/profile")
  })
})

describe("C74, C86: the selected org after an invitation is accepted with a provider login", () => {
  /** Asserts that the org is selected in the token, in the session's next token and on the next visit. */
  const expectChosen = async ({ realm, visitor }: Awaited<ReturnType<typeof prepared>>, url: URL, org: Reply) => {
    expect(claimsIn(url)["orgs"]).toEqual(selectedOrg(org))
    expect(await orgsInNextToken(realm, url)).toEqual(selectedOrg(org))
    await visitor.open("/login")
    expectTokenHandover(visitor.leads)
    expect(claimsIn(visitor.leads)["orgs"]).toEqual(selectedOrg(org))
  }

  const invited = async (setting: Awaited<ReturnType<typeof prepared>>, email: string) => {
    const { realm, at } = setting
    const org = await realm.org({ name: "Sailors" })
    const made = await realm.invitation({ email, org_id: org.id, auth_provider_id: at.provider.id })
    await realm.post(`/v2/invitations/${made.id}/invite`, {})
    return { org, query: `?invitation=${made.string("token")}` }
  }

  test("is the invitation's org if the provider has verified the invited email", async () => {
    const setting = await prepared(2)
    const { org, query } = await invited(setting, setting.told.email)
    await expectChosen(setting, redirectTarget(await logInAtProvider(setting.at, query)), org)
  })

  test("is the invitation's org after the second factor too", async () => {
    const setting = await prepared(1)
    const { realm, user, at, told } = setting
    const device = await enrolled(realm, user.id)
    const { org, query } = await invited(setting, told.email)
    const [form] = formsIn(await logInAtProvider(at, query))
    const reply = await at.browser.go(`${at.path}/code`, { form: { ...form?.values, code: device.code() } })
    await expectChosen(setting, redirectTarget(reply), org)
  })

  test("is the invitation's org if a user with another email accepts the invitation", async () => {
    for (const button of ["Accept and join", "Continue without joining"]) {
      const setting = await prepared(2)
      const { at } = setting
      const { org, query } = await invited(setting, "elsewhere@example.test")
      const page = await returnWithCode(at, await beginLogin(at, query))
      const form = formsIn(page).find((one) => one.button === button)
      const headers = { ...SAME_SITE_HEADERS, origin: at.origin }
      const reply = await at.browser.go(`${at.path}/join`, { form: form?.values ?? {}, headers })
      if (button === "Accept and join") await expectChosen(setting, redirectTarget(reply), org)
      else expect(pathOf(reply).pathname).toBe("/accounts")
    }
  })
})
