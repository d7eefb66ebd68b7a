import { decodeJwt } from "jose"
import { describe, expect, test } from "vitest"
import type { Api, Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { statusAndErrors } from "../support/logins.ts"
import { unknownIdLike } from "../support/resources.ts"
import { ownService, service } from "../support/sallyport.ts"
import { STARTED_VIA_API } from "../support/sessions.ts"

const newRealm = async (settings: Readonly<Record<string, unknown>> = {}) =>
  (await service()).given.realm({ jwt_claims: "both", ...settings })

const now = STARTS_AT / 1000

const noSession = [404, ["Session could not be found."]]
const noUser = [404, ["User could not be found."]]

const ids = (reply: Reply) => reply.items.map(({ id }) => id)

const create = (api: Api, userId: unknown, extra: object = {}) =>
  api.post("/v1/sessions", { session: { user_id: userId }, ...extra })

const createSession = async (realm: GivenRealm, userId: string) => {
  const reply = await create(realm, userId)
  expect(reply.status).toBe(201)
  return reply
}

const withoutToken = (reply: Reply): unknown => {
  const { token: _, ...rest } = JSON.parse(reply.text)
  return rest
}

describe("POST /v1/sessions", () => {
  test("returns 201 with a token and the same session as GET, and records no event", async () => {
    const realm = await newRealm()
    const user = await realm.user({ username: "JoS", first_name: "Jo", custom: { a: 1 } })
    const request = { client: "web", ip: "192.0.2.1" }
    const { result, events } = await realm.seen.during(() => create(realm, user.id, { request }))
    const [item] = (await realm.get("/v1/users?expand=custom")).items
    expect([result.status, events]).toEqual([201, []])
    expect(result.body).toEqual({
      id: expect.stringMatching(/^kss_\w{26}$/),
      object: "session",
      user_id: user.id,
      created_at: now,
      expires_at: now + 360 * 60,
      ...STARTED_VIA_API,
      request,
      token: expect.any(String),
      user: item
    })
    expect(item).toMatchObject({ username: "jos", user_type: "human", custom: { a: 1 }, last_login_at: null })
    const idClaims = { uid: user.id, aud: realm.id, tk: result.id, exp: now + 360 * 60 }
    expect(decodeJwt(result.string("token"))).toMatchObject(idClaims)
    expect((await realm.get(`/v1/sessions/${result.id}`)).body).toEqual(withoutToken(result))
  })

  test("returns the same 404 for a user who is unknown, inactive or not human", async () => {
    for (const realm of [await newRealm(), await newRealm({ session_type: "unmanaged" })]) {
      const [inactive, robot] = [await realm.user({ state: "inactive" }), await realm.apiUser()]
      const foreign = await (await newRealm()).user()
      const writer = await realm.as("write")
      const events = await realm.seen.caused(async () => {
        for (const id of [foreign.id, unknownIdLike(robot.id), inactive.id, robot.id, "x", "", "JoS", realm.id]) {
          expect([id, ...statusAndErrors(await create(realm, id))]).toEqual([id, ...noUser])
          expect(statusAndErrors(await writer.post("/v2/sessions", { session: { user_id: id } }))).toEqual(noUser)
        }
      })
      expect(events).toEqual([])
      expect((await realm.get("/v1/sessions")).items).toEqual([])
    }
  })

  test("returns 422 for a missing or non-text user_id, and 400 for a missing wrapper", async () => {
    const realm = await newRealm()
    const { id } = await realm.user()
    for (const [session, error] of [
      [{}, "User can't be blank."],
      [{ user_id: null }, "User must be text."],
      [{ user_id: 7 }, "User must be text."],
      [{ user_id: [id] }, "User must be text."],
      [{ user_id: "x".repeat(256) }, "User is too long (maximum is 255 characters)."]
    ] as const) {
      expect(statusAndErrors(await realm.post("/v1/sessions", { session }))).toEqual([422, [error]])
    }
    expect((await realm.post("/v1/sessions", { user_id: id })).status).toBe(400)
    expect((await realm.get("/v1/sessions")).items).toEqual([])
  })

  test("stores managed sessions but not unmanaged sessions", async () => {
    const withoutExpiry = { session_type: "unmanaged", session_minutes: 0 }
    for (const [settings, expires_at] of [
      [{ session_type: "unmanaged", session_minutes: 5 }, now + 300],
      [withoutExpiry, null]
    ] as const) {
      const realm = await newRealm(settings)
      const session = await createSession(realm, (await realm.user()).id)
      expect(session.member("expires_at")).toBe(expires_at)
      expect(decodeJwt(session.string("token")).exp).toBe(expires_at ?? undefined)
      const events = await realm.seen.caused(async () => {
        for (const path of [session.id, session.string("token")].map((one) => `/v1/sessions/${one}`)) {
          expect(statusAndErrors(await realm.get(path))).toEqual(noSession)
          expect((await realm.delete(path)).status).toBe(204)
        }
        expect((await realm.get("/v1/sessions")).body).toEqual({ collection: [], more_results: false })
      })
      expect(events).toEqual([])
    }
  })
})

describe("GET /v1/sessions/{session_id_or_token}", () => {
  test("returns the session and its user by id or token, and a new token for expand=token", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const session = await createSession(realm, user.id)
    await realm.put(`/v1/users/${user.id}`, { user: { first_name: "New" } })
    const reader = await realm.as("read")
    const { result, events } = await realm.seen.during(async () => [
      await realm.get(`/v1/sessions/${session.id}`),
      await realm.get(`/v1/sessions/${session.string("token")}`),
      await reader.get(`/v1/sessions/${session.string("token")}?expand=token`)
    ])
    const [item] = (await realm.get("/v1/users?expand=custom")).items
    const body = { ...Object(withoutToken(session)), user: item }
    expect(events).toEqual([])
    expect(result.map((reply) => [reply.status, withoutToken(reply)])).toEqual(Array(3).fill([200, body]))
    const [byId, byToken, fresh] = result
    expect([byId?.member("token"), byToken?.member("token")]).toEqual([undefined, undefined])
    expect(decodeJwt(fresh?.string("token") ?? "")).toMatchObject({ tk: session.id, fn: "New", n: "New" })
  })

  test("expands memberships and token, separately or together", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const [org, inactive] = [await realm.org({ name: "Acme" }), await realm.org({ state: "inactive" })]
    const membership = await realm.membership(user.id, org.id, { permissions: "a" })
    await realm.membership(user.id, inactive.id)
    const own = await realm.post("/v1/memberships", { membership: { user_id: user.id, custom: { b: 1 } } })
    const session = await createSession(realm, user.id)
    const memberships = [
      { id: membership.id, org_id: org.id, permissions: ["a"], org: { name: "Acme", state: "active" } },
      { id: own.id, org_id: null, custom: { b: 1 } }
    ]
    for (const id of [session.id, session.string("token")]) {
      for (const [query, expanded, token] of [
        ["", false, false],
        ["?expand=token", false, true],
        ["?expand=memberships", true, false],
        ["?expand=memberships,token", true, true],
        ["?expand=token,memberships", true, true],
        ["?expand[]=token&expand[]=memberships", true, true]
      ] as const) {
        const reply = await realm.get(`/v1/sessions/${id}${query}`)
        expect([query, reply.status, typeof reply.member("token")]).toEqual([
          query,
          200,
          token ? "string" : "undefined"
        ])
        const shown = reply.member("user", "memberships")
        if (expanded) expect(shown).toMatchObject(memberships)
        else expect(shown).toBeUndefined()
      }
      for (const word of ["custom", "memberships,custom", "orgs"]) {
        const reply = await realm.get(`/v1/sessions/${id}?expand=${word}`)
        expect(statusAndErrors(reply)).toEqual([422, ["Expand must be one of: memberships, token."]])
      }
    }
  })

  test("returns 404 for an unknown session or a session of a deleted or inactive user", async () => {
    const [realm, other] = [await newRealm(), await newRealm()]
    const [one, two] = [await realm.user(), await realm.user()]
    const [ended, paused, gone] = [
      await createSession(realm, one.id),
      await createSession(realm, one.id),
      await createSession(realm, two.id)
    ]
    await realm.delete(`/v1/sessions/${ended.id}`)
    await realm.put(`/v1/users/${one.id}`, { user: { state: "inactive" } })
    await realm.delete(`/v1/users/${two.id}`)
    const foreign = await createSession(other, (await other.user()).id)
    const known = [ended, paused, gone, foreign].flatMap((session) => [session.id, session.string("token")])
    const reader = await realm.as("read")
    for (const id of [...known, unknownIdLike(ended.id), "kss_x", one.id, `${ended.id}0`, "--", "a.b.c", "..."]) {
      const path = `/v1/sessions/${encodeURIComponent(id)}`
      for (const api of [realm, reader]) {
        expect([id, ...statusAndErrors(await api.get(path))]).toEqual([id, ...noSession])
        expect((await api.get(`${path}?expand=token`)).status).toBe(404)
      }
    }
  })
})

describe("DELETE /v1/sessions/{session_id_or_token}", () => {
  test("returns 204 by id or token, even when repeated, and records session.deleted once", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const kept = await createSession(realm, user.id)
    for (const way of ["id", "token"]) {
      const session = await createSession(realm, user.id)
      const path = `/v1/sessions/${session.string(way)}`
      const before = await realm.seenV1.all()
      const { result, events } = await realm.seen.during(() => realm.delete(path))
      expect([result.status, result.text]).toEqual([204, ""])
      expect(events).toEqual([{ event_type: "session.deleted", session_id: session.id, user_id: user.id }])
      expect(await realm.seenV1.all()).toEqual(before)
      const laterEvents = await realm.seen.caused(async () => {
        for (const id of [session.id, session.string("token"), unknownIdLike(session.id), "kss_x", "x", user.id]) {
          const again = await realm.delete(`/v1/sessions/${id}`)
          expect([id, again.status, again.text]).toEqual([id, 204, ""])
        }
      })
      expect(laterEvents).toEqual([])
      expect(ids(await realm.get("/v1/sessions"))).toEqual([kept.id])
    }
  })

  test("returns 204 and records no event if the user was already deleted", async () => {
    const realm = await newRealm()
    const session = await createSession(realm, (await realm.user()).id)
    await realm.delete(`/v1/users/${session.string("user_id")}`)
    for (const id of [session.id, session.string("token")]) {
      const { result, events } = await realm.seen.during(() => realm.delete(`/v1/sessions/${id}`))
      expect([result.status, events]).toEqual([204, []])
    }
  })
})

describe("GET /v1/sessions", () => {
  test("returns the active sessions of a user or of the whole realm, without token and user", () =>
    ownService(async ({ given, clock }) => {
      const [realm, other] = [await given.realm({ session_minutes: 1 }), await given.realm()]
      const [one, two] = [await realm.user(), await realm.user()]
      await createSession(realm, one.id)
      clock.advance(60_000)
      const sessions = [
        await createSession(realm, one.id),
        await createSession(realm, two.id),
        await realm.session(one.id)
      ]
      const ended = await createSession(realm, one.id)
      await realm.delete(`/v1/sessions/${ended.id}`)
      await other.session((await other.user()).id)
      const [first, second, third] = sessions.map(({ id }) => id)
      const { result, events } = await realm.seen.during(() => realm.get("/v1/sessions"))
      expect([result.status, ids(result), events]).toEqual([200, [first, second, third], []])
      const times = { created_at: now + 60, expires_at: now + 120 }
      const item = { id: first, object: "session", user_id: one.id, ...times, ...STARTED_VIA_API, request: null }
      expect([result.items[0], result.member("more_results")]).toEqual([item, false])
      expect(ids(await realm.get(`/v1/sessions?user_id=${one.id}`))).toEqual([first, third])
      for (const user of [unknownIdLike(one.id), "x", ""]) {
        expect((await realm.get(`/v1/sessions?user_id=${user}`)).items).toEqual([])
      }
    }))

  test("sorts by id (creation order), pages in both directions, and rejects unknown sort orders", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const all: Array<string> = []
    for (let n = 0; n < 5; n++) all.push((await createSession(realm, user.id)).id)
    for (const [direction, expected] of [
      ["asc", all],
      ["desc", all.toReversed()]
    ] as const) {
      const page = (after: string) => realm.get(`/v1/sessions?sort=id&max_results=3&direction=${direction}${after}`)
      const pages = [await page(""), await page(`&after=${expected[2]}`)]
      expect(pages.flatMap(ids)).toEqual(expected)
      expect(pages.map((reply) => reply.member("more_results"))).toEqual([true, false])
    }
    for (const wrong of ["sort=created_at", "direction=up", "max_results=0", "max_results=1001", "max_results="]) {
      expect([wrong, (await realm.get(`/v1/sessions?${wrong}`)).status]).toEqual([wrong, 422])
    }
    for (const after of ["x", user.id]) {
      expect(statusAndErrors(await realm.get(`/v1/sessions?after=${after}`))).toEqual(noSession)
    }
  })
})

test("GET requires level read; POST and DELETE require level write", async () => {
  const realm = await newRealm()
  const user = await realm.user()
  const session = await createSession(realm, user.id)
  const [reader, writer] = [await realm.as("read"), await realm.as("write")]
  const [byId, byToken] = [session.id, session.string("token")].map((id) => `/v1/sessions/${id}`)
  for (const path of ["/v1/sessions", byId, byToken]) expect((await reader.get(path ?? "")).status).toBe(200)
  const statusesFor = async (api: Api) => [
    (await create(api, user.id)).status,
    (await api.delete(byToken ?? "")).status,
    (await api.delete(byId ?? "")).status
  ]
  expect(await realm.seen.caused(async () => expect(await statusesFor(reader)).toEqual([403, 403, 403]))).toEqual([])
  expect(await statusesFor(writer)).toEqual([201, 204, 204])
})
