import { describe, expect, test } from "vitest"
import { EMAIL_CHANGE_NOTICE } from "#domain/DefaultMail"
import type { GivenRealm } from "#testing/Given"
import { appWithDouble, walk } from "../../external/BrowserLogins.ts"
import { codeAt } from "../../support/credentials.ts"
import { person } from "../../support/external.ts"
import { defaultHooks } from "../../support/hooks.ts"
import { userEvent as event, PASSWORD } from "../../support/logins.ts"
import { links } from "../../support/mailboxProofs.ts"
import { met, said } from "../../support/pages.ts"
import { ownService, turnedService } from "../../support/sallyport.ts"
import { emailToken } from "../../support/tokens.ts"
import { atHome, isIn, Visitor } from "../../support/visitor.ts"

const newRealm = async (settings = {}): Promise<GivenRealm> => (await turnedService()).given.realm(settings)

/** Somebody who has no password, logged in at an app by a provider that has verified the address. */
const withoutPassword = async () => {
  const realm = await newRealm()
  const told = person()
  const at = await appWithDouble(realm, { told })
  expect((await walk(at)).status).toBe(302)
  const visitor = new Visitor(realm.transport, at.origin, at.browser)
  expect(await isIn(visitor)).toBe(true)
  return { realm, at, visitor, email: told.email, user: await realm.get(`/v2/users/${told.email}`) }
}

describe("SEC-90: an account without a password, in a browser whose login is older than ten minutes", () => {
  test.each([
    ["another e-mail", "profile", { email: "new@example.test" }, "Save"],
    ["an authenticator app", "security", { device_name: "Phone" }, "Set up"]
  ] as const)("%s needs the login at the provider once more, which leads back", async (_, page, typed, button) => {
    const { advance } = await turnedService()
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
    expect(said(visitor.page)).toContain("To make this change, log in again")
    const link = new RegExp(`href="(/?auth/${at.provider.id}[^"]*)"`).exec(visitor.page.text)?.[1] ?? ""
    const query = link.slice(link.indexOf("?")).replaceAll("&amp;", "&")
    const back = await walk(at, query)
    expect([back.status, back.headers.get("location")]).toEqual([302, `/${page}`])
    await visitor.open(`/${page}`)
    const again = await realm.seen.during(() => visitor.fill(typed, button))
    expect(again.events[0]?.["event_type"]).toMatch(/^user\.(profile\.)?updated$/)
  })

  test("within ten minutes nothing more is asked for; what a stranger types as a password extends nothing", async () => {
    const { advance } = await turnedService()
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
    // What lets nobody in is changed all the same.
    await visitor.open("/profile")
    expect(await realm.seen.caused(() => visitor.fill({ first_name: "Ada" }, "Save"))).toEqual([
      event(user, "profile.updated")
    ])
  })

  test("an authenticator app that was begun in time is not finished after it", async () => {
    const { advance, clock } = await turnedService()
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

test("SEC-90: a password that is asked for is a proof of its own, however old the login is", async () => {
  const { advance, clock } = await turnedService()
  const realm = await newRealm()
  const { visitor, user, email } = await atHome(realm)
  await advance("1 hour")
  await visitor.open("/profile")
  const refused = await realm.seen.during(() => visitor.fill({ email: `new-${email}` }, "Save"))
  expect([...met(refused.result), refused.events]).toEqual([422, "Your profile", []])
  await visitor.open("/security")
  await visitor.fill({ device_name: "Phone", current_password: PASSWORD }, "Set up")
  const secret = /<code class="key">([^<]*)</.exec(visitor.page.text)?.[1]?.replaceAll(" ", "") ?? ""
  const code = codeAt(secret, clock.currentTimeMillisUnsafe())
  expect(await realm.seen.caused(() => visitor.fill({ code }))).toEqual([event(user, "updated")])
})

describe("SEC-90: the address an account has is told of another one that is asked for", () => {
  test("even where the change is finished before the mail goes; once, and never with the proof", async () => {
    const { advance, postbox } = await turnedService()
    const realm = await newRealm({ default_locale: "es", available_locales: ["es"] })
    const user = await realm.user({ email_verification: "verified" })
    const [before, after] = [user.string("email"), `new-${user.string("email")}`]
    postbox.refuse(before, { message: "421 Later.", final: false })
    await realm.put(`/v2/users/${user.id}/profile`, { user: { email: after } })
    // Of a link that is asked for once more nobody is told again.
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

  test("by a hook that the realm sees, edits and turns off", async () => {
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
    const { advance, postbox } = await turnedService()
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

  test("a user who is made with a pending address has none from before", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email_pending: "c@example.test" })
    expect(await links(user.string("email"))).toEqual([])
  })
})

test("SEC-94: another e-mail that is asked for counts as a mail that a visitor causes; beyond the realm's limit nothing changes", () =>
  ownService(
    async ({ given }) => {
      const realm = await given.realm({ limits: { hosted: 1_000, hosted_sustained: 1_000, visitor_mails: 1 } })
      const { visitor, user } = await atHome(realm)
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
