import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { days, ids, invitationEvent, now, rejectionOf, statusAndBody, unknownId } from "../support/invitations.ts"
import { statusAndErrors } from "../support/logins.ts"
import { newRealm, ownService } from "../support/sallyport.ts"
import { accept, UNUSABLE } from "../support/tokens.ts"

const noUser = { status: 404, errors: ["User could not be found."] }

/** The event recorded when a user accepts an invitation. */
const acceptedEvent = (invitation: Reply, user: Reply) => invitationEvent("accepted", invitation, { user_id: user.id })

/** The membership event recorded after an acceptance. */
const membershipEvent = (what: string, user: Reply, org: Reply, membership_id: unknown) => ({
  event_type: `membership.${what}`,
  user_id: user.id,
  org_id: org.id,
  membership_id
})

describe("POST /v2/users/{user_id}/accept_invitation", () => {
  test("returns the user with memberships, and records invitation.*.accepted and membership.created", async () => {
    const given = await newRealm()
    const [user, org] = [await given.user(), await given.org({ custom: { a: 1 } })]
    const created = await given.invitation({ org_id: org.id, permissions: "ar:admin billing" })
    await given.post(`/v2/invitations/${created.id}/invite`, {})
    const { result, events } = await given.seen.during(() => accept(given, user.id, created.string("token")))
    const read = await given.get(`/v2/users/${user.id}?expand=memberships`)
    expect(statusAndBody(result)).toEqual({ status: 200, body: read.body })
    expect(result.body).toMatchObject({ id: user.id, object: "user", membership_count: 1 })
    expect(result.member("memberships")).toEqual([
      {
        id: expect.stringMatching(/^mb_/),
        object: "membership",
        org_id: org.id,
        user_id: user.id,
        permissions: ["ar:admin", "billing"],
        expires_at: null,
        org: (await given.get("/v2/orgs?expand=custom")).items[0]
      }
    ])
    const joined = result.member("memberships", 0, "id")
    expect(events).toEqual([acceptedEvent(created, user), membershipEvent("created", user, org, joined)])
    expect((await given.get(`/v2/invitations/${created.id}`)).status).toBe(404)
  })

  test("accepts an email as the user id, and an unsent invitation for another email", async () => {
    const given = await newRealm()
    const [user, org] = [await given.user(), await given.org()]
    const created = await given.invitation({ org_id: org.id, email: "elsewhere@example.test" })
    const reply = await accept(given, user.string("email").toUpperCase(), created.string("token"))
    expect([reply.status, reply.id, reply.member("memberships", 0, "org_id")]).toEqual([200, user.id, org.id])
    expect(reply.member("email")).toBe(user.member("email"))
  })

  test.each([
    "preverify",
    "referral",
    "request"
  ])("creates no membership for type %s without an org", async (invitation_type) => {
    const given = await newRealm()
    const user = await given.user()
    const created = await given.invitation({ invitation_type, permissions: "a", email: user.string("email") })
    const { result, events } = await given.seen.during(() => accept(given, user.id, created.string("token")))
    expect([result.status, result.member("memberships"), events]).toEqual([200, [], [acceptedEvent(created, user)]])
    expect(result.member("email_verification")).toBe("none")
  })

  test.each([
    "preverify",
    "referral",
    "request"
  ])("creates a membership for type %s with an org", async (invitation_type) => {
    const given = await newRealm()
    const [user, org] = [await given.user(), await given.org()]
    const created = await given.invitation({ invitation_type, org_id: org.id, permissions: "a" })
    const { result, events } = await given.seen.during(() => accept(given, user.id, created.string("token")))
    const joined = result.member("memberships", 0, "id")
    expect(result.member("memberships", 0, "permissions")).toEqual(["a"])
    expect(events).toEqual([acceptedEvent(created, user), membershipEvent("created", user, org, joined)])
  })

  test("merges permissions into an existing membership, in order, and records membership.updated", async () => {
    const given = await newRealm()
    const [user, org] = [await given.user(), await given.org()]
    const expires_at = now + days(1)
    const { id } = await given.membership(user.id, org.id, { permissions: "c a", expires_at })
    const created = await given.invitation({ org_id: org.id, permissions: "b a ar:owner" })
    const { result, events } = await given.seen.during(() => accept(given, user.id, created.string("token")))
    expect(result.status).toBe(200)
    expect(result.member("memberships")).toMatchObject([{ id, permissions: ["c", "a", "b", "ar:owner"], expires_at }])
    expect(events).toEqual([acceptedEvent(created, user), membershipEvent("updated", user, org, id)])
  })

  test("records no event for a membership that already has all the permissions", async () => {
    const given = await newRealm()
    const [user, org] = [await given.user(), await given.org()]
    const { id } = await given.membership(user.id, org.id, { permissions: "a b" })
    for (const permissions of ["b", "b a", ""]) {
      const created = await given.invitation({ org_id: org.id, permissions })
      const { result, events } = await given.seen.during(() => accept(given, user.id, created.string("token")))
      expect(result.member("memberships")).toMatchObject([{ id, permissions: ["a", "b"] }])
      expect(events).toEqual([acceptedEvent(created, user)])
    }
  })

  test("returns 422 for more than 20 merged permissions, and keeps the invitation valid", async () => {
    const given = await newRealm()
    const [user, org] = [await given.user(), await given.org()]
    const tags = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `tag-${from + n}`)
    await given.membership(user.id, org.id, { permissions: tags(0, 15) })
    const created = await given.invitation({ org_id: org.id, permissions: tags(10, 21) })
    const { result, events } = await given.seen.during(() => accept(given, user.id, created.string("token")))
    expect(rejectionOf(result)).toEqual({ status: 422, errors: ["Permissions may contain at most 20 tags."] })
    expect(events).toEqual([])
    expect((await given.get(`/v2/invitations/${created.id}`)).status).toBe(200)
    await given.put(`/v2/invitations/${created.id}`, { invitation: { permissions: tags(10, 20) } })
    const merged = await accept(given, user.id, created.string("token"))
    expect([merged.status, merged.member("memberships", 0, "permissions")]).toEqual([200, tags(0, 20)])
  })

  test("replaces an expired membership and records its deletion", () =>
    ownService(async ({ given: own, clock }) => {
      const given = await own.realm()
      const [user, org] = [await given.user(), await given.org()]
      const old = await given.membership(user.id, org.id, { permissions: "old", expires_at: now + 60 })
      const created = await given.invitation({ org_id: org.id, permissions: "new" })
      clock.advance("1 minute")
      const { result, events } = await given.seen.during(() => accept(given, user.id, created.string("token")))
      expect(result.member("memberships")).toMatchObject([{ permissions: ["new"], expires_at: null }])
      expect(events).toEqual([
        acceptedEvent(created, user),
        membershipEvent("deleted", user, org, old.id),
        membershipEvent("created", user, org, result.member("memberships", 0, "id"))
      ])
    }))

  test("returns 422 for a closed org and keeps the invitation valid, but accepts an inactive org", async () => {
    const given = await newRealm()
    const user = await given.user()
    for (const invitation_type of ["org", "referral"]) {
      const [closed, inactive] = [await given.org(), await given.org()]
      const created = await given.invitation({ invitation_type, org_id: closed.id })
      const other = await given.invitation({ invitation_type, org_id: inactive.id })
      await given.delete(`/v2/orgs/${closed.id}`)
      await given.put(`/v2/orgs/${inactive.id}`, { org: { state: "inactive" } })
      const { result, events } = await given.seen.during(() => accept(given, user.id, created.string("token")))
      expect(rejectionOf(result)).toEqual({ status: 422, errors: ["Org refers to a closed org."] })
      expect(events).toEqual([])
      expect((await given.get(`/v2/invitations/${created.id}`)).status).toBe(200)
      expect((await accept(given, user.id, other.string("token"))).status).toBe(200)
      expect((await given.get(`/v2/memberships?org_id=${inactive.id}`)).items).toHaveLength(1)
    }
  })

  test("returns 404 for a user who is unknown, inactive, an API user or in another realm", async () => {
    const [given, other] = [await newRealm(), await newRealm()]
    const [inactive, robot, stranger] = [await given.user(), await given.apiUser(), await other.user()]
    await given.put(`/v2/users/${inactive.id}`, { user: { state: "inactive" } })
    const created = await given.invitation({ org_id: (await given.org()).id })
    const writer = await given.as("write")
    const events = await given.seen.caused(async () => {
      for (const user of [inactive.id, inactive.string("email"), robot.id, stranger.id, unknownId(inactive.id), "x"]) {
        expect(rejectionOf(await accept(writer, user, created.string("token"))), user).toEqual(noUser)
        expect(rejectionOf(await accept(writer, user, "nonsense")), user).toEqual(noUser)
      }
    })
    expect(events).toEqual([])
    expect((await given.get(`/v2/invitations/${created.id}`)).body).toEqual(created.body)
  })

  test("works in an inactive realm", async () => {
    const given = await newRealm()
    const [user, created] = [await given.user(), await given.invitation()]
    await given.put(`/v2/realms/${given.id}`, { realm: { state: "inactive" } })
    expect((await accept(given, user.id, created.string("token"))).status).toBe(200)
  })

  test("returns 422 for an invitation that was already accepted or deleted", async () => {
    const given = await newRealm()
    const user = await given.user()
    const [created, deleted] = [await given.invitation(), await given.invitation()]
    await given.delete(`/v2/invitations/${deleted.id}`)
    await accept(given, user.id, created.string("token"))
    const events = await given.seen.caused(async () => {
      for (const { body } of [created, deleted]) {
        expect(statusAndErrors(await accept(given, user.id, Object(body).token))).toEqual(UNUSABLE)
      }
    })
    expect(events).toEqual([])
  })

  test("stores the request attributes in the event", async () => {
    const given = await newRealm()
    const [user, created] = [await given.user(), await given.invitation()]
    const request = { ip: "192.0.2.7", client: "web 1.0" }
    await given.post(`/v2/users/${user.id}/accept_invitation`, { user: { token: created.string("token") }, request })
    expect((await given.seen.all()).at(-1)?.["request"]).toEqual(request)
  })
})

describe("accepting an invitation also removes, without recording an event,", () => {
  test("all invitations to the same org for the user's email or the invited email", async () => {
    const given = await newRealm()
    const [user, org, other] = [await given.user(), await given.org(), await given.org()]
    const [own, invited] = [user.string("email"), "invited@example.test"]
    const created = await given.invitation({ org_id: org.id, email: invited })
    const removed = [
      await given.invitation({ org_id: org.id, email: own }),
      await given.invitation({ org_id: org.id, email: invited }),
      await given.invitation({ org_id: org.id, email: own, invitation_type: "referral" })
    ]
    await given.post(`/v2/invitations/${removed[0]?.id}/invite`, {})
    const remaining = [
      await given.invitation({ org_id: org.id, email: "third@example.test" }),
      await given.invitation({ org_id: other.id, email: own }),
      await given.invitation({ email: own })
    ]
    const { result, events } = await given.seen.during(() => accept(given, user.id, created.string("token")))
    const joined = result.member("memberships", 0, "id")
    expect(events).toEqual([acceptedEvent(created, user), membershipEvent("created", user, org, joined)])
    expect(ids(await given.get("/v2/invitations"))).toEqual(remaining.map(({ id }) => id))
    for (const { body } of removed)
      expect(statusAndErrors(await accept(given, user.id, Object(body).token))).toEqual(UNUSABLE)
  })

  test("only invitations of the same type without an org, if the accepted invitation has no org", async () => {
    const given = await newRealm()
    const user = await given.user()
    const email = user.string("email")
    const created = await given.invitation({ invitation_type: "preverify", email })
    await given.invitation({ invitation_type: "preverify", email })
    const remaining = [
      await given.invitation({ invitation_type: "referral", email }),
      await given.invitation({ invitation_type: "request", email }),
      await given.invitation({ invitation_type: "preverify", email, org_id: (await given.org()).id }),
      await given.invitation({ invitation_type: "preverify", email: "other@example.test" })
    ]
    const { events } = await given.seen.during(() => accept(given, user.id, created.string("token")))
    expect(events).toEqual([acceptedEvent(created, user)])
    expect(ids(await given.get("/v2/invitations"))).toEqual(remaining.map(({ id }) => id))
  })

  test("no invitations in another realm", async () => {
    const [given, other] = [await newRealm(), await newRealm()]
    const user = await given.user()
    const email = user.string("email")
    const kept = await other.invitation({ email })
    await accept(given, user.id, (await given.invitation({ email })).string("token"))
    expect(ids(await other.get("/v2/invitations"))).toEqual([kept.id])
  })
})
