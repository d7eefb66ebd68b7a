import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import {
  authenticate,
  authenticateV1,
  enrolled,
  userEvent as event,
  OTHER_PASSWORD,
  PASSWORD
} from "../support/logins.ts"
import { changers, type Person, quickUser, setters } from "../support/passwordEntryPoints.ts"
import { newRealm } from "../support/sallyport.ts"
import { passwordToken, passwordTokenV1, reset, resetV1 } from "../support/tokens.ts"

const newPerson = (): Person => ({
  username: uniqueText("jo"),
  email: `${uniqueText("jo")}@example.test`,
  first_name: "Jo",
  last_name: "Fox"
})

const sessionDeletions = (userId: string, sessions: ReadonlyArray<string>) =>
  sessions.map((session_id) => ({ event_type: "session.deleted", user_id: userId, session_id }))

const sessionsOf = async (realm: GivenRealm, userId: string) =>
  (await realm.get(`/v2/sessions?user_id=${userId}`)).items.map(({ id }) => id)

/** Creates two sessions by login and one through the API. */
const createSessions = async (realm: GivenRealm, userId: string): Promise<ReadonlyArray<string>> => {
  for (const login of [authenticate, authenticateV1]) expect((await login(realm, userId)).status).toBe(200)
  const { id } = await realm.session(userId)
  const sessions = (await sessionsOf(realm, userId)).map(String)
  expect([sessions.length, sessions[2]]).toEqual([3, id])
  return sessions
}

/** The expected events of a password change, depending on the end of the operation's name. */
const eventsOf = (name: string, user: string, session: Reply | undefined) => {
  const userEvent = (type: string) => ({ event_type: `user.${type}`, user_id: user })
  if (name.endsWith("profile")) return [userEvent("profile.updated")]
  if (!name.endsWith("with_token")) return [userEvent("updated")]
  return session?.member("object") === "session"
    ? [userEvent("password_token.consumed"), { ...userEvent("login.succeeded"), session_id: session.id }]
    : [userEvent("password_token.consumed")]
}

describe.each(changers)("$name", ({ name, open }) => {
  test("SEC-13, CVE-2026-22706, GHSA-2vg6-77g8-24mp: ends every session in the same transaction", async () => {
    const realm = await newRealm()
    const { userId, set } = await open(realm, newPerson())
    const otherSession = await realm.session((await realm.user()).id)
    const sessions = await createSessions(realm, userId)
    const rejected = await realm.seen.during(() => set("short"))
    expect([rejected.result.status, rejected.events, await sessionsOf(realm, userId)]).toEqual([422, [], sessions])

    const { result, events } = await realm.seen.during(() => set(OTHER_PASSWORD))
    expect(result.status).toBeLessThan(300)
    const [first, ...others] = eventsOf(name, userId, result)
    expect(events).toEqual([first, ...sessionDeletions(userId, sessions), ...others])
    for (const id of sessions) expect((await realm.get(`/v2/sessions/${id}`)).status).toBe(404)
    expect(await sessionsOf(realm, userId)).toEqual(others.map((login) => Reflect.get(login, "session_id")))
    expect((await realm.get(`/v2/sessions/${otherSession.id}`)).status).toBe(200)
    expect([
      (await authenticate(realm, userId, PASSWORD)).status,
      (await authenticate(realm, userId, OTHER_PASSWORD)).status
    ]).toEqual([422, 200])
  })

  test("SEC-13: voids earlier reset tokens and pending logins", async () => {
    const realm = await newRealm()
    const { userId, set } = await open(realm, newPerson())
    const device = await enrolled(realm, userId)
    const [loginToken, tmf] = [
      (await authenticateV1(realm, userId)).string("token"),
      (await authenticate(realm, userId)).string("token")
    ]
    const resets = [await passwordToken(realm, userId), await passwordTokenV1(realm, userId)] as const
    expect((await set(OTHER_PASSWORD)).status).toBeLessThan(300)
    const code = device.code()
    const replies = [
      await realm.post(`/v1/users/${userId}/authenticate_code`, { user: { token: loginToken, code } }),
      await realm.post("/v2/users/authenticate_token", { user: { token: tmf, code } }),
      await reset(realm, resets[0], "ten green tortoises"),
      await resetV1(realm, resets[1], "--", "ten green tortoises")
    ]
    expect(replies.map(({ status }) => status)).toEqual([404, 422, 422, 422])
    expect((await authenticate(realm, userId, "ten green tortoises")).status).toBe(422)
  })
})

describe.each(setters)("$name", ({ open }) => {
  test("SEC-13: keeps sessions if the password is the user's first", async () => {
    const realm = await newRealm()
    const { userId, set } = await open(realm, newPerson())
    const { id } = await realm.session(userId)
    const { result, events } = await realm.seen.during(() => set(OTHER_PASSWORD))
    expect([result.status, events, await sessionsOf(realm, userId)]).toEqual([
      201,
      [{ event_type: "user.updated", user_id: userId }],
      [id]
    ])
  })
})

describe("keep_sessions", () => {
  const update = (realm: GivenRealm, userId: string, keep_sessions: unknown) =>
    realm.put(`/v2/users/${userId}/update_password`, {
      user: { current_password: PASSWORD, password: OTHER_PASSWORD, keep_sessions }
    })

  test("SEC-13: keeps the sessions if true, and records only user.updated", async () => {
    const realm = await newRealm()
    for (const keep of [true, "true"]) {
      const user = await quickUser(realm)
      const sessions = await createSessions(realm, user.id)
      const { result, events } = await realm.seen.during(() => update(realm, user.id, keep))
      expect([result.status, events, await sessionsOf(realm, user.id)]).toEqual([
        200,
        [event(user, "updated")],
        sessions
      ])
    }
  })

  test("SEC-13: ends the sessions if false or null", async () => {
    const realm = await newRealm()
    for (const keep of [false, null]) {
      const user = await quickUser(realm)
      const sessions = await createSessions(realm, user.id)
      const { events } = await realm.seen.during(() => update(realm, user.id, keep))
      expect(events).toEqual([event(user, "updated"), ...sessionDeletions(user.id, sessions)])
    }
    const user = await quickUser(realm)
    expect((await update(realm, user.id, "perhaps")).errors).toEqual(["Keep sessions must be true or false."])
  })

  test("SEC-13: does not keep reset tokens and pending logins if true", async () => {
    const realm = await newRealm()
    const user = await quickUser(realm)
    const device = await enrolled(realm, user.id)
    const loginToken = (await authenticate(realm, user.id)).string("token")
    const token = await passwordToken(realm, user.id)
    expect((await update(realm, user.id, true)).status).toBe(200)
    const pending = await realm.post("/v2/users/authenticate_token", {
      user: { token: loginToken, code: device.code() }
    })
    expect([pending.status, (await reset(realm, token)).status]).toEqual([422, 422])
  })
})

describe.each(["v1", "v2"])("PUT and DELETE /%s/users/{id}", (version) => {
  test("SEC-13: ends every session of a user who becomes inactive, and blocks logins", async () => {
    const realm = await newRealm()
    const user = await quickUser(realm)
    const sessions = await createSessions(realm, user.id)
    const put = (state: string) => realm.put(`/${version}/users/${user.id}`, { user: { state } })
    const { result, events } = await realm.seen.during(() => put("inactive"))
    expect([result.status, events]).toEqual([200, [event(user, "updated"), ...sessionDeletions(user.id, sessions)]])
    expect((await realm.get("/v2/sessions")).items).toEqual([])
    expect((await realm.post("/v2/sessions", { session: { user_id: user.id } })).status).toBe(404)
    expect((await authenticate(realm, user.id)).status).toBe(422)
    expect((await put("active")).status).toBe(200)
    for (const id of sessions) expect((await realm.get(`/v2/sessions/${id}`)).status).toBe(404)
    expect((await authenticate(realm, user.id)).status).toBe(200)
  })

  test("SEC-13: ends every session of a deleted user and records session.deleted for each", async () => {
    const realm = await newRealm()
    const user = await quickUser(realm)
    const sessions = await createSessions(realm, user.id)
    const { result, events } = await realm.seen.during(() => realm.delete(`/${version}/users/${user.id}`))
    expect([result.status, events]).toEqual([204, [event(user, "deleted"), ...sessionDeletions(user.id, sessions)]])
    for (const id of sessions) expect((await realm.get(`/v2/sessions/${id}`)).status).toBe(404)
    expect((await realm.get("/v2/sessions")).items).toEqual([])
    expect((await authenticateV1(realm, user.id)).status).toBe(404)
  })

  test("SEC-13: ends no session on any other change", async () => {
    const realm = await newRealm()
    const user = await quickUser(realm)
    const { id } = await realm.session(user.id)
    const changes = { first_name: "Jo", state: "active", reference: "x", password: null }
    const { events } = await realm.seen.during(() => realm.put(`/${version}/users/${user.id}`, { user: changes }))
    expect([events, await sessionsOf(realm, user.id)]).toEqual([[event(user, "updated")], [id]])
  })
})
