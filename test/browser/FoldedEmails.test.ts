import { decodeJwt } from "jose"
import { expect, test } from "vitest"
import { PASSWORD } from "../support/logins.ts"
import { submitForm, waitForHandover, waitForHeading, withApp } from "./Apps.ts"
import { phoneLook, withVisitor } from "./Browser.ts"

const spellings = ["jo@müller.example", "JO@MÜLLER。example", "jo@xn--mller-kva.example"]

test.each([...spellings])("SEC-239: a user created as %s can log in with every spelling of the address", (given) =>
  withApp(async (at) => {
    const user = await at.realm.user({ email: given, password: PASSWORD })
    for (const typed of spellings) {
      await withVisitor(async ({ page, complaints }) => {
        await page.goto(`${at.pages}/login`)
        await submitForm(page, { Email: typed, Password: PASSWORD }, "Log in")
        expect(decodeJwt((await waitForHandover(page, at)).searchParams.get("token") ?? "").sub).toBe(user.id)
        expect(complaints).toEqual([])
      }, phoneLook)
    }
  }))

test("SEC-239: the sign-up page rejects a second account for the same mailbox", () =>
  withApp(async (at) => {
    await withVisitor(async ({ page, complaints }) => {
      await page.goto(`${at.pages}/signup`)
      await submitForm(page, { Email: "ann@straße.example", Password: PASSWORD }, "Create account")
      await waitForHandover(page, at)
      expect(complaints).toEqual([])
    }, phoneLook)
    for (const typed of ["ann@straße.example", "ann@xn--strae-oqa.example"]) {
      await withVisitor(async ({ page }) => {
        await page.goto(`${at.pages}/signup`)
        await waitForHeading(page, "Create your account")
        await submitForm(page, { Email: typed, Password: PASSWORD }, "Create account")
        await page.locator("#email-error", { hasText: "Another account already uses this" }).waitFor()
        expect(await page.getByRole("textbox", { name: "Email" }).inputValue()).toBe(typed)
      }, phoneLook)
    }
    const { items } = await at.realm.get("/v2/users")
    expect(items.map((item) => item["email"])).toEqual(["ann@straße.example"])
  }))
