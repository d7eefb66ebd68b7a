import { Webhook as StandardWebhook } from "standardwebhooks"
import { describe, expect, test, vi } from "vitest"
import type { ReceivedPost } from "#testing/Receiver"
import { latest, notificationFor, turnedRealm, webhook, withAccountHook } from "../support/hooks.ts"

/** The payload or the error from the Standard Webhooks library, verified at the time of the post by default. */
const verifyPost = (secret: string, post: ReceivedPost | undefined, at = post?.at.epochMilliseconds): unknown => {
  vi.useFakeTimers({ toFake: ["Date"], now: at ?? 0 })
  try {
    return new StandardWebhook(secret).verify(post?.body ?? "", { ...post?.headers })
  } catch (error) {
    return error instanceof Error ? error.message : error
  } finally {
    vi.useRealTimers()
  }
}

const NO_MATCH = "No matching signature found"

const eventTypesOf = (posts: ReadonlyArray<ReceivedPost>) =>
  posts.map(({ body }) => String(JSON.parse(body).event_type))

describe("a posted webhook", () => {
  test.each([
    "v1",
    "v2"
  ])("has the body of GET /%s/events/{id} in the hook's version, without notifications", async (version) => {
    const { realm, receiver, advance } = await turnedRealm()
    const posting = version === "v1" ? "/v1/app_hooks" : "/v2/hooks"
    const wrapper = version === "v1" ? "app_hook" : "hook"
    const hook = { event_type: [], destination: `https://body-${realm.id}.test/` }
    const made = await realm.post(posting, { [wrapper]: hook })
    const request = { ip: "192.0.2.7", client: "Móvil" }
    const user = { email: `user@${realm.id.toLowerCase().replace("_", "-")}.test`, credentials: [] }
    const asked = { ...user, email_verification: "requested" }
    const { id } = await realm.post("/v2/users", { user: asked, request })
    await realm.membership(id, (await realm.org()).id)
    await realm.post(`/v2/users/${id}/generate_password_token`, undefined)
    await realm.post(`${posting}/${made.id}/rotate_secret`, {})
    await advance(0)
    const posts = receiver.to(hook.destination)
    const names = [
      "app_hook.created",
      "user.created",
      version === "v1" ? "user.email.verification_requested" : "user.email.verifying",
      "org.created",
      "membership.created",
      version === "v1" ? "user.password_token.created" : "user.password.resetting",
      "app_hook.updated"
    ]
    expect(eventTypesOf(posts).sort()).toEqual([...names].sort())
    const writer = await realm.as("write")
    for (const { body } of posts) {
      const event = JSON.parse(body)
      const read = await writer.get(`/${version}/events/${event.id}`)
      const { notifications, ...record } = Object(read.body)
      expect(event).toEqual(record)
      expect(notifications === undefined).toBe(version === "v1")
      if (event.user_id !== undefined && event.membership_id === undefined && "token" in event) {
        expect(event.token).toMatch(/^(tve:|tpw:|kpw_)/)
      }
    }
  })

  test("is never session.deleted for a v1 hook, although v2 hooks receive the event", async () => {
    const { realm, receiver, advance } = await turnedRealm()
    const [v1, v2] = ["/v1/app_hooks", "/v2/hooks"].map((path) => ({
      path,
      destination: `https://x.test${path}/${realm.id}`
    }))
    await realm.post("/v1/app_hooks", { app_hook: { event_type: [], destination: v1?.destination } })
    await realm.post("/v2/hooks", { hook: { event_type: [], destination: v2?.destination } })
    const user = await realm.user()
    await realm.delete(`/v2/sessions/${(await realm.session(user.id)).id}`)
    const { notifications } = await latest(realm, "session.deleted")
    expect(notifications).toHaveLength(1)
    await advance(0)
    expect(eventTypesOf(receiver.to(String(v1?.destination))).sort()).toEqual([
      "app_hook.created",
      "app_hook.created",
      "user.created"
    ])
    expect(eventTypesOf(receiver.to(String(v2?.destination))).sort()).toEqual([
      "app_hook.created",
      "session.deleted",
      "user.created"
    ])
  })

  test("isn't sent for an API user's login that records no event", async () => {
    const { realm, receiver, advance } = await turnedRealm()
    const hook = await webhook(realm, { event_type: ["user.login.succeeded"] })
    const api_key = (await realm.apiUser({ api_key: "generate" })).string("api_key")
    const logIn = () => realm.post("/v1/users/authenticate_key", { api_key })
    expect([(await logIn()).status, (await logIn()).status]).toEqual([200, 200])
    await advance(0)
    expect(eventTypesOf(receiver.to(hook.string("destination")))).toEqual(["user.login.succeeded"])
  })

  test("is sent only for events of the hook's types and realm, after the hook's creation", async () => {
    const { realm, given, receiver, advance } = await turnedRealm()
    const other = await given.realm()
    await realm.org()
    const made = await webhook(realm, { event_type: ["org.created", "user.email.verification_requested"] })
    await other.org()
    await realm.user({ email_verification: "requested" })
    const org = await realm.org()
    await realm.put(`/v2/orgs/${org.id}`, { org: { name: "Renamed" } })
    await advance(0)
    const posts = receiver.to(made.string("destination"))
    expect(eventTypesOf(posts).sort()).toEqual(["org.created", "user.email.verifying"])
    expect(posts.map(({ body }) => JSON.parse(body).org_id).filter((id) => id !== undefined)).toEqual([org.id])
  })

  test("is sent for the events of all realms to an all-realms hook", async () => {
    const { realm, given, receiver, advance } = await turnedRealm()
    const other = await given.realm()
    await withAccountHook(given.root, { event_type: [] }, async (hook) => {
      await realm.org()
      await other.org()
      await given.root.put(`/v2/hooks/${hook.id}`, {
        hook: { delay: 0, event_type: ["org.created", "app_hook.updated"] }
      })
      await advance(0)
      const posts = receiver.to(hook.string("destination")).map(({ body }) => JSON.parse(body))
      expect(posts.map(({ event_type, realm_id }) => [event_type, realm_id]).sort()).toEqual(
        [
          ["app_hook.created", null],
          ["app_hook.updated", null],
          ["org.created", other.id],
          ["org.created", realm.id]
        ].sort()
      )
      expect(posts.find(({ event_type }) => event_type === "app_hook.updated")).toMatchObject({ hook_id: hook.id })
    })
  })

  test("is first attempted after the hook's delay", async () => {
    const { realm, receiver, advance, now } = await turnedRealm()
    const made = await webhook(realm, { event_type: ["org.created"], delay: 90 })
    await realm.org()
    const due = now() + 90
    await advance("89999 millis")
    expect(receiver.to(made.string("destination"))).toEqual([])
    await advance("1 millis")
    expect(receiver.to(made.string("destination")).map(({ at }) => at.epochMilliseconds)).toEqual([due * 1000])
  })
})

describe("SEC-70: the signature of a posted webhook", () => {
  test("is accepted by the standardwebhooks package only for this secret, body, id and time", async () => {
    const { realm, receiver, advance, now } = await turnedRealm()
    const [one, two] = [await webhook(realm, { event_type: ["org.created"] }), await webhook(realm)]
    await realm.org()
    await advance(0)
    const [post] = receiver.to(one.string("destination"))
    const secret = one.string("secret")
    expect(post?.headers["webhook-timestamp"]).toBe(String(Math.floor(now())))
    const { eventId } = await latest(realm, "org.created")
    expect(post?.headers["webhook-id"]).toBe((await notificationFor(realm, eventId, one.id))["id"])
    expect(verifyPost(secret, post)).toEqual(JSON.parse(post?.body ?? ""))
    expect(verifyPost(two.string("secret"), post)).toBe(NO_MATCH)
    if (post === undefined) throw new Error("No request was posted.")
    expect(verifyPost(secret, { ...post, body: `${post.body} ` })).toBe(NO_MATCH)
    const { headers } = post
    expect(verifyPost(secret, { ...post, headers: { ...headers, "webhook-id": "ent_x" } })).toBe(NO_MATCH)
    const later = String(Number(headers["webhook-timestamp"]) + 1)
    expect(verifyPost(secret, { ...post, headers: { ...headers, "webhook-timestamp": later } })).toBe(NO_MATCH)
    expect(verifyPost(secret, post, post.at.epochMilliseconds + 301_000)).toBe("Message timestamp too old")
  })

  test("uses both secrets for 24 hours after a rotation, then only the new secret", async () => {
    const { realm, receiver, advance } = await turnedRealm()
    const made = await webhook(realm, { event_type: ["org.created"] })
    const rotated = await realm.post(`/v2/hooks/${made.id}/rotate_secret`, {})
    const [before, after] = [made.string("secret"), rotated.string("secret")]
    const posted = async () => {
      await realm.org()
      await advance(0)
      return receiver.to(made.string("destination")).at(-1)
    }
    const first = await posted()
    await advance(24 * 3_600_000 - 1)
    const last = await posted()
    for (const post of [first, last]) {
      expect(post?.headers["webhook-signature"]?.split(" ")).toHaveLength(2)
      for (const secret of [before, after]) expect(verifyPost(secret, post)).toEqual(JSON.parse(post?.body ?? ""))
    }
    await advance(1)
    const over = await posted()
    expect(over?.headers["webhook-signature"]?.split(" ")).toHaveLength(1)
    expect(verifyPost(after, over)).toEqual(JSON.parse(over?.body ?? ""))
    expect(verifyPost(before, over)).toBe(NO_MATCH)
  })

  test("no longer uses the oldest secret after a second rotation", async () => {
    const { realm, receiver, advance } = await turnedRealm()
    const made = await webhook(realm, { event_type: ["org.created"] })
    const one = await realm.post(`/v2/hooks/${made.id}/rotate_secret`, {})
    const two = await realm.post(`/v2/hooks/${made.id}/rotate_secret`, {})
    await realm.org()
    await advance(0)
    const [post] = receiver.to(made.string("destination"))
    expect(verifyPost(made.string("secret"), post)).toBe(NO_MATCH)
    for (const { body } of [one, two]) {
      expect(verifyPost(String(Object(body).secret), post)).toMatchObject({ event_type: "org.created" })
    }
  })
})
