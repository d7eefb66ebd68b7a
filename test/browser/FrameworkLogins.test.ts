import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { hostedOperations } from "#api/hosted/V1"
import type { GivenRealm } from "#testing/Given"
import { PASSWORD } from "../support/logins.ts"
import { submitForm, waitForHeading } from "./Apps.ts"
import { withVisitor } from "./Browser.ts"
import { frameworkApps, type RunApp } from "./FrameworkApps.ts"
import { browserService } from "./Service.ts"
import { freePort, withSite } from "./Site.ts"

/** An app with hosted login, and its user. */
interface LoginSite {
  readonly origin: string
  readonly realm: GivenRealm
  readonly userId: string
  readonly email: string
  /** Opens a page that requires a login, and logs in. */
  readonly logIn: (page: Page) => Promise<void>
  /** Begins a login and returns its state. */
  readonly begin: (page: Page) => Promise<string>
  readonly handOver: (page: Page, token: string, state: string) => Promise<unknown>
  /** A token of a user who logged in for the app in another browser. */
  readonly token: (email: string) => Promise<string>
}

/** Runs an app with hosted login until `use` is done. */
const withLogin = async (run: RunApp, use: (site: LoginSite) => Promise<void>): Promise<void> => {
  const { given, publicUrl, now } = await browserService()
  const [realm, port] = [await given.realm({ jwt_algo: "rs256", username_validation_human: "email" }), await freePort()]
  const origin = `http://localhost:${port}`
  const app = await realm.connectedApp({ login_handler: `${origin}/callback`, logout_uris: [`${origin}/`] })
  const user = await realm.user({ first_name: "Jo", password: PASSWORD })
  const email = user.string("email")
  const running = await run(port, { url: publicUrl, key: (await realm.as("write")).key, app: app.id, now })
  try {
    await use({
      origin,
      realm,
      userId: user.id,
      email,
      logIn: async (page) => {
        await page.goto(`${origin}/notes?page=2`)
        await submitForm(page, { Email: email, Password: PASSWORD }, "Log in")
        await waitForHeading(page, "Notes of Jo")
      },
      begin: async (page) => {
        await page.goto(`${origin}/login`)
        await waitForHeading(page, "Log in")
        return new URL(page.url()).searchParams.get("state") ?? ""
      },
      handOver: (page, token, state) => page.goto(`${origin}/callback?${new URLSearchParams({ token, state })}`),
      token: async (username) => {
        const headers = { host: app.string("domains", 0), "content-type": "application/json" }
        const body = JSON.stringify({ username, password: PASSWORD })
        const { text } = await realm.transport.send({
          method: "POST",
          path: hostedOperations.login.path,
          headers,
          body
        })
        return String(Reflect.get(Object(JSON.parse(text)), "token"))
      }
    })
  } finally {
    await running.close()
  }
}

const greeting = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor()

describe.each(Object.entries(frameworkApps))("hosted login in %s", (_, run) => {
  test("logs a user in and returns to the page that required it, logs out, and starts again", () =>
    withLogin(run, ({ origin, realm, userId, email, logIn }) =>
      withVisitor(async ({ page, context, complaints }) => {
        await page.goto(origin)
        await greeting(page, "Nobody is logged in.")
        await logIn(page)
        expect(page.url()).toBe(`${origin}/notes?page=2`)
        await greeting(page, "Page 2.")
        const cookies = await context.cookies(origin)
        expect(cookies).toMatchObject([{ name: "session", httpOnly: true, sameSite: "Lax", path: "/" }])

        await page.goto(origin)
        await page.getByRole("button", { name: "Log out" }).click()
        await greeting(page, "Nobody is logged in.")
        expect(page.url()).toBe(`${origin}/`)
        expect(await context.cookies(origin)).toEqual([])
        expect((await realm.get(`/v2/sessions?user_id=${userId}`)).items).toEqual([])

        // The login pages have forgotten the user, too.
        await page.getByRole("link", { name: "Notes" }).click()
        await submitForm(page, { Email: email, Password: PASSWORD }, "Log in")
        await waitForHeading(page, "Notes of Jo")
        // Back returns to the login pages, which send another token for a login that is already completed.
        await page.goBack()
        await page.waitForURL((url) => url.origin === origin)
        await page.goto(origin)
        await greeting(page, "Hello Jo.")
        expect(complaints).toEqual([])
      })
    ))

  test("SEC-265, SEC-266: accepts a token once, from a login started in this browser, and replaces any other session", () =>
    withLogin(run, async ({ origin, realm, email, begin, handOver, token }) => {
      const eve = await realm.user({ first_name: "Eve", password: PASSWORD })
      const [own, foreign] = [await token(email), await token(eve.string("email"))]
      const hers = await withVisitor(({ page }) => begin(page))
      await withVisitor(async ({ page, context }) => {
        const turnedAway = async (state: string) => {
          await handOver(page, foreign, state)
          await page.getByText("This login was not started in this browser").waitFor()
          expect(page.url()).toBe(`${origin}/callback?problem=state`)
          await page.goto(origin)
          await greeting(page, "Nobody is logged in.")
        }
        for (const state of [hers, "", "guessed"]) await turnedAway(state)
        // A session that the attacker has put there.
        await context.addCookies([{ name: "session", value: foreign, url: origin }])
        const state = await begin(page)
        await handOver(page, own, state)
        await greeting(page, "Hello Jo.")
        await handOver(page, foreign, state)
        await greeting(page, "Hello Jo.")
        await context.clearCookies()
        await turnedAway(state)
      })
    }))

  test("SEC-267: never redirects to another site", () =>
    withLogin(run, ({ origin, email, handOver, token }) =>
      withSite("evil.example.test", (evil) =>
        withVisitor(async ({ page }) => {
          for (const target of [evil.origin, `//${new URL(evil.origin).host}`, `/\\${new URL(evil.origin).host}`]) {
            await page.goto(`${origin}/login?${new URLSearchParams({ return_to: target })}`)
            await waitForHeading(page, "Log in")
            await handOver(page, await token(email), new URL(page.url()).searchParams.get("state") ?? "")
            expect(page.url()).toBe(`${origin}/`)
          }
          expect(evil.received).toEqual([])
        })
      )
    ))

  test("SEC-268: rejects requests from another site", () =>
    withLogin(run, ({ origin, logIn }) =>
      withSite("evil.example.test", (evil) =>
        withVisitor(async ({ page }) => {
          await logIn(page)
          for (const [path, status] of [
            ["/logout", 403],
            ["/notes", 401]
          ] as const) {
            evil.serve("/", `<img src="${origin}/logout"><form method="post" action="${origin}${path}"><button>Win`)
            await page.goto(evil.origin)
            const [answer] = await Promise.all([
              page.waitForResponse((response) => response.request().method() === "POST"),
              page.getByRole("button", { name: "Win" }).click()
            ])
            expect([path, answer.status()]).toEqual([path, status])
          }
          await page.goto(origin)
          await greeting(page, "Hello Jo.")
        })
      )
    ))
})
