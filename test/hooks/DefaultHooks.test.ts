import { describe, expect, test } from "vitest"
import { defaultMail } from "#core/mail/DefaultMails"
import { defaultMails, eventTypeOfMail } from "#domain/DefaultMail"
import { eventName } from "#domain/Event"
import { defaultHooks, emailHook, hookVersions, latest, notificationFor, webhook } from "../support/hooks.ts"
import { now } from "../support/invitations.ts"
import { eventsOfCreation } from "../support/realms.ts"
import { clockedService, newRealm } from "../support/sallyport.ts"

const spanish = { default_locale: "es", available_locales: ["es", "en"] }

const defaultTexts = (type: (typeof defaultMails)[number], locale: string) => {
  const mail = defaultMail(type, locale)
  return { email_subject: mail?.subject, email_template: mail?.template }
}

describe.each(hookVersions)("the default hooks of a new realm under $path", ({ version, path, wrapper }) => {
  test("exist for each default email, and their creation records no events", async () => {
    const given = await newRealm()
    const list = await given.get(path)
    expect(list.items).toEqual(
      defaultMails.map((type) => ({
        id: expect.stringMatching(/^hk_/),
        realm_id: given.id,
        state: "active",
        event_type: [eventName(eventTypeOfMail(type), version)],
        hook_type: "email",
        object: wrapper,
        destination: null
      }))
    )
    expect((await given.seen.all()).map(({ event_type }) => event_type)).toEqual(eventsOfCreation)
  })

  test.each([
    ["en", {}],
    ["es", spanish]
  ] as const)("have their content in the realm's default_locale: %s", async (locale, settings) => {
    const given = await newRealm(settings)
    const hooks = await defaultHooks(given)
    for (const type of defaultMails) {
      const read = await given.get(`${path}/${hooks[type]}`)
      expect(read.body).toEqual({
        id: hooks[type],
        object: wrapper,
        realm_id: given.id,
        version: "v2",
        state: "active",
        event_type: [eventName(eventTypeOfMail(type), version)],
        hook_type: "email",
        destination: null,
        delay: 0,
        created_at: now,
        email_from: null,
        email_from_name: null,
        email_renderer: "markdown",
        ...defaultTexts(type, locale),
        email_to: null,
        user_type: "all"
      })
    }
  })

  test("can be edited and deleted, and keep types that a v1 caller couldn't choose", async () => {
    const given = await newRealm()
    const hooks = await defaultHooks(given)
    const id = hooks["invitation.org.invited"]
    const change = { email_subject: "Join us", state: "inactive", event_type: ["invitation.org.invited"] }
    const { result, events } = await given.seen.during(() => given.put(`${path}/${id}`, { [wrapper]: change }))
    expect([result.status, result.body]).toMatchObject([200, { ...change, delay: 0 }])
    expect(events).toEqual([{ event_type: "app_hook.updated", hook_id: id }])
    expect((await given.delete(`${path}/${hooks["user.password.resetting"]}`)).status).toBe(204)
    expect(Object.keys(await defaultHooks(given))).toHaveLength(defaultMails.length - 1)
  })

  test("remain default hooks when saved with unchanged or blank content", async () => {
    const given = await newRealm()
    const type = "user.email.verifying"
    const id = (await defaultHooks(given))[type]
    const read = await given.get(`${path}/${id}`)
    const events = await given.seen.caused(async () => {
      for (const body of [
        read.body,
        defaultTexts(type, "es"),
        defaultTexts(type, "en"),
        { email_subject: "", email_template: null }
      ]) {
        expect((await given.put(`${path}/${id}`, { [wrapper]: body })).body).toEqual(read.body)
      }
    })
    expect(events).toEqual([])
    await given.put(`/v2/realms/${given.id}`, { realm: { available_locales: ["en", "es"], default_locale: "es" } })
    expect((await given.get(`${path}/${id}`)).body).toMatchObject(defaultTexts(type, "es"))
    const own = await given.put(`${path}/${id}`, { [wrapper]: { ...defaultTexts(type, "es"), email_subject: "Hola" } })
    expect(own.body).toMatchObject({ ...defaultTexts(type, "es"), email_subject: "Hola" })
    const back = await given.put(`${path}/${id}`, { [wrapper]: { email_subject: null } })
    expect(back.body).toMatchObject(defaultTexts(type, "es"))
  })
})

describe("POST /v2/realms/{realm_id}/reset", () => {
  test("with app_hooks restores the default hooks, cancels pending deliveries and records the reset", async () => {
    const { given: began, advance, receiver, postbox } = await clockedService()
    const given = await began.realm()
    const before = await defaultHooks(given)
    const posting = await webhook(given, { delay: 60 })
    const mailing = await emailHook(given, { delay: 60 })
    await given.put(`/v2/hooks/${before["user.email.verifying"]}`, { hook: { email_subject: "Mine" } })
    const user = await given.user({ email_verification: "requested" })
    await given.put(`/v2/users/${user.id}`, { user: { first_name: "Ada" } })
    const { eventId } = await latest(given, "user.updated")
    const { result, events } = await given.seen.during(() =>
      given.post(`/v2/realms/${given.id}/reset`, { app_hooks: true, users: false, orgs: false })
    )
    expect([result.status, result.id, events]).toEqual([
      202,
      given.id,
      [{ event_type: "realm.reset", reset: ["app_hooks"] }]
    ])
    for (const { id } of [posting, mailing]) {
      expect(await notificationFor(given, eventId, id)).toMatchObject({ state: "canceled", attempts: 0 })
    }
    const after = await defaultHooks(given)
    expect(Object.keys(after)).toEqual([...defaultMails])
    expect((await given.get("/v2/hooks")).items).toHaveLength(defaultMails.length)
    for (const type of defaultMails) expect(after[type]).not.toBe(before[type])
    expect((await given.get(`/v2/hooks/${after["user.email.verifying"]}`)).body).toMatchObject(
      defaultTexts("user.email.verifying", "en")
    )
    await advance("2 minutes")
    expect(receiver.to(posting.string("destination"))).toEqual([])
    expect(postbox.to(user.string("email"))).toEqual([])
    expect((await given.get(`/v2/users/${user.id}`)).status).toBe(200)
    const types = (await given.seen.all()).map(({ event_type }) => event_type)
    expect(types.filter((type) => String(type).startsWith("app_hook."))).toEqual([])
    await given.put(`/v2/users/${user.id}`, { user: { email_verification: "requested" } })
    await advance(0)
    expect(postbox.to(user.string("email"))).toHaveLength(1)
  })

  test("without app_hooks leaves the hooks unchanged", async () => {
    const { given: began, advance } = await clockedService()
    const given = await began.realm()
    const made = await webhook(given, { event_type: ["org.created"] })
    const before = (await given.get("/v2/hooks")).items
    await given.post(`/v2/realms/${given.id}/reset`, {})
    await advance(0)
    expect((await given.get("/v2/hooks")).items).toEqual(before)
    expect((await given.get(`/v2/hooks/${made.id}`)).body).toEqual(made.body)
  })
})
