import { describe, expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { defaultHooks, emailHook, latest, notificationFor, turnedRealm } from "../support/hooks.ts"
import { passwordToken, reset } from "../support/tokens.ts"

const address = (name: string) => `${uniqueText(name)}@example.test`

const spanish = { default_locale: "es", available_locales: ["es", "en"] }

const MARKDOWN = "Hello {{first_name}}, [go]({{url}})"

type Turned = Awaited<ReturnType<typeof turnedRealm>>

/** Triggers an email for `user.updated`. */
const rename = ({ realm }: Turned, id: string, first_name: string) =>
  realm.put(`/v2/users/${id}`, { user: { first_name } })

describe("an email with a token that is no longer valid", () => {
  test.each(["used", "expired", "replaced"])("is not sent if the token was %s in the meantime", async (how) => {
    const { realm, postbox, advance } = await turnedRealm()
    const template = { event_type: ["user.password.resetting"], delay: 60 }
    const hook = await emailHook(realm, how === "expired" ? { ...template, delay: 3_601 } : template)
    const user = await realm.user()
    const token = await passwordToken(realm, user.id)
    const { eventId } = await latest(realm, "user.password.resetting")
    // A rejected reset doesn't use up the token, and a successful one costs a hash, so an update of the user voids it.
    if (how === "used") await realm.put(`/v2/users/${user.id}`, { user: { state: "inactive" } })
    if (how === "replaced") await realm.put(`/v2/users/${user.id}`, { user: { email: address("moved") } })
    expect((await reset(realm, token, "short")).status).toBe(422)
    await advance("2 hours")
    expect(postbox.to(user.string("email"))).toEqual([])
    expect(await notificationFor(realm, eventId, hook.id)).toMatchObject({
      state: "canceled",
      attempts: 0,
      last_result: "The event's token can no longer be used."
    })
  })

  test("is not sent if the invitation was deleted or accepted", async () => {
    const { realm, postbox, advance } = await turnedRealm()
    const hook = await emailHook(realm, { event_type: ["invitation.referral.invited"], delay: 60 })
    await realm.put(`/v2/hooks/${(await defaultHooks(realm))["invitation.referral.invited"]}`, {
      hook: { state: "inactive" }
    })
    const user = await realm.user()
    for (const end of ["delete", "accept"]) {
      const invitation = await realm.invitation()
      await realm.post(`/v2/invitations/${invitation.id}/invite`, {})
      const { eventId } = await latest(realm, "invitation.referral.invited")
      const accepting = { user: { token: invitation.string("token") } }
      if (end === "delete") await realm.delete(`/v2/invitations/${invitation.id}`)
      else expect((await realm.post(`/v2/users/${user.id}/accept_invitation`, accepting)).status).toBe(200)
      await advance("2 minutes")
      expect(postbox.to(invitation.string("email"))).toEqual([])
      expect(await notificationFor(realm, eventId, hook.id)).toMatchObject({ state: "canceled", attempts: 0 })
    }
  })
})

describe("the text of an email", () => {
  test("has the parts that its renderer produces", async () => {
    const own = await turnedRealm()
    const { realm, postbox, advance } = own
    for (const email_renderer of ["html", "html+text", "markdown", "text"]) {
      const template = email_renderer.startsWith("html")
        ? "<p>Hello <b>{{first_name}}</b></p>"
        : "Hello **{{first_name}}**"
      await emailHook(realm, { email_renderer, email_subject: email_renderer, email_template: template })
    }
    const user = await realm.user()
    await rename(own, user.id, "Ada")
    await advance("2 minutes")
    const mails = Object.fromEntries(postbox.to(user.string("email")).map((mail) => [mail.subject, mail]))
    expect(mails).toMatchObject({
      html: { html: "<p>Hello <b>Ada</b></p>", text: null },
      "html+text": { html: "<p>Hello <b>Ada</b></p>", text: "Hello Ada" },
      markdown: { html: expect.stringContaining("<p>Hello <strong>Ada</strong></p>"), text: "Hello Ada" },
      text: { html: null, text: "Hello **Ada**" }
    })
  })

  test("replaces the variables of the event and its user, and leaves unknown variables unchanged", async () => {
    const { realm, postbox, advance } = await turnedRealm({ name: "Acme" })
    const names = [
      "email",
      "event_at",
      "expires_in",
      "first_name",
      "full_name",
      "ip",
      "realm_name",
      "token",
      "url",
      "username"
    ]
    const template = `${names.map((name) => `${name}={{${name}}}`).join("\n")}\n{{org}} {{Email}} { {email} }`
    await emailHook(realm, {
      event_type: ["user.email.verification_requested"],
      email_renderer: "text",
      email_template: template
    })
    const email = address("ada")
    const user = { email, username: "Ada.L", first_name: "Ada", last_name: "Lovelace", email_verification: "requested" }
    await realm.post("/v2/users", {
      user: { ...user, credentials: [] },
      request: { ip: "192.0.2.7", client: "Browser" }
    })
    const read = await realm.get(`/v2/events?event_type=user.email.verifying`)
    const event = Object(read.items[0])
    await advance(0)
    const mail = postbox.to(email).find(({ subject }) => subject === "Changed")
    const at = new Date(event.event_at * 1000)
    expect(mail?.text?.split("\n")).toEqual([
      `email=${email}`,
      `event_at=${at.toLocaleString("en", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" })} UTC`,
      "expires_in=24 hours",
      "first_name=Ada",
      "full_name=Ada Lovelace",
      "ip=192.0.2.7",
      "realm_name=Acme",
      `token=${event.token}`,
      `url=https://id.example.test/realms/${realm.id}/verify?token=${encodeURIComponent(event.token)}`,
      "username=Ada.L",
      "{{org}} {{Email}} { {email} }"
    ])
  })

  test("is in the language of the invitation, or else of the user or the realm, or else in English", async () => {
    const { realm, given, postbox, advance } = await turnedRealm({ available_locales: ["en", "es"] })
    const there = await given.realm(spanish)
    const inEnglish = await given.realm({ default_locale: "de", available_locales: ["de"] })
    const invited = async (where: typeof realm, locale?: string) => {
      const invitation = await where.invitation(locale === undefined ? {} : { locale })
      await where.post(`/v2/invitations/${invitation.id}/invite`, {})
      return invitation.string("email")
    }
    const verifying = async (where: typeof realm, locale?: string) =>
      (await where.user({ email_verification: "requested", ...(locale === undefined ? {} : { locale }) })).string(
        "email"
      )
    const expected = [
      [await invited(realm), "You're invited"],
      [await invited(realm, "es"), "Tiene una invitación"],
      [await invited(there), "Tiene una invitación"],
      [await invited(there, "en"), "You're invited"],
      [await invited(inEnglish), "You're invited"],
      [await verifying(realm), "Confirm your"],
      [await verifying(realm, "es"), "Confirme su"],
      [await verifying(there), "Confirme su"],
      [await verifying(there, "en"), "Confirm your"]
    ] as const
    await advance(0)
    for (const [email, beginning] of expected) {
      const [mail] = postbox.to(email)
      expect([email, mail?.subject.startsWith(beginning)]).toEqual([email, true])
    }
    const [, [spanishOne]] = expected
    expect(postbox.to(spanishOne)[0]?.html).toContain('<html lang="es"')
  })

  test("SEC-71, SEC-72: shows line breaks, variables, HTML and links in a name as plain text", async () => {
    const own = await turnedRealm({ name: "Acme <b>{{token}}</b>" })
    const { realm, postbox, advance } = own
    await emailHook(realm, { email_subject: "Hi {{first_name}} of {{realm_name}}", email_template: MARKDOWN })
    const user = await realm.user()
    for (const name of [
      "{{token}} {{url}}",
      "<script>alert(1)</script>",
      '"><img src=x onerror=alert(1)>',
      "[click](https://evil.test)",
      "https://evil.test",
      "Ada\u2028Bcc: victim@example.test"
    ]) {
      await rename(own, user.id, name)
      await advance("20 minutes")
      const [mail] = postbox.take(user.string("email"))
      const shown = name.replace("\u2028", " ")
      expect(mail?.subject).toBe(`Hi ${shown} of Acme <b>{{token}}</b>`)
      expect(mail?.text).toBe(`Hello ${shown}, go <https://id.example.test>`)
      const tags = [...(mail?.html ?? "").matchAll(/<(\w+)/g)].map(([, tag]) => tag)
      expect(tags.slice(tags.lastIndexOf("div"))).toEqual(["div", "p", "a"])
    }
    for (const first_name of ["Ada\r\nBcc: victim@example.test", "Ada\u0000"]) {
      const reply = await rename(own, user.id, first_name)
      if (reply.status === 200) await advance("20 minutes")
      for (const { subject } of postbox.take(user.string("email"))) expect(subject).not.toMatch(/[\r\n\0]/)
    }
  })
})
