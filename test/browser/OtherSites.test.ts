import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { PASSWORD } from "../support/logins.ts"
import { type BrowserApp, submitForm, waitForHandover, waitForHeading, withApp } from "./Apps.ts"
import { withVisitor } from "./Browser.ts"
import { type Site, withSite } from "./Site.ts"

const loggedIn = async (page: Page, at: BrowserApp) => {
  const user = await at.realm.user({ password: PASSWORD })
  await page.goto(`${at.pages}/login`)
  await submitForm(page, { Email: user.string("email"), Password: PASSWORD }, "Log in")
  await waitForHandover(page, at)
  const [session] = (await at.realm.get(`/v2/sessions?user_id=${user.id}`)).items
  return { user, session: String(session?.["id"]) }
}

const isOpen = async ({ realm }: BrowserApp, session: string): Promise<boolean> =>
  (await realm.get(`/v2/sessions/${session}`)).status === 200

/** Runs `use` with an app and an attacker's site. */
const withAttackerSite = (use: (at: BrowserApp, evil: Site, page: Page) => Promise<void>, app: object = {}) =>
  withApp((at) => withSite("evil.example.test", (evil) => withVisitor(({ page }) => use(at, evil, page))), {
    app: { ...app }
  })

describe("another site in a browser with a session", () => {
  test("SEC-35: cannot submit a form of any type that needs no preflight", () =>
    withAttackerSite(async (at, evil, page) => {
      const { session } = await loggedIn(page, at)
      const { events } = await at.realm.seen.during(async () => {
        const ours = page.waitForEvent("popup")
        // The response opens in its own window, which is top-level like a tab. The attacker's tab needn't navigate
        // back.
        for (const path of ["/logout", "/login", "/profile", "/signup", "/accounts", "/invitation"]) {
          for (const type of ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data"]) {
            const fields = ["logout", "continue", "details", "signup"].map((way) => `<input name="way" value="${way}">`)
            const field = fields[["/logout", "/login", "/profile", "/signup"].indexOf(path)] ?? ""
            const form = `method="post" target="ours" enctype="${type}" action="${at.pages}${path}"`
            evil.serve("/", `<form ${form}>${field}<button>Win`)
            await page.goto(evil.origin)
            const [answer] = await Promise.all([
              page.context().waitForEvent("response", (response) => response.request().method() === "POST"),
              page.getByRole("button", { name: "Win" }).click()
            ])
            expect([path, type, answer.url(), answer.status()]).toEqual([path, type, `${at.pages}${path}`, 403])
            expect(await answer.text()).toContain("This request came from another site")
            await waitForHeading(await ours, "This request came from another site")
          }
        }
      })
      expect([events, await isOpen(at, session)]).toEqual([[], true])
    }))

  test("SEC-30: cannot log the user out with a link, because the page asks first", () =>
    withAttackerSite(async (at, evil, page) => {
      const { session } = await loggedIn(page, at)
      evil.serve("/", `<img src="${at.pages}/logout"><a href="${at.pages}/logout?way=logout">Look</a>`)
      await page.goto(evil.origin)
      await page.getByRole("link", { name: "Look" }).click()
      await waitForHeading(page, "Log out?")
      expect(await isOpen(at, session)).toBe(true)
    }))

  test("SEC-30, SEC-34: cannot read responses or end the session by fetch or script tag", () =>
    withAttackerSite(async (at, evil, page) => {
      const { session } = await loggedIn(page, at)
      const calls = ["/login", "/profile", "/v1/check_session", "/v1/logout"].map((path) => `${at.pages}${path}`)
      evil.serve(
        "/",
        `<!doctype html><title>evil</title><pre></pre><script>
        const said = []
        window.took = (value) => said.push(JSON.stringify(value))
        const tags = ["/v1/check_session", "/v1/logout"].map((path) => new Promise((done) => {
          const tag = document.createElement("script")
          tag.src = "${at.pages}" + path + "?callback=took"
          tag.onload = tag.onerror = done
          document.body.append(tag)
        }))
        const calls = ${JSON.stringify(calls)}.map((url) =>
          fetch(url, { credentials: "include" }).then((answer) => answer.text(), () => "refused").then((text) => said.push(text)))
        Promise.all([...tags, ...calls]).then(() => { document.querySelector("pre").textContent = said.join("\\n"); document.title = "done" })
        </script>`
      )
      await page.goto(evil.origin)
      await page.waitForFunction("document.title === 'done'")
      const read = await page.locator("pre").innerText()
      expect(read.split("\n").filter((line) => line === "refused").length).toBe(calls.length)
      expect(read).toContain(`{"valid":false,"error":"The request's origin is not allowed for this app."`)
      expect(read).not.toMatch(/"valid":true|"token":"/)
      expect(await isOpen(at, session)).toBe(true)
    }))

  test("SEC-38: cannot show a hosted page in a frame", () =>
    withAttackerSite(async (at, evil, page) => {
      await loggedIn(page, at)
      evil.serve("/", `<iframe src="${at.pages}/profile"></iframe><iframe src="${at.pages}/login"></iframe>`)
      await page.goto(evil.origin)
      await page.waitForLoadState("load")
      const shown = await Promise.all(
        page
          .frames()
          .slice(1)
          .map((frame) => frame.content())
      )
      expect(shown.length).toBe(2)
      expect(shown.join("")).not.toContain("Your profile")
      expect(shown.join("")).not.toContain("You're logged in")
    }))
})

describe("SEC-31: an app's custom header and footer", () => {
  test("cannot run scripts, submit forms to other sites or load resources from other sites", () =>
    withSite("evil.example.test", (evil) => {
      const bad = [
        `<b>Hello</b><script>fetch("${evil.origin}/script")</script>`,
        `<img src="${evil.origin}/image" onerror="alert(1)"><svg onload="alert(1)"></svg>`,
        `<a href="javascript:alert(1)">Click</a><base href="${evil.origin}/">`,
        `<form action="${evil.origin}/form"><input name="password">`,
        `<iframe src="${evil.origin}/frame"></iframe><meta http-equiv="refresh" content="0;url=${evil.origin}/meta">`,
        `<style>@import "${evil.origin}/style";</style><link rel="stylesheet" href="${evil.origin}/link">`,
        `<math><mtext><table><mglyph><style><!--</style><img src onerror=alert(1)>`
      ].join("")
      return withApp(
        (at) =>
          withVisitor(async ({ page, complaints }) => {
            const user = await at.realm.user({ password: PASSWORD })
            await page.goto(`${at.pages}/login`)
            await page.getByRole("banner").getByText("Hello").waitFor()
            await submitForm(page, { Email: user.string("email"), Password: PASSWORD }, "Log in")
            await waitForHandover(page, at)
            expect(complaints.filter((line) => line.startsWith("A dialog"))).toEqual([])
            expect(evil.received.map(({ url }) => url.pathname)).toEqual([])
          }),
        { app: { header: bad, footer: bad } }
      )
    }))
})

test("SEC-33: a browser is never redirected to a URL outside the app", () =>
  withApp(async (at) =>
    withVisitor(async ({ page, requestedUrls: asked }) => {
      for (const elsewhere of [
        "http://evil.example.test/",
        "//evil.example.test",
        "/\\evil.example.test",
        `${at.site.origin}@evil.example.test/`,
        `${at.site.origin}.evil.example.test/`,
        "javascript:alert(1)"
      ]) {
        await page.goto(`${at.pages}/login?redirect_uri=${encodeURIComponent(elsewhere)}`)
        await waitForHeading(page, "This link isn't valid")
      }
      expect(asked.filter((address) => new URL(address).hostname.endsWith("example.test"))).toEqual([])
    })
  ))
