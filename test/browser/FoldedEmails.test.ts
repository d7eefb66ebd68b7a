import { decodeJwt } from "jose"
import { expect, test } from "vitest"
import { PASSWORD } from "../support/logins.ts"
import { handedOver, headed, sent, withApp } from "./Apps.ts"
import { phone, visiting } from "./Browser.ts"

const spellings = ["jo@müller.example", "JO@MÜLLER。example", "jo@xn--mller-kva.example"]

test.each([...spellings])("SEC-239: a user created as %s can log in with each spelling of the address", (given) =>
  withApp(async (at) => {
    const user = await at.realm.user({ email: given, password: PASSWORD })
    for (const typed of spellings) {
      await visiting(async ({ page, complaints }) => {
        await page.goto(`${at.pages}/login`)
        await sent(page, { Email: typed, Password: PASSWORD }, "Log in")
        expect(decodeJwt((await handedOver(page, at)).searchParams.get("token") ?? "").sub).toBe(user.id)
        expect(complaints).toEqual([])
      }, phone)
    }
  }))

test("SEC-239: the sign-up page rejects a second account for a mailbox and shows the address as typed", () =>
  withApp(async (at) => {
    await visiting(async ({ page, complaints }) => {
      await page.goto(`${at.pages}/signup`)
      await sent(page, { Email: "ann@straße.example", Password: PASSWORD }, "Create account")
      await handedOver(page, at)
      expect(complaints).toEqual([])
    }, phone)
    for (const typed of ["ann@straße.example", "ann@xn--strae-oqa.example"]) {
      await visiting(async ({ page }) => {
        await page.goto(`${at.pages}/signup`)
        await headed(page, "Create your account")
        await sent(page, { Email: typed, Password: PASSWORD }, "Create account")
        await page.locator("#email-error", { hasText: "Another account already uses this" }).waitFor()
        expect(await page.getByRole("textbox", { name: "Email" }).inputValue()).toBe(typed)
      }, phone)
    }
    const { items } = await at.realm.get("/v2/users")
    expect(items.map((item) => item["email"])).toEqual(["ann@straße.example"])
  }))
