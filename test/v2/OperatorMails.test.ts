import { Effect, Layer } from "effect"
import { describe, expect, test } from "vitest"
import { Mailer } from "#platform/Mailer"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { userEvent as event, OTHER_PASSWORD, PASSWORD, statusAndErrors } from "../support/logins.ts"
import { newRealm, ownService, startClocked } from "../support/sallyport.ts"
import { latestEventToken, reset, verifyEmail } from "../support/tokens.ts"

const sendReset = (realm: GivenRealm, user: string): Promise<Reply> =>
  realm.post(`/v2/users/${user}/send_password_reset`, {})

const sendVerification = (realm: GivenRealm, user: string): Promise<Reply> =>
  realm.post(`/v2/users/${user}/send_email_verification`, {})

const sent = (email: string, delivery = "server") => [200, { object: "sent_mail", email, delivery }]

const statusAndBody = ({ status, body }: Reply) => [status, body]

/** Deactivates the email templates for a type of event. */
const withoutTemplate = async (realm: GivenRealm, type: string) => {
  const { items } = await realm.get("/v2/hooks?hook_type=email&max_results=100")
  for (const { id, event_type } of items.filter((one) => String(one["event_type"]).includes(type))) {
    const reply = await realm.put(`/v2/hooks/${id}`, { hook: { state: "inactive" } })
    expect([event_type, reply.status]).toEqual([event_type, 200])
  }
}

describe("POST /v2/users/{id}/send_password_reset", () => {
  test("emails a link that sets a password, and records user.password.resetting", () =>
    ownService(async ({ given, advance, postbox }) => {
      const realm = await given.realm()
      const user = await realm.user({ email: "ada@example.test", password: PASSWORD })
      const { result, events } = await realm.seen.during(() => sendReset(realm, "ADA@example.test"))
      expect([statusAndBody(result), events]).toEqual([sent("ada@example.test"), [event(user, "password.resetting")]])
      await advance(0)
      const [mail, ...others] = postbox.take("ada@example.test")
      expect(others).toEqual([])
      const token = String(await latestEventToken(realm, "user.password.resetting"))
      expect(token).toMatch(/^tpw:/)
      expect(mail?.text).toContain(encodeURIComponent(token))
      expect((await reset(realm, token, OTHER_PASSWORD)).status).toBe(200)
    }))

  test("returns 404 for an inactive user and an unknown user, and records no event", async () => {
    const realm = await newRealm()
    const inactive = await realm.user({ state: "inactive" })
    const events = await realm.seen.caused(async () => {
      expect((await sendReset(realm, inactive.id)).status).toBe(404)
      expect((await sendReset(realm, "nobody@example.test")).status).toBe(404)
    })
    expect(events).toEqual([])
  })

  test("rejects a realm without passwords", async () => {
    const realm = await newRealm()
    const { id } = await realm.user()
    await realm.put("/v2/auth_providers/password", { auth_provider: { state: "inactive" } })
    expect(statusAndErrors(await sendReset(realm, id))).toEqual([
      422,
      ["This login method is turned off for this realm."]
    ])
  })

  test("rejects a realm whose template is inactive, unless a webhook receives the event", async () => {
    const realm = await newRealm()
    const { id } = await realm.user({ email: "ada@example.test" })
    await withoutTemplate(realm, "user.password.resetting")
    const { result, events } = await realm.seen.during(() => sendReset(realm, id))
    expect(statusAndErrors(result)).toEqual([
      422,
      ["No email can be sent: the realm's email template for it is inactive, and no webhook receives the event."]
    ])
    expect(events).toEqual([])
    await realm.post("/v2/hooks", {
      hook: { destination: "https://backend.example.test/", event_type: ["user.password.resetting"] }
    })
    expect(statusAndBody(await sendReset(realm, id))).toEqual(sent("ada@example.test", "webhook"))
  })

  test("says that a test service stores the email in its mailbox", () =>
    ownService(
      async ({ given }) => {
        const { id } = await (await given.realm()).user({ email: "stored@example.test" })
        expect(statusAndBody(await given.root.post(`/v2/users/${id}/send_password_reset`, {}))).toEqual(
          sent("stored@example.test", "mailbox")
        )
      },
      { mail: "mailbox" }
    ))

  test("rejects a service without a mail server, and records no event", async () => {
    const mailer = Mailer.of({ send: () => Effect.succeed("never sent"), destination: "none" })
    const { given } = await startClocked({ mailer: Layer.succeed(Mailer, mailer) })
    const realm = await given.realm()
    const { id } = await realm.user()
    const { result, events } = await realm.seen.during(() => sendReset(realm, id))
    expect([statusAndErrors(result), events]).toEqual([
      [422, ["No email can be sent: the service has no mail server (SALLYPORT_SMTP_URL)."]],
      []
    ])
  })

  test("allows three emails a minute for each recipient", () =>
    ownService(
      async ({ given }) => {
        const realm = await given.realm()
        const { id } = await realm.user()
        for (let n = 0; n < 3; n += 1) expect((await sendReset(realm, id)).status).toBe(200)
        expect((await sendReset(realm, id)).status).toBe(429)
      },
      { limits: "all" }
    ))
})

describe("POST /v2/users/{id}/send_email_verification", () => {
  test("emails a link that verifies the email, and records user.email.verifying", () =>
    ownService(async ({ given, advance, postbox }) => {
      const realm = await given.realm()
      const user = await realm.user({ email: "ada@example.test" })
      const { result, events } = await realm.seen.during(() => sendVerification(realm, user.id))
      expect(statusAndBody(result)).toEqual(sent("ada@example.test"))
      expect(events).toEqual([event(user, "updated"), event(user, "email.verifying")])
      await advance(0)
      expect(postbox.take("ada@example.test")).toHaveLength(1)
      const token = await latestEventToken(realm, "user.email.verifying")
      expect((await verifyEmail(realm, token)).member("email_verification")).toBe("verified")
    }))

  test("emails the pending email of a verified user", async () => {
    const realm = await newRealm()
    const { id } = await realm.user({ email_verification: "verified" })
    expect(statusAndErrors(await sendVerification(realm, id))).toEqual([422, ["Email is already verified."]])
    await realm.put(`/v2/users/${id}/profile`, { user: { email: "new@example.test" } })
    expect(statusAndBody(await sendVerification(realm, id))).toEqual(sent("new@example.test"))
  })

  test("rejects a realm whose template is inactive", async () => {
    const realm = await newRealm()
    const { id } = await realm.user()
    await withoutTemplate(realm, "user.email.verifying")
    const { result, events } = await realm.seen.during(() => sendVerification(realm, id))
    expect([result.status, events]).toEqual([422, []])
  })
})
