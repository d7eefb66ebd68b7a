import { describe, expect, test, vi } from "vitest"
import { accountMail } from "#domain/AccountNotice"
import { Authenticator } from "#testing/Authenticator"
import type { GivenRealm } from "#testing/Given"
import { codeAt } from "../../support/credentials.ts"
import { oauth2StandIn, profile } from "../../support/external.ts"
import { defaultHooks } from "../../support/hooks.ts"
import { enrolled, OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { unescapeHtml } from "../../support/pages.ts"
import { authenticatorResponse, createPasskey, passkeyOptionsOn } from "../../support/passkeyPages.ts"
import { clockedService } from "../../support/sallyport.ts"
import { formsIn, linkTo, newPassword, onSecurityPage, type Visitor, visitorAtApp } from "../../support/visitor.ts"

const newRealm = async (settings = {}): Promise<GivenRealm> => (await clockedService()).given.realm(settings)

/** Waits for emails to an address and returns them. */
const mailsTo = async (email: string) => {
  const { advance, postbox } = await clockedService()
  await vi.waitUntil(async () => {
    await advance("1 second")
    return postbox.to(email).length > 0
  }, 10_000)
  return postbox.take(email)
}

/** Asserts that no email is sent to an address. */
const expectNoEmail = async (email: string) => {
  const { advance, postbox } = await clockedService()
  await advance("2 minutes")
  expect(postbox.take(email)).toEqual([])
}

const setUpAuthenticator = async (visitor: Visitor) => {
  const { clock } = await clockedService()
  await visitor.fill({ device_name: "Phone", current_password: PASSWORD }, "Set up")
  const secret = /<code class="key">([^<]*)</.exec(visitor.page.text)?.[1]?.replaceAll(" ", "") ?? ""
  await visitor.fill({ code: codeAt(secret, clock.currentTimeMillisUnsafe()) })
  return secret
}

describe("an email to the owner of an account", () => {
  test("reports a password change in the account's language and links to a reset", async () => {
    const realm = await newRealm({ available_locales: ["en", "es"] })
    const name = (await realm.get(`/v2/realms/${realm.id}`)).string("name")
    const { visitor, email, origin } = await onSecurityPage(realm)
    await visitor.fill(newPassword(PASSWORD, OTHER_PASSWORD), "Change password")
    const [mail, ...more] = await mailsTo(email)
    expect([mail?.subject, more]).toEqual([`Your ${name} password was changed`, []])
    expect(mail?.text).toContain(`${origin}/forgot`)
    expect(mail?.text).toContain(email)
    expect(mail?.text).not.toMatch(/\{\{|token=/)
    const spanish = await onSecurityPage(realm, { user: { locale: "es" } })
    await spanish.visitor.fill(newPassword(PASSWORD, OTHER_PASSWORD), "Change password")
    expect((await mailsTo(spanish.email)).map(({ subject }) => subject)).toEqual([
      `Su contraseña de ${name} ha cambiado`
    ])
  })

  test("reports a password reset by link", async () => {
    const realm = await newRealm()
    const { visitor, email } = await onSecurityPage(realm, { user: { email_verification: "verified" } })
    await visitor.open("/forgot")
    await visitor.fill({ name: email })
    await visitor.open(await linkTo(email))
    await visitor.fill({ password: OTHER_PASSWORD, password_confirmation: OTHER_PASSWORD })
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Your Realm-\d+ password was reset$/)
    ])
  })

  test("reports that an authenticator app was activated or removed", async () => {
    const { advance, clock } = await clockedService()
    const realm = await newRealm()
    const { visitor, email } = await onSecurityPage(realm)
    const secret = await setUpAuthenticator(visitor)
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Two-step verification was added to your Realm-\d+ account$/)
    ])
    await advance("30 seconds")
    await visitor.open("/security")
    await visitor.fill({ code: codeAt(secret, clock.currentTimeMillisUnsafe()) }, "Remove Phone")
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^An authenticator app was removed from your Realm-\d+ account$/)
    ])
  })

  test("reports new and removed passkeys and new recovery codes", async () => {
    const realm = await newRealm({ available_locales: ["en", "es"] })
    const name = (await realm.get(`/v2/realms/${realm.id}`)).string("name")
    const { visitor, email } = await onSecurityPage(realm)
    const subjects = async (to = email) => (await mailsTo(to)).map(({ subject, text }) => [subject, text?.includes(to)])
    await createPasskey(visitor, new Authenticator())
    expect(await subjects()).toEqual([[`A passkey was added to your ${name} account`, true]])
    await visitor.open("/security")
    await visitor.fill({}, "Remove passkey")
    expect(await subjects()).toEqual([[`A passkey was removed from your ${name} account`, true]])
    // Account notices are limited to two per minute.
    await (await clockedService()).advance("1 minute")
    await visitor.open("/security")
    await setUpAuthenticator(visitor)
    expect(await subjects()).toEqual([[`Two-step verification was added to your ${name} account`, true]])
    await visitor.open("/security")
    await visitor.fill({}, "Create recovery codes")
    const codes = [...visitor.page.text.matchAll(/<li><code>([^<]*)/g)].map(([, code = "?"]) => code)
    const [told, ...more] = await mailsTo(email)
    expect([told?.subject, more, codes.length]).toEqual([`New recovery codes for your ${name} account`, [], 10])
    for (const code of codes) expect(told?.text).not.toContain(code)

    await realm.put(`/v2/realms/${realm.id}`, { realm: { mfa: "required" } })
    const other = await visitorAtApp(realm, { user: { locale: "es" } })
    await other.visitor.logIn(other.email)
    const answer = authenticatorResponse(new Authenticator(), passkeyOptionsOn(other.visitor), { origin: other.origin })
    await other.visitor.sendForm("Create a passkey", answer)
    expect(await subjects(other.email)).toEqual([[`Se ha añadido una llave de acceso a su cuenta en ${name}`, true]])
  })

  test("reports that a provider account was connected or disconnected", async () => {
    const realm = await newRealm()
    const { provider } = await oauth2StandIn(realm, profile())
    const { visitor, email } = await onSecurityPage(realm)
    await visitor.fill({}, "Connect")
    const href = unescapeHtml(/<a class="choice go" href="([^"]*)"/.exec(visitor.page.text)?.[1] ?? "")
    const state = new URL(href).searchParams.get("state") ?? ""
    await visitor.open(`/auth/${provider.id}/callback?${new URLSearchParams({ state, code: "a-code" })}`)
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^A service was connected to your Realm-\d+ account$/)
    ])
    await visitor.open("/security")
    expect(formsIn(visitor.page).some(({ button }) => button === "Disconnect")).toBe(true)
    await visitor.fill({}, "Disconnect")
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^A service was disconnected from your Realm-\d+ account$/)
    ])
  })

  test("is sent by hooks that the realm can read, edit and deactivate", async () => {
    const realm = await newRealm()
    const id = (await defaultHooks(realm))[accountMail("password_changed")]
    const path = `/v2/hooks/${id}`
    const read = await realm.get(path)
    expect(read.body).toMatchObject({ event_type: ["user.updated"], hook_type: "email", state: "active" })
    expect(read.string("email_subject")).toBe("Your {{app_name}} password was changed")
    await realm.put(path, { hook: { email_subject: "Was that you?" } })
    const { visitor, email } = await onSecurityPage(realm)
    await visitor.fill(newPassword(PASSWORD, OTHER_PASSWORD), "Change password")
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual(["Was that you?"])
    await realm.put(path, { hook: { state: "inactive" } })
    await visitor.open("/security")
    await visitor.fill(newPassword(OTHER_PASSWORD, PASSWORD), "Change password")
    await expectNoEmail(email)
  })

  test("is not sent for changes by an API key or changes to anything other than login methods", async () => {
    const realm = await newRealm()
    const { visitor, user, email } = await onSecurityPage(realm)
    await realm.put(`/v2/users/${user.id}`, { user: { first_name: "Ada", password: OTHER_PASSWORD } })
    const at = (await clockedService()).clock.currentTimeMillisUnsafe()
    const device = await enrolled(realm, user.id, at)
    await realm.delete(`/v2/credentials/${device.id}`)
    await visitor.logIn(email, OTHER_PASSWORD)
    await visitor.open("/profile")
    await visitor.fill({ first_name: "Ida" }, "Save")
    await expectNoEmail(email)
  })
})
