import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { appWithDouble } from "../external/BrowserLogins.ts"
import { authorize, authorizing, begin, CONSENT, followRedirects, LOGIN, redirectParams } from "../support/authorize.ts"
import { profile } from "../support/external.ts"
import { enrolled, PASSWORD } from "../support/logins.ts"
import { oauthClient } from "../support/oauth.ts"
import { heading, unescapeHtml } from "../support/pages.ts"
import { query } from "../support/query.ts"
import { clockedService } from "../support/sallyport.ts"
import { formsIn, Visitor } from "../support/visitor.ts"

const newRealm = async (settings: Readonly<Record<string, unknown>> = {}): Promise<GivenRealm> =>
  (await clockedService()).given.realm(settings)

const now = async (): Promise<number> => (await clockedService()).clock.currentTimeMillisUnsafe()

const CODE = expect.stringMatching(/^oac_/)

/** The sessions that the realm's codes were issued in, oldest first. */
const sidsOf = async ({ id }: GivenRealm): Promise<ReadonlyArray<string>> => {
  const { sql } = await clockedService()
  const rows = await query(
    sql<{ readonly sid: string }>`select sid from oauth_codes where realm_id = ${id} order by created_at`
  )
  return rows.map(({ sid }) => sid)
}

describe("an authorization request continues", () => {
  test("after a login at an identity provider", async () => {
    const realm = await newRealm()
    const { origin, provider } = await appWithDouble(realm, { told: profile() })
    const visitor = new Visitor(realm.transport, origin)
    const at = { realm, visitor, client: await oauthClient(realm, { consent: "ask" }) }
    await begin({ ...at, user: provider, app: provider, host: "", origin, email: "" })
    const link = /href="(auth\/[^"]*)"/.exec(visitor.page.text)?.[1] ?? ""
    await visitor.open(`/${unescapeHtml(link)}`)
    const state = visitor.leads.searchParams.get("state") ?? ""
    await visitor.open(`/auth/${provider.id}/callback?${new URLSearchParams({ state, code: "a-code" })}`)
    await followRedirects(at)
    expect(heading(visitor.page)).toBe(CONSENT)
    await visitor.fill({}, "Allow")
    expect(redirectParams(at)).toMatchObject({ code: CODE, state: "s-1" })
  })

  test("after the second factor", async () => {
    const at = await authorizing(await newRealm())
    const device = await enrolled(at.realm, at.user.id, await now())
    await begin(at)
    await at.visitor.fill({ name: at.email, password: PASSWORD }, LOGIN)
    expect(heading(at.visitor.page)).toBe("Enter your code")
    await at.visitor.fill({ code: device.code(0, await now()) })
    await followRedirects(at)
    expect(redirectParams(at)).toMatchObject({ code: CODE, state: "s-1" })
  })

  test("after a sign-up requested by the client", async () => {
    const at = await authorizing(await newRealm({ signup_fields: [] }), { app: { signup_mode: "user" } })
    await begin(at, { prompt: "create" })
    await at.visitor.fill({ email: "new.person@example.test", password: PASSWORD })
    await followRedirects(at)
    expect(redirectParams(at)).toMatchObject({ code: CODE, state: "s-1" })
  })

  test("after a sign-up that started on the login page", async () => {
    const at = await authorizing(await newRealm({ signup_fields: [] }), { app: { signup_mode: "user" } })
    await begin(at)
    const link = /href="(signup\?[^"]*)"/.exec(at.visitor.page.text)?.[1] ?? ""
    await at.visitor.open(`/${unescapeHtml(link)}`)
    await at.visitor.fill({ email: "other.person@example.test", password: PASSWORD })
    await followRedirects(at)
    expect(redirectParams(at)).toMatchObject({ code: CODE })
  })

  test("after the page that offers to add a passkey", async () => {
    const at = await authorizing(await newRealm())
    await begin(at)
    const { values } = at.visitor.form(LOGIN)
    await at.visitor.send("login", { ...values, name: at.email, password: PASSWORD, passkeys: "1" })
    await followRedirects(at)
    const skip = formsIn(at.visitor.page).find(({ values }) => values["way"] === "skip")
    expect(skip?.values).toMatchObject({ next: "authorize" })
    await at.visitor.fill({}, skip?.button)
    await followRedirects(at)
    expect(redirectParams(at)).toMatchObject({ code: CODE })
  })

  test("in a realm with unmanaged sessions, after a new login renews the session", async () => {
    const { advance } = await clockedService()
    const at = await authorizing(await newRealm({ session_type: "unmanaged" }))
    await authorize(at)
    await advance("10 seconds")
    await authorize(at, { prompt: "login" })
    await advance("10 seconds")
    await authorize(at)
    const [first, ...others] = await sidsOf(at.realm)
    expect(first).toMatch(/^kss_/)
    expect(others).toEqual([first, first])
  })

  test("in the browser's managed session", async () => {
    const { advance } = await clockedService()
    const at = await authorizing(await newRealm())
    await authorize(at)
    const [sid] = await sidsOf(at.realm)
    expect((await at.realm.get(`/v2/sessions/${sid}`)).status).toBe(200)
    await advance("10 seconds")
    await authorize(at)
    expect(await sidsOf(at.realm)).toEqual([sid, sid])
  })
})
