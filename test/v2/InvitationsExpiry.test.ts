import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { ids, invitationEvent, notThere, now, rejectionOf } from "../support/invitations.ts"
import { statusAndErrors } from "../support/logins.ts"
import { query } from "../support/query.ts"
import { ownService } from "../support/sallyport.ts"
import { accept, latestEventToken, UNUSABLE } from "../support/tokens.ts"

/** The responses of all endpoints that can show an invitation. */
const views = async (given: GivenRealm, id: string, email: string) => ({
  get: (await given.get(`/v2/invitations/${id}`)).status,
  list: ids(await given.get("/v2/invitations")).includes(id),
  byEmail: ids(await given.get(`/v2/invitations?sort=email&email=${email}`)).includes(id),
  byState: ids(await given.get("/v2/invitations?state=invited")).includes(id),
  after: (await given.get(`/v2/invitations?after=${id}`)).status,
  afterByEmail: (await given.get(`/v2/invitations?sort=email&after=${id}`)).status,
  inEvent: (await latestEventToken(given, "invitation.org.invited")) !== null
})

const notFoundViews = {
  get: 404,
  list: false,
  byEmail: false,
  byState: false,
  after: 200,
  afterByEmail: 404,
  inEvent: false
}

describe("SEC-24, CVE-2025-64708, GHSA-w9fp-wv6g-pqv8: an invitation that expires", () => {
  test("can't be found, changed, sent, deleted or accepted after expiry, even before the row is removed", () =>
    ownService(async ({ given: own, clock, sql }) => {
      const given = await own.realm()
      const [user, org] = [await given.user(), await given.org()]
      const created = await given.invitation({ org_id: org.id })
      const email = created.string("email")
      await given.post(`/v2/invitations/${created.id}/invite`, { expires_at: now + 60 })
      clock.advance(59_999)
      expect(await views(given, created.id, email)).toEqual({
        get: 200,
        list: true,
        byEmail: true,
        byState: true,
        after: 200,
        afterByEmail: 200,
        inEvent: true
      })

      clock.advance(1)
      const events = await given.seen.caused(async () => {
        expect(await views(given, created.id, email)).toEqual(notFoundViews)
        const path = `/v2/invitations/${created.id}`
        for (const reply of [
          await given.put(path, { invitation: { expires_at: now + 1_000 } }),
          await given.post(`${path}/invite`, { expires_at: now + 1_000 }),
          await given.delete(path)
        ]) {
          expect(rejectionOf(reply)).toEqual(notThere)
        }
        expect(statusAndErrors(await accept(given, user.id, created.string("token")))).toEqual(UNUSABLE)
      })
      expect(events).toEqual([])
      const rows = await query(sql`select id from invitations where realm_id = ${given.id}`)
      expect(rows).toEqual([{ id: created.id }])
      expect((await given.get(`/v2/memberships?org_id=${org.id}`)).items).toEqual([])
    }))

  test("can be accepted until the moment it expires", () =>
    ownService(async ({ given: own, clock }) => {
      const given = await own.realm()
      const [user, org] = [await given.user(), await given.org()]
      const created = await given.invitation({ org_id: org.id, expires_at: now + 60 })
      clock.advance(59_999)
      expect((await accept(given, user.id, created.string("token"))).status).toBe(200)
    }))

  test("stays valid until the new expiry if renewed before the old expiry", () =>
    ownService(async ({ given: own, clock }) => {
      const given = await own.realm()
      const user = await given.user()
      const created = await given.invitation({ expires_at: now + 60 })
      await given.put(`/v2/invitations/${created.id}`, { invitation: { expires_at: now + 120 } })
      clock.advance("1 minute")
      expect((await given.get(`/v2/invitations/${created.id}`)).status).toBe(200)
      clock.advance("1 minute")
      expect(statusAndErrors(await accept(given, user.id, created.string("token")))).toEqual(UNUSABLE)
    }))

  test("expires 30 days after its creation by default", () =>
    ownService(async ({ given: own, clock }) => {
      const given = await own.realm()
      const created = await given.invitation()
      clock.advance(30 * 86_400_000 - 1)
      expect((await given.get(`/v2/invitations/${created.id}`)).status).toBe(200)
      clock.advance(1)
      expect(rejectionOf(await given.get(`/v2/invitations/${created.id}`))).toEqual(notThere)
    }))

  test("is not removed as a duplicate after expiry when a similar invitation is accepted", () =>
    ownService(async ({ given: own, clock, sql }) => {
      const given = await own.realm()
      const user = await given.user()
      const email = user.string("email")
      const old = await given.invitation({ email, expires_at: now + 60 })
      const created = await given.invitation({ email })
      clock.advance("1 minute")
      const { events } = await given.seen.during(() => accept(given, user.id, created.string("token")))
      expect(events).toEqual([invitationEvent("accepted", created, { user_id: user.id })])
      const rows = await query(sql`select id from invitations where realm_id = ${given.id}`)
      expect(rows).toEqual([{ id: old.id }])
    }))
})
