import { describe, expect, test } from "vitest"
import { defaultMail } from "#core/mail/DefaultMails"
import { uniqueText } from "#testing/Given"
import { defaultHooks, emailHook, latest, notificationFor, turnedRealm } from "../support/hooks.ts"
import { emailToken, passwordToken, passwordTokenV1, verifyEmail } from "../support/tokens.ts"

const address = (name: string) => `${uniqueText(name)}@example.test`

type Turned = Awaited<ReturnType<typeof turnedRealm>>

/** Triggers an email for `user.updated`. */
const rename = ({ realm }: Turned, id: string, first_name: string) =>
  realm.put(`/v2/users/${id}`, { user: { first_name } })

describe("the default hooks", () => {
  test.each([
    "org",
    "preverify",
    "referral",
    "request"
  ])("email an invitation of type %s to the invited address, with a link that contains its token", async (type) => {
    const { realm, postbox, advance } = await turnedRealm({ name: "Acme" })
    const email = address("guest")
    const org = type === "org" ? { org_id: (await realm.org({ name: "Pilots" })).id } : {}
    const invitation = await realm.invitation({ invitation_type: type, email, ...org })
    await advance(0)
    expect(postbox.to(email)).toEqual([])
    const events = await realm.seen.caused(async () => {
      await realm.post(`/v2/invitations/${invitation.id}/invite`, {})
      await advance(0)
    })
    expect(events).toMatchObject([{ event_type: `invitation.${type}.invited` }])
    const [mail, ...others] = postbox.to(email)
    expect(others).toEqual([])
    const known = { inviter: false, org: type === "org" }
    const { subject } = defaultMail(`invitation.${type as "org"}.invited`, "en", known)
    const { eventId } = await latest(realm, "invitation")
    const hooks = await defaultHooks(realm)
    const { id } = await notificationFor(realm, eventId, String(hooks[`invitation.${type}.invited`]))
    const link = `https://id.example.test/realms/${realm.id}/invitation?token=${invitation.string("token")}`
    expect(mail).toMatchObject({
      realmId: realm.id,
      messageId: `${String(id)}@id.example.test`,
      from: { address: "no-reply@id.example.test", name: "Acme" },
      to: email,
      subject: subject.replace("{{app_name}}", "Acme").replace("{{org_name}}", "Pilots")
    })
    expect(mail?.html?.split(` href="${link}"`)).toHaveLength(3)
    expect(mail?.text).toContain(`:\n${link}\n`)
  })

  test("email the verification of a pending address only to that address", async () => {
    const { realm, postbox, advance } = await turnedRealm()
    const [email, pending] = [address("user"), address("pending")]
    const user = await realm.user({ email, email_verification: "requested" })
    await advance(0)
    const [verification] = postbox.take(email)
    expect(verification?.subject).toBe(
      `Confirm your email address for ${(await realm.get(`/v2/realms/${realm.id}`)).string("name")}`
    )
    const token = /\/verify\?token=([\w%]+)/.exec(verification?.text ?? "")?.[1] ?? ""
    const events = await realm.seen.caused(() => verifyEmail(realm, decodeURIComponent(token)))
    expect(events).toMatchObject([{ event_type: "user.email.verified", user_id: user.id }])
    await realm.put(`/v2/users/${user.id}`, { user: { email_pending: pending } })
    await advance(0)
    // The current address is notified, without the token.
    const [notice, ...more] = postbox.to(email)
    expect([notice?.subject.includes("about to change"), more]).toEqual([true, []])
    expect(notice?.text).not.toContain("token=")
    const [change, ...others] = postbox.to(pending)
    expect([change?.subject.startsWith("Confirm your new email address"), others]).toEqual([true, []])
    expect(change?.text).toContain("token=tue%3A")
  })

  test("send no email for a password reset requested by a backend, unlike the caller's own hook", async () => {
    const { realm, postbox, advance } = await turnedRealm()
    const user = await realm.user()
    await passwordToken(realm, user.id)
    await passwordTokenV1(realm, user.id)
    const { notifications } = await latest(realm, "user.password.resetting")
    await advance(0)
    expect([notifications, postbox.to(user.string("email"))]).toEqual([[], []])
    await emailHook(realm, { event_type: ["user.password_token.created"], email_template: "{{token}} {{url}}" })
    const token = await passwordToken(realm, user.id)
    await advance(0)
    const url = `https://id.example.test/realms/${realm.id}/reset?token=${encodeURIComponent(token)}`
    expect(postbox.to(user.string("email")).map(({ text }) => text)).toEqual([`${token} ${url}`])
  })

  test("keep their type when given custom content, and send no email while inactive", async () => {
    const { realm, postbox, advance } = await turnedRealm()
    const hooks = await defaultHooks(realm)
    const path = `/v2/hooks/${hooks["user.email.verifying"]}`
    await realm.put(path, {
      hook: { email_subject: "Well, {{email}}?", email_template: "Yes.", email_from_name: "Acme" }
    })
    const user = await realm.user({ email_verification: "requested" })
    const email = user.string("email")
    await advance(0)
    expect(postbox.take(email)).toMatchObject([
      { subject: `Well, ${email}?`, text: "Yes.", from: { address: "no-reply@id.example.test", name: "Acme" } }
    ])
    await realm.put(path, { hook: { state: "inactive" } })
    await emailToken(realm, user.id)
    await advance("1 hour")
    expect(postbox.to(email)).toEqual([])
  })

  test("send the displayed content for another event type if their type is changed", async () => {
    const { realm, postbox, advance } = await turnedRealm()
    const hooks = await defaultHooks(realm)
    const path = `/v2/hooks/${hooks["user.password.resetting"]}`
    const changed = await realm.put(path, { hook: { event_type: ["user.updated"] } })
    const user = await realm.user()
    await realm.put(`/v2/users/${user.id}`, { user: { first_name: "Ada" } })
    await advance(0)
    const [mail] = postbox.to(user.string("email"))
    const { name } = Object((await realm.get(`/v2/realms/${realm.id}`)).body)
    expect(mail?.subject).toBe(changed.string("email_subject").replace("{{app_name}}", name))
    expect(mail?.text).toContain("Choose a new password")
  })
})

describe("hook emails", () => {
  test("are sent to the user, or to email_to if set", async () => {
    const own = await turnedRealm()
    const { realm, postbox, advance } = own
    const qa = address("qa")
    await emailHook(realm, { email_subject: "To the user" })
    await emailHook(realm, {
      email_subject: "To {{email}}",
      email_to: qa,
      email_from: "a@b.test",
      email_from_name: "B"
    })
    const user = await realm.user()
    await rename(own, user.id, "Ada")
    await advance(0)
    expect(postbox.to(user.string("email")).map(({ subject }) => subject)).toEqual(["To the user"])
    expect(postbox.to(qa)).toMatchObject([
      { subject: `To ${user.string("email")}`, from: { address: "a@b.test", name: "B" } }
    ])
  })

  test("use the name of the hook, or else of the realm, as sender name with the deployment's own address", async () => {
    const own = await turnedRealm({ name: "Acme.test\u202E" })
    await emailHook(own.realm, { email_subject: "No name" })
    await emailHook(own.realm, { email_subject: "A name", email_from_name: "The Shop" })
    const user = await own.realm.user()
    await rename(own, user.id, "Ada")
    await own.advance(0)
    expect(own.postbox.to(user.string("email")).map(({ subject, from }) => [subject, from.name])).toEqual([
      ["No name", "Acme.\u2060test"],
      ["A name", "The Shop"]
    ])
  })

  test("have no sender name if email_from is set without a name", async () => {
    const own = await turnedRealm()
    await emailHook(own.realm, { email_from: "a@b.test" })
    const user = await own.realm.user()
    await rename(own, user.id, "Ada")
    await own.advance(0)
    expect(own.postbox.to(user.string("email"))).toMatchObject([{ from: { address: "a@b.test", name: null } }])
  })

  test.each([
    ["all", ["human", "api"]],
    ["human", ["human"]],
    ["api", ["api"]]
  ])("with user_type %s are sent only to %j", async (user_type, expected) => {
    const { realm, postbox, advance } = await turnedRealm()
    const hook = await emailHook(realm, { user_type, event_type: ["user.created"] })
    const human = await realm.user()
    const robot = await realm.apiUser({ email: address("robot") })
    const { eventId } = await latest(realm, "user.created")
    const events = await realm.seen.caused(() => advance(0))
    const got = [human, robot].filter((user) => postbox.to(user.string("email")).length > 0)
    expect([got.map((user) => (user === human ? "human" : "api")), events]).toEqual([expected, []])
    if (!expected.includes("api")) {
      expect(await notificationFor(realm, eventId, hook.id)).toMatchObject({
        state: "canceled",
        attempts: 0,
        next_attempt_at: null,
        last_attempt_at: null,
        last_destination: null,
        last_result: "The hook does not email users of this type."
      })
    }
  })

  test("are skipped without an event if the user has no email or was deleted", async () => {
    const { realm, advance, postbox } = await turnedRealm()
    const created = await emailHook(realm, { event_type: ["user.created"], delay: 60 })
    const deleted = await emailHook(realm, { event_type: ["user.deleted"] })
    await realm.apiUser()
    const without = await latest(realm, "user.created")
    const user = await realm.user()
    const before = await latest(realm, "user.created")
    await realm.delete(`/v2/users/${user.id}`)
    const gone = await latest(realm, "user.deleted")
    const events = await realm.seen.caused(() => advance("1 hour"))
    expect([events, postbox.to(user.string("email"))]).toEqual([[], []])
    for (const [eventId, hookId] of [
      [without.eventId, created.id],
      [before.eventId, created.id],
      [gone.eventId, deleted.id]
    ] as const) {
      expect(await notificationFor(realm, eventId, hookId)).toMatchObject({
        state: "canceled",
        attempts: 0,
        last_result: "There is no one to email."
      })
    }
  })
})
