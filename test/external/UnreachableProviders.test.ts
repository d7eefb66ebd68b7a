import { describe, expect, test } from "vitest"
import { Browser } from "../support/browser.ts"
import { statusAndHeading, visibleText } from "../support/pages.ts"
import { newRealm } from "../support/sallyport.ts"
import { RawResponse } from "../support/standIns.ts"
import { appAt } from "./BrowserLogins.ts"
import { oidcDouble } from "./OidcDouble.ts"

const down = { endpoints: { ".well-known/openid-configuration": new RawResponse(503, "") } }

describe("C298: a provider whose issuer can't be reached", () => {
  test.each([
    ["Acme SSO", "Acme SSO can't be reached right now."],
    [null, "Other service can't be reached right now."]
  ])("is named (%s, %s) on a page with the other methods, which keep the flow", async (name, shown) => {
    const realm = await newRealm()
    await realm.authProvider({ name: "Other", client_id: "x", client_secret: "y" })
    const { provider } = await oidcDouble(realm, { ...down, settings: { name } })
    const { origin } = await appAt(realm)
    const start = `${origin}/auth/${provider.id}?state=of-the-app`
    const { result: page, events } = await realm.seen.during(() => new Browser(realm.transport).go(start))
    expect([...statusAndHeading(page), events]).toEqual([422, "You're not logged in", []])
    expect(visibleText(page)).toContain(shown)
    const links = [...page.text.matchAll(/class="choice" href="([^"]+)"/g)].map(([, href = ""]) => new URL(href, start))
    expect(links.map(({ pathname, searchParams }) => [pathname, searchParams.get("state")])).toEqual([
      ["/login", "of-the-app"],
      [expect.stringMatching(/^\/auth\/ap_/), "of-the-app"]
    ])
  })
})
