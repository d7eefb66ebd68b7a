import { describe, expect, test } from "vitest"
import { appAt } from "../../external/BrowserLogins.ts"
import { Browser } from "../../support/browser.ts"
import { statusAndHeading, visibleText } from "../../support/pages.ts"
import { newRealm, service } from "../../support/sallyport.ts"
import { onProfilePage } from "../../support/visitor.ts"

/** The Accept header of browsers. */
const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

const NOWHERE = [404, "Page not found"]

const paths = [
  "/nothing",
  "/login/more",
  "/login.php",
  "/a/b/c?x=1",
  "/v1/nothing",
  "/realms",
  "//evil.test/",
  "/%2fevil.test"
]

const nothing = { code: "no_such_address", field: null, message: "There is nothing at this address." }

describe("a browser that requests an unknown page", () => {
  test("gets a page in the app's look and the browser's language, with a link to the login", async () => {
    const realm = await newRealm({ name: "Harbour" })
    const look = { header: "<p>Acme</p>", footer: "<p>Acme Inc.</p>", external_css: "https://css.example.test/a.css" }
    const { origin } = await appAt(realm, look)
    const browser = new Browser(realm.transport)
    const events = await realm.seen.caused(async () => {
      for (const path of paths) {
        for (const method of ["GET", "POST", "PUT"]) {
          const page = await browser.go(`${origin}${path}`, { method, headers: { accept } })
          expect([path, method, ...statusAndHeading(page)]).toEqual([path, method, ...NOWHERE])
          expect(page.text).toContain('<header class="above"><p>Acme</p></header>')
          expect(page.text).toContain('<footer class="below"><p>Acme Inc.</p></footer>')
          expect(page.text).toContain('<link rel="stylesheet" href="https://css.example.test/a.css">')
          expect(page.text).toContain("<title>Page not found – Harbour</title>")
          expect(page.text).toContain('href="/login"')
          expect([page.text.includes("evil"), page.headers.getSetCookie()]).toEqual([false, []])
        }
      }
    })
    expect(events).toEqual([])
    const spanish = await browser.go(`${origin}/nothing`, { headers: { accept, "accept-language": "es-MX,en;q=0.5" } })
    expect([...statusAndHeading(spanish), spanish.headers.get("content-language")]).toEqual([
      404,
      "Página no encontrada",
      "es"
    ])
    expect(visibleText(spanish)).toContain("No hay nada en esta dirección.")
    expect(visibleText(spanish)).toContain("Volver al inicio de sesión")
    const head = await browser.go(`${origin}/nothing`, { method: "HEAD", headers: { accept } })
    expect([head.status, head.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"])
  })

  test("gets a link back to the app instead of the login if a user is logged in", async () => {
    const realm = await newRealm()
    const { visitor, origin } = await onProfilePage(realm, { app: { name: "Paper" } })
    const page = await visitor.browser.go(`${origin}/nothing`, { headers: { accept } })
    expect(statusAndHeading(page)).toEqual(NOWHERE)
    expect([visibleText(page).includes("Back to Paper"), visibleText(page).includes("Back to login")]).toEqual([
      true,
      false
    ])
  })

  test("gets a page in the realm's name and language at a realm's URL, and a neutral page at other URLs", async () => {
    const realm = await newRealm({ name: "Puerto", default_locale: "es" })
    const browser = new Browser(realm.transport)
    const here = "https://id.example.test"
    for (const path of [`/realms/${realm.id}`, `/realms/${realm.id}/`, `/realms/${realm.id}/nothing?x=1`]) {
      const page = await browser.go(`${here}${path}`, { headers: { accept } })
      expect([path, ...statusAndHeading(page), page.text.includes("<bdi>Puerto</bdi>")]).toEqual([
        path,
        404,
        "Página no encontrada",
        true
      ])
      expect(page.text).not.toContain('href="/login"')
    }
    for (const path of ["/nothing", "/realms/rl_nothing/nothing", "/realms/%00/x", "/login", "/profile/x"]) {
      const page = await browser.go(`${here}${path}`, { headers: { accept } })
      expect([path, ...statusAndHeading(page), page.text.includes("Puerto")]).toEqual([path, ...NOWHERE, false])
    }
  })

  test("gets a page saying that no app uses the host if there is no active app", async () => {
    const realm = await newRealm()
    const { app, host, origin } = await appAt(realm)
    const browser = new Browser(realm.transport)
    const expectNoApp = async (at: string) => {
      for (const path of ["/", "/nothing", "/login"]) {
        const page = await browser.go(`${at}${path}`, { headers: { accept } })
        expect([at, path, ...statusAndHeading(page), visibleText(page).includes("No app uses this address.")]).toEqual([
          at,
          path,
          ...NOWHERE,
          true
        ])
      }
    }
    await expectNoApp(`https://x-${host}`)
    await realm.put(`/v2/client_apps/${app.id}`, { client_app: { state: "inactive" } })
    await expectNoApp(origin)
    await realm.delete(`/v2/client_apps/${app.id}`)
    await expectNoApp(origin)
  })

  test("SEC-38: gets secure headers, and a Vary header that keeps caches from serving the page as JSON", async () => {
    const realm = await newRealm()
    const { origin } = await appAt(realm)
    const page = await new Browser(realm.transport).go(`${origin}/nothing`, { headers: { accept } })
    const headers = Object.fromEntries(page.headers)
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "x-robots-tag": "noindex",
      vary: "accept, accept-language",
      "content-security-policy": expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^;]*; script-src 'sha256-[^;]*; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/
      )
    })
  })
})

test("a client other than a browser gets a JSON error for an unknown page", async () => {
  const realm = await newRealm()
  const { origin } = await appAt(realm)
  const browser = new Browser(realm.transport)
  for (const at of [origin, "https://id.example.test", `https://id.example.test/realms/${realm.id}`]) {
    for (const asked of [undefined, "*/*", "application/json", "application/json, text/html;q=0.9"]) {
      const headers: Record<string, string> = asked === undefined ? {} : { accept: asked }
      const reply = await browser.go(`${at}/nothing`, { headers })
      expect([at, asked, reply.status, reply.body]).toEqual([
        at,
        asked,
        404,
        { errors: [nothing.message], error_details: [nothing], request_id: reply.headers.get("x-request-id") }
      ])
    }
  }
})

test("the root of an app's host redirects browsers to the login", async () => {
  const { origin, app } = await appAt(await newRealm())
  const { transport } = await service()
  const home = await new Browser(transport).go(`${origin}/`, { headers: { accept } })
  expect([home.status, home.headers.get("location"), app.status]).toEqual([302, "/login", 201])
})
