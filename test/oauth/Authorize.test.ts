import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import {
  authorize,
  authorizing,
  begin,
  CALLBACK,
  CHOICE,
  CONSENT,
  followRedirects,
  LOGIN,
  redirectParams,
  requestAuthorization,
  requestOf
} from "../support/authorize.ts"
import { PASSWORD } from "../support/logins.ts"
import { oauthClient } from "../support/oauth.ts"
import { heading, statusAndHeading, visibleText } from "../support/pages.ts"
import { clockedService } from "../support/sallyport.ts"
import { formsIn } from "../support/visitor.ts"

const newRealm = async (settings: Readonly<Record<string, unknown>> = {}): Promise<GivenRealm> =>
  (await clockedService()).given.realm(settings)

/** Moves the test clock forward. */
const advanceClock = async (seconds: number) => (await clockedService()).advance(`${seconds} seconds`)

const CODE = expect.stringMatching(/^oac_[\dA-Za-z]{43}$/)

const issuerOf = async (realm: GivenRealm): Promise<unknown> => {
  const discovery = await realm.call("GET", `/realms/${realm.id}/.well-known/openid-configuration`)
  return discovery.member("issuer")
}

describe("RFC 6749 §4.1: an authorization request", () => {
  test("SEC-151: opens the login pages of the realm's oldest app, then returns a code and the issuer", async () => {
    const realm = await newRealm()
    const at = await authorizing(realm)
    const begun = await requestAuthorization(at)
    expect([begun.status, begun.text]).toEqual([303, ""])
    expect(begun.headers.get("location")).toMatch(new RegExp(`^${at.origin}/authorize\\?request=oar_[\\dA-Za-z]{43}$`))
    expect(begun.headers.get("cache-control")).toBe("no-store")
    await begin(at)
    expect(statusAndHeading(at.visitor.page)).toEqual([200, LOGIN])
    const { events } = await realm.seen.during(async () => {
      await at.visitor.fill({ name: at.email, password: PASSWORD }, LOGIN)
      await followRedirects(at)
    })
    expect(redirectParams(at)).toEqual({ code: CODE, state: "s-1", iss: await issuerOf(realm) })
    expect(events.map(({ event_type }) => event_type)).toEqual(["user.login.succeeded"])
  })

  test("accepts POST and redirects with 303 rather than 307", async () => {
    const at = await authorizing(await newRealm())
    const reply = await at.visitor.browser.go(`https://id.example.test/realms/${at.realm.id}/authorize`, {
      form: Object.fromEntries(requestOf(at))
    })
    expect(reply.status).toBe(303)
    await at.visitor.open(new URL(reply.headers.get("location") ?? "").search.replace(/^/, "/authorize"))
    await followRedirects(at)
    expect(heading(at.visitor.page)).toBe(LOGIN)
  })

  test("logs the user in to another client without a second login (single sign-on)", async () => {
    const at = await authorizing(await newRealm())
    await authorize(at)
    const other = { ...at, client: await oauthClient(at.realm, { consent: "skip", client_type: "spa" }) }
    await begin(other, { state: "s-2" })
    expect(redirectParams(other)).toMatchObject({ code: CODE, state: "s-2" })
  })

  test("returns a form that posts to the client if response_mode is form_post", async () => {
    const at = await authorizing(await newRealm())
    await authorize(at)
    await begin(at, { response_mode: "form_post" })
    expect(statusAndHeading(at.visitor.page)).toEqual([200, "Logging you in"])
    expect(formsIn(at.visitor.page)).toMatchObject([
      { action: CALLBACK, values: { code: CODE, state: "s-1", iss: await issuerOf(at.realm) } }
    ])
    const policy = at.visitor.page.headers.get("content-security-policy") ?? ""
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain("form-action")
  })

  test("SEC-150: shows errors on a page unless the redirect URI is registered for the client", async () => {
    const at = await authorizing(await newRealm())
    const statusAndTitle = async (params: Readonly<Record<string, string>>) =>
      statusAndHeading(await requestAuthorization(at, params))
    const INVALID = [400, "This link isn't valid"]
    expect(await statusAndTitle({ client_id: "" })).toEqual(INVALID)
    expect(await statusAndTitle({ client_id: "lpl_unknown" })).toEqual(INVALID)
    expect(await statusAndTitle({ client_id: at.app.id })).toEqual(INVALID)
    expect(await statusAndTitle({ redirect_uri: "" })).toEqual(INVALID)
    expect(await statusAndTitle({ redirect_uri: `${CALLBACK}/` })).toEqual(INVALID)
    const page = await requestAuthorization(at, { redirect_uri: "https://evil.example/" })
    expect(page.headers.get("location")).toBeNull()
    expect(visibleText(page)).not.toContain("evil.example")
    expect(visibleText(page)).toContain("invalid_request: redirect_uri is not registered for the client.")
  })

  test("returns other errors to the client in the requested response mode", async () => {
    const at = await authorizing(await newRealm())
    const reply = await requestAuthorization(at, { response_type: "token" })
    expect(reply.status).toBe(303)
    expect(Object.fromEntries(new URL(reply.headers.get("location") ?? "").searchParams)).toEqual({
      error: "unsupported_response_type",
      error_description: "The only response_type is code.",
      state: "s-1",
      iss: await issuerOf(at.realm)
    })
    const posted = await requestAuthorization(at, { response_mode: "form_post", scope: "nothing" })
    expect(formsIn(posted)).toMatchObject([{ action: CALLBACK, values: { error: "invalid_scope", state: "s-1" } }])
  })
})

describe("consent", () => {
  const atConsentPage = async (scope = "openid profile") => {
    const at = await authorizing(await newRealm(), { client: { consent: "ask", name: "Reports <b>" } })
    await begin(at, { scope })
    await at.visitor.fill({ name: at.email, password: PASSWORD }, LOGIN)
    await followRedirects(at)
    return at
  }

  test("is requested only once, stored and recorded as an event", async () => {
    const at = await atConsentPage()
    expect(statusAndHeading(at.visitor.page)).toEqual([200, CONSENT])
    const words = visibleText(at.visitor.page)
    for (const part of ["Reports <b>", "app.example.test", at.email, "See your name and username"]) {
      expect(words).toContain(part)
    }
    const { events } = await at.realm.seen.during(async () => at.visitor.fill({}, "Allow"))
    expect(redirectParams(at)).toMatchObject({ code: CODE })
    expect(events).toEqual([
      {
        event_type: "oauth.consent.granted",
        user_id: at.user.id,
        client_app_id: at.client.id,
        session_id: expect.stringMatching(/^kss_/)
      }
    ])
    await begin(at, { scope: "openid" })
    expect(redirectParams(at)).toMatchObject({ code: CODE })
    await begin(at, { scope: "openid email" })
    expect(heading(at.visitor.page)).toBe(CONSENT)
    await at.visitor.fill({}, "Allow")
    await begin(at, { scope: "openid profile email" })
    expect(redirectParams(at)).toMatchObject({ code: CODE })
    await begin(at, { scope: "openid", prompt: "consent" })
    expect(heading(at.visitor.page)).toBe(CONSENT)
  })

  test("SEC-195: is stored per scope and resource server", async () => {
    const [api, other] = ["https://api.example.test", "https://other.example.test"]
    const client = { consent: "ask", resources: [api, other] }
    const at = await authorizing(await newRealm(), { client })
    const isAskedFor = async (scope: string, resource = "") => {
      await begin(at, { scope, resource })
      const isAsked = at.visitor.page.status === 200 && heading(at.visitor.page) === CONSENT
      if (isAsked) await at.visitor.fill({}, "Allow")
      expect(redirectParams(at)).toMatchObject({ code: CODE })
      return isAsked
    }
    await authorize(at, { scope: "openid profile email" })
    expect([await isAskedFor("openid", api), await isAskedFor("openid", api)]).toEqual([true, false])
    expect([await isAskedFor("openid profile", api), await isAskedFor("profile email", api)]).toEqual([true, true])
    expect([
      await isAskedFor("openid", other),
      await isAskedFor("openid profile email"),
      await isAskedFor("email", api)
    ]).toEqual([true, false, false])
    expect((await at.realm.get("/v2/consents")).items).toMatchObject([
      { scopes: ["email", "openid", "profile"], resources: [api, other] }
    ])
  })

  test("ends the request with access_denied when the user declines", async () => {
    const at = await atConsentPage()
    const hidden = at.visitor.form("Allow").values
    const { events } = await at.realm.seen.during(async () => at.visitor.fill({}, "Don't allow"))
    expect(redirectParams(at)).toMatchObject({ error: "access_denied", state: "s-1" })
    expect(events).toEqual([])
    await at.visitor.send("authorize", hidden)
    expect(statusAndHeading(at.visitor.page)).toEqual([400, "This login can't be completed"])
  })

  test("is accepted only from the user to whom the consent form was shown", async () => {
    const at = await atConsentPage()
    const hidden = at.visitor.form("Allow").values
    await at.visitor.send("authorize", { ...hidden, user: "usr_other" })
    expect(heading(at.visitor.page)).toBe(CONSENT)
  })
})

describe("the login parameters of an authorization request", () => {
  const loggedIn = async (settings: Readonly<Record<string, unknown>> = {}) => {
    const at = await authorizing(await newRealm(settings))
    await authorize(at)
    await advanceClock(1)
    return at
  }

  test("prompt=none returns a code or an error without user interaction", async () => {
    const at = await authorizing(await newRealm())
    await begin(at, { prompt: "none" })
    expect(redirectParams(at)).toMatchObject({ error: "login_required", state: "s-1" })
    await authorize(at)
    await advanceClock(1)
    await begin(at, { prompt: "none" })
    expect(redirectParams(at)).toMatchObject({ code: CODE })
    await begin(at, { prompt: "none", login_hint: "someone.else@example.test" })
    expect(redirectParams(at)).toMatchObject({ error: "account_selection_required" })
    await begin(at, { prompt: "none", acr_values: "aal2" })
    expect(redirectParams(at)).toMatchObject({ code: CODE })
    const withConsentClient = { ...at, client: await oauthClient(at.realm, { consent: "ask" }) }
    await begin(withConsentClient, { prompt: "none" })
    expect(redirectParams(withConsentClient)).toMatchObject({ error: "consent_required" })
  })

  test("prompt=login and max_age require one new login", async () => {
    const at = await loggedIn()
    for (const params of [{ prompt: "login" }, { max_age: "0" }, { max_age: "5" }]) {
      await advanceClock(10)
      await begin(at, params)
      expect([params, heading(at.visitor.page)]).toEqual([params, LOGIN])
      expect(at.visitor.form(LOGIN).values).toMatchObject({ name: at.email })
      await at.visitor.fill({ password: PASSWORD }, LOGIN)
      await followRedirects(at)
      expect(redirectParams(at)).toMatchObject({ code: CODE })
    }
    await begin(at, { max_age: "600" })
    expect(redirectParams(at)).toMatchObject({ code: CODE })
  })

  test("prompt=select_account lets the user choose another account", async () => {
    const at = await loggedIn()
    await begin(at, { prompt: "select_account" })
    expect(heading(at.visitor.page)).toBe(CHOICE)
    expect(visibleText(at.visitor.page)).toContain(at.email)
    await at.visitor.fill()
    expect(redirectParams(at)).toMatchObject({ code: CODE })
    await advanceClock(10)
    await begin(at, { prompt: "select_account" })
    const other = /href="(login\?[^"]*way=login[^"]*)"/.exec(at.visitor.page.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
    await at.visitor.open(`/${other}`)
    await at.visitor.fill({ name: at.email, password: PASSWORD }, LOGIN)
    await followRedirects(at)
    expect(redirectParams(at)).toMatchObject({ code: CODE })
  })

  test("prompt=create opens the sign-up page", async () => {
    const at = await authorizing(await newRealm(), { app: { signup_mode: "user" } })
    await begin(at, { prompt: "create" })
    expect(heading(at.visitor.page)).toBe("Create your account")
  })

  test("login_hint prefills the login name, and asks for an account if another user is logged in", async () => {
    const at = await authorizing(await newRealm())
    await begin(at, { login_hint: at.email.toUpperCase() })
    expect(at.visitor.form(LOGIN).values).toMatchObject({ name: at.email.toUpperCase() })
    await at.visitor.fill({ name: at.email, password: PASSWORD }, LOGIN)
    await followRedirects(at)
    expect(redirectParams(at)).toMatchObject({ code: CODE })
    await advanceClock(10)
    await begin(at, { login_hint: at.email.toUpperCase() })
    expect(redirectParams(at)).toMatchObject({ code: CODE })
    await begin(at, { login_hint: "someone.else@example.test" })
    expect(heading(at.visitor.page)).toBe(CHOICE)
  })

  test("ui_locales sets the language of the pages", async () => {
    const at = await authorizing(await newRealm())
    await begin(at, { ui_locales: "fr es-MX en", prompt: "consent" })
    expect(heading(at.visitor.page)).toBe("Inicie sesión")
    expect(at.visitor.page.headers.get("content-language")).toBe("es")
    await at.visitor.fill({ name: at.email, password: PASSWORD })
    await followRedirects(at)
    expect(heading(at.visitor.page)).toBe("¿Permitir el acceso a su cuenta?")
    expect(at.visitor.page.headers.get("content-language")).toBe("es")
  })

  test("acr_values requires a second factor if the realm allows second factors", async () => {
    const at = await loggedIn({ mfa: "optional" })
    await begin(at, { acr_values: "aal2" })
    expect(heading(at.visitor.page)).toBe("Set up two-step verification")
    const claims = JSON.stringify({ id_token: { acr: { essential: true, value: "aal2" } } })
    await begin(at, { claims, prompt: "none" })
    expect(redirectParams(at)).toMatchObject({ error: "interaction_required" })
  })

  test("an unsatisfiable essential acr claim is rejected, but an unsatisfiable voluntary acr claim is ignored", async () => {
    const at = await loggedIn({ mfa: "off" })
    const claims = JSON.stringify({ id_token: { acr: { essential: true, values: ["aal2"] } } })
    const reply = await requestAuthorization(at, { claims })
    expect(reply.headers.get("location")).toContain("error=unmet_authentication_requirements")
    await begin(at, { acr_values: "aal2" })
    expect(redirectParams(at)).toMatchObject({ code: CODE })
  })
})
