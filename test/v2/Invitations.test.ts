import { describe, expect, test } from "vitest"
import type { Api } from "#testing/Api"
import { days, invitationEvent, notThere, now, rejectionOf, statusAndBody, unknownId } from "../support/invitations.ts"
import { newRealm } from "../support/sallyport.ts"
import { tokenOf } from "../support/tokens.ts"

describe("POST /v2/invitations", () => {
  test("returns 201 with a pending invitation, its org and token, and records invitation.org.created", async () => {
    const given = await newRealm()
    const [user, provider, app] = [await given.user(), await given.authProvider(), await given.connectedApp()]
    const org = await given.org({ name: "Acme", custom: { plan: "gold" } })
    const invitation = {
      invitation_type: "org",
      email: "Jo@Example.test ",
      org_id: org.id,
      inviting_user_id: user.id,
      auth_provider_id: provider.id,
      client_app_id: app.id,
      locale: "es",
      permissions: ["ar:admin", "billing:read"],
      expires_at: 1_800_000_000.125
    }
    const { result, events } = await given.seen.during(() => given.post("/v2/invitations", { invitation }))
    expect(statusAndBody(result)).toEqual({
      status: 201,
      body: {
        ...invitation,
        id: expect.stringMatching(/^nvt_\w{26}$/),
        object: "invitation",
        realm_id: given.id,
        created_at: now,
        invited_at: null,
        email: "jo@example.test",
        token: tokenOf("nvt_"),
        org: (await given.get("/v2/orgs?expand=custom")).items[0]
      }
    })
    expect(events).toEqual([invitationEvent("created", result)])
    expect(statusAndBody(await given.get(`/v2/invitations/${result.id}`))).toEqual({ status: 200, body: result.body })
  })

  test.each([
    "preverify",
    "referral",
    "request"
  ])("requires only an email for type %s, and defaults to the realm's locale and 30 days", async (invitation_type) => {
    const given = await newRealm({ default_locale: "es", available_locales: ["es", "en"] })
    const invitation = { invitation_type, email: "jo@example.test" }
    const { result, events } = await given.seen.during(() => given.post("/v2/invitations", { invitation }))
    expect(statusAndBody(result)).toEqual({
      status: 201,
      body: {
        ...invitation,
        id: expect.any(String),
        object: "invitation",
        realm_id: given.id,
        created_at: now,
        expires_at: now + days(30),
        invited_at: null,
        inviting_user_id: null,
        org_id: null,
        auth_provider_id: null,
        client_app_id: null,
        locale: "es",
        permissions: [],
        token: tokenOf("nvt_")
      }
    })
    expect(events).toEqual([invitationEvent("created", result)])
  })

  test("makes org_id optional for all other types, and ignores blank and null members", async () => {
    const given = await newRealm()
    const org = await given.org()
    const blank = {
      inviting_user_id: "",
      auth_provider_id: null,
      client_app_id: " ",
      locale: " ",
      expires_at: null,
      permissions: null
    }
    for (const invitation_type of ["preverify", "referral", "request"]) {
      const created = await given.invitation({ invitation_type, org_id: org.id, ...blank })
      expect(created.body).toMatchObject({
        org_id: org.id,
        inviting_user_id: null,
        auth_provider_id: null,
        locale: "en"
      })
      expect(created.body).toMatchObject({ client_app_id: null, expires_at: now + days(30), permissions: [] })
      expect(created.member("org")).toBe(undefined)
      const minimal = await given.invitation({ invitation_type, org_id: "", ...blank })
      expect(minimal.member("org_id")).toBe(null)
    }
  })

  test("ignores inviting_user_id for the type request", async () => {
    const given = await newRealm()
    const user = await given.user()
    for (const inviting_user_id of [user.id, unknownId(user.id), "nonsense"]) {
      const created = await given.invitation({ invitation_type: "request", inviting_user_id })
      expect(created.member("inviting_user_id")).toBe(null)
    }
    expect((await given.invitation({ inviting_user_id: user.id })).member("inviting_user_id")).toBe(user.id)
  })

  test("allows several invitations for the same email, even if a user already has the email", async () => {
    const given = await newRealm()
    const [user, org] = [await given.user(), await given.org()]
    const email = user.string("email")
    const created = [
      await given.invitation({ email, org_id: org.id }),
      await given.invitation({ email, org_id: org.id })
    ]
    expect(new Set(created.map(({ id }) => id)).size).toBe(2)
    expect(new Set(created.map((one) => one.string("token"))).size).toBe(2)
  })
})

describe("PUT /v2/invitations/{invitation_id}", () => {
  test("returns 200, changes expires_at and permissions, and records invitation.*.updated for actual changes", async () => {
    const given = await newRealm()
    const org = await given.org()
    const created = await given.invitation({ org_id: org.id, permissions: "a" })
    const path = `/v2/invitations/${created.id}`
    for (const [invitation, after] of [
      [{ expires_at: 1_800_000_000.5 }, { expires_at: 1_800_000_000.5, permissions: ["a"] }],
      [{ permissions: " b  ar:owner b" }, { expires_at: 1_800_000_000.5, permissions: ["b", "ar:owner"] }],
      [
        { permissions: ["c"], expires_at: now + 1 },
        { expires_at: now + 1, permissions: ["c"] }
      ],
      [{ permissions: null }, { expires_at: now + 1, permissions: [] }]
    ] as const) {
      const { result, events } = await given.seen.during(() => given.put(path, { invitation }))
      expect(statusAndBody(result)).toEqual({ status: 200, body: { ...Object(created.body), ...after } })
      expect(events).toEqual([invitationEvent("updated", created)])
      expect((await given.get(path)).body).toEqual(result.body)
    }
  })

  test("ignores all other members, and records no event if nothing changes", async () => {
    const given = await newRealm()
    const [org, other, user] = [await given.org(), await given.org(), await given.user()]
    const [provider, app] = [await given.authProvider(), await given.connectedApp()]
    const created = await given.invitation({ org_id: org.id, permissions: ["a", "b"] })
    const path = `/v2/invitations/${created.id}`
    const same = { permissions: "a b", expires_at: now + days(30) }
    const others = {
      id: "nvt_x",
      invitation_type: "request",
      email: "other@example.test",
      org_id: other.id,
      inviting_user_id: user.id,
      auth_provider_id: provider.id,
      client_app_id: app.id,
      locale: "es",
      token: "mine",
      state: "invited",
      invited_at: 1,
      created_at: 1,
      realm_id: (await newRealm()).id
    }
    const events = await given.seen.caused(async () => {
      for (const invitation of [{}, same, { expires_at: null }, others, { ...same, ...others }]) {
        expect(statusAndBody(await given.put(path, { invitation }))).toEqual({ status: 200, body: created.body })
      }
    })
    expect(events).toEqual([])
    expect((await given.get(path)).body).toEqual(created.body)
  })
})

describe("DELETE /v2/invitations/{invitation_id}", () => {
  test("returns 204 and records invitation.*.expired, then returns 404", async () => {
    const given = await newRealm()
    for (const created of [await given.invitation(), await given.invitation({ org_id: (await given.org()).id })]) {
      const path = `/v2/invitations/${created.id}`
      const { result, events } = await given.seen.during(() => given.delete(path))
      expect([result.status, result.text, events]).toEqual([204, "", [invitationEvent("expired", created)]])
      const again = await given.seen.during(() => given.delete(path))
      expect([rejectionOf(again.result), again.events]).toEqual([notThere, []])
      expect(rejectionOf(await given.get(path))).toEqual(notThere)
    }
  })

  test("succeeds for exactly one of several concurrent requests", async () => {
    const given = await newRealm()
    const created = await given.invitation()
    const { result, events } = await given.seen.during(() =>
      Promise.all(Array.from({ length: 6 }, () => given.delete(`/v2/invitations/${created.id}`)))
    )
    expect(result.map(({ status }) => status).toSorted()).toEqual([204, 404, 404, 404, 404, 404])
    expect(events).toEqual([invitationEvent("expired", created)])
  })
})

test("SEC-50: another realm's invitation is treated as an unknown id", async () => {
  const [given, other] = [await newRealm(), await newRealm()]
  const { id } = await other.invitation()
  const locked = await given.as("write")
  const events = await other.seen.caused(async () => {
    for (const api of [given, locked]) {
      for (const path of [id, unknownId(id), "nvt_x", "x"].map((each) => `/v2/invitations/${each}`)) {
        for (const reply of [
          await api.get(path),
          await api.put(path, { invitation: { permissions: "ar:owner" } }),
          await api.post(`${path}/invite`, {}),
          await api.delete(path)
        ]) {
          expect(rejectionOf(reply)).toEqual(notThere)
        }
      }
    }
  })
  expect(events).toEqual([])
})

test("GET requires level read; create, update, invite, delete and accept require level write", async () => {
  const given = await newRealm()
  const [user, created] = [await given.user(), await given.invitation()]
  const [reader, writer] = [await given.as("read"), await given.as("write")]
  const path = `/v2/invitations/${created.id}`
  expect((await reader.get("/v2/invitations")).status).toBe(200)
  expect((await reader.get(path)).status).toBe(200)
  const statusesFor = async (api: Api, token: unknown) => [
    (await api.post("/v2/invitations", { invitation: { invitation_type: "request", email: "a@b.test" } })).status,
    (await api.put(path, { invitation: { permissions: "a" } })).status,
    (await api.post(`${path}/invite`, {})).status,
    (await api.post(`/v2/users/${user.id}/accept_invitation`, { user: { token } })).status,
    (await api.delete(path)).status
  ]
  const { token } = Object((await given.invitation({ invitation_type: "preverify" })).body)
  const events = await given.seen.caused(async () => {
    expect(await statusesFor(reader, token)).toEqual([403, 403, 403, 403, 403])
  })
  expect(events).toEqual([])
  expect(await statusesFor(writer, token)).toEqual([201, 200, 200, 200, 204])
})
