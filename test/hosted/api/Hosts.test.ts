import { describe, expect, test } from "vitest"
import { KNOWN } from "../../support/browser.ts"
import { operationNames, userAtApp } from "../../support/hostedApi.ts"
import { PASSWORD } from "../../support/logins.ts"
import { clockedService, newRealm } from "../../support/sallyport.ts"

describe("SEC-37, CVE-2025-64101, GHSA-93m4-mfpg-c3xf, GHSA-569q-mpph-wgww, GHSA-3q45-2fh7-66cj: links ignore the Host header", () => {
  test("an unknown Host gets 404, and forwarded headers don't change responses or emails", async () => {
    const { given, advance, postbox } = await clockedService()
    const realm = await given.realm()
    const { at, email, username, login } = await userAtApp(realm)
    const evil = {
      "x-forwarded-host": "evil.test",
      "x-forwarded-proto": "http",
      "x-forwarded-port": "81",
      forwarded: "host=evil.test;proto=http",
      "x-original-host": "evil.test",
      "x-host": "evil.test"
    }
    for (const host of ["evil.test", `${at.host}.evil.test`, `evil.test/${at.host}`, `${at.host}@evil.test`]) {
      for (const headers of [{ host }, { ...evil, host }]) {
        const reply = await at.post("forgotPassword", { username }, { ...headers })
        expect([host, reply.status]).toEqual([host, 404])
      }
    }
    for (const headers of [evil, { ...evil, host: `${at.host}:81` }]) {
      expect((await at.post("forgotPassword", { username }, headers)).member("message")).toEqual(expect.any(String))
    }
    const resetRequests = async () => (await realm.get("/v2/events?event_type=user.password.resetting")).items.length
    await expect.poll(resetRequests, { timeout: 10_000 }).toBe(2)
    await advance("1 minute")
    const mails = postbox.take(email)
    expect(mails).toHaveLength(2)
    for (const { text, html } of mails) {
      const whole = `${text} ${html}`
      expect(whole).not.toMatch(/evil|:81|http:/)
      const origins = [...whole.matchAll(/https?:\/\/[^\s"')<>\]]+/g)].map(([url]) => new URL(url).origin)
      for (const origin of origins) expect([at.origin, "https://id.example.test"]).toContain(origin)
      expect(origins.length).toBeGreaterThan(0)
    }
    const before = await login(PASSWORD)
    const after = await at.post("login", { username, password: PASSWORD }, evil)
    expect(new URL(after.string("url")).origin).toBe(new URL(before.string("url")).origin)
    expect(after.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-session=.*; Secure; /), KNOWN])
  })
})

test("SEC-38: every response has the security headers", async () => {
  const realm = await newRealm()
  const { at, username, login } = await userAtApp(realm)
  const replies = [
    await login(PASSWORD),
    await login("wrong"),
    await at.get("login", { callback: "f" }),
    await at.get("login", { callback: "1" }),
    await at.post("login", { username }, { origin: "null" }),
    await at.post("login", {}, { host: "x.test" }),
    await at.send("login", "PUT"),
    await at.send("login", "POST", { "content-type": "application/json" }, "{"),
    await at.send("login", "OPTIONS", { origin: at.origin })
  ]
  for (const name of operationNames) replies.push(await at.post(name), await at.get(name), await at.send(name, "HEAD"))
  for (const { status, headers } of replies) {
    expect([200, 204, 404, 405]).toContain(status)
    expect([
      headers.get("x-content-type-options"),
      headers.get("referrer-policy"),
      headers.get("cache-control"),
      headers.get("content-security-policy"),
      headers.get("x-request-id")?.slice(0, 4)
    ]).toEqual(["nosniff", "no-referrer", "no-store", "default-src 'none'; frame-ancestors 'none'", "req_"])
    expect([headers.get("server"), headers.get("x-powered-by")]).toEqual([null, null])
  }
})
