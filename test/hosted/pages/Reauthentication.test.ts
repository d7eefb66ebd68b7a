import { describe, expect, test } from "vitest"
import { EMAIL_CHANGE_NOTICE } from "#domain/DefaultMail"
import type { GivenRealm } from "#testing/Given"
import { appWithDouble, logInAtProvider } from "../../external/BrowserLogins.ts"
import { codeAt } from "../../support/credentials.ts"
import { profile } from "../../support/external.ts"
import { defaultHooks } from "../../support/hooks.ts"
import { userEvent as event, PASSWORD } from "../../support/logins.ts"
import { links } from "../../support/mailboxProofs.ts"
import { statusAndHeading, visibleText } from "../../support/pages.ts"
import { clockedService, ownService } from "../../support/sallyport.ts"
import { emailToken } from "../../support/tokens.ts"
import { isLoggedIn, onProfilePage, Visitor } from "../../support/visitor.ts"

const newRealm = async (settings = {}): Promise<GivenRealm> => (await clockedService()).given.realm(settings)

/** A user without a password, logged in through a provider that has verified the email. */
const withoutPassword = async () => {
  const realm = await newRealm()
  const told = profile()
  const at = await appWithDouble(realm, { told })
  expect((await logInAtProvider(at)).status).toBe(302)
  const visitor = new Visitor(realm.transport, at.origin, at.browser)
  expect(await isLoggedIn(visitor)).toBe(true)
  return { realm, at, visitor, email: told.email, user: await realm.get(`/v2/users/${told.email}`) }
}

describe("SEC-90: a user without a password", () => {
  test.each([
    ["changing the email", "profile", { email: "new@example.test" }, "Save"],
    ["adding an authenticator app", "security", { device_name: "Phone" }, "Set up"]
  ] as const)("must log in at the provider again before %s ten minutes after the login", async (_, page, typed, button) => {
    const { advance } = await clockedService()
    const { realm, at, visitor } = await withoutPassword()
    await advance("10 minutes")
    await visitor.open(`/${page}`)
    const { result, events } = await realm.seen.during(() => visitor.fill(typed, button))
    expect([result.status, visitor.leads.pathname, Object.fromEntries(visitor.leads.searchParams), events]).toEqual([
      303,
      "/login",
      { next: page, way: "login", why: "proof" },
      []
    ])
    await visitor.follow()
    expect(visibleText(visitor.page)).toContain("To make this change, log in again")
    const link = new RegExp(`href="(/?auth/${at.provider.id}[^"]*)"`).exec(visitor.page.text)?.[1] ?? ""
    const query = link.slice(link.indexOf("?")).replaceAll("&amp;", "&")
    const back = await logInAtProvider(at, query)
    expect([back.status, back.headers.get("location")]).toEqual([302, `/${page}`])
    await visitor.open(`/${page}`)
    const again = await realm.seen.during(() => visitor.fill(typed, button))
    expect(again.events[0]?.["event_type"]).toMatch(/^user\.(profile\.)?updated$/)
  })

  test("can make changes for ten minutes after the login, whatever password the form contains", async () => {
    const { advance } = await clockedService()
    const { realm, visitor, user, email } = await withoutPassword()
    await advance("9 minutes")
    await visitor.open("/profile")
    const first = { ...visitor.form("Save").values, email: "one@example.test", current_password: "anything" }
    const { events } = await realm.seen.during(() => visitor.send("/profile", first))
    expect(events).toEqual([event(user, "profile.updated"), event(user, "email.updating")])
    await advance("1 minute")
    await visitor.open("/profile")
    const late = await realm.seen.during(() => visitor.fill({ email: `late-${email}` }, "Save"))
    expect([visitor.leads.pathname, late.events]).toEqual(["/login", []])
    // Changes that affect no login method are still possible.
    await visitor.open("/profile")
    expect(await realm.seen.caused(() => visitor.fill({ first_name: "Ada" }, "Save"))).toEqual([
      event(user, "profile.updated")
    ])
  })

  test("cannot finish setting up an authenticator app ten minutes after the login", async () => {
    const { advance, clock } = await clockedService()
    const { realm, visitor } = await withoutPassword()
    await visitor.open("/security")
    await visitor.fill({ device_name: "Phone" }, "Set up")
    const secret = /<code class="key">([^<]*)</.exec(visitor.page.text)?.[1]?.replaceAll(" ", "") ?? ""
    await advance("10 minutes")
    const code = codeAt(secret, clock.currentTimeMillisUnsafe())
    const { events } = await realm.seen.during(() => visitor.fill({ code }))
    expect([visitor.leads.pathname, events]).toEqual(["/login", []])
  })
})

test("SEC-90: a change confirmed with the password doesn't depend on the age of the login", async () => {
  const { advance, clock } = await clockedService()
  const realm = await newRealm()
  const { visitor, user, email } = await onProfilePage(realm)
  await advance("1 hour")
  await visitor.open("/profile")
  const refused = await realm.seen.during(() => visitor.fill({ email: `new-${email}` }, "Save"))
  expect([...statusAndHeading(refused.result), refused.events]).toEqual([422, "Your profile", []])
  await visitor.open("/security")
  await visitor.fill({ device_name: "Phone", current_password: PASSWORD }, "Set up")
  const secret = /<code class="key">([^<]*)</.exec(visitor.page.text)?.[1]?.replaceAll(" ", "") ?? ""
  const code = codeAt(secret, clock.currentTimeMillisUnsafe())
  expect(await realm.seen.caused(() => visitor.fill({ code }))).toEqual([event(user, "updated")])
})

describe("SEC-90: the notice to the old address of a changed email", () => {
  test("is sent once, without the verification token, even if the change completes first", async () => {
    const { advance, postbox } = await clockedService()
    const realm = await newRealm({ default_locale: "es", available_locales: ["es"] })
    const user = await realm.user({ email_verification: "verified" })
    const [before, after] = [user.string("email"), `new-${user.string("email")}`]
    postbox.refuse(before, { message: "421 Later.", isFinal: false })
    await realm.put(`/v2/users/${user.id}/profile`, { user: { email: after } })
    // Requesting the link again sends no second notice.
    const token = await emailToken(realm, user.id)
    await advance("1 second")
    expect((await realm.post("/v2/users/verify_email", { user: { token } })).member("email")).toBe(after)
    postbox.refuse(before, undefined)
    await advance("1 hour")
    const told = postbox.take(before)
    expect(told.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^El correo electrónico de su cuenta en Realm-\d+ va a cambiar$/)
    ])
    expect(told[0]?.text).toContain(before)
    expect(told[0]?.text).not.toMatch(/tue:|tve:/)
  })

  test("is sent by a hook that the realm can read, edit and deactivate", async () => {
    const realm = await newRealm()
    const id = (await defaultHooks(realm))[EMAIL_CHANGE_NOTICE] ?? ""
    const path = `/v2/hooks/${id}`
    expect((await realm.get(path)).body).toMatchObject({ event_type: ["user.email.updating"], state: "active" })
    const hook = {
      email_subject: "Was that you?",
      email_template: "{{email}} {{url}} {{token}}!",
      email_renderer: "text"
    }
    expect((await realm.put(path, { hook })).status).toBe(200)
    const { advance, postbox } = await clockedService()
    const change = async (pending: string) => {
      const user = await realm.user({ email_verification: "verified" })
      await realm.put(`/v2/users/${user.id}`, { user: { email_pending: pending } })
      await advance("1 second")
      return postbox
        .take(user.string("email"))
        .map(({ subject, text }) => [subject, text?.trim(), user.string("email")])
    }
    const [told] = await change("a@example.test")
    expect(told).toEqual(["Was that you?", `${told?.[2]} https://id.example.test !`, told?.[2]])
    await realm.put(path, { hook: { state: "inactive" } })
    expect(await change("b@example.test")).toEqual([])
  })

  test("is not sent if the user was created with a pending email", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email_pending: "c@example.test" })
    expect(await links(user.string("email"))).toEqual([])
  })
})

test("SEC-94: an email change counts towards the limit of emails that a visitor may cause", () =>
  ownService(
    async ({ given }) => {
      const realm = await given.realm({ limits: { hosted: 1_000, hosted_sustained: 1_000, visitor_mails: 1 } })
      const { visitor, user } = await onProfilePage(realm)
      const change = async (email: string) => {
        await visitor.open("/profile")
        return visitor.fill({ email, current_password: PASSWORD }, "Save")
      }
      expect((await change("one@example.test")).status).toBe(303)
      const { result, events } = await realm.seen.during(() => change("two@example.test"))
      expect([result.status, result.headers.get("retry-after"), events]).toEqual([429, "600", []])
      const after = await realm.get(`/v2/users/${user.id}`)
      expect(after.string("email_pending")).toBe("one@example.test")
    },
    { limits: "all" }
  ))
