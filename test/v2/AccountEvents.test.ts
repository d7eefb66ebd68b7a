import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { withAccountHook } from "../support/hooks.ts"
import { service } from "../support/sallyport.ts"

/** Creates and deletes a key for all realms. Returns its id and the root key that was used. */
const createAndDeleteKey = async () => {
  const { given } = await service()
  const { root } = given
  const created = await root.post("/v2/api_keys", { api_key: { name: "Deploy", level: "read", realm_id: null } })
  await root.delete(`/v2/api_keys/${created.id}`)
  return { given, root, id: created.id, key: created.string("key") }
}

const summaryOf = ({ items }: Reply) =>
  items.map(({ event_type, realm_id, api_key_id }) => [event_type, realm_id, api_key_id])

describe("C88: GET /v2/events?realm_id=null", () => {
  test("lists the events of keys for all realms, in pages and with filters", async () => {
    const { root, id } = await createAndDeleteKey()
    const both = [
      ["api_key.created", null, id],
      ["api_key.deleted", null, id]
    ]
    expect(summaryOf(await root.get(`/v2/events?realm_id=null&api_key_id=${id}`))).toEqual(both)
    const [first] = (await root.get(`/v2/events?realm_id=null&api_key_id=${id}&max_results=1`)).items
    const rest = `realm_id=null&api_key_id=${id}&after=${String(first?.["id"])}&event_type=api_key.`
    expect(summaryOf(await root.get(`/v2/events?${rest}`))).toEqual(both.slice(1))
    // Other tests create keys for all realms at the same time.
    const latest = await root.get("/v2/events?realm_id=null&event_type=api_key.&direction=desc")
    expect(summaryOf(latest).filter(([, , key]) => key === id)).toEqual(both.toReversed())
    expect(Reflect.get(Object(first?.["actor"]), "type")).toBe("api_key")
  })

  test("requires realm_id=null to read a single event", async () => {
    const { root, id } = await createAndDeleteKey()
    const [event] = (await root.get(`/v2/events?realm_id=null&api_key_id=${id}`)).items
    const path = `/v2/events/${String(event?.["id"])}`
    expect((await root.get(`${path}?realm_id=null`)).body).toEqual({ ...event, notifications: [] })
    expect((await root.get(path)).status).toBe(404)
  })

  test("lists the events of hooks for all realms with their deliveries", async () => {
    const { given } = await service()
    await withAccountHook(given.root, { event_type: ["app_hook.updated"] }, async (hook) => {
      await given.root.put(`/v2/hooks/${hook.id}`, { hook: { delay: 60 } })
      const { items } = await given.root.get(`/v2/events?realm_id=null&hook_id=${hook.id}&expand=notifications`)
      expect(items.map(({ event_type, notifications }) => [event_type, notifications])).toMatchObject([
        ["app_hook.created", []],
        ["app_hook.updated", [{ hook_id: hook.id, state: "in_progress" }]]
      ])
    })
  })

  test("requires a key that manages all realms", async () => {
    const { given, root } = await createAndDeleteKey()
    const realm = await given.realm()
    const reader = await root.post("/v2/api_keys", {
      api_key: { name: "Reader", level: "admin_realm", realm_id: null }
    })
    const authorization = `Bearer ${reader.string("key")}`
    const rejected = await root.call("GET", "/v2/events?realm_id=null", { headers: { authorization } })
    expect([rejected.status, rejected.member("error_details", 0, "code")]).toEqual([403, "level_too_low"])
    expect((await (await realm.as("admin_realm")).get("/v2/events?realm_id=null")).status).toBe(404)
  })

  test("returns 400 if the request also names a realm, and 404 in /v1", async () => {
    const { given, root, id } = await createAndDeleteKey()
    const realm = await given.realm()
    expect((await realm.get("/v2/events?realm_id=null")).status).toBe(400)
    expect((await root.get("/v1/events?realm_id=null")).status).toBe(404)
    expect((await realm.get(`/v2/events?api_key_id=${id}`)).items).toEqual([])
    expect((await root.get("/v2/users?realm_id=null")).status).toBe(404)
  })
})
