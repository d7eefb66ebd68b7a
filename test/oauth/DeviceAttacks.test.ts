import { describe, expect, test } from "vitest"
import { enterCode, withDevice } from "../support/oauthDevices.ts"
import { heading, statusAndHeading } from "../support/pages.ts"
import { clockedService, ownService } from "../support/sallyport.ts"
import { onProfilePage, Visitor, visitorAtApp } from "../support/visitor.ts"

const newRealm = async (settings = {}) => (await clockedService()).given.realm(settings)

describe("SEC-171: the approval of a device (CVE-2026-45337)", () => {
  test("is rejected for any user other than the one who entered the code", async () => {
    const realm = await newRealm()
    const at = await withDevice(realm)
    const mallory = await onProfilePage(realm, { app: { name: "Other" } })
    await enterCode(at, at.device.userCode)
    // Another user, logged in on the host that the code belongs to.
    const thief = new Visitor(realm.transport, at.origin)
    await thief.logIn(mallory.email)
    const events = await realm.seen.caused(async () => {
      for (const way of ["allow", "deny"]) {
        const reply = await thief.send("/device", { way, user_code: at.device.userCode })
        expect([reply.status, heading(reply)]).toEqual([422, "Connect a device"])
      }
      expect((await enterCode({ visitor: thief }, at.device.userCode)).status).toBe(422)
    })
    expect(events).toEqual([])
    expect(statusAndHeading(await at.visitor.fill({}, "Allow"))).toEqual([200, "Your device is connected"])
  })

  test("is rejected in another session of the same user, and before the user enters the code", async () => {
    const realm = await newRealm()
    const at = await withDevice(realm)
    const elsewhere = new Visitor(realm.transport, at.origin)
    await elsewhere.logIn(at.email)
    expect((await elsewhere.send("/device", { way: "allow", user_code: at.device.userCode })).status).toBe(422)
    await enterCode(at, at.device.userCode)
    expect((await elsewhere.send("/device", { way: "allow", user_code: at.device.userCode })).status).toBe(422)
    // Entering the code again in another session moves the decision there.
    expect((await enterCode({ visitor: elsewhere }, at.device.userCode)).status).toBe(200)
    expect((await at.visitor.fill({}, "Allow")).status).toBe(422)
    expect(statusAndHeading(await elsewhere.fill({}, "Allow"))).toEqual([200, "Your device is connected"])
  })

  test("is rejected in a logged-out browser and from another site's form", async () => {
    const realm = await newRealm()
    const at = await withDevice(realm)
    await enterCode(at, at.device.userCode)
    const form = { way: "allow", user_code: at.device.userCode }
    const foreign = await at.visitor.send("/device", form, {
      origin: "https://evil.example.test",
      "sec-fetch-site": "cross-site"
    })
    expect(foreign.status).toBe(403)
    const stranger = new Visitor(realm.transport, at.origin)
    await stranger.send("/device", form)
    expect(stranger.leads.pathname).toBe("/login")
  })

  test("requires confirmation even if the link contains the code (phishing)", async () => {
    const realm = await newRealm()
    const at = await withDevice(realm)
    const events = await realm.seen.caused(() => at.visitor.open(at.device.uri.pathname + at.device.uri.search))
    expect([heading(at.visitor.page), events]).toEqual(["Connect a device", []])
    expect(at.visitor.page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
    expect((await at.visitor.send("/device", { way: "allow", user_code: at.device.userCode })).status).toBe(422)
  })
})

describe("SEC-172: user codes of devices", () => {
  test("are limited to ten wrong entries in ten minutes per user and per address", () =>
    ownService(
      async ({ given, clock }) => {
        const realm = await given.realm({ limits: { hosted: 1_000, hosted_sustained: 1_000 } })
        const at = await withDevice(realm)
        for (let count = 0; count < 12; count++) expect((await enterCode(at, at.device.userCode)).status).toBe(200)
        for (let count = 0; count < 10; count++) expect((await enterCode(at, "BBBB-BBBB")).status).toBe(422)
        expect((await enterCode(at, "BBBB-BBBB")).status).toBe(429)
        expect((await enterCode(at, at.device.userCode)).status).toBe(429)
        // Another user with the same address is also blocked.
        const other = new Visitor(realm.transport, at.origin)
        await other.logIn((await visitorAtApp(realm, { app: { name: "Other" } })).email)
        expect((await enterCode({ visitor: other }, "BBBB-BBBB")).status).toBe(429)
        clock.advance(600_000)
        expect((await enterCode(at, "BBBB-BBBB")).status).toBe(422)
      },
      { limits: "all" }
    ))

  test("are rejected if they are expired or belong to another realm or app", async () => {
    const { advance } = await clockedService()
    const [realm, other] = [await newRealm(), await newRealm()]
    const at = await withDevice(realm)
    const elsewhere = await withDevice(other)
    expect((await enterCode(at, elsewhere.device.userCode)).status).toBe(422)
    const second = await onProfilePage(realm, { app: { name: "Second" } })
    expect((await enterCode(second, at.device.userCode)).status).toBe(422)
    expect((await enterCode(at, at.device.userCode)).status).toBe(200)
    await advance("10 minutes")
    expect((await at.visitor.fill({}, "Allow")).status).toBe(422)
    expect((await enterCode(at, at.device.userCode)).status).toBe(422)
  })

  test("are rejected once the client is deactivated or deleted", async () => {
    const realm = await newRealm()
    const at = await withDevice(realm)
    await enterCode(at, at.device.userCode)
    await realm.put(`/v2/client_apps/${at.client.id}`, { client_app: { state: "inactive" } })
    expect(await realm.seen.caused(() => at.visitor.fill({}, "Allow"))).toEqual([])
    expect(at.visitor.page.status).toBe(422)
    expect((await enterCode(at, at.device.userCode)).status).toBe(422)
    expect((await realm.delete(`/v2/client_apps/${at.client.id}`)).status).toBe(204)
    expect((await enterCode(at, at.device.userCode)).status).toBe(422)
  })
})
