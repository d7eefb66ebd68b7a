import { describe, expect, test } from "vitest"
import { Api, type Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { destination, hookVersions, webhook, withAccountHook as withHook } from "../support/hooks.ts"
import { rejectionOf } from "../support/invitations.ts"
import { newRealm, service } from "../support/sallyport.ts"

/** A key of the given level that isn't locked to a realm. */
const unlockedKey = async (level: string): Promise<Api> => {
  const { root } = (await service()).given
  return new Api(root.transport, (await root.post("/v2/api_keys", { api_key: { name: level, level } })).string("key"))
}

const levels = ["read", "write", "admin_realm"] as const

/** Creates a hook for all realms until `use` is done, with an event type that no other test causes. */
const withNullRealm = async (use: (hook: Reply, root: Api) => Promise<void>) => {
  const { root } = (await service()).given
  await withHook(root, { event_type: ["user.blocked"] }, (hook) => use(hook, root))
}

const levelTooLow = (level: string) => ({
  status: 403,
  errors: [`The API key's level is too low. This request requires ${level}.`]
})

const changesOf = (api: Api, path: string, wrapper: string, id: string) => [
  () => api.put(`${path}/${id}`, { [wrapper]: { delay: 7 } }),
  () => api.post(`${path}/${id}/rotate_secret`, {}),
  () => api.post(`${path}/${id}/ping`, {}),
  () => api.post(`${path}/${id}/replay`, { since: 0 }),
  () => api.delete(`${path}/${id}`)
]

describe.each(hookVersions)("$path", ({ path, wrapper, title }) => {
  const notThere = { status: 404, errors: [`${title} could not be found.`] }

  test("shows hooks at level read, and their secrets only at level admin_realm", async () => {
    const given = await newRealm()
    const made = await webhook(given, { event_type: ["user.blocked"] })
    for (const level of levels) {
      const api = await given.as(level)
      const read = await api.get(`${path}/${made.id}`)
      const secret = level === "admin_realm" ? made.string("secret") : null
      expect([level, read.status, read.member("secret")]).toEqual([level, 200, secret])
      const list = await api.get(`${path}?hook_type=webhook`)
      expect([list.items.length, list.text.includes("whsec_")]).toEqual([1, false])
      if (level === "admin_realm") continue
      const creation = await api.post(path, { [wrapper]: { event_type: [], destination: destination() } })
      expect(rejectionOf(creation)).toEqual(levelTooLow("admin_realm"))
      for (const change of changesOf(api, path, wrapper, made.id)) {
        expect(rejectionOf(await change())).toEqual(levelTooLow("admin_realm"))
      }
    }
    const admin = await given.as("admin_realm")
    const own = await admin.post(path, { [wrapper]: { event_type: [], destination: destination() } })
    expect([own.status, own.member("realm_id")]).toEqual([201, given.id])
    for (const [index, change] of changesOf(admin, path, wrapper, own.id).entries()) {
      expect((await change()).status).toBe([200, 200, 200, 202, 204][index])
    }
  })

  test("SEC-69: hides other realms' hooks and all-realms hooks from a locked key", () =>
    withNullRealm(async (everywhere) => {
      const [given, other] = [await newRealm(), await newRealm()]
      const foreign = await webhook(other, { event_type: ["user.blocked"] })
      const admin = await given.as("admin_realm")
      for (const { id } of [foreign, everywhere]) {
        expect(rejectionOf(await admin.get(`${path}/${id}`))).toEqual(notThere)
        for (const change of changesOf(admin, path, wrapper, id)) expect(rejectionOf(await change())).toEqual(notThere)
      }
      expect((await admin.get(`${path}?hook_type=webhook`)).items).toEqual([])
      for (const realmId of [other.id, "null"])
        expect((await admin.get(`${path}?realm_id=${realmId}`)).status).toBe(404)
      const named = await admin.post(path, { [wrapper]: { realm_id: other.id, destination: destination() } })
      expect(named.status).toBe(404)
      expect((await other.get(`/v2/hooks/${foreign.id}`)).body).toEqual(foreign.body)
    }))

  test("sends the events of all realms to a hook with realm_id null", () =>
    withNullRealm(async (everywhere, root) => {
      const given = await newRealm()
      await webhook(given, { event_type: ["user.blocked"] })
      expect([everywhere.status, everywhere.member("realm_id")]).toEqual([201, null])
      const ids = async (query: string) => (await root.get(`${path}?${query}`)).items.map(({ id }) => id)
      expect(await ids("realm_id=null&hook_type=webhook")).toEqual([everywhere.id])
      expect(await ids("realm_id=null&direction=desc&max_results=1")).toEqual([everywhere.id])
      expect(await ids(`realm_id=${given.id}`)).not.toContain(everywhere.id)
      expect(await ids("hook_type=webhook&direction=desc&max_results=1000")).toContain(everywhere.id)
      const { items } = await root.get(`${path}?realm_id=null`)
      expect(items.map(({ realm_id }) => realm_id)).toEqual(items.map(() => null))
    }))

  test("requires admin_all_realms to change an all-realms hook or see its secret", () =>
    withNullRealm(async (everywhere, root) => {
      for (const level of levels) {
        const api = await unlockedKey(level)
        const read = await api.get(`${path}/${everywhere.id}`)
        expect([read.status, read.member("secret")]).toEqual([200, null])
        for (const change of changesOf(api, path, wrapper, everywhere.id)) {
          expect(rejectionOf(await change())).toEqual(
            levelTooLow(level === "admin_realm" ? "admin_all_realms" : "admin_realm")
          )
        }
      }
      const admin = await unlockedKey("admin_realm")
      for (const realm_id of path.startsWith("/v1") ? [null, undefined] : [null]) {
        const creation = await admin.post(path, { [wrapper]: { realm_id, destination: destination() } })
        expect(rejectionOf(creation)).toEqual(levelTooLow("admin_all_realms"))
      }
      expect((await root.get(`${path}/${everywhere.id}`)).string("secret")).toBe(everywhere.string("secret"))
    }))

  test("returns 403 when a locked key tries to create an all-realms hook", async () => {
    const admin = await (await newRealm()).as("admin_realm")
    const creation = await admin.post(path, { [wrapper]: { realm_id: null, destination: destination() } })
    expect(rejectionOf(creation)).toEqual(levelTooLow("admin_all_realms"))
  })

  test("returns 400 and creates no hook if the request names both a realm and null", async () => {
    const { given } = await service()
    const [root, mine] = [given.root, await given.realm()]
    const hook = { destination: destination() }
    const calls = async () => [
      await mine.post(path, { [wrapper]: { ...hook, realm_id: null } }),
      await mine.post(path, { [wrapper]: hook, realm_id: null }),
      await mine.post(`${path}?realm_id=null`, { [wrapper]: hook }),
      await root.post(`${path}?realm_id=${mine.id}`, { [wrapper]: { ...hook, realm_id: null } }),
      await root.post(path, { [wrapper]: { ...hook, realm_id: null }, realm_id: mine.id }),
      await root.post(path, { [wrapper]: { ...hook, realm_id: mine.id }, realm_id: null })
    ]
    const { result, events } = await mine.seen.during(calls)
    expect(result.map(({ status }) => status)).toEqual(result.map(() => 400))
    expect([result[0]?.errors, events]).toEqual([
      ["The request names different realms in its query, body or headers."],
      []
    ])
  })

  test("lets an unlocked admin_realm key manage the hooks of any realm", async () => {
    const admin = await unlockedKey("admin_realm")
    const given: GivenRealm = await newRealm()
    const creation = await admin.post(path, {
      [wrapper]: { realm_id: given.id, event_type: ["user.blocked"], destination: destination() }
    })
    expect([creation.status, creation.member("realm_id")]).toEqual([201, given.id])
    expect((await admin.get(`${path}/${creation.id}`)).member("secret")).toBe(creation.member("secret"))
    expect((await admin.delete(`${path}/${creation.id}`)).status).toBe(204)
  })
})

test("C67: an all-realms hook needs an explicit realm_id null in /v2, and is the default in /v1", () =>
  withNullRealm(async (_, root) => {
    const hook = { destination: destination() }
    const missing = "Send a realm in realm_id, or null for all realms."
    for (const body of [{ hook }, { hook: { ...hook, realm_id: "" } }, { hook, realm_id: "" }]) {
      const reply = await root.post("/v2/hooks", body)
      expect([reply.status, reply.errors]).toEqual([422, [missing]])
      expect(reply.member("error_details", 0)).toEqual({ field: "realm_id", code: "realm_or_null", message: missing })
    }
    const ways: ReadonlyArray<readonly [string, object]> = [
      ["/v2/hooks", { hook: { ...hook, realm_id: null } }],
      ["/v2/hooks", { hook, realm_id: null }],
      ["/v2/hooks?realm_id=null", { hook }],
      ["/v1/app_hooks", { app_hook: hook }],
      ["/v1/app_hooks", { app_hook: hook, realm_id: null }]
    ]
    for (const [path, body] of ways) {
      const made = await root.post(path, body)
      expect([path, made.status, made.member("realm_id")]).toEqual([path, 201, null])
      await root.delete(`/v2/hooks/${made.id}`)
    }
  }))
