import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { days, invitationEvent, notThere, now, rejectionOf, statusAndBody } from "../support/invitations.ts"
import { newRealm, ownService } from "../support/sallyport.ts"

const invite = (given: GivenRealm, id: string, body: unknown = {}) => given.post(`/v2/invitations/${id}/invite`, body)

const types = ["org", "preverify", "referral", "request"]

const createOfType = async (given: GivenRealm, invitation_type: string) =>
  given.invitation({ invitation_type, ...(invitation_type === "org" ? { org_id: (await given.org()).id } : {}) })

describe("POST /v2/invitations/{invitation_id}/invite", () => {
  test.each(types)("returns 200 for type %s, sets invited_at and records invitation.*.invited", async (type) => {
    const given = await newRealm()
    const created = await createOfType(given, type)
    expect(created.member("invited_at")).toBe(null)
    const { result, events } = await given.seen.during(() => invite(given, created.id))
    expect(statusAndBody(result)).toEqual({ status: 200, body: { ...Object(created.body), invited_at: now } })
    expect(events).toEqual([invitationEvent("invited", created)])
    expect((await given.get(`/v2/invitations/${created.id}`)).body).toEqual(result.body)
  })

  test("accepts a request without a body", async () => {
    const given = await newRealm()
    const created = await given.invitation()
    const reply = await given.call("POST", `/v2/invitations/${created.id}/invite`)
    expect([reply.status, reply.member("invited_at")]).toEqual([200, now])
  })

  test("makes the invitation valid for 30 days when first sent, and keeps its expiry when sent again", () =>
    ownService(async ({ given: own, clock }) => {
      const given = await own.realm()
      const created = await given.invitation({ expires_at: now + days(3) })
      clock.advance("1 day")
      const first = await invite(given, created.id)
      expect(first.body).toMatchObject({ invited_at: now + days(1), expires_at: now + days(31) })
      clock.advance("1 day")
      const { result, events } = await given.seen.during(() => invite(given, created.id))
      expect(result.body).toEqual({ ...Object(first.body), invited_at: now + days(2) })
      expect(events).toEqual([invitationEvent("invited", created)])
      await given.put(`/v2/invitations/${created.id}`, { invitation: { expires_at: now + days(5) } })
      expect((await invite(given, created.id)).member("expires_at")).toBe(now + days(5))
    }))

  test("accepts expires_at inside or outside the wrapper, and ignores null", async () => {
    const given = await newRealm()
    const created = await given.invitation()
    const [one, two] = [now + days(1), now + days(2)]
    for (const [body, expected] of [
      [{ invitation: { expires_at: one } }, one],
      [{ expires_at: two }, two],
      [{ invitation: { expires_at: one }, expires_at: one }, one],
      [{ invitation: { expires_at: two }, expires_at: null }, two],
      [{ invitation: {} }, two],
      [{ invitation: null, expires_at: null }, two],
      [{ expires_at: now + 0.001, request: { ip: "192.0.2.7" } }, now + 0.001]
    ] as const) {
      const reply = await invite(given, created.id, body)
      expect([reply.status, reply.member("expires_at")], JSON.stringify(body)).toEqual([200, expected])
    }
    expect((await given.seen.all()).at(-1)?.["request"]).toEqual({ ip: "192.0.2.7", client: null })
  })

  test("returns 422 for a contradictory, past or malformed expires_at without sending the invitation", async () => {
    const given = await newRealm()
    const created = await given.invitation()
    const events = await given.seen.caused(async () => {
      for (const [body, error] of [
        [
          { invitation: { expires_at: now + 1 }, expires_at: now + 2 },
          "Expires at was given twice with different values."
        ],
        [{ invitation: { expires_at: now } }, "Expires at must be in the future."],
        [{ expires_at: now - 1 }, "Expires at must be in the future."],
        [{ expires_at: "soon" }, "Expires at must be a Unix timestamp in seconds."],
        [{ invitation: { expires_at: [] } }, "Expires at must be a Unix timestamp in seconds."],
        [{ invitation: "x" }, "Invitation must be an object."]
      ] as const) {
        expect(rejectionOf(await invite(given, created.id, body))).toEqual({ status: 422, errors: [error] })
      }
    })
    expect(events).toEqual([])
    expect((await given.get(`/v2/invitations/${created.id}`)).body).toEqual(created.body)
  })

  test("returns 422 for a closed org, but accepts an inactive org", async () => {
    const given = await newRealm()
    for (const invitation_type of ["org", "referral"]) {
      const org = await given.org()
      const created = await given.invitation({ invitation_type, org_id: org.id })
      await given.put(`/v2/orgs/${org.id}`, { org: { state: "inactive" } })
      expect((await invite(given, created.id)).status).toBe(200)
      await given.delete(`/v2/orgs/${org.id}`)
      const { result, events } = await given.seen.during(() => invite(given, created.id))
      expect(rejectionOf(result)).toEqual({ status: 422, errors: ["Org refers to a closed org."] })
      expect(events).toEqual([])
    }
  })

  test("returns 404 for a deleted invitation", async () => {
    const given = await newRealm()
    const created = await given.invitation()
    await given.delete(`/v2/invitations/${created.id}`)
    expect(rejectionOf(await invite(given, created.id))).toEqual(notThere)
  })

  test("works in an inactive realm", async () => {
    const given = await newRealm()
    const created = await given.invitation()
    await given.put(`/v2/realms/${given.id}`, { realm: { state: "inactive" } })
    expect((await invite(given, created.id)).status).toBe(200)
  })
})
