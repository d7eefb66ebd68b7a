import { describe, expect, test } from "vitest"
import { defaultHooks, destination, emailHook, hookVersions, webhook } from "../support/hooks.ts"
import { now, rejectionOf, statusAndBody, unknownId } from "../support/invitations.ts"
import { newRealm, service } from "../support/sallyport.ts"

const secret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/)

describe.each(hookVersions)("$path", ({ version, path, wrapper, named, title }) => {
  const seen = (given: Awaited<ReturnType<typeof newRealm>>) => (version === "v1" ? given.seenV1 : given.seen)

  test("creates a webhook with all fields and their defaults, and records app_hook.created", async () => {
    const given = await newRealm()
    const url = destination()
    const { result, events } = await seen(given).during(() =>
      given.post(path, { [wrapper]: { realm_id: given.id, event_type: [], destination: ` ${url} ` } })
    )
    expect(statusAndBody(result)).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^hk_\w{26}$/),
        object: wrapper,
        realm_id: given.id,
        version,
        state: "active",
        hook_type: "webhook",
        event_type: [],
        delay: 0,
        destination: url,
        secret,
        created_at: now
      }
    })
    expect(events).toEqual([{ event_type: "app_hook.created", [named]: result.id }])
    expect(statusAndBody(await given.get(`${path}/${result.id}`))).toEqual({ status: 200, body: result.body })
    const other = await given.post(path, { [wrapper]: { destination: url } })
    expect(other.string("secret")).not.toBe(result.string("secret"))
    expect(other.body).toMatchObject({ realm_id: given.id, event_type: [] })
  })

  test("creates an email hook with all fields and their defaults, and records app_hook.created", async () => {
    const given = await newRealm()
    const least = { hook_type: "email", event_type: ["user.created"], email_subject: " Hi ", email_template: " Body\n" }
    const { result, events } = await seen(given).during(() => given.post(path, { [wrapper]: least }))
    expect(statusAndBody(result)).toEqual({
      status: 201,
      body: {
        ...least,
        id: expect.stringMatching(/^hk_\w{26}$/),
        object: wrapper,
        realm_id: given.id,
        version,
        state: "active",
        delay: 0,
        destination: null,
        email_subject: "Hi",
        email_from: null,
        email_from_name: null,
        email_renderer: "markdown",
        email_to: null,
        user_type: "all",
        created_at: now
      }
    })
    expect(events).toEqual([{ event_type: "app_hook.created", [named]: result.id }])
    expect(statusAndBody(await given.get(`${path}/${result.id}`))).toEqual({ status: 200, body: result.body })
  })

  test("stores all given settings and ignores fields of the other hook type", async () => {
    const given = await newRealm()
    const common = { state: "inactive", delay: 90 }
    const mails = {
      event_type: ["user.deleted"],
      email_from: "ACME@Example.test",
      email_from_name: "Acme, Inc.",
      email_renderer: "html+text",
      email_subject: "Bye {{first_name}}",
      email_template: "<p>Bye</p>",
      email_to: " QA@example.test",
      user_type: "api"
    }
    const mail = { ...common, hook_type: "email", ...mails }
    const posts = { ...common, hook_type: "webhook", destination: destination(), event_type: ["org.created"] }
    const mailing = await given.post(path, { [wrapper]: { ...mail, destination: "nonsense" } })
    expect(mailing.body).toMatchObject({
      ...mail,
      email_from: "acme@example.test",
      email_to: "qa@example.test",
      destination: null
    })
    const posting = await given.post(path, { [wrapper]: { ...mails, email_from: "nonsense", ...posts } })
    expect(posting.body).toMatchObject(posts)
    expect(posting.member("email_from")).toBe(undefined)
    expect(mailing.member("secret")).toBe(undefined)
  })

  test("accepts event types in either version's names and shows them in the reader's version", async () => {
    const given = await newRealm()
    const event_type = [
      "user.email.verification_requested",
      "user.password.resetting",
      "user.email.verifying",
      "user.password_token.created",
      "org.created"
    ]
    const made = await given.post(path, { [wrapper]: { event_type, destination: destination() } })
    const shown = async (as: (typeof hookVersions)[number]) => [
      (await given.get(`${as.path}/${made.id}`)).member("event_type"),
      (await given.get(`${as.path}?hook_type=webhook`)).items.map((item) => item["event_type"])[0]
    ]
    const [v1, v2] = hookVersions
    const inV1 = ["user.email.verification_requested", "user.password_token.created", "org.created"]
    const inV2 = ["user.email.verifying", "user.password.resetting", "org.created"]
    expect(await shown(v1)).toEqual([inV1, inV1])
    expect(await shown(v2)).toEqual([inV2, inV2])
    expect(made.member("event_type")).toEqual(version === "v1" ? inV1 : inV2)
    expect(await given.get(`${version === "v1" ? v2.path : v1.path}/${made.id}`)).toMatchObject({ status: 200 })
  })

  test("updates only the given fields, and records app_hook.updated if something changes", async () => {
    const given = await newRealm()
    const posting = await given.post(path, { [wrapper]: { destination: destination(), event_type: ["org.created"] } })
    const mailing = await emailHook(given, { event_type: ["user.created"] })
    const changes: ReadonlyArray<readonly [string, object]> = [
      [posting.id, { delay: 5 }],
      [posting.id, { destination: destination() }],
      [posting.id, { event_type: ["org.updated", "org.deleted"] }],
      [posting.id, { event_type: [] }],
      [posting.id, { state: "inactive" }],
      [posting.id, { state: "active", delay: 2_592_000 }],
      [mailing.id, { event_type: ["user.updated"] }],
      [mailing.id, { email_from: "a@example.test" }],
      [mailing.id, { email_from_name: "A" }],
      [mailing.id, { email_renderer: "text" }],
      [mailing.id, { email_subject: "S" }],
      [mailing.id, { email_template: "T" }],
      [mailing.id, { email_to: "b@example.test" }],
      [mailing.id, { user_type: "human" }],
      [mailing.id, { email_from: null, email_from_name: "", email_to: null }]
    ]
    const events = await seen(given).caused(async () => {
      for (const [id, change] of changes) {
        const before = await given.get(`${path}/${id}`)
        const result = await given.put(`${path}/${id}`, { [wrapper]: change })
        const after = "email_to" in change && change.email_to === null ? { ...change, email_from_name: null } : change
        expect(statusAndBody(result)).toEqual({ status: 200, body: { ...Object(before.body), ...after } })
        expect((await given.get(`${path}/${id}`)).body).toEqual(result.body)
      }
    })
    expect(events).toEqual(changes.map(([id]) => ({ event_type: "app_hook.updated", [named]: id })))
  })

  test("records no event for fields that are unchanged, read-only or of the other hook type", async () => {
    const given = await newRealm()
    const [posting, mailing] = [await webhook(given), await emailHook(given)]
    const readOnly = {
      id: "hk_x",
      object: "x",
      hook_type: "email",
      realm_id: null,
      version: "v0",
      secret: "whsec_x",
      created_at: 1
    }
    const events = await given.seen.caused(async () => {
      for (const sent of [{}, posting.body, readOnly, { ...Object(posting.body), ...readOnly }, { email_to: "x" }]) {
        const reply = await given.put(`${path}/${posting.id}`, { [wrapper]: sent })
        expect(statusAndBody(reply)).toEqual(statusAndBody(await given.get(`${path}/${posting.id}`)))
      }
      for (const sent of [{}, mailing.body, { ...readOnly, hook_type: "webhook" }, { destination: "nonsense" }]) {
        const reply = await given.put(`${path}/${mailing.id}`, { [wrapper]: sent })
        expect(statusAndBody(reply)).toEqual(statusAndBody(await given.get(`${path}/${mailing.id}`)))
      }
    })
    expect(events).toEqual([])
    expect((await given.get(`/v2/hooks/${posting.id}`)).body).toEqual(posting.body)
    expect((await given.get(`/v2/hooks/${mailing.id}`)).body).toEqual(mailing.body)
  })

  test("deletes a hook and records app_hook.deleted, and returns 404 for deleted and unknown hooks", async () => {
    const given = await newRealm()
    const made = await webhook(given, { event_type: ["org.created"] })
    const { result, events } = await seen(given).during(() => given.delete(`${path}/${made.id}`))
    expect([result.status, result.text]).toEqual([204, ""])
    expect(events).toEqual([{ event_type: "app_hook.deleted", [named]: made.id }])
    const silent = await given.seen.caused(async () => {
      for (const id of [made.id, unknownId(made.id), "nonsense", given.id]) {
        const replies = [
          await given.get(`${path}/${id}`),
          await given.put(`${path}/${id}`, { [wrapper]: { delay: 1 } }),
          await given.delete(`${path}/${id}`),
          await given.post(`${path}/${id}/rotate_secret`, {}),
          await given.post(`${path}/${id}/ping`, {}),
          await given.post(`${path}/${id}/replay`, { since: 0 })
        ]
        for (const reply of replies) {
          expect(rejectionOf(reply)).toEqual({ status: 404, errors: [`${title} could not be found.`] })
        }
      }
    })
    expect(silent).toEqual([])
  })
})

describe.each(hookVersions)("GET $path", ({ path, wrapper }) => {
  test("lists items with id, realm_id, state, event_type, hook_type, object and destination", async () => {
    const given = await newRealm()
    const made = await webhook(given, { event_type: ["org.created"], state: "inactive" })
    const list = await given.get(`${path}?state=inactive`)
    expect(statusAndBody(list)).toEqual({
      status: 200,
      body: {
        collection: [
          {
            id: made.id,
            realm_id: given.id,
            state: "inactive",
            event_type: ["org.created"],
            hook_type: "webhook",
            object: wrapper,
            destination: made.member("destination")
          }
        ],
        more_results: false
      }
    })
  })

  test("filters by hook_type, state and realm_id, and pages by id in either direction", async () => {
    const given = await newRealm()
    const other = await (await service()).given.realm()
    const defaults = Object.values(await defaultHooks(given))
    const [one, two] = [await webhook(given), await webhook(given, { state: "inactive" })]
    const mail = await emailHook(given, { state: "inactive" })
    const ids = async (query: string) => (await given.get(`${path}?${query}`)).items.map(({ id }) => id)
    expect(await ids("")).toEqual([...defaults, one.id, two.id, mail.id])
    expect(await ids(`realm_id=${given.id}`)).toEqual([...defaults, one.id, two.id, mail.id])
    expect(await ids("hook_type=webhook")).toEqual([one.id, two.id])
    expect(await ids("hook_type=email&state=inactive")).toEqual([mail.id])
    expect(await ids("state=active&hook_type=webhook")).toEqual([one.id])
    expect(await ids("hook_type=webhook&sort=id&direction=desc")).toEqual([two.id, one.id])
    const first = await given.get(`${path}?state=inactive&max_results=1`)
    expect([first.items.map(({ id }) => id), first.member("more_results")]).toEqual([[two.id], true])
    expect(await ids(`state=inactive&after=${two.id}`)).toEqual([mail.id])
    expect(await ids(`direction=desc&max_results=2&after=${mail.id}`)).toEqual([two.id, one.id])
    expect((await given.get(`${path}?after=nonsense`)).status).toBe(404)
    expect(await ids(`hook_type=webhook&after=${(await webhook(other)).id}`)).toEqual([])
  })

  test.each([
    ["hook_type=x", "Hook type must be one of: webhook, email."],
    ["state=x", "State must be one of: active, inactive."],
    ["sort=name", "Sort must be one of: id."],
    ["direction=x", "Direction must be one of: asc, desc."],
    ["max_results=0", "Max results must be between 1 and 1000."],
    ["max_results=1001", "Max results must be between 1 and 1000."]
  ])("returns 422 for ?%s", async (query, sentence) => {
    const given = await newRealm()
    expect(rejectionOf(await given.get(`${path}?${query}`))).toEqual({ status: 422, errors: [sentence] })
  })
})
