import { expect, test, vi } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { codeOf, otherCode, recoveryCodes, withEmailCodes } from "../../support/codes.ts"
import { enrolled, userEvent as event } from "../../support/logins.ts"
import { statusAndHeading, visibleText } from "../../support/pages.ts"
import { newRealm } from "../../support/sallyport.ts"
import { claimsIn, onSecurityPage, Visitor, visitorAtApp } from "../../support/visitor.ts"

/** Waits for the code that a page sends after its response. */
const waitForCode = (realm: GivenRealm, userId: string, before = "") =>
  vi.waitUntil(async () => {
    const code = await codeOf(realm, userId).catch(() => "")
    return /^\d{6}$/.test(code) && code !== before ? code : undefined
  }, 10_000)

test("recovery codes can be created once the user has a second factor, and are shown only once", async () => {
  const realm = await newRealm()
  const { user, visitor } = await onSecurityPage(realm)
  expect(visitor.page.text).not.toContain("Recovery codes")
  await enrolled(realm, user.id)
  await visitor.open("/security")
  const { result, events } = await realm.seen.during(() => visitor.fill({}, "Create recovery codes"))
  expect([...statusAndHeading(result), events]).toEqual([200, "Save your recovery codes", [event(user, "updated")]])
  const codes = [...result.text.matchAll(/<li><code>([0-9a-z-]{14})<\/code>/g)].map(([, code = ""]) => code)
  expect(codes).toHaveLength(10)
  const [, file = ""] = /href="data:text\/plain;charset=utf-8,([^"]*)" download/.exec(result.text) ?? []
  expect(decodeURIComponent(file)).toContain(codes.join("\n"))
  expect(visibleText(await visitor.open("/security"))).toContain("You have 10 codes left.")
  expect(visitor.page.text).not.toContain(codes[0])
})

test("a login accepts a recovery code instead of an authenticator code", async () => {
  const realm = await newRealm()
  const { user, visitor, email } = await visitorAtApp(realm)
  await enrolled(realm, user.id)
  const [code = ""] = await recoveryCodes(realm, user.id)
  await visitor.logIn(email)
  expect(statusAndHeading(await visitor.fill({}, "Use a recovery code"))).toEqual([200, "Enter a recovery code"])
  expect((await visitor.fill({ code: "short" })).status).toBe(422)
  expect(visibleText(await visitor.fill({ code: "0000-0000-0000" }))).toContain("has already been used")
  await visitor.fill({ code })
  expect(claimsIn(visitor.leads)["amr"]).toEqual(["pwd", "otp", "mfa"])
})

test("an emailed code logs the user in, and requesting a code doesn't reveal which accounts exist", async () => {
  const realm = await newRealm()
  const { user, visitor, email } = await visitorAtApp(realm)
  await visitor.open("/login")
  expect(visitor.page.text).not.toContain("Email me a code")
  await withEmailCodes(realm)
  await visitor.open("/login")
  expect(visitor.page.text).toContain('href="code"')
  await visitor.open("/code")
  expect((await visitor.fill({ name: " " })).status).toBe(422)
  const page = visibleText(await visitor.fill({ name: email }))
  const code = await waitForCode(realm, user.id)
  const stranger = new Visitor(realm.transport, visitor.origin)
  await stranger.open("/code")
  expect(visibleText(await stranger.fill({ name: "nobody@example.test" }))).toBe(
    page.replaceAll(email, "nobody@example.test")
  )
  expect((await stranger.fill({ code })).status).toBe(422)
  expect((await visitor.fill({ code: otherCode(code) })).status).toBe(422)
  await visitor.fill({ code })
  expect(claimsIn(visitor.leads)["sub"]).toBe(user.id)
})

test("an emailed code is accepted as the second factor if the realm allows it", async () => {
  const realm = await withEmailCodes(await newRealm(), { second_factor: true })
  const { user, visitor, email } = await visitorAtApp(realm, { user: { email_verification: "verified" } })
  await enrolled(realm, user.id)
  await visitor.logIn(email)
  expect(statusAndHeading(await visitor.fill({}, "Get a code by email"))).toEqual([200, "Check your email"])
  await visitor.fill({ code: await waitForCode(realm, user.id) })
  expect(claimsIn(visitor.leads)["acr"]).toBe("aal2")
})
