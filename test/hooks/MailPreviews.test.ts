import { expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { emailHook, turnedRealm } from "../support/hooks.ts"
import { rejectionOf } from "../support/invitations.ts"
import { PASSWORD } from "../support/logins.ts"
import { ownService } from "../support/sallyport.ts"

const resetting = {
  event_type: ["user.password.resetting"],
  email_subject: "Reset, {{first_name}}",
  email_template: "{{full_name}} of {{realm_name}}: {{url}} within {{expires_in}}",
  email_from_name: "Support"
}

test("C207: a preview shows the email as sent, except for its token, without sending an email", async () => {
  const { realm, postbox, advance } = await turnedRealm({ name: "Pilots" })
  const hook = await emailHook(realm, resetting)
  const user = await realm.user({ password: PASSWORD, first_name: "Grace", last_name: "Hopper" })
  const token = (await realm.post(`/v2/users/${user.id}/generate_password_token`, {})).string("token")
  await advance(0)
  const [mail] = postbox.take(user.string("email"))
  const [event] = (await realm.get("/v2/events?event_type=user.password.resetting")).items
  const sample = `tpw:${"Sample".padEnd(43, "0")}`
  const shown = (text: string | null | undefined) =>
    text?.replaceAll(encodeURIComponent(token), encodeURIComponent(sample)) ?? null
  const { result, events } = await realm.seen.during(() => realm.post("/v2/hooks/preview", { hook: resetting }))
  const preview = {
    object: "mail_preview",
    event_id: event?.["id"],
    from: mail?.from,
    to: user.string("email"),
    subject: "Reset, Grace",
    text: shown(mail?.text),
    html: shown(mail?.html)
  }
  expect([result.status, result.body, events]).toEqual([200, preview, []])
  expect([mail?.text?.includes(encodeURIComponent(token)), result.text.includes(token)]).toEqual([true, false])
  expect(result.string("text")).toContain("Grace Hopper of Pilots: ")
  await advance("2 hours")
  const named = { hook: { ...resetting, email_to: "team@example.test" }, event_id: event?.["id"] }
  expect((await realm.post("/v2/hooks/preview", named)).body).toEqual({ ...preview, to: "team@example.test" })
  const [other] = (await realm.get(`/v2/events?hook_id=${hook.id}`)).items
  expect(rejectionOf(await realm.post("/v2/hooks/preview", { hook: resetting, event_id: other?.["id"] }))).toEqual({
    status: 422,
    errors: ["Event must be of the hook's type, user.password.resetting."]
  })
  expect((await realm.post("/v2/hooks/preview", { hook: resetting, event_id: "ev_nope" })).errors).toEqual([
    "Event could not be found."
  ])
  expect(postbox.to(user.string("email"))).toEqual([])
})

test("C207: a preview without an event uses sample data and reports the hook's validation errors", async () => {
  const { realm } = await turnedRealm({ name: "Pilots" })
  const hook = {
    event_type: ["invitation.org.invited"],
    email_renderer: "text",
    email_subject: "Join {{org_name}}",
    email_template: "{{inviter_name}} {{email}} {{url}} {{expires_in}}"
  }
  const reply = await realm.post("/v2/hooks/preview", { hook })
  const url = `https://id.example.test/realms/${realm.id}/invitation?token=nvt_${"Sample".padEnd(43, "0")}`
  expect([reply.status, reply.body]).toEqual([
    200,
    {
      object: "mail_preview",
      event_id: null,
      from: { address: "no-reply@id.example.test", name: "Pilots" },
      to: "ada.lovelace@example.com",
      subject: "Join Acme",
      text: `Grace Hopper ada.lovelace@example.com ${url} 30 days`,
      html: null
    }
  ])
  for (const wrong of [
    { email_template: "" },
    { email_template: "x".repeat(20_000) },
    { event_type: ["org.created"] },
    { email_from: "nobody" }
  ]) {
    const sent = { hook: { ...hook, hook_type: "email", ...wrong } }
    const { result, events } = await realm.seen.during(() => realm.post("/v2/hooks/preview", sent))
    const created = await realm.post("/v2/hooks", sent)
    expect([result.status, rejectionOf(result), events]).toEqual([422, rejectionOf(created), []])
  }
})

test("C207: a ping of an email hook sends an email to a given address, within the limits", () =>
  ownService(
    async ({ given, postbox }) => {
      const realm = await given.realm()
      const hook = await emailHook(realm, { email_subject: "Hi {{first_name}}" })
      const [to, elsewhere] = [`${uniqueText("team")}@example.test`, `${uniqueText("team")}@example.test`]
      const ping = (email_to?: string) => realm.post(`/v2/hooks/${hook.id}/ping`, { hook: { email_to } })
      for (let n = 0; n < 3; n += 1) {
        const { result, events } = await realm.seen.during(() => ping(to.toUpperCase()))
        const body = { object: "ping", state: "completed", destination: to, result: expect.any(String) }
        expect([result.status, result.body, events]).toEqual([200, body, []])
      }
      expect(postbox.to(to).map(({ subject }) => subject)).toEqual(["Hi Ada", "Hi Ada", "Hi Ada"])
      expect((await ping(to)).status).toBe(429)
      expect(rejectionOf(await ping("nobody"))).toEqual({
        status: 422,
        errors: ["Email to is not a valid email address."]
      })
      postbox.refuse(elsewhere, { message: "550 No such mailbox.", isFinal: true })
      expect((await ping(elsewhere)).body).toMatchObject({ state: "failed", result: "550 No such mailbox." })
      expect(postbox.to(to)).toHaveLength(3)
      expect((await realm.get("/v2/notifications")).items).toEqual([])
    },
    { limits: "all" }
  ))
