import { describe, expect, test } from "vitest"
import type { Api } from "#testing/Api"
import { webhook, withAccountHook } from "../support/hooks.ts"
import { authenticate, PASSWORD } from "../support/logins.ts"
import { clockedService, newRealm, service } from "../support/sallyport.ts"

const types = async (api: Api, query: string, version = "v2") =>
  (await api.get(`/${version}/events?${query}`)).items.map(({ event_type }) => event_type)

/** A realm with a user who logs in with a password, from an IP address. */
const withLogins = async () => {
  const realm = await newRealm()
  const user = await realm.user({ password: PASSWORD, first_name: "Ada", last_name: "Lovelace" })
  const logIn = (password: string, ip: string) => authenticate(realm, user.id, password, { request: { ip } })
  return { realm, user, logIn }
}

describe("GET /v1/events and /v2/events", () => {
  test("filter by result, alone and with event_type", async () => {
    const { realm, user, logIn } = await withLogins()
    await logIn("wrong password", "192.0.2.7")
    await logIn(PASSWORD, "192.0.2.7")
    expect(await types(realm, `user_id=${user.id}&result=failed`)).toEqual(["user.login.failed"])
    expect(await types(realm, `user_id=${user.id}&result=succeeded`)).toEqual(["user.created", "user.login.succeeded"])
    expect(await types(realm, `user_id=${user.id}&result=failed&event_type=user.created`)).toEqual([])
    expect(await types(realm, "result=failed", "v1")).toEqual(["user.login.failed"])
    const response = await realm.get("/v2/events?result=bad")
    expect([response.status, response.member("error_details")]).toMatchObject([422, [{ field: "result" }]])
  })

  test("filter by the exact request_ip, alone and with other filters", async () => {
    const { realm, user, logIn } = await withLogins()
    await logIn("wrong password", "192.0.2.7")
    await logIn(PASSWORD, "192.0.2.77")
    await realm.put(`/v2/users/${user.id}`, { user: { reference: "7" }, request: { ip: "192.0.2.7" } })
    const [failed, updated] = ["user.login.failed", "user.updated"]
    expect(await types(realm, "request_ip=192.0.2.7")).toEqual([failed, updated])
    expect(await types(realm, "request_ip=192.0.2.7&direction=desc&max_results=1")).toEqual([updated])
    expect(await types(realm, "request_ip=192.0.2.7", "v1")).toEqual([failed, updated])
    expect(await types(realm, "request_ip=192.0.2.7&event_type=user.login.")).toEqual([failed])
    expect(await types(realm, `request_ip=192.0.2.7&user_id=${user.id}&result=failed`)).toEqual([failed])
    expect(await types(realm, "request_ip=192.0.2.7&changed=reference")).toEqual([updated])
    expect(await types(realm, "request_ip=192.0.2.7&changed=email")).toEqual([])
    for (const unknown of ["192.0.2", "%25", "'%20or%20true--"])
      expect(await types(realm, `request_ip=${unknown}`)).toEqual([])
  })

  test("filter by created_at_before, exclusive, alone and with created_at_after", async () => {
    const { given, advance } = await clockedService()
    const realm = await given.realm()
    const user = await realm.user()
    await advance("1 hour")
    await realm.put(`/v2/users/${user.id}`, { user: { reference: "7" } })
    const times = (await realm.get(`/v2/events?user_id=${user.id}`)).items.map((event) => Number(event["event_at"]))
    const [created = 0, updated = 0] = times
    const find = (query: string) => types(realm, `user_id=${user.id}&${query}`)
    expect(await find(`created_at_before=${updated}`)).toEqual(["user.created"])
    expect(await find(`created_at_before=${updated + 0.001}`)).toEqual(["user.created", "user.updated"])
    expect(await find(`created_at_before=${created}`)).toEqual([])
    expect(await find(`created_at_after=${created}&created_at_before=${updated + 1}`)).toEqual(["user.updated"])
    expect(await types(realm, `created_at_before=${created}`)).not.toContain("user.updated")
    expect((await realm.get("/v2/events?created_at_before=yesterday")).status).toBe(422)
  })
})

describe("GET /v2/events?expand=display_names", () => {
  test("includes the current names of resources and actors, as GET /v2/events/{event_id} does", async () => {
    const { realm, user, logIn } = await withLogins()
    const org = await realm.org({ name: "Analytical Engines" })
    const membership = await realm.membership(user.id, org.id)
    const hook = await webhook(realm, { event_type: ["org.deleted"] })
    const invitation = await realm.invitation()
    await logIn("wrong password", "192.0.2.7")
    await realm.put(`/v2/orgs/${org.id}`, { org: { name: "Engines" } })
    const namesOf = async (query: string) => {
      const [event] = (await realm.get(`/v2/events?expand=display_names&direction=desc&max_results=1&${query}`)).items
      const alone = await realm.get(`/v2/events/${String(event?.["id"])}?expand=display_names`)
      expect(alone.member("display_names")).toEqual(event?.["display_names"])
      return event?.["display_names"]
    }
    const key = (await realm.get(`/v2/events?user_id=${user.id}&max_results=1`)).items[0]?.["actor"]
    const keyName = { [Object(key).id]: expect.any(String) }
    expect(await namesOf(`membership_id=${membership.id}`)).toEqual({
      [user.id]: "Ada Lovelace",
      [org.id]: "Engines",
      ...keyName
    })
    expect(await namesOf(`hook_id=${hook.id}`)).toEqual({ [hook.id]: hook.string("destination"), ...keyName })
    expect(await namesOf(`invitation_id=${invitation.id}`)).toMatchObject({
      [invitation.id]: invitation.string("email")
    })
    expect((await realm.get("/v2/events?max_results=1")).items[0]).not.toHaveProperty("display_names")
    await realm.delete(`/v2/users/${user.id}`)
    expect(await namesOf(`user_id=${user.id}`)).not.toHaveProperty(user.id)
  })

  test("omits names that the caller may not read", async () => {
    const { given } = await service()
    const { realm, user } = await withLogins()
    const [reader, admin] = [await realm.as("read"), await realm.as("admin_realm")]
    const namesOf = async (api: Api) =>
      (await api.get(`/v2/events?user_id=${user.id}&expand=display_names&max_results=1`)).items[0]?.["display_names"]
    const { items } = await realm.get(`/v2/events?user_id=${user.id}&max_results=1`)
    const keyId = Object(items[0]?.["actor"]).id
    expect(await namesOf(reader)).toEqual({ [user.id]: "Ada Lovelace" })
    // The key that created the user is for all realms, and these two keys are locked to the realm.
    expect(await namesOf(admin)).toEqual({ [user.id]: "Ada Lovelace" })
    expect(await namesOf(realm)).toEqual({ [user.id]: "Ada Lovelace", [keyId]: expect.any(String) })
    await admin.put(`/v2/users/${user.id}`, { user: { reference: "7" } })
    const own = `/v2/events?user_id=${user.id}&expand=display_names&event_type=user.updated`
    expect(Object.values(Object((await admin.get(own)).items[0]?.["display_names"]))).toContain("admin_realm")
    expect(Object.keys(Object((await reader.get(own)).items[0]?.["display_names"]))).toEqual([user.id])
    await withAccountHook(given.root, { event_type: ["org.created"] }, async (hook) => {
      const [event] = (await given.root.get(`/v2/events?realm_id=null&hook_id=${hook.id}&expand=display_names`)).items
      expect(event?.["display_names"]).toMatchObject({ [hook.id]: hook.string("destination") })
    })
  })

  test("names all events of a page, together with their notifications", async () => {
    const { realm } = await withLogins()
    for (const _ of [1, 2, 3]) await realm.user({ first_name: "Grace" })
    const { items } = await realm.get("/v2/events?expand=display_names,notifications&event_type=user.created")
    expect(items.map((event) => [Object.values(Object(event["display_names"]))[0], event["notifications"]])).toEqual([
      ["Ada Lovelace", []],
      ["Grace", []],
      ["Grace", []],
      ["Grace", []]
    ])
  })
})
