import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { OTHER_PASSWORD, PASSWORD } from "../support/logins.ts"
import { storedClient, storedGrant } from "../support/oauthGrants.ts"
import { query } from "../support/query.ts"
import { ownService, service, workerSql } from "../support/sallyport.ts"

interface Holder {
  readonly realm: GivenRealm
  readonly id: string
  readonly sessionId: string
}

/** The grants of a user with two sessions that are still active after the given change. */
const activeGrantsAfter = async (end: (holder: Holder) => Promise<unknown>) => {
  const [{ given }, sql] = [await service(), await workerSql()]
  const realm = await given.realm()
  const { id } = await realm.user({ password: PASSWORD })
  const [first, second] = [await realm.session(id), await realm.session(id)]
  const client = await storedClient(sql, realm)
  const offline = ["openid", "offline_access"]
  const grants = {
    bound: await storedGrant(sql, realm, client, id, { sid: first.id }),
    offline: await storedGrant(sql, realm, client, id, { sid: first.id, scopes: offline }),
    "bound to the other": await storedGrant(sql, realm, client, id, { sid: second.id }),
    unbound: await storedGrant(sql, realm, client, id)
  }
  await end({ realm, id, sessionId: first.id })
  const states: Array<string> = []
  for (const [name, grant] of Object.entries(grants)) {
    const reply = await realm.get(`/v2/grants/${grant}`)
    if (reply.status === 200 && reply.string("state") === "active") states.push(name)
    else expect(reply.status === 404 || typeof reply.member("ended_at") === "number").toBe(true)
  }
  return states
}

describe("C178: a grant", () => {
  test.each(["v1", "v2"])("ends with its session unless the grant is for offline access (%s)", async (v) => {
    const end = ({ realm, sessionId }: Holder) => realm.delete(`/${v}/sessions/${sessionId}`)
    expect(await activeGrantsAfter(end)).toEqual(["offline", "bound to the other", "unbound"])
  })

  test("SEC-175: ends when the user changes the password or is deactivated or deleted, even with offline access", async () => {
    const user = { password: OTHER_PASSWORD }
    expect(await activeGrantsAfter(({ realm, id }) => realm.put(`/v2/users/${id}`, { user }))).toEqual([])
    const reset = async ({ realm, id }: Holder) => {
      const token = (await realm.post(`/v2/users/${id}/generate_password_token`, {})).string("token")
      await realm.post("/v2/users/reset_password_with_token", { user: { token, ...user } })
    }
    expect(await activeGrantsAfter(reset)).toEqual([])
    expect(
      await activeGrantsAfter(({ realm, id }) => realm.put(`/v2/users/${id}`, { user: { state: "inactive" } }))
    ).toEqual([])
    expect(await activeGrantsAfter(({ realm, id }) => realm.delete(`/v2/users/${id}`))).toEqual([])
  })

  test("stays ended when the user is reactivated", async () => {
    const end = async ({ realm, id }: Holder) => {
      await realm.put(`/v2/users/${id}`, { user: { state: "inactive" } })
      await realm.put(`/v2/users/${id}`, { user: { state: "active" } })
    }
    expect(await activeGrantsAfter(end)).toEqual([])
  })

  test("ends when its session expires, unless the grant is for offline access", () =>
    ownService(async ({ given, sql, advance, clock }) => {
      const realm = await given.realm({ session_minutes: 10 })
      const user = await realm.user()
      const session = await realm.session(user.id)
      const at = clock.currentTimeMillisUnsafe()
      const client = await storedClient(sql, realm)
      const bound = await storedGrant(sql, realm, client, user.id, { sid: session.id, currentTime: at })
      const scopes = ["offline_access"]
      const offline = await storedGrant(sql, realm, client, user.id, { sid: session.id, scopes, currentTime: at })
      await advance("11 minutes")
      expect((await realm.get(`/v2/grants/${bound}`)).body).toMatchObject({ state: "ended", ended_at: null })
      expect((await realm.get(`/v2/grants/${offline}`)).body).toMatchObject({ state: "active" })
      expect((await given.root.post(`/v2/realms/${realm.id}/reset`, {})).status).toBe(202)
      expect((await realm.get("/v2/grants")).items).toEqual([])
      await advance("1 minute")
      const rows = sql<{
        readonly count: number
      }>`select count(*)::int as count from oauth_grants where realm_id = ${realm.id}`
      expect(await query(rows)).toEqual([{ count: 0 }])
    }))

  test("is no longer listed after its expiry", () =>
    ownService(async ({ given, sql, advance, clock }) => {
      const realm = await given.realm()
      const user = await realm.user()
      const client = await storedClient(sql, realm)
      await storedGrant(sql, realm, client, user.id, { currentTime: clock.currentTimeMillisUnsafe() })
      await advance("31 days")
      expect((await realm.get("/v2/grants")).items).toEqual([])
    }))
})
