import { describe, expect, test } from "vitest"
import { authorizing, begin, CONSENT, followRedirects, LOGIN } from "../support/authorize.ts"
import { PASSWORD } from "../support/logins.ts"
import { dataUrl, png } from "../support/logos.ts"
import { heading, visibleText } from "../support/pages.ts"
import { clockedService } from "../support/sallyport.ts"

const beginLogin = async (client: Readonly<Record<string, unknown>>, params: Readonly<Record<string, string>> = {}) => {
  const { given } = await clockedService()
  const at = await authorizing(await given.realm(), { client: { name: "Grafana", ...client } })
  await begin(at, params)
  return at
}

type Asked = Awaited<ReturnType<typeof beginLogin>>

const logIn = async (at: Asked) => {
  await at.visitor.fill({ name: at.email, password: PASSWORD }, LOGIN)
  return followRedirects(at)
}

const policyOf = ({ headers }: Asked["visitor"]["page"]) => headers.get("content-security-policy")

describe("the pages of a login for a client", () => {
  test("show the client's display name on the login page", async () => {
    const at = await beginLogin({ appearance: { name: "Acme <Charts>" } })
    expect(visibleText(at.visitor.page)).toMatch(/Log in to continue to Acme <Charts> ?\./)
    await at.visitor.open("/login")
    expect(visibleText(at.visitor.page)).not.toContain("continue to")
  })

  test("C170: list what a first-party client receives through the claims parameter", async () => {
    const claims = JSON.stringify({ userinfo: { email: null, nobody_knows: null }, id_token: { orgs: null } })
    const params = { scope: "openid", claims, prompt: "consent" }
    const at = await beginLogin({ consent: "skip", allowed_scopes: ["openid", "profile", "email"] }, params)
    const page = visibleText(await logIn(at))
    expect(heading(at.visitor.page)).toBe(CONSENT)
    expect(page).toContain("See your email address")
    expect(page).not.toContain("See your name")
    expect(page).not.toContain("organizations")
    const others = await beginLogin({ consent: "ask" }, params)
    expect(visibleText(await logIn(others))).not.toContain("See your email address")
  })

  test("SEC-31: allow form posts to other origins only during an authorization request", async () => {
    const at = await beginLogin({})
    expect(policyOf(at.visitor.page)).not.toContain("form-action")
    const app = await at.realm.connectedApp({ login_handler: null })
    const origin = app.string("login_url").replace(/\/login$/, "")
    for (const query of ["request=x", "next=authorize", `request=${at.visitor.form(LOGIN).values["request"]}`]) {
      const page = await at.visitor.browser.go(`${origin}/login?${query}`)
      expect([page.status, policyOf(page)]).toEqual([200, expect.stringContaining("form-action 'self'")])
    }
  })

  test("C158: show the client's logo on the consent page", async () => {
    const at = await beginLogin({ consent: "ask", appearance: { logo: dataUrl("png", png()), dark_logo: null } })
    const page = await logIn(at)
    const shown = /<img class="logo" src="([^"]*)" alt="">/.exec(page.text)?.[1] ?? ""
    expect(policyOf(page)).toContain("img-src 'self'")
    const appearance = (await at.realm.get(`/v2/client_apps/${at.client.id}`)).member("appearance")
    expect(appearance).toMatchObject({ logo_url: `${at.origin}${shown}`, dark_logo_url: null })
    expect(at.client.body).toMatchObject({ appearance })
    const logo = await at.visitor.browser.go(`${at.origin}${shown}`)
    expect([logo.status, logo.headers.get("content-type")]).toEqual([200, "image/png"])
    await at.realm.put(`/v2/client_apps/${at.app.id}`, { client_app: { state: "inactive" } })
    const without = (await at.realm.get(`/v2/client_apps/${at.client.id}`)).body
    expect(without).toMatchObject({ appearance: { logo_url: null } })
  })
})
