import { get } from "node:http"
import { decodeJwt } from "jose"
import { describe, expect, test } from "vitest"
import { PASSWORD } from "../support/logins.ts"
import { quickUser } from "../support/passwordEntryPoints.ts"
import { receiver } from "../support/receivers.ts"
import { submitForm, waitForHandover, waitForHeading, withApp } from "./Apps.ts"
import { expectAccessible } from "./Axe.ts"
import { phoneLook, withVisitor } from "./Browser.ts"
import { ownBrowser } from "./Chromium.ts"
import { authenticator } from "./Passkeys.ts"

const create = "Create a passkey"

const claimsIn = (url: URL) => decodeJwt(url.searchParams.get("token") ?? "")

describe("passkeys as a second factor in a browser", () => {
  test("upgrade a login that used only a password", () =>
    withApp((at) =>
      withVisitor(async (visitor) => {
        const { page, complaints } = visitor
        const { pages, realm } = at
        const device = await authenticator(visitor)
        const email = (await quickUser(realm)).string("email")
        const logIn = async (query = "") => {
          await page.goto(`${pages}/login${query}`)
          await submitForm(page, { Email: email, Password: PASSWORD }, "Log in")
        }
        await logIn("?next=passkey")
        await page.getByRole("button", { name: create }).click()
        await page
          .getByText(/^\w+ \(Chrome\)$/)
          .first()
          .waitFor()
        await page.context().clearCookies()

        // No user is present to confirm the passkey that the browser offers by autofill.
        await device.setPresence(false)
        await logIn()
        const before = claimsIn(await waitForHandover(page, at))
        expect(before).toMatchObject({ amr: ["pwd"], acr: "aal1" })
        await page.goto(`${pages}/login?acr_values=aal2`)
        await waitForHeading(page, "Confirm it's you")
        await expectAccessible(visitor, "Passkeys: step-up")
        await device.setPresence(true)
        await page.getByRole("button", { name: "Use a passkey" }).press("Enter")
        const after = claimsIn(await waitForHandover(page, at))
        expect(after).toMatchObject({ sid: before["sid"], sub: before.sub, acr: "aal2" })
        expect(after["amr"]).toEqual(["pwd", expect.stringMatching(/^[hs]wk$/), "mfa"])
        expect(complaints).toEqual([])
      }, phoneLook)
    ))

  test.each([
    phoneLook,
    { width: 1280, scheme: "light", scripts: true } as const
  ])("can be set up during a login that requires two factors: $width px", (look) =>
    withApp(
      (at) =>
        withVisitor(async (visitor) => {
          const { page, complaints } = visitor
          const device = await authenticator(visitor)
          const email = (await quickUser(at.realm)).string("email")
          await page.goto(`${at.pages}/login`)
          await submitForm(page, { Email: email, Password: PASSWORD }, "Log in")
          await waitForHeading(page, "Set up two-step verification")
          await expectAccessible(visitor, "Passkeys: set-up within a login")
          await page.getByRole("button", { name: create }).press("Enter")
          expect(claimsIn(await waitForHandover(page, at))["acr"]).toBe("aal2")
          expect([await device.count(), complaints]).toEqual([1, []])
        }, look),
      { realm: { mfa: "required" } }
    ))
})

describe("passkeys of one domain on the pages of several apps (C129)", () => {
  test("work only if the login host of the oldest app lists the other origins", () =>
    withApp((at) =>
      withVisitor(async (visitor) => {
        const { page } = visitor
        const { realm, pages, site } = at
        const device = await authenticator(visitor)
        const email = (await quickUser(realm)).string("email")
        await page.goto(`${pages}/login?next=passkey`)
        await submitForm(page, { Email: email, Password: PASSWORD }, "Log in")
        await page.getByRole("button", { name: create }).click()
        await page.getByRole("status").waitFor()
        expect(await device.count()).toBe(1)

        const other = await realm.connectedApp({ login_handler: `${site.origin}/callback` })
        const elsewhere = `http://${other.string("domains", 0)}:${new URL(pages).port}`
        const use = page.getByRole("button", { name: "Log in with a passkey" })
        // The browser requests the list on the HTTPS port.
        const lists: Array<string | undefined> = []
        let isThere = false
        const secure = await receiver(
          (request, response) => {
            lists.push(request.headers.host)
            response.setHeader("content-type", "application/json")
            if (!isThere) return response.end(JSON.stringify({ origins: [] }))
            const list = get(`http://127.0.0.1:${new URL(pages).port}${request.url}`, {
              headers: { host: request.headers.host }
            })
            list.on("response", (answer) => answer.pipe(response))
          },
          { secure: true, port: (await ownBrowser()).securePort }
        )
        try {
          await page.goto(`${elsewhere}/login`)
          await use.click()
          await page.getByRole("alert").filter({ hasText: "Passkeys don't work at this address." }).waitFor()
          isThere = true
          // The browser offers the passkey by autofill, and it is used.
          await page.goto(`${elsewhere}/login`)
          expect(claimsIn(await waitForHandover(page, at))).toMatchObject({ acr: "aal2" })
          expect(new Set(lists)).toEqual(new Set([new URL(pages).hostname]))
        } finally {
          await secure.stop()
        }
      }, phoneLook)
    ))
})
