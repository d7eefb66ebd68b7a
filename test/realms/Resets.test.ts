import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { defaultHooks, webhook } from "../support/hooks.ts"
import { clockedService } from "../support/sallyport.ts"

/** The resources that a reset may clear, one of each kind, by their names in the reset. */
const createOneOfEach = async (realm: GivenRealm) => {
  const [user, org, provider] = [await realm.user(), await realm.org(), await realm.authProvider()]
  const [app, hook] = [await realm.connectedApp(), await webhook(realm)]
  return {
    app_hooks: `/v2/hooks/${hook.id}`,
    auth_providers: `/v2/auth_providers/${provider.id}`,
    login_policies: `/v2/client_apps/${app.id}`,
    orgs: `/v2/orgs/${org.id}`,
    users: `/v2/users/${user.id}`
  }
}

/** The kinds whose resource no longer exists. */
const goneKinds = async (realm: GivenRealm, things: Readonly<Record<string, string>>) => {
  const found: Array<string> = []
  for (const [kind, path] of Object.entries(things)) if ((await realm.get(path)).status === 404) found.push(kind)
  return found
}

const resetOf = (...kinds: ReadonlyArray<string>) => ({ event_type: "realm.reset", reset: kinds })

describe.each(["v1", "v2"])("POST /%s/realms/{realm_id}/reset", (version) => {
  const reset = (realm: GivenRealm, asked: object) => realm.post(`/${version}/realms/${realm.id}/reset`, asked)

  test("deletes only users and orgs by default, and records realm.reset", async () => {
    const { given, advance } = await clockedService()
    const [realm, other] = [await given.realm(), await given.realm()]
    const [things, others] = [await createOneOfEach(realm), await createOneOfEach(other)]
    const body = (await realm.get(`/${version}/realms/${realm.id}`)).body
    const { result, events } = await realm.seen.during(() => reset(realm, {}))
    expect([result.status, result.body, events]).toEqual([202, body, [resetOf("orgs", "users")]])
    const shown = (await realm.get(`/${version}/events?event_type=realm.`)).items.map(({ event_type }) => event_type)
    expect(shown).toEqual(version === "v1" ? ["realm.created"] : ["realm.created", "realm.reset"])
    for (const later of ["0 seconds", "1 minute"] as const) {
      await advance(later)
      expect(await goneKinds(realm, things)).toEqual(["orgs", "users"])
    }
    expect(await goneKinds(other, others)).toEqual([])
  })

  test.each([
    "app_hooks",
    "auth_providers",
    "login_policies",
    "orgs",
    "users"
  ])("clears only %s if requested", async (kind) => {
    const { given, advance } = await clockedService()
    const realm = await given.realm()
    const things = await createOneOfEach(realm)
    const { events } = await realm.seen.during(() => reset(realm, { users: false, orgs: false, [kind]: true }))
    await advance("1 minute")
    expect([events, await goneKinds(realm, things)]).toEqual([[resetOf(kind)], [kind]])
  })

  test("clears the events of the deleted resources in the background", async () => {
    const { given, advance } = await clockedService()
    const realm = await given.realm()
    await createOneOfEach(realm)
    const types = async () => (await realm.seen.all()).map(({ event_type }) => event_type)
    expect(await types()).toContain("user.created")
    await reset(realm, {})
    await advance("1 minute")
    const left = await types()
    expect(left.filter((type) => /^(user|org|membership)\./.test(String(type)))).toEqual([])
    expect(left).toEqual(expect.arrayContaining(["realm.created", "app_hook.created", "login_policy.created"]))
  })

  test("restores the default hooks and providers", async () => {
    const { given, advance } = await clockedService()
    const realm = await given.realm()
    const [hooks, providers] = [await defaultHooks(realm), (await realm.get("/v2/auth_providers")).items]
    const changed = { auth_provider: { state: "active", second_factor: true } }
    expect((await realm.put("/v2/auth_providers/email_code", changed)).status).toBe(200)
    await reset(realm, { app_hooks: true, auth_providers: true })
    await advance("1 minute")
    expect(Object.keys(await defaultHooks(realm))).toEqual(Object.keys(hooks))
    expect((await realm.get("/v2/auth_providers")).items).toEqual(providers)
  })
})
