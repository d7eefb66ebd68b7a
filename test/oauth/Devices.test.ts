import { describe, expect, test } from "vitest"
import { PASSWORD } from "../support/logins.ts"
import { basic, oauthClient } from "../support/oauth.ts"
import { beginDevice, deviceClient, enterCode, postForm, withDevice } from "../support/oauthDevices.ts"
import { heading, statusAndHeading, visibleText } from "../support/pages.ts"
import { clockedService } from "../support/sallyport.ts"
import { visitorAtApp } from "../support/visitor.ts"

const newRealm = async (settings = {}) => (await clockedService()).given.realm(settings)

const CODE = /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/

describe("POST device_authorization", () => {
  test("returns a device code, a user code and the page for entering it", async () => {
    const realm = await newRealm()
    const { device, origin, client } = await withDevice(realm)
    expect(device.reply.body).toEqual({
      device_code: expect.stringMatching(/^odc_[\dA-Za-z]{43}$/),
      user_code: expect.stringMatching(CODE),
      verification_uri: `${origin}/device`,
      verification_uri_complete: `${origin}/device?user_code=${device.userCode}`,
      expires_in: 600,
      interval: 5
    })
    expect(device.reply.headers.get("cache-control")).toBe("no-store")
    const other = await beginDevice(realm, client.id)
    expect(other.userCode).not.toBe(device.userCode)
    expect(await realm.seen.caused(() => beginDevice(realm, client.id))).toEqual([])
  })

  test("requires the secret of a confidential client", async () => {
    const realm = await newRealm()
    await visitorAtApp(realm)
    const { id, secret = "" } = await deviceClient(realm, { token_endpoint_auth_method: "client_secret_basic" })
    const unproved = await postForm(realm, "device_authorization", { client_id: id })
    expect([unproved.status, unproved.member("error")]).toEqual([401, "invalid_client"])
    expect((await postForm(realm, "device_authorization", {}, { authorization: basic(id, secret) })).status).toBe(200)
  })

  test("rejects unknown clients, scopes and resources, and clients without the device grant", async () => {
    const realm = await newRealm()
    await visitorAtApp(realm)
    const { id } = await deviceClient(realm, { resources: ["https://api.example.test"] })
    const native = await oauthClient(realm, { client_type: "native" })
    for (const [fields, error] of [
      [{}, "invalid_client"],
      [{ client_id: "lpl_nobody" }, "invalid_client"],
      [{ client_id: native.id }, "unauthorized_client"],
      [{ client_id: id, scope: 'a"b' }, "invalid_scope"],
      [{ client_id: id, scope: "admin" }, "invalid_scope"],
      [{ client_id: id, resource: "https://other.example.test" }, "invalid_target"]
    ] as const) {
      const reply = await postForm(realm, "device_authorization", { ...fields })
      expect([JSON.stringify(fields), reply.member("error")]).toEqual([JSON.stringify(fields), error])
    }
    const twice = new URLSearchParams([
      ["client_id", id],
      ["scope", "openid"],
      ["scope", "email"]
    ])
    expect((await postForm(realm, "device_authorization", twice)).member("error")).toBe("invalid_request")
    const good = await postForm(realm, "device_authorization", { client_id: id, resource: "https://api.example.test" })
    expect(good.status).toBe(200)
  })

  test("rejects requests if the realm is inactive or has no connected app", async () => {
    const [realm, other] = [await newRealm(), await newRealm()]
    const { id } = await deviceClient(realm)
    const none = await postForm(realm, "device_authorization", { client_id: id })
    expect([none.status, none.member("error_description")]).toEqual([400, "There are no login pages for this client."])
    await visitorAtApp(realm)
    await visitorAtApp(other)
    expect((await postForm(other, "device_authorization", { client_id: id })).member("error")).toBe("invalid_client")
    await realm.put(`/v2/realms/${realm.id}`, { realm: { state: "inactive" } })
    expect((await postForm(realm, "device_authorization", { client_id: id })).member("error")).toBe("access_denied")
  })
})

describe("the device page", () => {
  test("asks for the code, then describes the requesting device and approves it", async () => {
    const realm = await newRealm()
    const at = await withDevice(realm)
    const { visitor, device, user, client, sid, email } = at
    await visitor.open("/device")
    expect(statusAndHeading(visitor.page)).toEqual([200, "Connect a device"])
    await enterCode(at, device.userCode.toLowerCase().replace("-", " "))
    expect(statusAndHeading(visitor.page)).toEqual([200, "Allow access to your account?"])
    const text = visibleText(visitor.page)
    for (const fact of [
      "Television",
      email,
      device.userCode.replace("-", "\u2011"),
      "Firefox on Linux",
      "127.0.0.1",
      "UTC",
      "See your name",
      "If someone sent you this code"
    ])
      expect([fact, text.includes(fact)]).toEqual([fact, true])
    const events = await realm.seen.caused(() => visitor.fill({}, "Allow"))
    expect(statusAndHeading(visitor.page)).toEqual([200, "Your device is connected"])
    expect(events).toEqual([
      { event_type: "oauth.device.approved", user_id: user.id, client_app_id: client.id, session_id: sid }
    ])
    const again = await enterCode(at, device.userCode)
    expect([again.status, visibleText(again).includes("has expired")]).toEqual([422, true])
  })

  test("denies the device when the user declines", async () => {
    const realm = await newRealm()
    const at = await withDevice(realm)
    await enterCode(at, at.device.userCode)
    const events = await realm.seen.caused(() => at.visitor.fill({}, "Don't allow"))
    expect(statusAndHeading(at.visitor.page)).toEqual([200, "Access not allowed"])
    expect(events).toMatchObject([
      { event_type: "oauth.device.denied", user_id: at.user.id, client_app_id: at.client.id }
    ])
  })

  test("asks for a login first and then continues with the code from the link", async () => {
    const realm = await newRealm()
    const { visitor, email, origin } = await visitorAtApp(realm)
    const client = await deviceClient(realm)
    const { uri, userCode } = await beginDevice(realm, client.id)
    expect(uri.origin).toBe(origin)
    await visitor.open(uri.pathname + uri.search)
    await visitor.follow()
    expect(heading(visitor.page)).toBe("Log in")
    await visitor.fill({ name: email, password: PASSWORD })
    await visitor.follow()
    expect(statusAndHeading(visitor.page)).toEqual([200, "Connect a device"])
    expect(visitor.form("Continue").values["user_code"]).toBe(userCode)
    await visitor.fill({}, "Continue")
    expect(heading(visitor.page)).toBe("Allow access to your account?")
  })

  test("keeps the code from the link when the user switches accounts", async () => {
    const realm = await newRealm()
    const { visitor, device } = await withDevice(realm)
    const other = await realm.user({ email: "grace@example.test", password: PASSWORD })
    await visitor.open(device.uri.pathname + device.uri.search)
    const [, link = ""] = /href="([^"]+)">Use another account/.exec(visitor.page.text) ?? []
    await visitor.open(link.replaceAll("&amp;", "&"))
    expect(heading(visitor.page)).toBe("Log in")
    await visitor.fill({ name: other.string("email"), password: PASSWORD })
    await visitor.follow()
    expect(visitor.form("Continue").values["user_code"]).toBe(device.userCode)
    await visitor.fill({}, "Continue")
    expect(visibleText(visitor.page)).toContain("wants access as grace@example.test")
  })

  test("uses the language of the browser", async () => {
    const realm = await newRealm({ default_locale: "es", available_locales: ["es"] })
    const at = await withDevice(realm)
    await at.visitor.open("/device")
    expect(heading(at.visitor.page)).toBe("Conectar un dispositivo")
    await at.visitor.fill({ user_code: at.device.userCode })
    expect(heading(at.visitor.page)).toBe("¿Permitir el acceso a su cuenta?")
    expect(visibleText(at.visitor.page)).toContain("Si alguien le ha enviado este código")
  })
})
