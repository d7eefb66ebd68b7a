import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { dataUrl, SVG_LOGO } from "../support/logos.ts"
import { expectAccessible } from "./Axe.ts"
import { consoleRealm, waitForPage, withConsoleVisitor } from "./ConsoleVisit.ts"

const drawing = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10"><rect width="40" height="10" fill="${color}"/></svg>`

const file = (name: string, mimeType: string, content: string) => ({ name, mimeType, buffer: Buffer.from(content) })

const logo = (color: string) => file("logo.svg", "image/svg+xml", `${drawing(color)}`)

/** A realm with an app called Notes, and the address of the app's appearance. */
const given = async () => {
  const { realm, at } = await consoleRealm()
  const app = (await realm.post("/v2/client_apps", { client_app: { name: "Notes" } })).string("id")
  const appearance = async () => Object((await realm.get(`/v2/client_apps/${app}`)).member("appearance"))
  return { realm, app, at: `${at}/apps/${app}/appearance`, appearance }
}

test("a designer is warned about a color that can't be read and a logo that can't be seen", async () => {
  const { at, appearance } = await given()
  await withConsoleVisitor(
    async (visitor) => {
      const { page, open } = visitor
      await open(at)
      await waitForPage(page, "Notes")
      await page.getByLabel("Brand color (optional)", { exact: true }).fill("#ffd400")
      await page.getByText("Contrast 1.4:1.").waitFor()
      await expectAccessible(visitor, "Brand with warnings")
      await page.getByRole("button", { name: "Use #8b7400" }).click()
      await page.getByText(/^Contrast 4\.[5-9]:1\. Good/).waitFor()

      const chooser = page.getByLabel("Logo", { exact: true })
      await chooser.setInputFiles(logo("#f4f4f1"))
      await page.getByText("Most of this logo can’t be seen on light pages").waitFor()
      await chooser.setInputFiles(logo("#121417"))
      await page.getByText("Most of this logo can’t be seen on dark pages").waitFor()
      await page.getByLabel("Logo on dark backgrounds").setInputFiles(logo("#ffffff"))
      await expect.poll(() => page.getByText("Most of this logo").count()).toBe(0)

      await page.getByRole("group", { name: "Layout" }).getByRole("button", { name: "Split" }).click()
      await page.getByLabel("Font").selectOption("serif")
      await page.getByRole("button", { name: "Save changes" }).click()
      await page.getByText("Changes saved", { exact: true }).first().waitFor()
    },
    { width: 1280 }
  )
  expect(await appearance()).toMatchObject({
    color: "#8b7400",
    font: "serif",
    layout: "split",
    logo_url: expect.stringMatching(/\.svg$/),
    // The console makes the images for emails.
    email_logo_url: expect.stringMatching(/\.png$/),
    dark_email_logo_url: expect.stringMatching(/\.png$/)
  })
})

test("a designer previews each page and email, and copies the brand to another app in a file", async () => {
  const { realm, app, at } = await given()
  const brand = {
    name: "Blossom",
    color: "#b3246b",
    background: "#fdeaf2",
    radius: "round",
    logo: dataUrl("svg+xml", SVG_LOGO)
  }
  await realm.put(`/v2/client_apps/${app}`, { client_app: { appearance: brand, footer: "<p>Blossom Ltd.</p>" } })
  const other = await given()
  await withConsoleVisitor(async ({ page, open, go }) => {
    await open(at)
    await waitForPage(page, "Notes")
    const frame = page.frameLocator(".preview-room iframe")
    for (const [shown, heading] of [
      ["forgot", "Forgot your password?"],
      ["second_factor", "Enter your code"],
      ["consent", "Allow access to your account?"],
      ["security", "Login and security"],
      ["team", "Team"]
    ] as const) {
      await page.getByLabel("Page or email").selectOption(shown)
      await frame.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor()
    }
    await page.getByLabel("Page or email").selectOption("user.password.resetting")
    await page.getByRole("button", { name: "Español" }).click()
    await frame.getByText("Elegir", { exact: false }).first().waitFor()

    const waiting = page.waitForEvent("download")
    await page.getByRole("button", { name: "Export" }).click()
    const exported = await readFile((await (await waiting).path()) ?? "", "utf8")
    expect(JSON.parse(exported)).toMatchObject({ object: "brand", appearance: brand, footer: "<p>Blossom Ltd.</p>" })

    await go(other.at)
    await waitForPage(page, "Notes")
    const chooser = page.getByLabel("Brand file")
    await chooser.setInputFiles(file("brand.json", "application/json", '{"object":"brand","appearance":[7]}'))
    await chooser.setInputFiles(file("brand.json", "application/json", '{"object":"brand","appearance":{"color":7}}'))
    await page.getByText("This isn’t a brand file.").waitFor()
    await chooser.setInputFiles(file("brand.json", "application/json", exported))
    await page.getByText("Brand loaded.").first().waitFor()
    await page.getByRole("button", { name: "Save changes" }).click()
    await page.getByText("Changes saved", { exact: true }).first().waitFor()
  })
  const copied = await other.realm.get(`/v2/client_apps/${other.app}/brand`)
  expect(copied.body).toEqual((await realm.get(`/v2/client_apps/${app}/brand`)).body)
})

test("a designer sees an email template in light and dark, at the width of a desktop and a phone", async () => {
  const { realm, at } = await consoleRealm()
  const hook = { hook_type: "email", event_type: ["user.created"], email_subject: "Welcome", email_template: "Hi!" }
  const id = (await realm.post("/v2/hooks", { hook })).string("id")
  await withConsoleVisitor(
    async (visitor) => {
      const { page, open } = visitor
      await open(`${at}/mails/${id}`)
      await waitForPage(page, "Welcome")
      const frame = page.locator(".preview-room iframe")
      const body = page.frameLocator(".preview-room iframe").locator("body")
      const width = () => frame.evaluate((element) => element.clientWidth)
      await body.getByText("Hi!").waitFor()
      const shown = () => page.frames().find((one) => one.url().endsWith("/console/preview/frame"))
      const background = () => shown()?.evaluate("getComputedStyle(document.body).backgroundColor")
      const light = await background()
      expect(await width()).toBe(720)
      await page.getByRole("group", { name: "Theme" }).getByRole("button", { name: "Dark" }).click()
      await page.getByRole("group", { name: "Width" }).getByRole("button", { name: "Phone" }).click()
      await expect.poll(width).toBe(390)
      await expect.poll(background).not.toBe(light)
      await expectAccessible(visitor, "Email template with looks")
    },
    { width: 1280 }
  )
})
