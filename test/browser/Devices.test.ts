import { expect, test } from "vitest"
import { PASSWORD } from "../support/logins.ts"
import { deviceClient } from "../support/oauthDevices.ts"
import { waitForHeading, withApp } from "./Apps.ts"
import { expectAccessible } from "./Axe.ts"
import { type Look, phoneLook, type Visitor, withVisitor } from "./Browser.ts"
import { browserService } from "./Service.ts"

/** The texts of the page in each language that the test needs. */
const words = {
  en: {
    code: "Code",
    go: "Continue",
    ask: "Allow access to your account?",
    allow: "Allow",
    done: "Your device is connected"
  },
  es: {
    code: "Código",
    go: "Continuar",
    ask: "¿Permitir el acceso a su cuenta?",
    allow: "Permitir",
    done: "Su dispositivo está conectado"
  }
} as const

const desk: Look = { width: 1280, scheme: "light", scripts: false }

const DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code"

test.each([
  ["en", phoneLook],
  ["es", { ...phoneLook, scheme: "light" }],
  ["en", desk]
] as const)("a user approves a device by its code: %s, %s", async (language, look) => {
  const { publicUrl } = await browserService()
  const copy = words[language]
  await withApp(async ({ realm, pages }) => {
    const email = `ada-${language}-${look.width}-${look.scheme}@example.test`
    await realm.user({ email, password: PASSWORD, first_name: "Ada" })
    const client = await deviceClient(realm, { name: "Notes on the television of the living room" })
    const at = `${publicUrl}/realms/${realm.id}`
    const send = (endpoint: string, fields: Record<string, string>) =>
      fetch(`${at}/${endpoint}`, { method: "POST", body: new URLSearchParams({ client_id: client.id, ...fields }) })
    const begun = JSON.parse(await (await send("device_authorization", { scope: "openid profile email" })).text())
    const poll = async () => {
      const response = await send("token", { grant_type: DEVICE_CODE, device_code: begun.device_code })
      return [response.status, JSON.parse(await response.text()).error]
    }
    expect(await poll()).toEqual([400, "authorization_pending"])
    await withVisitor(async (visitor: Visitor) => {
      const { page, complaints } = visitor
      const seen = (name: string) => expectAccessible(visitor, `Device ${language} ${name}`)
      expect(begun.verification_uri).toBe(`${pages}/device`)
      await page.route("**", (route) =>
        route.continue({ headers: { ...route.request().headers(), "accept-language": language } })
      )
      await page.goto(begun.verification_uri_complete)
      await page.locator('input[name="name"]').fill(email)
      await page.locator('input[name="password"]').fill(PASSWORD)
      await page.keyboard.press("Enter")
      await page.waitForURL((url) => url.pathname === "/device")
      expect(await page.getByLabel(copy.code, { exact: true }).inputValue()).toBe(begun.user_code)
      await seen("prefilled")
      await page.getByLabel(copy.code, { exact: true }).fill("BBBB-BBBB")
      await page.getByRole("button", { name: copy.go }).click()
      await page.locator("[aria-invalid]").waitFor()
      await seen("wrong code")
      await page.getByLabel(copy.code, { exact: true }).fill(begun.user_code.toLowerCase())
      await page.getByRole("button", { name: copy.go }).click()
      await waitForHeading(page, copy.ask)
      await seen("consent")
      await page.getByRole("button", { name: copy.allow, exact: true }).click()
      await waitForHeading(page, copy.done)
      await seen("done")
      expect(complaints).toEqual([])
    }, look)
    expect(await poll()).toEqual([200, undefined])
  })
})
