import { decodeJwt } from "jose"
import { describe, expect, test } from "vitest"
import { STARTS_AT } from "#testing/TestSallyport"
import { ownService, service } from "../support/sallyport.ts"

const now = STARTS_AT / 1000

describe("expires_at of a membership", () => {
  test("must be in the future at creation and update", async () => {
    const given = await (await service()).given.realm()
    const [user, org] = [await given.user(), await given.org()]
    const pair = { user_id: user.id, org_id: org.id }
    const { id } = await given.membership(user.id, (await given.org()).id, { expires_at: now + 0.001 })
    const events = await given.seen.caused(async () => {
      for (const [expires_at, error] of [
        [now - 1, "Expires at must be in the future."],
        [now, "Expires at must be in the future."],
        [0, "Expires at must be in the future."],
        [-1, "Expires at must be a Unix timestamp in seconds."],
        [1e15, "Expires at must be a Unix timestamp in seconds."],
        ["soon", "Expires at must be a Unix timestamp in seconds."]
      ] as const) {
        for (const reply of [
          await given.post("/v2/memberships", { membership: { ...pair, expires_at } }),
          await given.put(`/v2/memberships/${id}`, { membership: { expires_at, permissions: "a" } })
        ]) {
          expect({ status: reply.status, errors: reply.errors }).toEqual({ status: 422, errors: [error] })
        }
      }
    })
    expect(events).toEqual([])
    expect((await given.get(`/v2/memberships/${id}`)).body).toMatchObject({ expires_at: now + 0.001, permissions: [] })
  })

  test("SEC-24: hides an expired membership everywhere, even before the membership is removed", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm({ jwt_scopes: ["ar.orgs"] })
      const [user, org] = [await realm.user(), await realm.org()]
      const { id } = await realm.membership(user.id, org.id, { expires_at: now + 60 })
      const session = await realm.session(user.id)

      const views = async () => ({
        get: (await realm.get(`/v2/memberships/${id}`)).status,
        ofUser: (await realm.get(`/v2/memberships?user_id=${user.id}`)).items.length,
        ofOrg: (await realm.get(`/v2/memberships?org_id=${org.id}`)).items.length,
        inOrg: (await realm.get(`/v2/orgs/${org.id}?expand=memberships`)).member("memberships", 0, "id"),
        inUser: (await realm.get(`/v2/users/${user.id}?expand=memberships`)).member("memberships", 0, "id"),
        counted: (await realm.get(`/v2/users/${user.id}`)).member("membership_count"),
        inToken: decodeJwt((await realm.get(`/v2/sessions/${session.id}`)).string("token"))["orgs"],
        selected: decodeJwt((await realm.get(`/v2/sessions/${session.id}?org_id=${org.id}`)).string("token"))["orgs"]
      })
      clock.advance(59_999)
      const claim = expect.objectContaining({ mid: id, oid: org.id })
      expect(await views()).toEqual({
        get: 200,
        ofUser: 1,
        ofOrg: 1,
        inOrg: id,
        inUser: id,
        counted: 1,
        inToken: [claim],
        selected: [claim]
      })
      clock.advance(1)
      const events = await realm.seen.caused(async () => {
        expect(await views()).toEqual({
          get: 404,
          ofUser: 0,
          ofOrg: 0,
          inOrg: undefined,
          inUser: undefined,
          counted: 0,
          inToken: [],
          selected: []
        })
        expect((await realm.put(`/v2/memberships/${id}`, { membership: { expires_at: null } })).status).toBe(404)
        expect((await realm.delete(`/v2/memberships/${id}`)).status).toBe(404)
      })
      expect(events).toEqual([])
    }))

  test("lets a new membership replace an expired membership, and records membership.deleted for the old membership", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const [user, org] = [await realm.user(), await realm.org()]
      const pair = { user_id: user.id, org_id: org.id }
      const old = await realm.membership(user.id, org.id, { expires_at: now + 60, permissions: "old" })
      const kept = await realm.membership(user.id, (await realm.org()).id, { expires_at: now + 60 })
      clock.advance("1 minute")

      // The new membership is rejected, so the old one stays and no event is recorded.
      const wrong = { membership: { ...pair, permissions: "a/b" } }
      expect(await realm.seen.caused(() => realm.post("/v2/memberships", wrong))).toEqual([])
      await realm.delete(`/v2/orgs/${org.id}`)
      expect(await realm.seen.caused(() => realm.post("/v2/memberships", { membership: pair }))).toEqual([])

      const open = await realm.org()
      const first = await realm.membership(user.id, open.id, { expires_at: now + 120 })
      clock.advance("1 minute")
      const { result, events } = await realm.seen.during(() =>
        Promise.all(
          Array.from({ length: 3 }, () =>
            realm.post("/v2/memberships", { membership: { user_id: user.id, org_id: open.id } })
          )
        )
      )
      expect(result.map(({ status }) => status).toSorted()).toEqual([201, 422, 422])
      const created = result.find(({ status }) => status === 201)
      const ids = { user_id: user.id, org_id: open.id }
      expect(events).toEqual([
        { event_type: "membership.deleted", membership_id: first.id, ...ids },
        { event_type: "membership.created", membership_id: created?.id, ...ids }
      ])

      // An expired membership that is not removed yet gets its event when its org is deleted. The other org's doesn't.
      expect(await realm.seen.caused(() => realm.delete(`/v2/orgs/${org.id}?force=true`))).toEqual([
        { event_type: "org.deleted", org_id: org.id },
        { event_type: "membership.deleted", membership_id: old.id, ...pair }
      ])
      expect((await realm.get(`/v2/events?membership_id=${kept.id}`)).items.length).toBe(1)
    }))
})
