import { expect, test } from "vitest"
import { withAccountHook } from "../support/hooks.ts"
import { query } from "../support/query.ts"
import { isolatedService, ownService } from "../support/sallyport.ts"

const system = (id: string | null) => ({ type: "system", id })

test("events recorded by background jobs have the system as actor and contain the job's name", () =>
  ownService(async ({ given, advance, clock, receiver }) => {
    const realm = await given.realm()
    const [user, org] = [await realm.user(), await realm.org()]
    const destination = "https://gone.example.test/hook"
    await realm.post("/v2/hooks", { hook: { destination, event_type: ["org.created"] } })
    receiver.answer(destination, () => ({ status: 410, retryAfter: undefined, excerpt: "" }))
    const soon = clock.currentTimeMillisUnsafe() / 1000 + 60
    await realm.membership(user.id, org.id, { expires_at: soon })
    await realm.invitation({ expires_at: soon + 60 })
    await realm.org()
    await advance("5 minutes")
    const byService = (await realm.seen.all()).filter(({ actor }) => Object(actor).type === "system")
    expect(byService.map(({ event_type, actor }) => [event_type, actor])).toEqual([
      ["hook.disabled", system("DeliverHooks")],
      ["membership.deleted", system("ExpireMemberships")],
      ["invitation.referral.expired", system("ExpireInvitations")]
    ])
    const found = await realm.get("/v2/events?actor_id=ExpireMemberships")
    expect(found.items.map(({ event_type }) => event_type)).toEqual(["membership.deleted"])
  }))

test("the creation of the root key at startup records a single event", () =>
  isolatedService(async ({ sql, given }) => {
    const events = () =>
      query(sql<object>`select event_type, actor_type, actor_id, k.name from events e
        join api_keys k on k.id = e.api_key_id where e.realm_id = (select realm_id from events where actor_type = 'system')`)
    const root = { event_type: "api_key.created", actor_type: "system", actor_id: null, name: "root" }
    expect(await events()).toEqual([root])
    await given.realm()
    expect(await events()).toEqual([root])
  }))

test("creating or deleting an all-realms key records the API key used, and notifies only all-realms hooks", () =>
  isolatedService(async ({ given, advance, receiver }) => {
    const destination = "https://audit.example.test/hook"
    await withAccountHook(given.root, { destination, event_type: ["api_key.created", "api_key.deleted"] }, async () => {
      const realm = await given.realm()
      const root = (await given.root.get("/v2/api_keys")).items.find(({ name }) => name === "root")
      const made = await given.root.post("/v2/api_keys", { api_key: { name: "Deploy", level: "read", realm_id: null } })
      await given.root.delete(`/v2/api_keys/${made.id}`)
      await advance(0)
      const notified = receiver.to(destination).map(({ body }) => JSON.parse(body))
      const byRoot = { realm_id: null, api_key_id: made.id, actor: { type: "api_key", id: root?.["id"] } }
      expect(notified.toSorted((one, other) => (one.event_type < other.event_type ? -1 : 1))).toEqual([
        expect.objectContaining({ event_type: "api_key.created", ...byRoot }),
        expect.objectContaining({ event_type: "api_key.deleted", ...byRoot })
      ])
      expect((await realm.get("/v2/events?event_type=api_key")).items).toEqual([])
    })
  }))
