import { expect, test } from "vitest"
import { query } from "../support/query.ts"
import { isolatedService, ownService } from "../support/sallyport.ts"

test("invitations, memberships and sessions end at their expiry, and an event is recorded for each", () =>
  isolatedService(async ({ given, advance, clock }) => {
    const realm = await given.realm()
    const [user, org] = [await realm.user(), await realm.org()]
    const nowSeconds = clock.currentTimeMillisUnsafe() / 1000
    const membership = await realm.membership(user.id, org.id, { expires_at: nowSeconds + 86_400 })
    const session = await realm.session(user.id)
    const invitation = await realm.post("/v2/invitations", {
      invitation: { email: "al@example.test", invitation_type: "org", org_id: org.id }
    })
    const token = invitation.string("token")
    const { result, events } = await realm.seen.during(() => advance("30 days"))
    expect(events).toEqual([
      { event_type: "membership.deleted", membership_id: membership.id, user_id: user.id, org_id: org.id },
      { event_type: "invitation.org.expired", invitation_id: invitation.id, org_id: org.id }
    ])
    expect(result).toBe(3)
    expect((await realm.get(`/v2/invitations/${invitation.id}`)).status).toBe(404)
    expect((await realm.get(`/v2/memberships/${membership.id}`)).status).toBe(404)
    expect((await realm.get(`/v2/sessions/${session.id}`)).status).toBe(404)
    const accepted = await realm.post(`/v2/users/${user.id}/accept_invitation`, { user: { token } })
    expect(accepted.status).toBe(422)
    const [first, second] = (await realm.get("/v2/events?event_type=membership.deleted,invitation")).items.slice(-2)
    expect(first?.["event_at"]).toBe(nowSeconds + 86_400)
    expect(second?.["event_at"]).toBe(nowSeconds + 30 * 86_400)
  }))

test("an expiry is retried if its event can't be recorded, and changes nothing until the retry succeeds", () =>
  isolatedService(async ({ given, advance, clock, sql }) => {
    const realm = await given.realm()
    const [user, org] = [await realm.user(), await realm.org()]
    const soon = clock.currentTimeMillisUnsafe() / 1000 + 60
    const membership = await realm.membership(user.id, org.id, { expires_at: soon })
    const invitation = await realm.invitation({ org_id: org.id, expires_at: soon + 60 })
    const idsIn = async (table: string) =>
      (await query(sql<{ readonly id: string }>`select id from ${sql(table)}`)).map(({ id }) => id)
    const expire = async (table: string) => {
      await query(sql`alter table events add constraint full_up check (false) not valid`)
      await expect(advance("60 seconds")).rejects.toThrow()
      const left = await idsIn(table)
      await query(sql`alter table events drop constraint full_up`)
      const { events } = await realm.seen.during(() => advance(0))
      return { left, events, later: await idsIn(table) }
    }
    expect(await expire("memberships")).toEqual({
      left: [membership.id],
      events: [{ event_type: "membership.deleted", membership_id: membership.id, user_id: user.id, org_id: org.id }],
      later: []
    })
    expect(await expire("invitations")).toEqual({
      left: [invitation.id],
      events: [{ event_type: "invitation.org.expired", invitation_id: invitation.id, org_id: org.id }],
      later: []
    })
  }))

test("a retired key verifies tokens during its grace period and is then deleted", () =>
  isolatedService(async ({ given, advance, sql, url }) => {
    const realm = await given.realm({ jwt_algo: "rs256" })
    const keyIds = async (): Promise<ReadonlyArray<string>> => {
      const text = await (await fetch(`${url}/realms/${realm.id}/jwks`)).text()
      const { keys }: { keys: ReadonlyArray<{ kid: string }> } = JSON.parse(text)
      return keys.map(({ kid }) => kid)
    }
    const [old] = await keyIds()
    await realm.delete(`/v2/jwt_keys/${old}`)
    expect(await keyIds()).toHaveLength(2)
    expect(await advance("24 hours")).toBe(0)
    expect(await advance("1 minute")).toBe(1)
    expect(await keyIds()).not.toContain(old)
    const rows = await query(sql<{ readonly id: string }>`select id from jwt_keys where realm_id = ${realm.id}`)
    expect(rows.map(({ id }) => id)).toEqual(await keyIds())
  }))

test("expired memberships and invitations are rejected even if no actors are running", () =>
  ownService(async ({ given, clock }) => {
    const realm = await given.realm()
    const [user, org] = [await realm.user(), await realm.org()]
    const expires_at = clock.currentTimeMillisUnsafe() / 1000 + 60
    const membership = await realm.membership(user.id, org.id, { expires_at })
    const invitation = await realm.post("/v2/invitations", {
      invitation: { email: "al@example.test", invitation_type: "org", org_id: org.id, expires_at }
    })
    clock.advance("60 seconds")
    const { events } = await realm.seen.during(async () => {
      expect((await realm.get(`/v2/memberships/${membership.id}`)).status).toBe(404)
      expect((await realm.get(`/v2/invitations/${invitation.id}`)).status).toBe(404)
      expect((await realm.get("/v2/invitations")).items).toEqual([])
    })
    expect(events).toEqual([])
  }))
