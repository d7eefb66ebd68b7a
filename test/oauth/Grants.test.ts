import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { storedClient, storedGrant } from "../support/oauthGrants.ts"
import { service, workerSql } from "../support/sallyport.ts"

const DAYS_30 = 30 * 86_400
const now = STARTS_AT / 1000

/** A realm with a user, two clients and one grant for each; one of the grants belongs to a session. */
const withGrants = async () => {
  const [{ given }, sql] = [await service(), await workerSql()]
  const realm = await given.realm()
  const user = await realm.user()
  const session = await realm.session(user.id)
  const [one, other] = [await storedClient(sql, realm), await storedClient(sql, realm)]
  const bound = await storedGrant(sql, realm, one, user.id, { sid: session.id })
  const offline = await storedGrant(sql, realm, other, user.id, { scopes: ["openid", "offline_access"] })
  return { realm, sql, user, session, one, other, bound, offline }
}

const versions = [
  ["v1", "login_policy_id"],
  ["v2", "client_app_id"]
] as const

const listedIds = async (realm: GivenRealm, path: string) => (await realm.get(path)).items.map(({ id }) => id)

describe.each(versions)("C177: grants under /%s", (version, client) => {
  test("are listed in pages and can be filtered by user and client", async () => {
    const { realm, sql, user, session, one, other, bound, offline } = await withGrants()
    const second = await realm.user()
    const third = await storedGrant(sql, realm, one, second.id)
    const list = (filter: string) => listedIds(realm, `/${version}/grants?${filter}`)
    expect(await list("")).toEqual([bound, offline, third])
    expect(await list("direction=desc")).toEqual([third, offline, bound])
    expect(await list(`user_id=${user.id}`)).toEqual([bound, offline])
    expect(await list(`user_id=${user.string("email")}`)).toEqual([bound, offline])
    expect(await list(`${client}=${one}`)).toEqual([bound, third])
    expect(await list(`user_id=${user.id}&${client}=${other}`)).toEqual([offline])
    expect(await list(`user_id=nobody`)).toEqual([])
    expect(await list(`max_results=1&after=${bound}`)).toEqual([offline])
    const [shown] = (await realm.get(`/${version}/grants?user_id=${user.id}`)).items
    expect(shown).toEqual({
      id: bound,
      object: "grant",
      state: "active",
      user_id: user.id,
      [client]: one,
      session_id: session.id,
      scopes: ["openid"],
      resources: [],
      org_id: null,
      created_at: now,
      last_used_at: now,
      expires_at: now + DAYS_30,
      ended_at: null
    })
    expect((await realm.get(`/${version}/grants/${bound}`)).body).toEqual(shown)
  })

  test("can be revoked individually, and a second revocation changes nothing", async () => {
    const { realm, user, one, session, bound, offline } = await withGrants()
    const path = `/${version}/grants/${bound}`
    const { result, events } = await realm.seen.during(() => realm.delete(path))
    expect([result.status, result.text]).toEqual([204, ""])
    expect(events).toEqual([
      expect.objectContaining({
        event_type: "oauth.grant.revoked",
        user_id: user.id,
        client_app_id: one,
        session_id: session.id
      })
    ])
    expect((await realm.get(path)).body).toMatchObject({ state: "ended", ended_at: now })
    expect(await realm.seen.caused(async () => expect((await realm.delete(path)).status).toBe(204))).toEqual([])
    expect((await realm.get(`/${version}/grants/${offline}`)).body).toMatchObject({ state: "active", ended_at: null })
  })

  test("SEC-174: are not found from another realm and cannot be revoked by a `read` key", async () => {
    const [{ realm, bound }, { realm: other }] = [await withGrants(), await withGrants()]
    const reader = await realm.as("read")
    expect(await listedIds(realm, `/${version}/grants`)).toHaveLength(2)
    for (const id of [bound, bound.replace(/.{4}$/, "zzzz"), "x"]) {
      for (const reply of [
        await other.get(`/${version}/grants/${id}`),
        await other.delete(`/${version}/grants/${id}`)
      ]) {
        expect([reply.status, reply.errors]).toEqual([404, ["Grant could not be found."]])
      }
      const listed = await other.get(`/${version}/grants?after=${id}`)
      if (id === "x") expect(listed.status).toBe(404)
      else for (const { id: seen } of listed.items) expect(seen).not.toBe(bound)
    }
    expect((await reader.get(`/${version}/grants/${bound}`)).status).toBe(200)
    expect((await reader.delete(`/${version}/grants/${bound}`)).status).toBe(403)
    expect((await realm.get(`/${version}/grants/${bound}`)).body).toMatchObject({ state: "active" })
  })
})
