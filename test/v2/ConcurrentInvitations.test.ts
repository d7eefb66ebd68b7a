import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { ids, invitationEvent, now } from "../support/invitations.ts"
import { newRealm } from "../support/sallyport.ts"
import { accept } from "../support/tokens.ts"

const typesOf = (events: ReadonlyArray<Readonly<Record<string, unknown>>>) => events.map(({ event_type }) => event_type)

const tries = Array.from({ length: 6 })

const statuses = (replies: ReadonlyArray<Reply>) => replies.map(({ status }) => status).toSorted()

const oneSuccessOf = (count: number) => [200, ...Array.from({ length: count - 1 }, () => 422)]

describe("SEC-21, C25: an invitation can be accepted only once", () => {
  test("when one user accepts the invitation 20 times concurrently", async () => {
    const given = await newRealm()
    const [user, org] = [await given.user(), await given.org()]
    const created = await given.invitation({ org_id: org.id, permissions: "a" })
    const { result, events } = await given.seen.during(() =>
      Promise.all(Array.from({ length: 20 }, () => accept(given, user.id, created.string("token"))))
    )
    expect(statuses(result)).toEqual(oneSuccessOf(20))
    expect(events).toEqual([
      invitationEvent("accepted", created, { user_id: user.id }),
      expect.objectContaining({ event_type: "membership.created", user_id: user.id })
    ])
  })

  test("when 20 users accept the invitation concurrently", async () => {
    const given = await newRealm()
    const org = await given.org()
    const created = await given.invitation({ org_id: org.id })
    const users: Array<Reply> = []
    for (let n = 0; n < 20; n++) users.push(await given.user())
    const { result, events } = await given.seen.during(() =>
      Promise.all(users.map(({ id }) => accept(given, id, created.string("token"))))
    )
    expect(statuses(result)).toEqual(oneSuccessOf(20))
    const winner = users[result.findIndex(({ status }) => status === 200)]
    expect(events[0]).toEqual(invitationEvent("accepted", created, { user_id: winner?.id }))
    expect(events).toHaveLength(2)
    expect((await given.get(`/v2/memberships?org_id=${org.id}`)).items.map(({ user_id }) => user_id)).toEqual([
      winner?.id
    ])
  })

  test("when several users accept similar invitations concurrently", async () => {
    const given = await newRealm()
    for (const _ of tries) {
      const [org, email] = [await given.org(), "shared@example.test"]
      const pairs: Array<readonly [Reply, Reply]> = []
      for (let n = 0; n < 6; n++) pairs.push([await given.user(), await given.invitation({ org_id: org.id, email })])
      const { result, events } = await given.seen.during(() =>
        Promise.all(pairs.toReversed().map(([user, invitation]) => accept(given, user.id, invitation.string("token"))))
      )
      expect(statuses(result)).toEqual(oneSuccessOf(6))
      expect(typesOf(events)).toEqual(["invitation.org.accepted", "membership.created"])
      expect(ids(await given.get(`/v2/invitations?org_id=${org.id}`))).toEqual([])
    }
  })

  test("but one user can accept invitations for different emails concurrently, and the permissions are merged", async () => {
    const given = await newRealm()
    const [user, org] = [await given.user(), await given.org()]
    const created: Array<Reply> = []
    for (const permissions of ["a", "b", "c", "d"])
      created.push(await given.invitation({ org_id: org.id, permissions }))
    const { result, events } = await given.seen.during(() =>
      Promise.all(created.map((one) => accept(given, user.id, one.string("token"))))
    )
    expect(statuses(result)).toEqual([200, 200, 200, 200])
    expect(typesOf(events).toSorted()).toEqual([
      ...Array.from({ length: 4 }, () => "invitation.org.accepted"),
      "membership.created",
      ...Array.from({ length: 3 }, () => "membership.updated")
    ])
    const [membership] = (await given.get(`/v2/memberships?org_id=${org.id}`)).items
    expect(new Set(Object(membership).permissions)).toEqual(new Set(["a", "b", "c", "d"]))
  })
})

/** Counts how often an invitation was accepted or expired. */
const countEnds = async (given: GivenRealm, created: Reply) => {
  const types = typesOf((await given.get(`/v2/events?invitation_id=${created.id}`)).items)
  return types.filter((type) => /accepted|expired/.test(String(type))).length
}

test("an invitation accepted while being deleted, changed or sent ends exactly once", async () => {
  const given = await newRealm()
  for (const _ of tries) {
    const [user, org] = [await given.user(), await given.org()]
    const created = await given.invitation({ org_id: org.id })
    const path = `/v2/invitations/${created.id}`
    const replies = await Promise.all([
      given.put(path, { invitation: { permissions: "late" } }),
      accept(given, user.id, created.string("token")),
      given.post(`${path}/invite`, { expires_at: now + 60 }),
      given.delete(path)
    ])
    expect(replies.filter(({ status }) => ![200, 204, 404, 422].includes(status))).toEqual([])
    expect(await countEnds(given, created)).toBe(1)
  }
})

test("accepting an invitation while the user or org is being deleted succeeds completely or fails completely", async () => {
  const given = await newRealm()
  for (const [at] of tries.entries()) {
    const [user, org] = [await given.user(), await given.org()]
    const created = await given.invitation({ org_id: org.id })
    const remove = () => given.delete(at % 2 === 0 ? `/v2/users/${user.id}` : `/v2/orgs/${org.id}?force=true`)
    const [accepted, removed] = await Promise.all([accept(given, user.id, created.string("token")), remove()])
    expect([200, 404, 422]).toContain(accepted.status)
    expect([202, 204]).toContain(removed.status)
    const types = typesOf((await given.get(`/v2/events?event_type=membership.&org_id=${org.id}`)).items)
    expect(types).toEqual(accepted.status === 200 ? ["membership.created", "membership.deleted"] : [])
  }
})

test("accepting an invitation fails once the user is deactivated or the org is closed", async () => {
  const given = await newRealm()
  for (const [at] of tries.entries()) {
    const [user, org] = [await given.user(), await given.org()]
    const created = await given.invitation({ org_id: org.id })
    const end = () =>
      at % 2 === 0
        ? given.put(`/v2/users/${user.id}`, { user: { state: "inactive" } })
        : given.delete(`/v2/orgs/${org.id}`)
    const [ended, accepted] = await Promise.all([end(), accept(given, user.id, created.string("token"))])
    expect([ended.status, [200, 404, 422].includes(accepted.status)]).toEqual([200, true])
    const types = typesOf((await given.get("/v2/events?direction=desc&max_results=3")).items)
    if (accepted.status === 200) expect(types).toContain("membership.created")
    else expect(types).not.toContain("membership.created")
  }
})
