import { decodeJwt } from "jose"
import type { Locator, Page } from "playwright-core"
import { expect, test } from "vitest"
import { en } from "#hosted/texts/en"
import { es } from "#hosted/texts/es"
import { uniqueText } from "#testing/Given"
import { PASSWORD } from "../support/logins.ts"
import { waitForHandover, waitForHeading, withApp } from "./Apps.ts"
import { expectAccessible } from "./Axe.ts"
import { type Look, lookTitle, withVisitor } from "./Browser.ts"
import { authenticator } from "./Passkeys.ts"

/** More tab stops than any of these pages has. */
const MAX_STOPS = 60

/** Presses Tab until the element has the focus. */
const focusByTab = async (page: Page, target: Locator): Promise<void> => {
  await target.first().waitFor()
  const focused = target.and(page.locator(":focus"))
  for (let stops = 0; stops < MAX_STOPS; stops += 1) {
    if ((await focused.count()) > 0) return
    await page.keyboard.press("Tab")
  }
  throw new Error(`Tab never reaches ${target}`)
}

const press = async (page: Page, target: Locator): Promise<void> => {
  await focusByTab(page, target)
  await page.keyboard.press("Enter")
}

const type = async (page: Page, field: Locator, text: string): Promise<void> => {
  await focusByTab(page, field)
  await page.keyboard.type(text)
}

const looks: ReadonlyArray<readonly [typeof en, Look]> = [
  [en, { width: 390, scheme: "light", scripts: true }],
  [es, { width: 390, scheme: "dark", scripts: true }],
  [es, { width: 1280, scheme: "light", scripts: true }],
  [en, { width: 1280, scheme: "dark", scripts: true }]
]

const title = "a new user adds, uses and removes a passkey with the keyboard alone"

test.each(
  looks.map(([words, look]) => [words.language, lookTitle(look), words, look] as const)
)(`%s, %s: ${title}`, (_language, _look, words, look) =>
  withApp((at) =>
    withVisitor(async (visitor) => {
      const { page, complaints } = visitor
      const { pages } = at
      const seen = (what: string) => expectAccessible(visitor, `Passkey journey ${words.language} ${what}`)
      const labelled = (label: string) => page.getByLabel(label, { exact: true })
      const button = (name: string) => page.getByRole("button", { name, exact: true })
      const logOut = async () => {
        await page.goto(`${pages}/logout`)
        await press(page, button(words.logout.button))
        await waitForHeading(page, words.logout.done)
      }
      await page.route("**", (route) =>
        route.continue({ headers: { ...route.request().headers(), "accept-language": words.language } })
      )
      const device = await authenticator(visitor)
      const email = `${uniqueText("ana")}@example.test`

      await page.goto(`${pages}/signup`)
      await seen("sign-up")
      await type(page, labelled(words.form.email), email)
      await type(page, labelled(words.form.password), PASSWORD)
      await page.keyboard.press("Enter")
      await waitForHandover(page, at)

      await page.goto(`${pages}/passkey`)
      await seen("new")
      await type(page, page.getByRole("textbox", { name: words.passkeys.name }), "Laptop")
      await press(page, button(words.passkeys.create))
      await page.getByText("Laptop", { exact: true }).waitFor()
      await seen("security")
      expect(await device.count()).toBe(1)
      await logOut()

      // No user is present at first. Later the browser offers the passkey by autofill, and it is used.
      await device.setPresence(false)
      await page.goto(`${pages}/login`)
      await button(words.passkeys.login).waitFor()
      await seen("login")
      // The open page also waits for the passkey and would leave during the next navigation.
      await page.goto("about:blank")
      await device.setPresence(true)
      await page.goto(`${pages}/login`, { waitUntil: "commit" })
      const claims = async () => decodeJwt((await waitForHandover(page, at)).searchParams.get("token") ?? "")
      expect(await claims()).toMatchObject({ amr: [expect.stringMatching(/^[hs]wk$/), "mfa"], acr: "aal2" })
      await logOut()

      await device.setPresence(false)
      await page.goto(`${pages}/login`)
      await type(page, labelled(words.form.email), email)
      await type(page, labelled(words.form.password), PASSWORD)
      await page.keyboard.press("Enter")
      expect(await claims()).toMatchObject({ amr: ["pwd"], acr: "aal1" })
      await page.goto(`${pages}/login?acr_values=aal2`)
      await waitForHeading(page, words.secondStep.passkey.title)
      await seen("step-up")
      await device.setPresence(true)
      await press(page, button(words.secondStep.passkey.use))
      expect(await claims()).toMatchObject({ amr: ["pwd", expect.stringMatching(/^[hs]wk$/), "mfa"], acr: "aal2" })

      await page.goto(`${pages}/security`)
      await press(page, page.locator("summary").filter({ hasText: "Laptop" }))
      await seen("removal")
      await press(page, button(words.passkeys.removeButton("Laptop")))
      await page.getByRole("status").filter({ hasText: words.security.saved.passkey_removed }).waitFor()
      expect(complaints).toEqual([])
    }, look)
  ))
