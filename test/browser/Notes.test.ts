import { SignJWT, UnsecuredJWT } from "jose"
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { PASSWORD } from "../support/logins.ts"
import { submitForm } from "./Apps.ts"
import { expectAccessible } from "./Axe.ts"
import { withVisitor } from "./Browser.ts"
import { type Notes, withNotes } from "./Notes.ts"
import { browserService, emailLink } from "./Service.ts"
import { withSite } from "./Site.ts"

const person = (realm: Notes["realm"], first_name = "Jo") => realm.user({ first_name, last_name: "March" })

const tokenOf = async (realm: Notes["realm"], userId: string): Promise<string> =>
  (await realm.session(userId)).string("token")

/** Begins a login and returns the state that the login pages must return. */
const begin = async (page: Page, { origin, loginPages }: Notes): Promise<string> => {
  await page.goto(origin)
  await page.getByRole("button", { name: "Log in" }).click()
  await page.waitForURL((url) => url.origin === loginPages && url.pathname === "/login")
  const state = new URL(page.url()).searchParams.get("state") ?? ""
  expect(state).toMatch(/^[\da-f]{32}$/)
  return state
}

const handOver = (page: Page, { origin }: Notes, token: string, state?: string) =>
  page.goto(`${origin}/callback?${new URLSearchParams({ token, ...(state === undefined ? {} : { state }) })}`)

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor()

describe("the example app", () => {
  test("finds its existing realm and app, and updates the app's URL", async () => {
    const { given } = await browserService()
    const origins = [await withNotes(async ({ origin }) => origin), await withNotes(async ({ origin }) => origin)]
    const { items: realms } = await given.root.get("/v2/realms?reference=example:notes")
    const { items: apps } = await given.root.get(`/v2/client_apps?realm_id=${realms[0]?.["id"]}`)
    expect([realms.length, apps.length]).toEqual([1, 1])
    const app = await given.root.get(`/v2/client_apps/${apps[0]?.["id"]}?realm_id=${realms[0]?.["id"]}`)
    expect(app.member("login_handler")).toBe(`${origins[1]}/callback`)
  })

  test("greets a user with a valid token by name and stores notes per user", () =>
    withNotes(async (notes) => {
      const [jo, amy] = [await person(notes.realm, "<b>Jo</b>"), await person(notes.realm, "Amy")]
      await withVisitor(async (visitor) => {
        const { page, context, complaints } = visitor
        await page.goto(notes.origin)
        await expectAccessible(visitor, "Notes")
        const state = await begin(page, notes)
        const token = await tokenOf(notes.realm, jo.id)
        await handOver(page, notes, token, state)
        await heading(page, "Hello, <b>Jo</b> March")
        expect(page.url()).toBe(`${notes.origin}/`)
        await page.getByLabel("New note").fill("</li><script>alert(1)</script>")
        await page.keyboard.press("Enter")
        await page.getByRole("listitem").filter({ hasText: "</li><script>alert(1)</script>" }).waitFor()
        await expectAccessible(visitor, "Notes of a user")
        const cookies = await context.cookies(notes.origin)
        expect(cookies).toMatchObject([{ name: "notes", httpOnly: true, sameSite: "Lax", path: "/" }])
        expect(cookies[0]?.value).toBe(token)

        // The login pages redirect back immediately if they have no session.
        await page.getByRole("button", { name: "Log out" }).click()
        await page.waitForURL(`${notes.origin}/`)
        await heading(page, "Notes")

        const next = await begin(page, notes)
        await handOver(page, notes, await tokenOf(notes.realm, amy.id), next)
        await heading(page, "Hello, Amy March")
        expect(await page.getByRole("listitem").count()).toBe(0)
        expect(complaints).toEqual([])
      })
    }))

  test("redirects to the login pages for sign-up, logout and login", () =>
    withNotes((notes) =>
      withVisitor(async ({ page, complaints }) => {
        const email = `${uniqueText("meg")}@example.test`
        await page.goto(notes.origin)
        await page.getByRole("button", { name: "Sign up" }).click()
        await submitForm(page, { Email: email, Password: PASSWORD }, "Create account")
        await page.getByText(`You're logged in as ${email} (not confirmed yet).`).waitFor()
        expect(page.url()).toBe(`${notes.origin}/`)
        await page.goto(await emailLink(email))
        await page.getByRole("button", { name: "Yes, confirm this address" }).click()
        await heading(page, "Email address confirmed")

        await page.goto(notes.origin)
        await page.getByRole("button", { name: "Log out" }).click()
        await page.waitForURL(`${notes.origin}/`)
        await page.getByRole("button", { name: "Log in" }).click()
        await submitForm(page, { Email: email, Password: PASSWORD }, "Log in")
        await page.getByText(`You're logged in as ${email} (confirmed).`).waitFor()

        // Back returns to the login pages, which send another token for a login that is already completed.
        await page.goBack()
        await page.waitForURL(`${notes.origin}/`)
        await page.getByText(`You're logged in as ${email} (confirmed).`).waitFor()
        expect(complaints).toEqual([])
      })
    ))

  test("SEC-91: accepts a token only once, with the state of a login started in the same browser", () =>
    withNotes(async (notes) => {
      const [jo, eve] = [await person(notes.realm), await person(notes.realm, "Eve")]
      const [token, foreign] = [await tokenOf(notes.realm, jo.id), await tokenOf(notes.realm, eve.id)]
      const expectRejected = async (page: Page, given: string, state: string) => {
        expect((await handOver(page, notes, given, state))?.status()).toBe(403)
        await page.getByText("This login was not started in this browser").waitFor()
      }
      // Without a state, the example begins a login.
      const stateOfNewLogin = async (page: Page, given: string) => {
        await handOver(page, notes, given)
        await heading(page, "Log in")
        return new URL(page.url()).searchParams.get("state") ?? ""
      }
      // Eve's own login: her token, and the state stored in her browser.
      const hers = await withVisitor(({ page }) => begin(page, notes))
      await withVisitor(async ({ page }) => {
        // Eve's link, opened before the victim begins a login and then during it.
        const own = await stateOfNewLogin(page, foreign)
        expect([own.length, own === hers]).toEqual([32, false])
        await expectRejected(page, foreign, hers)
        const state = await begin(page, notes)
        for (const wrong of ["", hers, `${state}x`, state.slice(1)]) await expectRejected(page, foreign, wrong)
        await page.goto(notes.origin)
        await heading(page, "Notes")
        expect((await handOver(page, notes, token, state))?.status()).toBe(200)
        await heading(page, "Hello, Jo March")
        // A logged-in user stays logged in, whatever token the callback receives.
        for (const [given, used] of [
          [token, state],
          [foreign, hers]
        ] as const) {
          await handOver(page, notes, given, used)
          expect(page.url()).toBe(`${notes.origin}/`)
          await heading(page, "Hello, Jo March")
        }
      })
    }))

  test("allows logins in two tabs at once, each with a separate state", () =>
    withNotes(async (notes) => {
      const [jo, eve] = [await person(notes.realm), await person(notes.realm, "Eve")]
      const [token, another] = [await tokenOf(notes.realm, jo.id), await tokenOf(notes.realm, eve.id)]
      await withVisitor(async ({ page, context }) => {
        const other = await context.newPage()
        const states = [await begin(page, notes), await begin(other, notes)]
        for (const [at, tab] of [page, other].entries()) {
          expect((await handOver(tab, notes, token, states[at]))?.status()).toBe(200)
          await heading(tab, "Hello, Jo March")
          await handOver(tab, notes, another, states[at])
          await heading(tab, "Hello, Jo March")
        }
        expect((await context.cookies(`${notes.origin}/callback`)).map(({ name }) => name)).toEqual(["notes"])
      })
    }))

  test("rejects tokens not signed by its realm", () =>
    withNotes(async (notes) => {
      const { given, publicUrl } = await browserService()
      const jo = await person(notes.realm)
      const token = await tokenOf(notes.realm, jo.id)
      const other = await given.realm({ jwt_algo: "rs256" })
      const claims = { rid: notes.realm.id, name: "Eve" }
      const forged = { issuer: `${publicUrl}/realms/${notes.realm.id}`, subject: jo.id, expires: "1h" }
      const jwks = await (await fetch(`${publicUrl}/realms/${notes.realm.id}/jwks`)).text()
      const tokens = [
        "",
        `${token.slice(0, -8)}AAAAAAAA`,
        await tokenOf(other, (await other.user()).id),
        new UnsecuredJWT(claims)
          .setIssuer(forged.issuer)
          .setSubject(forged.subject)
          .setExpirationTime(forged.expires)
          .encode(),
        // Signed with the public keys as the HMAC secret.
        await new SignJWT(claims)
          .setProtectedHeader({ alg: "HS256" })
          .setIssuer(forged.issuer)
          .setSubject(forged.subject)
          .setExpirationTime(forged.expires)
          .sign(new TextEncoder().encode(jwks))
      ]
      await withVisitor(async ({ page }) => {
        for (const one of tokens) {
          expect((await handOver(page, notes, one, await begin(page, notes)))?.status()).toBe(403)
          await page.getByText("This login is not valid. Log in again.").waitFor()
        }
        expect((await handOver(page, notes, token, await begin(page, notes)))?.status()).toBe(200)
      })
    }))

  test("rejects requests from other sites", () =>
    withNotes((notes) =>
      withSite("evil.example.test", async (evil) => {
        const jo = await person(notes.realm)
        const token = await tokenOf(notes.realm, jo.id)
        await withVisitor(async ({ page }) => {
          await handOver(page, notes, token, await begin(page, notes))
          for (const path of ["/notes", "/logout"]) {
            evil.serve(
              "/",
              `<form method="post" action="${notes.origin}${path}"><input name="note" value="x"><button>Win`
            )
            await page.goto(evil.origin)
            await page.getByRole("button", { name: "Win" }).click()
            await page.getByText("This request came from another site.").waitFor()
          }
          await page.goto(notes.origin)
          await heading(page, "Hello, Jo March")
          expect(await page.getByRole("listitem").count()).toBe(0)
        })
      })
    ))
})
