import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { PASSWORD } from "../../support/logins.ts"
import { statusAndHeading, tagsOf, visibleText } from "../../support/pages.ts"
import { newRealm } from "../../support/sallyport.ts"
import { passwordToken } from "../../support/tokens.ts"
import { onProfilePage, SAME_SITE_HEADERS, Visitor, visitorAtApp } from "../../support/visitor.ts"

const pages = ["login", "signup", "logout", "forgot", "reset", "verify", "profile", "passkey", "accounts", "invitation"]

const POLICY =
  /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; script-src 'sha256-[\w+/]{43}='( 'sha256-[\w+/]{43}=')?; (connect-src https:\/\/[\w.-]+\/v1\/passkey_options; )?(form-action 'self'; )?frame-ancestors 'none'; base-uri 'none'$/

const expectSafe = ({ status, headers }: Reply) => {
  expect(headers.get("cache-control")).toBe("no-store")
  expect(headers.get("referrer-policy")).toBe("no-referrer")
  expect(headers.get("x-content-type-options")).toBe("nosniff")
  expect(headers.get("x-frame-options")).toBe("DENY")
  expect(headers.get("x-robots-tag")).toBe("noindex")
  expect(headers.get("access-control-allow-origin")).toBe(null)
  if (status === 303) return
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8")
  expect(headers.get("content-security-policy")).toMatch(POLICY)
}

describe("SEC-38: every response of a page has secure headers", () => {
  test.each(pages)("/%s", async (page) => {
    const realm = await newRealm()
    const { visitor, origin, host } = await onProfilePage(realm)
    const stranger = new Visitor(realm.transport, origin).browser
    const at = `${origin}/${page}`
    const form = { "content-type": "application/x-www-form-urlencoded" }
    const large = { body: `token=${"x".repeat(300_000)}`, headers: form }
    const statuses = page === "invitation" ? [200, 303, 403, 410] : [200, 303, 410]
    const replies: ReadonlyArray<readonly [statuses: ReadonlyArray<number>, reply: Reply]> = [
      [statuses, await visitor.browser.go(at)],
      [statuses, await stranger.go(at)],
      [statuses, await stranger.go(at, { method: "HEAD" })],
      [[...statuses, 422], await stranger.go(at, { form: {} })],
      [[403], await stranger.go(at, { form: {}, headers: { origin: "https://evil.test" } })],
      [[405], await stranger.go(at, { method: "PUT" })],
      [[405], await stranger.go(at, { method: "OPTIONS" })],
      [[415], await stranger.go(at, { body: "{}", headers: { "content-type": "application/json" } })],
      [[400], await stranger.go(at, { body: "way=a&way=b", headers: form })],
      [[413], await stranger.go(at, large)],
      [[404], await stranger.go(`https://x-${host}/${page}`)]
    ]
    for (const [statuses, reply] of replies) {
      expect(statuses).toContain(reply.status)
      expectSafe(reply)
      if (reply.status === 405) expect(reply.headers.get("allow")).toBe("GET, HEAD, POST")
    }
  })

  test("omits form-action from the policy only if the page's form may redirect to the app (C83)", async () => {
    const realm = await newRealm()
    const app = { redirect_uris: ["https://phone.example.test/cb", "com.acme.app:/done"] }
    const { visitor } = await visitorAtApp(realm, { app })
    const allowedFormActions = async (address: string) =>
      /form-action ([^;]*)/.exec((await visitor.open(address)).headers.get("content-security-policy") ?? "")?.[1]
    for (const page of [
      "login",
      "login?redirect_uri=https://phone.example.test/cb",
      "signup?redirect_uri=com.acme.app:/done"
    ]) {
      expect([page, await allowedFormActions(`/${page}`)]).toEqual([page, undefined])
    }
    for (const page of ["forgot", "logout", "reset?token=x"])
      expect(await allowedFormActions(`/${page}`)).toBe("'self'")
  })
})

describe("SEC-31: a page's content", () => {
  test("includes the app's sanitized header and footer, whose style and images the policy allows", async () => {
    const realm = await newRealm()
    const app = {
      header: '<p onclick="x">Acme <img src="https://img.example.test/a.png" onerror="x"><script>alert(1)</script></p>',
      footer:
        '<a href="https://acme.example.test/">About</a><form action="https://evil.test"><input name="password"></form>',
      external_css: "https://css.example.test/acme.css"
    }
    const { visitor, user } = await onProfilePage(realm, { app })
    const token = await passwordToken(realm, user.id)
    for (const page of [...pages, `reset?token=${token}`, "login?way=login", "signup?redirect_uri=https://evil.test"]) {
      const { text, headers, status } = await visitor.open(`/${page}`)
      if (status === 303) continue
      const policy = headers.get("content-security-policy")
      expect([page, policy]).toEqual([page, expect.stringContaining("img-src https://img.example.test; f")])
      expect(policy).toMatch(/style-src 'sha256-[\w+/=]+' https:\/\/css\.example\.test\/acme\.css; script-src 'sha256-/)
      expect(text).toMatch(
        /<header class="above"><p>Acme <img[^>]* src="https:\/\/img\.example\.test\/a\.png"[^>]*><\/p>/
      )
      expect(text).toMatch(/<footer class="below"><a[^>]*href="https:\/\/acme\.example\.test\/"[^>]*>About<\/a>/)
      expect(text).toContain('<link rel="stylesheet" href="https://css.example.test/acme.css">')
      expect(/onclick|onerror|alert\(1\)|evil/.exec(text)?.[0]).toBe(undefined)
    }
  })

  test("CVE-2026-42849, CVE-2026-9091: never contains user-provided text or a query as markup", async () => {
    const hostile = `</title><script>alert(1)</script>"'\`><img src=x onerror=alert(1)>{{7*7}}&lt;`
    const place = (text: string) => `https://app.example.test/cb?x=${encodeURIComponent(text)}`
    const responsesWith = async (text: string) => {
      const realm = await newRealm({ name: text, org_mode: "multi_user" })
      const { user, email, visitor } = await visitorAtApp(realm, {
        app: { redirect_uris: [place(text)], auto_continue: false },
        user: { first_name: text, last_name: text }
      })
      for (const name of [text, `${text} 2`]) {
        const org = await realm.org({ name })
        await realm.membership(user.id, org.id, { permissions: ["ar:owner"] })
      }
      await realm.authProvider({ name: text })
      const query = new URLSearchParams({ redirect_uri: place(text), next: text, name: text })
      const replies = [
        await visitor.open(`/login?${query}`),
        await visitor.send("/login", { way: text, name: text, password: text, redirect_uri: place(text) }),
        await visitor.send("/login", { way: "code", login: text, code: text }),
        await visitor.open(`/signup?${query}`),
        await visitor.send("/signup", {
          email: text,
          username: text,
          first_name: text,
          last_name: text,
          password: "x"
        }),
        await visitor.send("/forgot", { name: text, redirect_uri: text }),
        await visitor.open(`/reset?token=${query}`),
        await visitor.open(`/login?redirect_uri=${encodeURIComponent(text)}`)
      ]
      await visitor.logIn(email, PASSWORD, "?way=login")
      replies.push(
        await visitor.open(`/login?${query}`),
        await visitor.open(`/profile?saved=${encodeURIComponent(text)}`),
        await visitor.send("/profile", { way: "details", first_name: "x".repeat(300), last_name: text, email: text }),
        await visitor.send(
          "/security",
          { way: "add", device_name: text, current_password: PASSWORD },
          SAME_SITE_HEADERS
        ),
        await visitor.open(`/accounts?${query}`),
        await visitor.open("/invitation"),
        await visitor.send("/invitation", { way: "invite", email: text, org_id: text }),
        await visitor.open("/logout")
      )
      return replies
    }
    const [bad, plain] = [await responsesWith(hostile), await responsesWith("Plain text")]
    // QR codes differ in shape.
    const tagsWithoutSvg = (reply: Reply) => tagsOf({ text: reply.text.replace(/<svg.*?<\/svg>/gs, "") })
    expect(bad.map(statusAndHeading)).toEqual(plain.map(statusAndHeading))
    expect(bad.map(tagsWithoutSvg)).toEqual(plain.map(tagsWithoutSvg))
    for (const reply of bad.slice(8, 10)) expect(visibleText(reply)).toContain(hostile)
  })
})
