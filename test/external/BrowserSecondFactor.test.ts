import { describe, expect, test } from "vitest"
import { profile } from "../support/external.ts"
import { enrolled, userEvent as event, wrongCode } from "../support/logins.ts"
import { fieldOf, statusAndHeading } from "../support/pages.ts"
import { newRealm } from "../support/sallyport.ts"
import { appWithDouble, logInAtProvider, redirectTarget, sessionOf } from "./BrowserLogins.ts"

const LOGIN_LOST = [422, "This login can't be completed"]

describe("a provider login that needs a second factor", () => {
  const prepared = async (app = {}) => {
    const realm = await newRealm()
    const told = profile()
    const user = await realm.user({ email: told.email, email_verification: "verified" })
    const at = await appWithDouble(realm, { told, app })
    const device = await enrolled(realm, user.id)
    return { realm, user, at, device }
  }

  test("asks for the code on a page whose form may redirect to other origins (C83)", async () => {
    const place = "https://phone.example.test/cb"
    const { realm, user, at, device } = await prepared({ redirect_uris: [place] })
    const { result: page, events } = await realm.seen.during(() => logInAtProvider(at, `?redirect_uri=${place}`))
    expect([...statusAndHeading(page), events]).toEqual([
      200,
      "Enter your code",
      [event(user, "updated"), event(user, "login.initiated")]
    ])
    expect(page.headers.get("content-security-policy")).not.toContain("form-action")
    expect(page.headers.get("location")).toBe(null)
    const fields = { login: fieldOf(page, "login") ?? "", redirect_uri: fieldOf(page, "redirect_uri") ?? "" }
    const send = (more: Readonly<Record<string, string>>, headers = {}) =>
      at.browser.go(`${at.path}/code`, { form: { ...fields, ...more }, headers })

    const wrong = await realm.seen.during(() => send({ code: wrongCode(device) }))
    expect([...statusAndHeading(wrong.result), wrong.events]).toEqual([
      422,
      "Enter your code",
      [event(user, "login.failed")]
    ])
    expect(wrong.result.headers.get("content-security-policy")).not.toContain("form-action")
    expect(statusAndHeading(await send({ code: device.code(), redirect_uri: "https://evil.test/" }))[0]).toBe(422)
    const foreign = { origin: "https://evil.test", "sec-fetch-site": "cross-site" }
    expect((await send({ code: device.code() }, foreign)).status).toBe(403)
    const done = await realm.seen.during(() => send({ code: ` ${device.code()} ` }))
    const url = redirectTarget(done.result)
    expect([done.result.status, url.origin + url.pathname, url.searchParams.get("signup")]).toEqual([302, place, null])
    const session = await sessionOf(realm, url)
    expect(session.member("client_app_id")).toBe(at.app.id)
    expect(done.events).toEqual([{ ...event(user, "login.succeeded"), session_id: session.id }])
    expect(statusAndHeading(await send({ code: device.code(1) }))).toEqual(LOGIN_LOST)
  })

  test("shows a page with a link to start over if the login has expired or is unknown", async () => {
    const { at, device } = await prepared()
    for (const login of ["", "kli_x", `kli_${"A".repeat(43)}`]) {
      const reply = await at.browser.go(`${at.path}/code`, { form: { login, code: device.code() } })
      expect(statusAndHeading(reply)).toEqual(LOGIN_LOST)
      expect(reply.text).toContain(`href="${new URL(at.path).pathname}"`)
    }
    expect((await at.browser.go(`${at.path}/code`)).status).toBe(405)
    const headers = { "content-type": "application/json" }
    expect((await at.browser.go(`${at.path}/code`, { form: {}, headers })).status).toBe(415)
  })
})
