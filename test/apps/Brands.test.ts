import { describe, expect, test } from "vitest"
import { HANDLER } from "../external/BrowserLogins.ts"
import { digestOf, LOGO, newApp, noAppearance, policyOf, stylesOf } from "../support/appearances.ts"
import { appVersions } from "../support/apps.ts"
import { dataUrl, png, SVG_LOGO } from "../support/logos.ts"
import { newRealm } from "../support/sallyport.ts"

describe.each(appVersions)("C293: the appearance of an app in $version", ({ path, wrapper }) => {
  test("has a background, a font, corners, a layout and logos for emails, each set separately", async () => {
    const realm = await newRealm()
    const made = await realm.post(path, { [wrapper]: { name: "Acme", login_handler: HANDLER } })
    const put = (appearance: object) => realm.put(`${path}/${made.id}`, { [wrapper]: { appearance } })
    const chosen = {
      background: "#fde7ef",
      dark_background: "#212",
      font: "rounded",
      radius: "large",
      layout: "split"
    }
    const logos = { email_logo: dataUrl("png", png()), dark_email_logo: dataUrl("png", png({ width: 2 })) }
    const set = await put({ ...chosen, ...logos })
    const stored = {
      ...noAppearance,
      ...chosen,
      dark_background: "#221122",
      email_logo_url: expect.stringMatching(LOGO),
      dark_email_logo_url: expect.stringMatching(LOGO)
    }
    expect([set.status, set.member("appearance")]).toEqual([200, stored])
    const cleared = await put({ font: null, background: null, email_logo: null })
    expect(cleared.member("appearance")).toEqual({ ...stored, font: null, background: null, email_logo_url: null })
  })
})

describe("C293: the pages of an app", () => {
  test("use the app's background, font, corners and layout", async () => {
    const { show, set } = await newApp({ background: "#1b1464", font: "serif", radius: "none", layout: "plain" })
    const page = await show()
    const [, brand = ""] = stylesOf(page)
    expect(brand).toContain("--back: #1b1464;")
    expect(brand).toContain("--card: #1b1464;")
    expect(brand).toContain("color-scheme: dark;")
    expect(brand).toMatch(/--font: 'Iowan Old Style', [^;]*, serif; --radius: 0px; --card-radius: 0px \}/)
    expect(policyOf(page)).toContain(digestOf(brand))
    expect(page.text).toContain('<body class="plain">')
    await set({ layout: "split" })
    expect((await show()).text).toContain('<body class="split">')
  })
})

describe("C294: the brand of an app", () => {
  test("is copied to an app of another realm by an update with the brand", async () => {
    const { realm, app } = await newApp({
      name: "Acme",
      logo: dataUrl("svg+xml", SVG_LOGO),
      email_logo: dataUrl("png", png()),
      color: "#0b3d91",
      background: "#eef3fb",
      font: "humanist",
      radius: "round",
      layout: "split"
    })
    await realm.put(`/v2/client_apps/${app.id}`, { client_app: { footer: "<p>Acme Inc.</p>" } })
    const { result: brand, events } = await realm.seen.during(() => realm.get(`/v2/client_apps/${app.id}/brand`))
    expect([brand.status, events]).toEqual([200, []])
    expect(brand.body).toMatchObject({ object: "brand", header: null, footer: "<p>Acme Inc.</p>", external_css: null })
    expect(brand.member("appearance", "logo")).toBe(dataUrl("svg+xml", SVG_LOGO))

    const other = await newApp()
    const at = `/v2/client_apps/${other.app.id}`
    const { result, events: changes } = await other.realm.seen.during(() =>
      other.realm.put(at, { client_app: Object(brand.body) })
    )
    expect(result.status).toBe(200)
    expect(changes).toEqual([{ event_type: "login_policy.updated", client_app_id: other.app.id }])
    expect((await other.realm.get(`${at}/brand`)).body).toEqual(brand.body)
  })

  test("is readable at level read, in the app's own realm only", async () => {
    const { realm, app } = await newApp()
    const other = await newApp()
    const at = `/v2/client_apps/${app.id}/brand`
    expect([(await (await realm.as("read")).get(at)).status, (await other.realm.get(at)).status]).toEqual([200, 404])
    expect((await realm.get("/v2/client_apps/lpl_none/brand")).status).toBe(404)
  })
})
