import { expect, test, vi } from "vitest"
import { uniqueText } from "#testing/Given"
import { PASSWORD } from "../../support/logins.ts"
import { clockedService } from "../../support/sallyport.ts"
import { linkTo, SAME_SITE_HEADERS, Visitor, visitorAtApp } from "../../support/visitor.ts"

const IN_SPANISH = { ...SAME_SITE_HEADERS, "accept-language": "es-MX,es;q=0.9,en;q=0.5" }

const newRealm = async (settings = {}) => (await clockedService()).given.realm(settings)

/** The subject of the only email to an address. */
const subjectTo = async (email: string): Promise<string> => {
  const { advance, postbox } = await clockedService()
  await vi.waitUntil(async () => {
    await advance("1 second")
    return postbox.to(email).length > 0
  }, 10_000)
  const mails = postbox.take(email)
  expect(mails.length).toBe(1)
  return mails[0]?.subject ?? ""
}

const newSignup = () => {
  const username = uniqueText("newcomer")
  return { username, email: `${username}@example.test`, password: PASSWORD }
}

test("a sign-up on Spanish pages sends Spanish emails and stores the locale if the realm has it", async () => {
  for (const [available_locales, locale] of [
    [["en", "es-MX"], "es-MX"],
    [["en"], null]
  ] as const) {
    const realm = await newRealm({ available_locales, email_verification: "request" })
    const { visitor } = await visitorAtApp(realm)
    const typed = newSignup()
    expect((await visitor.send("/signup", typed, IN_SPANISH)).status).toBe(303)
    expect((await realm.get(`/v2/users/${typed.email}`)).member("locale")).toBe(locale)
    expect(await subjectTo(typed.email)).toMatch(/^Confirme su/)
  }
})

test("a sign-up without a language preference stores no locale and sends emails in the realm's language", async () => {
  const realm = await newRealm({ available_locales: ["en", "es"], default_locale: "es", email_verification: "request" })
  const { visitor } = await visitorAtApp(realm)
  const typed = newSignup()
  expect((await visitor.send("/signup", typed)).status).toBe(303)
  expect((await realm.get(`/v2/users/${typed.email}`)).member("locale")).toBe(null)
  expect(await subjectTo(typed.email)).toMatch(/^Confirme su/)
})

test("a password reset email uses the language of the page where it was requested", async () => {
  const realm = await newRealm()
  const { visitor, email } = await visitorAtApp(realm, { user: { locale: "en" } })
  await visitor.send("/forgot", { name: email }, IN_SPANISH)
  expect(await subjectTo(email)).toMatch(/contraseña/)
  await visitor.send("/forgot", { name: email })
  expect(await subjectTo(email)).toMatch(/password/)
})

test("a sign-up by emailed link uses the language of the page in the email, the invitation and the user", async () => {
  const realm = await newRealm({ available_locales: ["en", "es"], email_verification: "preverify" })
  const { visitor } = await visitorAtApp(realm)
  const { username, email, password } = newSignup()
  await visitor.send("/signup", { email }, IN_SPANISH)
  const link = await linkTo(email)
  const [invitation] = (await realm.get("/v2/invitations")).items
  expect(invitation).toMatchObject({ email, locale: "es" })
  const token = new URL(link).searchParams.get("token") ?? ""
  const accepting = new Visitor(realm.transport, visitor.origin)
  await accepting.send("/invitation", { token, way: "signup", username, password }, IN_SPANISH)
  expect((await realm.get(`/v2/users/${email}`)).member("locale")).toBe("es")
})
