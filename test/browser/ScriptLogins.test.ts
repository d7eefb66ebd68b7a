import { decodeJwt } from "jose"
import { expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { PASSWORD } from "../support/logins.ts"
import { type BrowserApp, withApp } from "./Apps.ts"
import { withVisitor } from "./Browser.ts"
import { withSite } from "./Site.ts"

const html = "<!doctype html><title>An app</title><p>An app"

const person = async ({ realm }: BrowserApp) => {
  const email = `${uniqueText("jo")}@example.test`
  const user = await realm.user({ email, password: PASSWORD })
  return { email, user }
}

const tokenIn = (told: unknown): string => {
  const token = typeof told === "object" && told !== null && "token" in told ? told.token : undefined
  return typeof token === "string" ? token : ""
}

/** Logs in and out by fetch from an app's page on one of its origins. Returns the cookies and the session. */
const logInByFetch = async (at: BrowserApp, host: string) => {
  const { email, user } = await person(at)
  return withSite(host, async (site) => {
    await at.realm.put(`/v2/client_apps/${at.app.id}`, { client_app: { redirect_uris: [`${site.origin}/back`] } })
    site.serve("/app", html)
    return withVisitor(async ({ page, context, complaints }) => {
      await page.goto(`${site.origin}/app`)
      const told: unknown = await page.evaluate(
        async ([pages, body]) => {
          const headers = { "content-type": "application/json" }
          const response = await fetch(`${pages}/v1/login`, { method: "POST", headers, body, credentials: "include" })
          return response.json()
        },
        [at.pages, JSON.stringify({ email, password: PASSWORD })] as const
      )
      expect(told).toMatchObject({ result: "okay", url: expect.stringContaining(`${at.site.origin}/callback?token=`) })
      expect(decodeJwt(tokenIn(told))["sub"]).toBe(user.id)
      const kept = (await context.cookies(at.pages)).map(({ name }) => name)
      const ended: unknown = await page.evaluate(async (pages) => {
        const response = await fetch(`${pages}/v1/logout`, { method: "POST", credentials: "include" })
        return [response.status, await response.text()]
      }, at.pages)
      const left = (await context.cookies(at.pages)).map(({ name }) => name)
      expect([ended, left, complaints]).toEqual([[200, ""], kept.filter((name) => name !== "session"), []])
      return { kept, session: await at.realm.get(`/v2/sessions/${decodeJwt(tokenIn(told))["sid"]}`) }
    })
  })
}

test("a fetch from an app's page can log in, but gets no cookie if the page is on another site (CORS)", () =>
  withApp(async (at) => {
    const { kept, session } = await logInByFetch(at, "shop.localhost")
    expect([kept, session.status]).toEqual([[], 200])
  }))

test("a fetch from an app's page on the same site gets a session cookie and can use it to log out", () =>
  withApp(async (at) => {
    const { kept, session } = await logInByFetch(at, "shop.local.localhost")
    expect([kept, session.status]).toEqual([["session", "known_browser"], 404])
  }))

test("SEC-98: a script tag cannot log in from another site's page or from a page without a referrer", () =>
  withApp(async (at) => {
    const { email } = await person(at)
    const read = `new Promise((resolve) => {
      window.app = { told: resolve }
      const script = document.createElement("script")
      document.head.append(Object.assign(script, { src: SRC, onerror: () => resolve("not loaded") }))
    })`
    await withSite("evil.example.test", async (evil) => {
      evil.serve("/app", html)
      at.site.serve("/hidden", `<!doctype html><meta name="referrer" content="no-referrer"><title>An app</title>`)
      const events = await at.realm.seen.caused(() =>
        withVisitor(async ({ page }) => {
          for (const address of [`${evil.origin}/app`, `${at.site.origin}/hidden`]) {
            await page.goto(address)
            // Twelve wrong passwords would lock the account if they were checked.
            for (let n = 0; n < 12; n += 1) {
              const parameters = new URLSearchParams({
                email,
                password: n === 11 ? PASSWORD : `wrong-${n}`,
                callback: "app.told"
              })
              const src = JSON.stringify(`${at.pages}/v1/login?${parameters}`)
              expect(await page.evaluate(read.replace("SRC", src))).toEqual({
                error: "The request's origin is not allowed for this app.",
                errors: ["The request's origin is not allowed for this app."]
              })
            }
          }
        })
      )
      expect(events).toEqual([])
    })
  }))

test("a script tag on an app's page logs in without a cookie if the app allows JSONP", () =>
  withApp(async (at) => {
    const { email, user } = await person(at)
    at.site.serve("/app", html)
    await withVisitor(async ({ page, context, complaints }) => {
      await page.goto(`${at.site.origin}/app`)
      const parameters = new URLSearchParams({ email, password: PASSWORD, callback: "app.told" })
      const src = JSON.stringify(`${at.pages}/v1/login?${parameters}`)
      const told: unknown = await page.evaluate(`new Promise((resolve, reject) => {
        window.app = { told: resolve }
        const script = document.createElement("script")
        document.head.append(Object.assign(script, { src: ${src}, onerror: () => reject(new Error("not loaded")) }))
      })`)
      expect(told).toMatchObject({ result: "okay" })
      expect(decodeJwt(tokenIn(told))["sub"]).toBe(user.id)
      expect(await context.cookies(at.pages)).toEqual([])
      expect(complaints).toEqual([])
    })
  }))
