import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { authorize, authorizing } from "../support/authorize.ts"
import { oauthClient } from "../support/oauth.ts"
import { storedConsent, storedGrant } from "../support/oauthGrants.ts"
import { visibleText } from "../support/pages.ts"
import { service, workerSql } from "../support/sallyport.ts"

const now = STARTS_AT / 1000
const START = new Date(STARTS_AT).toISOString()

/** A user who has consented to a client, and the resulting grant. */
const withConsent = async (given?: GivenRealm) => {
  const realm = given ?? (await (await service()).given.realm())
  const at = await authorizing(realm, { client: { consent: "ask", name: "Grafana" } })
  await authorize(at, { scope: "openid profile" })
  const sql = await workerSql()
  const grant = await storedGrant(sql, realm, at.client.id, at.user.id, { scopes: ["openid", "offline_access"] })
  return { ...at, sql, grant }
}

const eventFor = (client: string, user: string, type: string) =>
  expect.objectContaining({ event_type: type, client_app_id: client, user_id: user })

describe.each([
  ["v1", "login_policy_id"],
  ["v2", "client_app_id"]
] as const)("C180: consents under /%s", (version, name) => {
  const listedIds = async (realm: GivenRealm, query: string) =>
    (await realm.get(`/${version}/consents?${query}`)).items.map(({ id }) => id)

  test("are listed in pages and can be filtered by user and client", async () => {
    const { realm, user, client, sql, ...at } = await withConsent()
    const other = await oauthClient(realm, { consent: "ask" })
    await authorize({ ...at, realm, user, client: other })
    const [one, two] = (await realm.get(`/${version}/consents`)).items
    const [first, second] = [String(one?.["id"]), String(two?.["id"])]
    const third = await storedConsent(sql, realm, client.id, (await realm.user()).id)
    expect(one).toEqual({
      id: expect.stringMatching(/^cns_\w{26}$/),
      object: "consent",
      user_id: user.id,
      [name]: client.id,
      scopes: ["openid", "profile"],
      resources: [],
      created_at: now,
      updated_at: now
    })
    expect((await realm.get(`/${version}/consents/${first}`)).body).toEqual(one)
    expect((await listedIds(realm, "")).toSorted()).toEqual([first, second, third].toSorted())
    const [earliest = "", ...later] = [first, second, third].toSorted()
    expect(await listedIds(realm, `after=${earliest}`)).toEqual(later)
    expect(await listedIds(realm, `user_id=${user.string("email")}`)).toEqual([first, second])
    expect((await listedIds(realm, `${name}=${client.id}`)).toSorted()).toEqual([first, third].toSorted())
    expect(await listedIds(realm, `user_id=${user.id}&${name}=${other.id}`)).toEqual([second])
    expect(await listedIds(realm, `user_id=${user.id}&max_results=1&after=${first}`)).toEqual([second])
  })

  test("are revoked together with the client's grants, and the client must ask for consent again", async () => {
    const { realm, user, client, grant, sql: _, ...at } = await withConsent()
    const [id] = await listedIds(realm, "")
    const { result, events } = await realm.seen.during(() => realm.delete(`/${version}/consents/${id}`))
    expect(result.status).toBe(204)
    expect(events).toEqual([
      eventFor(client.id, user.id, "oauth.consent.revoked"),
      eventFor(client.id, user.id, "oauth.grant.revoked")
    ])
    expect((await realm.get(`/v2/grants/${grant}`)).body).toMatchObject({ state: "ended" })
    expect(await listedIds(realm, "")).toEqual([])
    expect((await realm.delete(`/${version}/consents/${id}`)).status).toBe(404)
    const again = await realm.seen.caused(() => authorize({ ...at, realm, user, client }))
    expect(again).toEqual([eventFor(client.id, user.id, "oauth.consent.granted")])
  })

  test("SEC-174: are not found from another realm and cannot be revoked by a `read` key", async () => {
    const [{ realm }, { realm: other }] = [await withConsent(), await withConsent()]
    const [id] = await listedIds(realm, "")
    const reader = await realm.as("read")
    for (const reply of [
      await other.get(`/${version}/consents/${id}`),
      await other.delete(`/${version}/consents/${id}`)
    ]) {
      expect([reply.status, reply.errors]).toEqual([404, ["Consent could not be found."]])
    }
    expect((await reader.get(`/${version}/consents`)).items).toHaveLength(1)
    expect((await reader.delete(`/${version}/consents/${id}`)).status).toBe(403)
    expect(await listedIds(realm, "")).toEqual([id])
  })
})

describe("C180: the apps with access to an account", () => {
  test("are listed on the user's own page until the user removes their access", async () => {
    const { realm, user, client, grant, visitor } = await withConsent()
    const own = await oauthClient(realm, { name: "House app", consent: "skip" })
    await storedGrant(await workerSql(), realm, own.id, user.id, { scopes: ["openid", "offline_access"] })
    const page = await visitor.open("/security")
    expect(visibleText(page)).toMatch(
      /Apps with access .* Grafana .* Access since .* Last used .* Remove access House app Keep this access while you're away Know which account is yours Access since/
    )
    const events = await realm.seen.caused(() => visitor.send("/security", { way: "remove_access", app: client.id }))
    expect(events).toEqual([
      eventFor(client.id, user.id, "oauth.consent.revoked"),
      eventFor(client.id, user.id, "oauth.grant.revoked")
    ])
    expect((await realm.get(`/v2/grants/${grant}`)).body).toMatchObject({ state: "ended" })
    const after = visibleText(await visitor.follow())
    expect(after).toContain("The app no longer has access to your account.")
    expect([after.includes("Grafana"), after.includes("House app")]).toEqual([false, true])
    await visitor.fill({}, "Remove access")
    expect(visibleText(await visitor.open("/security"))).not.toContain("Apps with access")
  })

  test("SEC-174: cannot be seen or removed by another user", async () => {
    const { realm, visitor, sql, client } = await withConsent()
    const other = await realm.user()
    const theirs = await storedGrant(sql, realm, client.id, other.id, { scopes: ["offline_access"] })
    const own = await oauthClient(realm, { name: "Only theirs" })
    await storedGrant(sql, realm, own.id, other.id)
    expect(visibleText(await visitor.open("/security"))).not.toContain("Only theirs")
    for (const app of [client.id, own.id, "x"]) await visitor.send("/security", { way: "remove_access", app })
    expect((await realm.get(`/v2/grants/${theirs}`)).body).toMatchObject({ state: "active" })
  })

  test("are included in the user's data export", async () => {
    const { visitor, client } = await withConsent()
    const { body } = await visitor.send("/profile", { way: "export" })
    expect(body).toMatchObject({
      apps_with_access: [
        {
          id: client.id,
          name: "Grafana",
          scopes: ["offline_access", "openid", "profile"],
          since: START,
          last_used_at: START
        }
      ]
    })
  })
})
