import { describe, expect, test } from "vitest"
import { HANDLER } from "../../external/BrowserLogins.ts"
import { PASSWORD } from "../../support/logins.ts"
import { statusAndHeading } from "../../support/pages.ts"
import { newRealm } from "../../support/sallyport.ts"
import { expectTokenHandover, SAME_SITE_HEADERS, visitorAtApp } from "../../support/visitor.ts"

describe("SEC-33: redirect_uri", () => {
  const ALLOWED = "https://good.example/cb?next=1"
  const OWN = "com.acme.app:/done"

  test("replaces the app's handler if the URI is registered", async () => {
    const realm = await newRealm()
    const { visitor, email } = await visitorAtApp(realm, { app: { redirect_uris: [ALLOWED, OWN] } })
    for (const [asked, before] of [
      [ALLOWED, "https://good.example/cb?next=1&token="],
      ["HTTPS://GOOD.example:443/cb?next=1", "https://good.example/cb?next=1&token="],
      ["https://good.example/x/../cb?next=1", "https://good.example/cb?next=1&token="],
      [OWN, "com.acme.app:/done?token="]
    ] as const) {
      await visitor.logIn(email, PASSWORD, `?way=login&redirect_uri=${encodeURIComponent(asked)}`)
      expect([asked, visitor.page.headers.get("location")?.startsWith(before)]).toEqual([asked, true])
    }
    // The app's handler is not enough to allow a redirect_uri.
    const bare = await visitorAtApp(realm)
    expect((await bare.visitor.open(`/login?redirect_uri=${encodeURIComponent(HANDLER)}`)).status).toBe(422)
  })

  const evil = [
    "https://good.example.evil.tld/cb?next=1",
    "https://goodXexample/cb?next=1",
    "https://good.example/cb?next=1.evil",
    "https://good.example/cb",
    "https://good.example/cb?next=1&more=1",
    "https://good.example/cb?next=1&next=1",
    "https://good.example/cb?next=1#x",
    "https://good.example/cb/?next=1",
    "https://good.example/cb/../evil?next=1",
    "https://good.example/CB?next=1",
    "https://good.example/cb%2f?next=1",
    "https://good.example/%2e%2e/cb%2Fx?next=1",
    "https://good.example%2Fcb?next=1",
    "https://good.example/%63b?next=1",
    "https://good%2eexample.evil.tld/cb?next=1",
    "http://good.example/cb?next=1",
    "https://good.example:8443/cb?next=1",
    "https://good.example./cb?next=1",
    "https://good.example@evil.tld/cb?next=1",
    "https://good.example:x@evil.tld/cb?next=1",
    "https://user@good.example/cb?next=1",
    "https://@good.example/cb?next=1#@evil.tld",
    "https://gооd.example/cb?next=1",
    "https://good。example.evil.tld/cb?next=1",
    "//evil.tld/cb?next=1",
    "///evil.tld",
    "/\\evil.tld",
    "/cb",
    "https:good.example/cb?next=1",
    "https:\\\\good.example\\cb?next=1",
    "https://good.example\\@evil.tld/cb?next=1",
    "https://evil.tld\\.good.example/cb?next=1",
    "https://good.example/cb?next=1 ",
    "https://good.example/c\tb?next=1",
    "javascript:alert(1)",
    "data:text/html,x",
    "com.acme.app:/done/more",
    "com.acme.app://done",
    "com.acme.app.evil:/done"
  ]

  test("CVE-2024-52289 CVE-2026-41569 CVE-2026-28512 CVE-2026-5467: is rejected if it only resembles a registered URI", async () => {
    const realm = await newRealm()
    const { visitor, email } = await visitorAtApp(realm, { app: { redirect_uris: [ALLOWED, OWN] } })
    const NOT_RIGHT = [422, "This link isn't valid"]
    const events = await realm.seen.caused(async () => {
      for (const redirect_uri of evil) {
        const query = new URLSearchParams({ redirect_uri })
        const pages = [
          await visitor.open(`/login?${query}`),
          await visitor.send("/login", { name: email, password: PASSWORD, way: "login", redirect_uri }),
          await visitor.open(`/signup?${query}`)
        ]
        for (const page of pages) {
          expect([redirect_uri, ...statusAndHeading(page), page.headers.get("location")]).toEqual([
            redirect_uri,
            ...NOT_RIGHT,
            null
          ])
          expect([page.text.includes("evil"), page.headers.getSetCookie()]).toEqual([false, []])
        }
      }
    })
    expect(events).toEqual([])
    // The same applies to a user who is logged in.
    await visitor.logIn(email)
    for (const redirect_uri of ["https://evil.tld/", ...evil.slice(0, 1)]) {
      for (const [path, form] of [
        ["/login", { way: "continue" }],
        ["/accounts", { way: "choose", org_id: "x" }]
      ] as const) {
        expect(statusAndHeading(await visitor.send(path, { ...form, redirect_uri }))).toEqual(NOT_RIGHT)
      }
      expect(statusAndHeading(await visitor.open(`/accounts?${new URLSearchParams({ redirect_uri })}`))).toEqual(
        NOT_RIGHT
      )
    }
  })

  test("CVE-2026-9689: is rejected if it occurs more than once in the query or the form", async () => {
    const realm = await newRealm()
    const { visitor, email } = await visitorAtApp(realm, { app: { redirect_uris: [ALLOWED] } })
    const [good, bad] = [ALLOWED, "https://evil.tld/"].map((uri) => `redirect_uri=${encodeURIComponent(uri)}`)
    for (const query of [`${good}&${good}`, `${good}&${bad}`, `${bad}&${good}`]) {
      for (const page of ["login", "signup", "accounts"]) {
        expect([query, page, (await visitor.open(`/${page}?${query}`)).status]).toEqual([query, page, 422])
      }
      const body = `name=${encodeURIComponent(email)}&password=${encodeURIComponent(PASSWORD)}&way=login&${query}`
      const headers = { ...SAME_SITE_HEADERS, "content-type": "application/x-www-form-urlencoded" }
      const reply = await visitor.browser.go(`${visitor.origin}/login`, { body, headers })
      expect([query, reply.status, reply.headers.get("location")]).toEqual([query, 400, null])
    }
  })

  test("cannot be replaced by next, which only accepts hosted pages", async () => {
    const realm = await newRealm()
    const { visitor, email } = await visitorAtApp(realm)
    for (const next of ["https://evil.tld/", "//evil.tld", "logout", "..", "constructor", ""]) {
      await visitor.logIn(email, PASSWORD, `?${new URLSearchParams({ way: "login", next })}`)
      expectTokenHandover(visitor.leads)
      const form = { name: email, password: PASSWORD, way: "login", next }
      await visitor.send("/login", form)
      expectTokenHandover(visitor.leads)
    }
  })
})
