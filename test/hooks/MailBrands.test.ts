import { expect, test, vi } from "vitest"
import { Browser } from "../support/browser.ts"
import { dataUrl, png, SVG_LOGO } from "../support/logos.ts"
import { clockedService } from "../support/sallyport.ts"
import { visitorAtApp } from "../support/visitor.ts"

/** An app with this appearance, and a function that requests a password reset and returns its email. */
const given = async (appearance: object) => {
  const { given, advance, postbox } = await clockedService()
  const realm = await given.realm({ email_verification: "request" })
  const { app, visitor, email } = await visitorAtApp(realm, { app: { appearance } })
  const mailed = async () => {
    await visitor.send("/forgot", { name: email })
    await vi.waitUntil(async () => {
      await advance("1 second")
      return postbox.to(email).length > 0
    }, 10_000)
    return postbox.take(email)[0]
  }
  return { realm, app, mailed }
}

const inDark = (html: string): string => /@media \(prefers-color-scheme: dark\) \{\n(.*?)\n\}\n/s.exec(html)?.[1] ?? ""

test("C297: emails have the colors, font and corners of the app in both themes", async () => {
  const { mailed } = await given({
    name: "Blossom",
    color: "#b3246b",
    background: "#fdeaf2",
    font: "serif",
    radius: "none"
  })
  const html = (await mailed())?.html ?? ""
  expect(html).toContain('bgcolor="#fdeaf2"')
  expect(html).toContain('<td bgcolor="#b3246b"')
  expect(html).toContain("border-radius: 0px; background: #b3246b; color: #ffffff")
  expect(html).toContain("font: 16px/1.6 'Iowan Old Style'")
  expect(html).toContain('<meta name="color-scheme" content="light dark">')
  expect(inDark(html)).toContain(".sallyport-back { background: #121417 !important }")
  expect(inDark(html)).toMatch(/\.sallyport-fill \{ background: #[\da-f]{6} !important \}/)
  expect(html).toContain("[data-ogsc] .sallyport-card { color: #eceef1 !important }")
})

test("C297: emails show the app's PNG logo in each theme, or its name if the only logo is an SVG", async () => {
  const { realm, app, mailed } = await given({ name: 'Acme "&" Co', logo: dataUrl("svg+xml", SVG_LOGO) })
  const before = (await mailed())?.html ?? ""
  expect(before).not.toContain("<img")
  expect(before).toContain(">Acme &quot;&amp;&quot; Co</td>")

  const logos = { email_logo: dataUrl("png", png()), dark_email_logo: dataUrl("png", png({ width: 2 })) }
  await realm.put(`/v2/client_apps/${app.id}`, { client_app: { appearance: logos } })
  const mail = await mailed()
  const [light = "", dark = ""] = [...(mail?.html ?? "").matchAll(/<img [^>]*src="([^"]+)"/g)].map(
    ([, url]) => url ?? ""
  )
  const host = `https://${app.string("domains", 0)}`
  expect(light).toMatch(new RegExp(`^${host}/assets/logos/email\\.png\\?v=[\\da-f]{8}$`))
  expect(dark).toMatch(new RegExp(`^${host}/assets/logos/email-dark\\.png\\?v=[\\da-f]{8}$`))
  expect(mail?.html).toContain('alt="Acme &quot;&amp;&quot; Co"')
  expect(mail?.text).not.toMatch(/Acme "&" Co\n|assets\/logos/)

  // Mail clients show the image on their own pages. The URL stays valid when the logo changes.
  const image = await new Browser(realm.transport).go(light)
  expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"])
  expect(image.headers.get("cross-origin-resource-policy")).toBe("cross-origin")
  await realm.put(`/v2/client_apps/${app.id}`, {
    client_app: { appearance: { email_logo: dataUrl("png", png({ height: 3 })), dark_email_logo: null } }
  })
  expect((await new Browser(realm.transport).go(light)).status).toBe(200)
  expect((await new Browser(realm.transport).go(dark)).status).toBe(404)
})
