import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { importRows } from "../support/imports.ts"
import { OTHER_PASSWORD, PASSWORD } from "../support/logins.ts"
import { service } from "../support/sallyport.ts"

let shared: Promise<GivenRealm> | undefined

const realmOf = () => (shared ??= service().then(({ given }) => given.realm()))

interface Holder {
  readonly realm: GivenRealm
  readonly id: string
  readonly sessionId: string
}

/** Ends the only session of a new user. Returns the reason and the actor in its event. */
const reasonsAfter = async (end: (holder: Holder) => Promise<unknown>) => {
  const realm = await realmOf()
  const { id } = await realm.user({ password: PASSWORD })
  const sessionId = (await realm.session(id)).id
  await end({ realm, id, sessionId })
  const { items } = await realm.get(`/v2/events?session_id=${sessionId}&event_type=session.deleted`)
  return items.map(({ reason, user_id, actor }) => [reason, user_id === id, Reflect.get(Object(actor), "type")])
}

const password = { password: OTHER_PASSWORD }

describe("C87: the reason in session.deleted", () => {
  test.each(["v1", "v2"])('is "deleted" when the session was ended via API (%s)', async (version) => {
    const end = ({ realm, sessionId }: Holder) => realm.delete(`/${version}/sessions/${sessionId}`)
    expect(await reasonsAfter(end)).toEqual([["deleted", true, "api_key"]])
  })

  test('is "password_changed" wherever a password can be changed', async () => {
    const changed = [["password_changed", true, "api_key"]]
    expect(await reasonsAfter(({ realm, id }) => realm.put(`/v2/users/${id}`, { user: password }))).toEqual(changed)
    expect(await reasonsAfter(({ realm, id }) => realm.put(`/v2/users/${id}/profile`, { user: password }))).toEqual(
      changed
    )
    const byUser = { current_password: PASSWORD, ...password }
    expect(
      await reasonsAfter(({ realm, id }) => realm.put(`/v2/users/${id}/update_password`, { user: byUser }))
    ).toEqual(changed)
    const byCredential = async ({ realm, id }: Holder) => {
      const credentialId = (await realm.get(`/v2/users/${id}`)).string("credentials", 0, "id")
      await realm.put(`/v2/credentials/${credentialId}`, { credential: password })
    }
    expect(await reasonsAfter(byCredential)).toEqual(changed)
  })

  test('is "password_reset" when the password was reset with a token', async () => {
    const end = async ({ realm, id }: Holder) => {
      const token = (await realm.post(`/v2/users/${id}/generate_password_token`, {})).string("token")
      await realm.post("/v2/users/reset_password_with_token", { user: { token, ...password } })
    }
    expect(await reasonsAfter(end)).toEqual([["password_reset", true, "api_key"]])
  })

  test('is "user_inactive" for a deactivation, or "password_changed" if the request also sets a password', async () => {
    const inactive = { state: "inactive" }
    expect(await reasonsAfter(({ realm, id }) => realm.put(`/v2/users/${id}`, { user: inactive }))).toEqual([
      ["user_inactive", true, "api_key"]
    ])
    const both = { ...inactive, ...password }
    expect(await reasonsAfter(({ realm, id }) => realm.put(`/v2/users/${id}`, { user: both }))).toEqual([
      ["password_changed", true, "api_key"]
    ])
  })

  test('is "user_deleted" when the user was deleted', async () => {
    expect(await reasonsAfter(({ realm, id }) => realm.delete(`/v2/users/${id}`))).toEqual([
      ["user_deleted", true, "api_key"]
    ])
  })

  test('is "user_inactive" for an import, or "password_changed" if the row replaces the password', async () => {
    expect(await reasonsAfter(({ realm, id }) => importRows(realm, [{ reference: id, state: "inactive" }]))).toEqual([
      ["user_inactive", true, "api_key"]
    ])
    const hash = (end: string) => ({
      credential_type: "password",
      password_hash: `$2a$05$CCCCCCCCCCCCCCCCCCCCC.${end}`
    })
    const realm = await realmOf()
    const row = { reference: "crm-1", email: "imported@example.test" }
    await importRows(realm, [{ ...row, credentials: [hash("E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW")] }])
    const { id } = await realm.get("/v2/users/imported@example.test")
    const session = await realm.session(id)
    await importRows(realm, [{ ...row, credentials: [hash("VGOzA784oUp/Z0DY336zx7pLYAy0lwK")] }])
    const { items } = await realm.get(`/v2/events?session_id=${session.id}&event_type=session.deleted`)
    expect(items.map(({ reason }) => reason)).toEqual(["password_changed"])
  })
})

test("C208: an API call ends all sessions of a user except a given session, and records an event for each", async () => {
  const realm = await realmOf()
  const [user, other] = [await realm.user(), await realm.user()]
  const [kept, one, two] = [await realm.session(user.id), await realm.session(user.id), await realm.session(user.id)]
  const foreign = await realm.session(other.id)
  const endSessions = (body: object) => realm.seen.during(() => realm.post(`/v2/users/${user.id}/end_sessions`, body))
  const deleted = (id: string) => ({ event_type: "session.deleted", user_id: user.id, session_id: id })
  const rejected = await endSessions({ except: foreign.id })
  expect([rejected.result.status, rejected.result.string("error_details", 0, "field"), rejected.events]).toEqual([
    404,
    "session",
    []
  ])
  const first = await endSessions({ except: kept.id })
  expect([first.result.status, first.result.body, first.events]).toEqual([
    200,
    { object: "ended_sessions", sessions: 2 },
    [deleted(one.id), deleted(two.id)]
  ])
  expect((await realm.get(`/v2/sessions?user_id=${user.id}`)).items.map(({ id }) => id)).toEqual([kept.id])
  const last = await endSessions({})
  expect([last.result.body, last.events]).toEqual([{ object: "ended_sessions", sessions: 1 }, [deleted(kept.id)]])
  const [event] = (await realm.get(`/v2/events?session_id=${kept.id}`)).items
  expect(event?.["reason"]).toBe("deleted")
  expect((await endSessions({})).result.body).toEqual({ object: "ended_sessions", sessions: 0 })
  expect((await realm.get(`/v2/sessions/${foreign.id}`)).status).toBe(200)
})
