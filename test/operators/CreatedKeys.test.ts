import { expect, test } from "vitest"
import { Api } from "#testing/Api"
import { loggedInOperator, rootOf } from "../support/operators.ts"
import { isolatedService, type OwnService } from "../support/sallyport.ts"

/** An owner who has created a key for a realm, a key for all realms and a key that has expired. */
const ownerWithKeys = async (own: OwnService) => {
  const realm = await own.given.realm()
  const owner = await loggedInOperator(own, "owner")
  const create = async (api_key: object) =>
    (await owner.page.call("POST", "/console/api/v2/api_keys", { body: { api_key } })).body as Record<string, string>
  const [local, everywhere] = [
    await create({ name: "local", level: "write", realm_id: realm.id }),
    await create({ name: "everywhere", level: "admin_all_realms", realm_id: null })
  ]
  const expiresAt = own.clock.currentTimeMillisUnsafe() / 1_000 + 60
  await create({ name: "short", level: "read", realm_id: realm.id, expires_at: expiresAt })
  // Keys of other creators are not listed.
  await rootOf(own).post("/v2/api_keys", { api_key: { name: "other", level: "read", realm_id: realm.id } })
  await own.advance(60_000)
  const works = async ({ key }: Record<string, string>) =>
    (await new Api(own.transport, key).get(`/v2/users?realm_id=${realm.id}`)).status === 200
  return { realm, owner, local, everywhere, works }
}

test("C302: an owner sees which unexpired API keys an operator created, page by page", async () => {
  await isolatedService(async (own) => {
    const { owner, local, everywhere } = await ownerWithKeys(own)
    const root = rootOf(own)
    const path = `/v2/operators/${owner.id}/api_keys`
    const { key: _, ...shown } = everywhere
    const first = await root.get(`${path}?max_results=1&direction=desc`)
    expect([first.items.map(({ last_used_at: _, ...key }) => key), first.member("more_results")]).toEqual([
      [expect.objectContaining({ id: shown["id"], name: "everywhere" })],
      true
    ])
    const second = await root.get(`${path}?max_results=1&direction=desc&after=${shown["id"]}`)
    expect([second.items.map(({ id }) => id), second.member("more_results")]).toEqual([[local["id"]], false])
    expect((await root.get("/v2/operators/usr_nobody/api_keys")).status).toBe(404)
    const viewer = await loggedInOperator(own, "admin")
    expect((await viewer.page.call("GET", `/console/api${path}`)).status).toBe(403)
  })
})

test("SEC-303: removing an operator can delete the API keys that they created, and otherwise leaves them", async () => {
  await isolatedService(async (own) => {
    const { realm, owner, local, everywhere, works } = await ownerWithKeys(own)
    const root = rootOf(own)
    const spare = await loggedInOperator(own, "owner")
    expect([await works(local), await works(everywhere)]).toEqual([true, true])
    const { result, events } = await realm.seen.during(() =>
      root.delete(`/v2/operators/${owner.id}?delete_api_keys=true`)
    )
    expect(result.status).toBe(204)
    expect(events).toEqual([{ event_type: "api_key.deleted", api_key_id: local["id"] }])
    const account = await root.get(`/v2/events?realm_id=null&api_key_id=${everywhere["id"]}&event_type=api_key.`)
    expect(account.items.map(({ event_type }) => event_type)).toEqual(["api_key.created", "api_key.deleted"])
    expect([await works(local), await works(everywhere)]).toEqual([false, false])

    const body = { api_key: { name: "kept", level: "read", realm_id: realm.id } }
    const kept = await spare.page.call("POST", "/console/api/v2/api_keys", { body })
    const rest = await realm.seen.caused(async () => {
      await loggedInOperator(own, "owner")
      expect((await root.delete(`/v2/operators/${spare.id}`)).status).toBe(204)
    })
    expect(rest).toEqual([])
    expect(await works({ key: kept.string("key") })).toBe(true)
  })
})
