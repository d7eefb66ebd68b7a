import { createHash } from "node:crypto"
import { describe, expect, test } from "vitest"
import type { Api, Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { ids, invitationEvent, now } from "../support/invitations.ts"
import { statusAndErrors } from "../support/logins.ts"
import { query } from "../support/query.ts"
import { newRealm, ownService } from "../support/sallyport.ts"
import { accept, tokenOf, UNUSABLE } from "../support/tokens.ts"

const invite = (given: GivenRealm, created: Reply) => given.post(`/v2/invitations/${created.id}/invite`, {})

const expectRejected = async (given: GivenRealm, user: Reply, tokens: ReadonlyArray<unknown>) => {
  const events = await given.seen.caused(async () => {
    for (const token of tokens) {
      const [status, errors] = statusAndErrors(await accept(given, user.id, token))
      expect([token, status, errors]).toEqual([token, 422, [expect.stringMatching(/^Token /)]])
    }
  })
  expect(events).toEqual([])
}

describe("SEC-25, CVE-2026-1529: accepting an invitation by its token", () => {
  test("ignores all other members of the request", async () => {
    const given = await newRealm()
    const [user, victim] = [await given.user(), await given.user()]
    const [org, other] = [await given.org(), await given.org()]
    const created = await given.invitation({ org_id: org.id, permissions: "reader" })
    const altered = {
      id: victim.id,
      user_id: victim.id,
      invitation_id: "nvt_x",
      invitation_type: "referral",
      org_id: other.id,
      org_ids: [other.id],
      email: "admin@example.test",
      email_verification: "verified",
      permissions: ["ar:owner"],
      state: "inactive",
      custom: { admin: true },
      expires_at: now + 10,
      realm_id: "rl_x"
    }
    const before = Object((await given.get(`/v2/users/${user.id}`)).body)
    const body = { user: { ...altered, token: created.string("token") }, ...altered, invitation: altered }
    // A request that names two different realms is rejected.
    expect((await given.post(`/v2/users/${user.id}/accept_invitation`, body)).status).toBe(400)
    const { realm_id: _, ...extra } = altered
    const sent = { user: { ...extra, token: created.string("token") }, ...extra, invitation: altered }
    const { result, events } = await given.seen.during(() => given.post(`/v2/users/${user.id}/accept_invitation`, sent))
    expect(result.body).toEqual({ ...before, membership_count: 1, memberships: [expect.any(Object)] })
    expect(result.member("memberships", 0)).toMatchObject({ org_id: org.id, permissions: ["reader"], expires_at: null })
    expect(events).toEqual([
      invitationEvent("accepted", created, { user_id: user.id }),
      {
        event_type: "membership.created",
        membership_id: result.member("memberships", 0, "id"),
        user_id: user.id,
        org_id: org.id
      }
    ])
    expect((await given.get(`/v2/memberships?org_id=${other.id}`)).items).toEqual([])
    expect((await given.get(`/v2/memberships?user_id=${victim.id}`)).items).toEqual([])
  })

  test("rejects an id, a digest, another realm's token and malformed tokens", async () => {
    const [given, other] = [await newRealm(), await newRealm()]
    const user = await given.user()
    const [created, foreign] = [await given.invitation(), await other.invitation()]
    const token = created.string("token")
    await expectRejected(given, user, [
      created.id,
      foreign.string("token"),
      createHash("sha256").update(token).digest("base64"),
      createHash("sha256").update(token).digest("hex"),
      `nvt_${"A".repeat(43)}`,
      undefined,
      null,
      "",
      7,
      [token],
      { token },
      "x".repeat(2_000)
    ])
    expect((await accept(given, user.id, token)).status).toBe(200)
    expect((await accept(other, (await other.user()).id, foreign.string("token"))).status).toBe(200)
  })

  test("SEC-42, CVE-2026-27840: rejects a token that is truncated, padded or changed in any character", async () => {
    const given = await newRealm()
    const user = await given.user()
    const token = (await given.invitation()).string("token")
    const alteredAt = (at: number) => `${token.slice(0, at)}${token[at] === "a" ? "b" : "a"}${token.slice(at + 1)}`
    await expectRejected(given, user, [
      ...[1, 2, 5, 20, 43].map((length) => token.slice(0, -length)),
      `${token}0`,
      ` ${token}`,
      `${token}\n`,
      token.slice(4),
      token.toUpperCase(),
      `tmf:${token.slice(4)}`,
      ...[4, 5, 20, 45, 46].map(alteredAt)
    ])
    expect((await accept(given, user.id, token)).status).toBe(200)
  })
})

describe("the token of an invitation", () => {
  test("SEC-28: is random and unique, and is stored only as a digest and an encrypted copy", () =>
    ownService(async ({ given: own, sql }) => {
      const given = await own.realm()
      const created: Array<Reply> = []
      for (let n = 0; n < 50; n++) created.push(await given.invitation())
      const tokens = created.map((one) => one.string("token"))
      expect(new Set(tokens).size).toBe(50)
      for (const token of tokens) expect(token).toEqual(tokenOf("nvt_"))
      const rows = await query(sql`select * from invitations where realm_id = ${given.id} order by id`)
      expect(rows).toHaveLength(50)
      for (const [n, token] of tokens.entries()) {
        expect(JSON.stringify(rows[n])).not.toContain(token.slice(4))
        expect(rows[n]?.["token"]).toMatch(/^v1\./)
        expect(Buffer.from(Object(rows[n]).token_digest)).toEqual(createHash("sha256").update(token).digest())
      }
    }))

  test("is visible to level write and higher in every response and event, and null for lower levels", async () => {
    const given = await newRealm()
    const created = await given.invitation({ org_id: (await given.org()).id })
    await invite(given, created)
    const token = created.string("token")
    const seen = async (api: Api) => [
      (await api.get(`/v2/invitations/${created.id}`)).member("token"),
      (await api.get("/v2/invitations")).member("collection", 0, "token"),
      (await api.get(`/v1/events?event_type=invitation.org.invited`)).member("collection", 0, "token"),
      (await api.get(`/v2/events?event_type=invitation.org.invited`)).member("collection", 0, "token")
    ]
    expect(await seen(await given.as("read"))).toEqual([null, null, null, null])
    for (const api of [await given.as("write"), await given.as("admin_realm"), given]) {
      expect(await seen(api)).toEqual([token, token, token, token])
    }
  })

  test("SEC-53: is hidden from a key of level read in every response", async () => {
    const given = await newRealm()
    const [user, org] = [await given.user(), await given.org()]
    const created = await given.invitation({ org_id: org.id, inviting_user_id: user.id })
    await invite(given, created)
    const reader = await given.as("read")
    for (const path of [
      "invitations",
      `invitations/${created.id}`,
      "events",
      `orgs/${org.id}?expand=memberships`,
      `users/${user.id}?expand=memberships`
    ]) {
      const { status, text } = await reader.get(`/v2/${path}`)
      expect([status, text.includes(created.string("token").slice(4))]).toEqual([200, false])
    }
    const keys = Object.keys(Object((await reader.get(`/v2/invitations/${created.id}`)).body))
    expect(keys).toEqual(Object.keys(Object((await given.get(`/v2/invitations/${created.id}`)).body)))
  })
})

describe("the events of an invitation", () => {
  const types = ["org", "preverify", "referral", "request"]

  test.each(
    types
  )("of type %s include created, updated, invited and accepted, and only invited has the token", async (type) => {
    const given = await newRealm()
    const user = await given.user()
    const org = type === "org" ? { org_id: (await given.org()).id } : {}
    const created = await given.invitation({ invitation_type: type, ...org })
    const path = `/v2/invitations/${created.id}`
    await given.put(path, { invitation: { permissions: "a" } })
    await invite(given, created)
    await invite(given, created)
    const eventsIn = async (version: string) =>
      (await given.get(`/${version}/events?invitation_id=${created.id}`)).items
    for (const version of ["v1", "v2"]) {
      const events = await eventsIn(version)
      expect(events.map(({ event_type, token }) => [event_type, token])).toEqual([
        [`invitation.${type}.created`, undefined],
        [`invitation.${type}.updated`, undefined],
        [`invitation.${type}.invited`, created.string("token")],
        [`invitation.${type}.invited`, created.string("token")]
      ])
      for (const event of events) expect(event).toMatchObject({ invitation_id: created.id, ...org, realm_id: given.id })
    }
    await accept(given, user.id, created.string("token"))
    expect(
      (await eventsIn("v2")).map(({ event_type, token, user_id }) => [event_type, token, user_id]).slice(2)
    ).toEqual([
      [`invitation.${type}.invited`, null, undefined],
      [`invitation.${type}.invited`, null, undefined],
      [`invitation.${type}.accepted`, undefined, user.id]
    ])
  })

  test("stop showing the token when the invitation is deleted", async () => {
    const given = await newRealm()
    const [created, other] = [await given.invitation(), await given.invitation()]
    await invite(given, created)
    await invite(given, other)
    await given.delete(`/v2/invitations/${created.id}`)
    const recorded = (await given.get(`/v2/events?invitation_id=${created.id}`)).items
    expect(recorded.map(({ event_type, token }) => [event_type, token])).toEqual([
      ["invitation.referral.created", undefined],
      ["invitation.referral.invited", null],
      ["invitation.referral.expired", undefined]
    ])
    const [, invited] = ids(await given.get(`/v2/events?invitation_id=${other.id}`))
    const one = await given.get(`/v2/events/${String(invited)}`)
    expect([one.member("token"), one.member("invitation_id")]).toEqual([other.string("token"), other.id])
    for (const id of ["nvt_x", "x", ""]) {
      expect((await given.get(`/v2/events?invitation_id=${id}`)).items).toEqual([])
    }
    expect(statusAndErrors(await accept(given, (await given.user()).id, created.string("token")))).toEqual(UNUSABLE)
  })
})
