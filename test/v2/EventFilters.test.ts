import { describe, expect, test } from "vitest"
import { Api } from "#testing/Api"
import { uniqueText } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { webhook, withAccountHook } from "../support/hooks.ts"
import { clockedService, service } from "../support/sallyport.ts"

const types = async (api: Api, query: string, version = "v2") =>
  (await api.get(`/${version}/events?${query}`)).items.map(({ event_type }) => event_type)

/** A realm with two API keys and their ids. */
const withKeys = async () => {
  const realm = await (await service()).given.realm()
  const key = async (name: string) => {
    const created = await realm.post("/v2/api_keys", { api_key: { name, level: "admin_realm", realm_id: realm.id } })
    return { id: created.id, api: new Api(realm.transport, created.string("key")) }
  }
  return { realm, import: await key("Import"), desk: await key("Desk") }
}

/** A user imported by one key and changed by both keys. */
const userWithChanges = async () => {
  const keys = await withKeys()
  const { realm, desk } = keys
  const email = `${uniqueText("ada")}@example.test`
  const user = await keys.import.api.post("/v2/users", { user: { email, credentials: [] } })
  const path = `/v2/users/${user.id}`
  await keys.import.api.put(path, { user: { custom: { plan: "free" } } })
  await desk.api.put(path, { user: { first_name: "Ada" } })
  await desk.api.put(path, { user: { custom: { plan: "pro" }, reference: "7" } })
  await desk.api.put(`/v2/realms/${realm.id}`, { realm: { jwt_scopes: ["ar.custom"], custom: { a: 1 } } })
  return { ...keys, user, email }
}

describe("GET /v1/events and /v2/events", () => {
  test("filter by actor_id, in both versions", async () => {
    const { realm, desk, ...keys } = await userWithChanges()
    for (const version of ["v1", "v2"]) {
      expect(await types(realm, `actor_id=${keys.import.id}`, version)).toEqual(["user.created", "user.updated"])
      const byDesk = ["user.updated", "user.updated", "realm.updated"]
      expect(await types(realm, `actor_id=${desk.id}`, version)).toEqual(byDesk)
      expect(await types(realm, `actor_id=${desk.id}&event_type=realm.`, version)).toEqual(["realm.updated"])
    }
    expect(await types(realm, "actor_id=key_nobody")).toEqual([])
  })

  test("filter by api_key_id, and show who created or deleted a key", async () => {
    const { realm, desk, ...keys } = await withKeys()
    await desk.api.delete(`/v2/api_keys/${keys.import.id}`)
    for (const version of ["v1", "v2"]) {
      const { items } = await realm.get(`/${version}/events?api_key_id=${keys.import.id}`)
      expect(items.map(({ event_type, api_key_id, actor }) => [event_type, api_key_id, Object(actor).type])).toEqual([
        ["api_key.created", keys.import.id, "api_key"],
        ["api_key.deleted", keys.import.id, "api_key"]
      ])
      expect(items[1]?.["actor"]).toEqual({ type: "api_key", id: desk.id })
    }
  })

  test("filter by one or several changed members", async () => {
    const { realm, user, desk } = await userWithChanges()
    const find = async (query: string) =>
      (await realm.get(`/v2/events?${query}`)).items.map((event) => [event["event_type"], event["changed"]])
    const [first, second] = [
      ["user.updated", ["custom"]],
      ["user.updated", ["custom", "reference"]]
    ]
    const own = ["realm.updated", ["custom", "jwt_scopes"]]
    const nameChange = ["user.updated", ["first_name", "name"]]
    expect(await find("changed=custom")).toEqual([first, second, own])
    expect(await find(`changed=custom&user_id=${user.id}`)).toEqual([first, second])
    expect(await find(`changed=custom&actor_id=${desk.id}`)).toEqual([second, own])
    expect(await find("changed=custom&event_type=realm.")).toEqual([own])
    expect(await find("changed=custom,first_name&direction=desc")).toEqual([own, second, nameChange, first])
    expect(await find("changed=custom&changed=reference")).toEqual([first, second, own])
    expect(await find(`changed=custom&created_at_after=${STARTS_AT / 1000}`)).toEqual([])
    expect(await find("changed=custom&event_type=user.created")).toEqual([])
    expect(await find(`changed=custom&session_id=kss_${"0".repeat(26)}`)).toEqual([])
  })

  test("filter by changed members for resources with few events", async () => {
    const { given } = await service()
    const realm = await given.realm()
    const app = await realm.connectedApp()
    await realm.put(`/v2/client_apps/${app.id}`, { client_app: { name: "New" } })
    await realm.put(`/v2/client_apps/${app.id}`, { client_app: { require_names: true } })
    const filter = `client_app_id=${app.id}`
    expect(await types(realm, `${filter}&changed=name`)).toEqual(["login_policy.updated"])
    expect(await types(realm, filter)).toHaveLength(3)
    const org = await realm.org()
    await realm.put(`/v2/orgs/${org.id}`, { org: { name: "New" } })
    expect(await types(realm, `org_id=${org.id}&changed=name`)).toEqual(["org.updated"])
  })

  test("return 422 in /v2 and an empty list in /v1 for an unknown member name in changed", async () => {
    const { realm } = await userWithChanges()
    const { result, events } = await realm.seen.during(() => realm.get("/v2/events?changed=fist_name,custom,wings"))
    expect([result.status, events]).toEqual([422, []])
    expect(result.member("error_details")).toMatchObject([
      { field: "changed", code: "unknown_member", params: { member: "fist_name", nearest: "first_name" } },
      { field: "changed", code: "unknown_member", params: { member: "wings", total: expect.any(Number) } }
    ])
    const [fist, wings] = Object(result.member("error_details"))
    expect([Object.keys(fist).includes("allowed"), wings.allowed.length]).toEqual([false, wings.params.total])
    expect(wings.allowed).toEqual(expect.arrayContaining(["access_token_minutes", "api_key", "custom", "username"]))
    expect(result.errors).toEqual([
      "Unknown member fist_name. Did you mean first_name?",
      `Unknown member wings. error_details lists all ${wings.params.total}.`
    ])
    expect(await types(realm, "changed=fist_name", "v1")).toEqual([])
  })

  test("accept every member that an update of any resource can change", async () => {
    const { given } = await service()
    const realm = await given.realm()
    const [user, org, app] = [await realm.user(), await realm.org(), await realm.connectedApp()]
    const membership = await realm.membership(user.id, org.id)
    const invitation = await realm.invitation()
    const hook = await realm.post("/v2/hooks", { hook: { destination: "https://hooks.example.test/", event_type: [] } })
    const provider = await realm.authProvider()
    for (const [path, body] of [
      [`users/${user.id}`, { user: { first_name: "Ada", password: "seven purple elephants" } }],
      [`orgs/${org.id}`, { org: { name: "New" } }],
      [`client_apps/${app.id}`, { client_app: { auto_continue: false } }],
      [`memberships/${membership.id}`, { membership: { permissions: ["a"] } }],
      [`invitations/${invitation.id}`, { invitation: { permissions: ["a"] } }],
      [`hooks/${hook.id}`, { hook: { delay: 1 } }],
      [`auth_providers/${provider.id}`, { auth_provider: { client_secret: "another" } }],
      [`realms/${realm.id}`, { realm: { jwt_algo: "rs256", limits: { reads: 10 }, session_minutes: 5 } }]
    ] as const) {
      expect([path, (await realm.put(`/v2/${path}`, body)).status]).toEqual([path, 200])
    }
    await realm.post(`/v2/hooks/${hook.id}/rotate_secret`, {})
    const members = (await realm.get("/v2/events?max_results=1000")).items.flatMap(({ changed: names }) =>
      Array.isArray(names) ? names : []
    )
    expect(members.length).toBeGreaterThan(12)
    expect((await realm.get(`/v2/events?changed=${[...new Set(members)].join(",")}`)).status).toBe(200)
  })

  test("accept the names of both versions in changed", async () => {
    const { realm } = await userWithChanges()
    for (const version of ["v1", "v2"])
      for (const name of ["jwt_fields", "jwt_scopes"])
        expect(await types(realm, `changed=${name}`, version)).toEqual(["realm.updated"])
  })

  test("page by actor and by changed member in both directions, with each event once", async () => {
    const { realm, desk } = await withKeys()
    const org = await realm.org()
    for (let n = 0; n < 7; n += 1)
      await desk.api.put(`/v2/orgs/${org.id}`, { org: { name: `N${n}`, reference: `${n}` } })
    const paged = async (filter: string, direction: string) => {
      const found: Array<unknown> = []
      for (let after = ""; ; ) {
        const page = await realm.get(`/v2/events?${filter}&max_results=3&direction=${direction}${after}`)
        found.push(...page.items.map(({ id }) => id))
        if (page.member("more_results") === false) return found
        after = `&after=${String(found.at(-1))}`
      }
    }
    for (const filter of [`actor_id=${desk.id}`, "changed=name,reference", `changed=name&actor_id=${desk.id}`]) {
      const forward = await paged(filter, "asc")
      expect([filter, new Set(forward).size, forward.length]).toEqual([filter, 7, 7])
      expect(await paged(filter, "desc")).toEqual(forward.toReversed())
    }
  })

  test("show no event of another realm by actor, member or email", async () => {
    const { desk, email } = await userWithChanges()
    const other = await (await service()).given.realm()
    for (const filter of [`actor_id=${desk.id}`, "changed=custom", `user_id=${email}`])
      expect(await types(other, filter)).toEqual([])
  })

  test("accept an email as user_id, in any case", async () => {
    const { realm, email, user } = await userWithChanges()
    const all = await types(realm, `user_id=${user.id}`)
    expect(all).toHaveLength(4)
    for (const version of ["v1", "v2"])
      expect(await types(realm, `user_id=${encodeURIComponent(email.toUpperCase())}`, version)).toEqual(all)
    expect(await types(realm, "user_id=nobody@example.test")).toEqual([])
  })
})

describe("GET /v2/events?expand=notifications", () => {
  test("shows the deliveries of each event, as GET /v2/events/{event_id} does", async () => {
    const { given, advance, receiver } = await clockedService()
    const realm = await given.realm()
    const hook = await webhook(realm, { event_type: ["org.created"] })
    receiver.answer(hook.string("destination"), () => ({ status: 500, retryAfter: undefined, excerpt: "Oops" }))
    const org = await realm.org()
    await realm.put(`/v2/orgs/${org.id}`, { org: { name: "New" } })
    await advance(0)
    const { items } = await realm.get(`/v2/events?org_id=${org.id}&expand=notifications`)
    expect(items.map((event) => event["notifications"])).toEqual([
      [expect.objectContaining({ hook_id: hook.id, state: "in_progress", last_result: "HTTP 500\nOops" })],
      []
    ])
    for (const item of items) expect((await realm.get(`/v2/events/${String(item["id"])}`)).body).toEqual(item)
    for (const item of (await realm.get(`/v2/events?org_id=${org.id}`)).items)
      expect(item).not.toHaveProperty("notifications")
    expect((await realm.get("/v2/events?expand=custom")).status).toBe(422)
  })

  test("shows deliveries to a hook for all realms only to a key for all realms", async () => {
    const { given } = await service()
    const realm = await given.realm()
    const reader = await realm.as("read")
    await withAccountHook(given.root, { event_type: ["org.created"] }, async (hook) => {
      const org = await realm.org()
      const shown = async (api: Api) =>
        (await api.get(`/v2/events?org_id=${org.id}&expand=notifications`)).items[0]?.["notifications"]
      expect(await shown(realm)).toEqual([expect.objectContaining({ hook_id: hook.id })])
      expect(await shown(reader)).toEqual([])
    })
  })
})
