import { decodeJwt } from "jose"
import { describe, expect, test } from "vitest"
import type { Api, Reply } from "#testing/Api"
import { STARTS_AT } from "#testing/TestSallyport"
import { newRealm, ownService, service } from "../support/sallyport.ts"
import { STARTED_VIA_API } from "../support/sessions.ts"

const errorOf = (reply: Reply) => ({ status: reply.status, errors: reply.errors })

const [noSession, noUser] = ["Session", "User"].map((what) => ({
  status: 404,
  errors: [`${what} could not be found.`]
}))

/** A well-formed id that does not exist. */
const unknownId = (id: string) => id.replace(/.{4}$/, "zzzz")

const ids = (reply: Reply) => reply.items.map(({ id }) => id)

const now = STARTS_AT / 1000

describe("POST /v2/sessions", () => {
  test("returns 201 with the token and the nested user, and records no event", async () => {
    const given = await newRealm()
    const user = await given.user({ first_name: "Jo", custom: { a: 1 } })
    const request = { client: "web", ip: "192.0.2.1" }
    const body = { session: { user_id: user.id }, request }
    const { result, events } = await given.seen.during(() => given.post("/v2/sessions", body))
    expect({ status: result.status, events }).toEqual({ status: 201, events: [] })
    // Only lists of users say when accounts will be deleted.
    const [{ deletion_at, ...item } = {}] = (await given.get("/v2/users?expand=custom")).items
    expect(deletion_at).toBe(null)
    expect(result.body).toEqual({
      id: expect.stringMatching(/^kss_\w{26}$/),
      object: "session",
      client_app_id: null,
      created_at: now,
      expires_at: now + 360 * 60,
      ...STARTED_VIA_API,
      user_id: user.id,
      request,
      token: expect.any(String),
      user: item
    })
    expect(item).toMatchObject({ id: user.id, first_name: "Jo", custom: { a: 1 }, last_login_at: null })
    expect(decodeJwt(result.string("token"))).toMatchObject({ sub: user.id, sid: result.id, rid: given.id })
  })

  test("returns the same 404 for an unknown, inactive or another realm's user", async () => {
    const [given, other] = [await newRealm(), await newRealm()]
    const [foreign, inactive] = [await other.user(), await given.user({ state: "inactive" })]
    const writer = await given.as("write")
    const events = await given.seen.caused(async () => {
      for (const user_id of [foreign.id, unknownId(inactive.id), inactive.id, "x", "", given.id]) {
        for (const api of [given, writer]) {
          expect(errorOf(await api.post("/v2/sessions", { session: { user_id } }))).toEqual(noUser)
        }
      }
    })
    expect(events).toEqual([])
    expect((await given.get("/v2/sessions")).items).toEqual([])
  })

  test("returns 422 for a missing user_id, and 400 for a missing wrapper", async () => {
    const given = await newRealm()
    const reply = await given.post("/v2/sessions", { session: {} })
    expect(errorOf(reply)).toEqual({ status: 422, errors: ["User can't be blank."] })
    expect((await given.post("/v2/sessions", { session: { user_id: 7 } })).status).toBe(422)
    expect((await given.post("/v2/sessions", { user_id: (await given.user()).id })).status).toBe(400)
  })

  test("creates a session that lasts for session_minutes", async () => {
    const given = await (await service()).given.realm({ session_minutes: 5 })
    const session = await given.session((await given.user()).id)
    expect(session.member("expires_at")).toBe(now + 300)
    await given.put(`/v2/realms/${given.id}`, { realm: { session_minutes: 7 } })
    expect((await given.session(session.string("user_id"))).member("expires_at")).toBe(now + 420)
    expect((await given.get(`/v2/sessions/${session.id}`)).member("expires_at")).toBe(now + 300)
  })

  test("does not store unmanaged sessions", async () => {
    const given = await (await service()).given.realm({ session_type: "unmanaged" })
    const session = await given.session((await given.user()).id)
    const path = `/v2/sessions/${session.id}`
    const events = await given.seen.caused(async () => {
      expect(errorOf(await given.get(path))).toEqual(noSession)
      expect((await given.get("/v2/sessions")).body).toEqual({ collection: [], more_results: false })
      expect((await given.delete(path)).status).toBe(204)
    })
    expect(events).toEqual([])
  })
})

describe("GET /v2/sessions/{session_id}", () => {
  test("returns the same session as at creation, and records no event", async () => {
    const given = await newRealm()
    const session = await given.session((await given.user()).id)
    const { result, events } = await given.seen.during(() => given.get(`/v2/sessions/${session.id}`))
    expect({ status: result.status, body: result.body, events }).toEqual({
      status: 200,
      body: session.body,
      events: []
    })
  })

  test("returns 404 for an unknown, deleted or another realm's session, and for an inactive or deleted user", async () => {
    const [given, other] = [await newRealm(), await newRealm()]
    const [one, two] = [await given.user(), await given.user()]
    const [ended, paused, gone] = [
      await given.session(one.id),
      await given.session(one.id),
      await given.session(two.id)
    ]
    await given.delete(`/v2/sessions/${ended.id}`)
    await given.put(`/v2/users/${one.id}`, { user: { state: "inactive" } })
    await given.delete(`/v2/users/${two.id}`)
    const foreign = await other.session((await other.user()).id)
    const reader = await given.as("read")
    for (const id of [ended.id, paused.id, gone.id, foreign.id, unknownId(ended.id), "kss_x", one.id, `${ended.id}0`]) {
      for (const api of [given, reader]) {
        expect(errorOf(await api.get(`/v2/sessions/${id}`)), id).toEqual(noSession)
      }
    }
    // A reactivated user needs a new session.
    await given.put(`/v2/users/${one.id}`, { user: { state: "active" } })
    expect(errorOf(await given.get(`/v2/sessions/${paused.id}`))).toEqual(noSession)
  })

  test("SEC-24: returns 404 from the moment the session expires, even before its row is deleted", () =>
    ownService(async ({ given, clock }) => {
      const mine = await given.realm({ session_minutes: 1 })
      const session = await mine.session((await mine.user()).id)
      const path = `/v2/sessions/${session.id}`
      clock.advance(59_999)
      expect((await mine.get(path)).status).toBe(200)
      expect(ids(await mine.get("/v2/sessions"))).toEqual([session.id])
      clock.advance(1)
      expect(errorOf(await mine.get(path))).toEqual(noSession)
      expect((await mine.get("/v2/sessions")).items).toEqual([])
      expect(await mine.seen.caused(async () => expect((await mine.delete(path)).status).toBe(204))).toEqual([])
      const change = { user: { state: "inactive" } }
      const ended = await mine.seen.caused(() => mine.put(`/v2/users/${session.string("user_id")}`, change))
      expect(ended.map(({ event_type }) => event_type)).toEqual(["user.updated"])
    }))

  test("adds memberships and orgs for expand=memberships, and only one org for org_id", async () => {
    const given = await newRealm()
    const user = await given.user()
    const [one, two, inactive] = [await given.org(), await given.org(), await given.org({ state: "inactive" })]
    const [first, second] = [await given.membership(user.id, one.id), await given.membership(user.id, two.id)]
    await given.membership(user.id, inactive.id)
    const { id } = await given.session(user.id)
    const shown = async (query: string) => {
      const reply = await given.get(`/v2/sessions/${id}?${query}`)
      expect(reply.status, query).toBe(200)
      return reply.member("user", "memberships")
    }
    const [inOne, inTwo] = [
      [first, one],
      [second, two]
    ].map(([membership, org]) => ({ id: membership?.id, org: { id: org?.id, name: org?.string("name") } }))
    expect(await shown("expand=memberships")).toMatchObject([inOne, inTwo])
    expect(await shown(`expand=memberships&org_id=${two.id}`)).toMatchObject([inTwo])
    for (const org of [inactive.id, unknownId(one.id), "x", (await given.org()).id]) {
      expect(await shown(`expand=memberships&org_id=${org}`)).toEqual([])
    }
    expect(await shown("")).toBeUndefined()
    expect(await shown(`org_id=${one.id}`)).toBeUndefined()
    expect((await given.get(`/v2/sessions/${id}?expand=token`)).status).toBe(422)
  })
})

describe("DELETE /v2/sessions/{session_id}", () => {
  test("returns 204, and records session.deleted only if the session exists", async () => {
    const given = await newRealm()
    const user = await given.user()
    const [session, kept] = [await given.session(user.id), await given.session(user.id)]
    const { result, events } = await given.seen.during(() => given.delete(`/v2/sessions/${session.id}`))
    expect({ status: result.status, text: result.text }).toEqual({ status: 204, text: "" })
    expect(events).toEqual([{ event_type: "session.deleted", session_id: session.id, user_id: user.id }])
    const laterEvents = await given.seen.caused(async () => {
      for (const id of [session.id, unknownId(session.id), "kss_x", "x", user.id]) {
        const again = await given.delete(`/v2/sessions/${id}`)
        expect({ status: again.status, text: again.text }, id).toEqual({ status: 204, text: "" })
      }
    })
    expect(laterEvents).toEqual([])
    expect(ids(await given.get("/v2/sessions"))).toEqual([kept.id])
  })

  test("returns 204 and records no event for a session of a deleted user", async () => {
    const given = await newRealm()
    const session = await given.session((await given.user()).id)
    await given.delete(`/v2/users/${session.string("user_id")}`)
    expect(await given.seen.caused(() => given.delete(`/v2/sessions/${session.id}`))).toEqual([])
  })

  test("SEC-50: returns 204 for another realm's session without ending it", async () => {
    const [given, other] = [await newRealm(), await newRealm()]
    const session = await other.session((await other.user()).id)
    const locked = await given.as("write")
    const events = await other.seen.caused(async () => {
      for (const api of [given, locked]) {
        expect((await api.delete(`/v2/sessions/${session.id}`)).status).toBe(204)
      }
    })
    expect(events).toEqual([])
    expect((await other.get(`/v2/sessions/${session.id}`)).status).toBe(200)
  })

  test("records session.deleted once under concurrent requests", async () => {
    const given = await newRealm()
    const session = await given.session((await given.user()).id)
    const remove = () => given.delete(`/v2/sessions/${session.id}`)
    const { result, events } = await given.seen.during(() => Promise.all([remove(), remove(), remove()]))
    expect(result.map(({ status }) => status)).toEqual([204, 204, 204])
    expect(events.length).toBe(1)
  })
})

describe("GET /v2/sessions", () => {
  test("returns the active sessions of a user or of the whole realm, without tokens", async () => {
    const [given, other] = [await newRealm(), await newRealm()]
    const [one, two] = [await given.user(), await given.user()]
    const created = [await given.session(one.id), await given.session(two.id), await given.session(one.id)]
    const ended = await given.session(one.id)
    await given.delete(`/v2/sessions/${ended.id}`)
    await other.session((await other.user()).id)
    const [first, second, third] = created.map(({ id }) => id)
    const all = await given.get("/v2/sessions")
    expect([all.status, ids(all)]).toEqual([200, [first, second, third]])
    expect(all.items[0]).toEqual({
      id: first,
      object: "session",
      client_app_id: null,
      created_at: now,
      expires_at: now + 360 * 60,
      ...STARTED_VIA_API,
      user_id: one.id,
      request: null
    })
    for (const name of [one.id, encodeURIComponent(one.string("email").toUpperCase())]) {
      expect(ids(await given.get(`/v2/sessions?user_id=${name}`))).toEqual([first, third])
    }
    for (const user of [unknownId(one.id), "x", ""]) {
      expect((await given.get(`/v2/sessions?user_id=${user}`)).items).toEqual([])
    }
  })

  test("sorts by id (creation order), pages in both directions, and rejects unknown parameter values", async () => {
    const given = await newRealm()
    const user = await given.user()
    const created: Array<string> = []
    for (let n = 0; n < 5; n++) created.push((await given.session(user.id)).id)
    for (const [direction, expected] of [
      ["asc", created],
      ["desc", created.toReversed()]
    ] as const) {
      const page = (after: string) => given.get(`/v2/sessions?sort=id&max_results=2&direction=${direction}${after}`)
      const pages = [await page(""), await page(`&after=${expected[1]}`), await page(`&after=${expected[3]}`)]
      expect(pages.flatMap(ids)).toEqual(expected)
      expect(pages.map((reply) => reply.member("more_results"))).toEqual([true, true, false])
    }
    for (const wrong of ["sort=created_at", "direction=up", "max_results=0", "max_results=1001", "max_results="]) {
      expect((await given.get(`/v2/sessions?${wrong}`)).status, wrong).toBe(422)
    }
    for (const after of ["x", user.id]) {
      expect(errorOf(await given.get(`/v2/sessions?after=${after}`))).toEqual(noSession)
    }
  })
})

test("GET requires level read; POST and DELETE require level write", async () => {
  const given = await newRealm()
  const user = await given.user()
  const session = await given.session(user.id)
  const [reader, writer] = [await given.as("read"), await given.as("write")]
  expect((await reader.get("/v2/sessions")).status).toBe(200)
  expect((await reader.get(`/v2/sessions/${session.id}`)).status).toBe(200)
  const statusesFor = async (api: Api) => [
    (await api.post("/v2/sessions", { session: { user_id: user.id } })).status,
    (await api.delete(`/v2/sessions/${session.id}`)).status
  ]
  expect(await statusesFor(reader)).toEqual([403, 403])
  expect((await given.get("/v2/sessions")).items.length).toBe(1)
  expect(await statusesFor(writer)).toEqual([201, 204])
})
