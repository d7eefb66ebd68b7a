import { describe, expect, test } from "vitest"
import { waitForHeading, withApp } from "./Apps.ts"
import { expectAccessible } from "./Axe.ts"
import { evaluate, type Look, type Visitor, withVisitor } from "./Browser.ts"

const looks: ReadonlyArray<Look & { readonly height: number }> = [
  { width: 390, height: 844, scheme: "light", scripts: false },
  { width: 1280, height: 800, scheme: "dark", scripts: true }
]

/** Opens the sign-up page in a window of this height. */
const openSignup = async ({ page, look }: Visitor, pages: string, height: number): Promise<void> => {
  await page.setViewportSize({ width: look.width, height })
  await page.goto(`${pages}/signup`)
  await waitForHeading(page, "Create your account")
}

const heightOf = (visitor: Visitor) => evaluate(visitor, "document.documentElement.scrollHeight")

describe.each(looks)("the sign-up page fits one screen of $width × $height", ({ height, ...look }) => {
  test("with an email and an expanded name", () =>
    withApp(({ pages }) =>
      withVisitor(async (visitor) => {
        const { page } = visitor
        await openSignup(visitor, pages, height)
        expect(await page.getByLabel("First name").isVisible()).toBe(false)
        expect(await heightOf(visitor)).toBe(height)
        await page.getByText("Add your name").click()
        await page.getByLabel("First name").waitFor()
        expect(await heightOf(visitor)).toBe(height)
        await expectAccessible(visitor, "Signup unfolded")
      }, look)
    ))

  test("with an email and a username", () =>
    withApp(
      ({ pages }) =>
        withVisitor(async (visitor) => {
          await openSignup(visitor, pages, height)
          expect(await visitor.page.getByLabel("Username").isVisible()).toBe(true)
          expect(await heightOf(visitor)).toBe(height)
        }, look),
      { realm: { username_validation_human: "standard" } }
    ))

  test("with an email field and two provider buttons", () =>
    withApp(({ pages, realm }) =>
      withVisitor(async (visitor) => {
        for (const provider_type of ["google", "github"]) {
          const provider = { provider_type, client_id: "id", client_secret: "secret" }
          expect((await realm.post("/v2/auth_providers", { auth_provider: provider })).status).toBe(201)
        }
        await openSignup(visitor, pages, height)
        expect(await visitor.page.getByRole("link", { name: "Continue with GitHub" }).isVisible()).toBe(true)
        expect(await heightOf(visitor)).toBe(height)
      }, look)
    ))
})
