import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import {
  authenticate,
  authenticateV1,
  userEvent as event,
  OTHER_PASSWORD,
  PASSWORD,
  statusAndErrors
} from "../support/logins.ts"
import { hashesComputed, quickUser } from "../support/passwordEntryPoints.ts"
import { newRealm, ownService } from "../support/sallyport.ts"
import { passwordToken, passwordTokenV1, reset, resetV1 } from "../support/tokens.ts"

const BLOCKED = [429, ["Too many failed attempts. Try again in 15 minutes."]]

const update = (realm: GivenRealm, version: string, user: string, current_password: unknown) =>
  realm.put(`/${version}/users/${user}/update_password`, {
    user: { current_password, password: OTHER_PASSWORD, password_confirmation: OTHER_PASSWORD }
  })

/** Submits `times` wrong passwords and asserts that each is rejected as wrong. */
const guessTimes = async (realm: GivenRealm, user: Reply, times: number) => {
  for (let n = 0; n < times; n += 1) expect((await authenticate(realm, user.id, `guess ${n}`)).status).toBe(422)
}

/** Every way to try a password of the user with the username jo. */
const entryPoints: ReadonlyArray<
  readonly [name: string, ask: (realm: GivenRealm, user: Reply, p: string) => Promise<Reply>]
> = [
  ["v1 by id", (realm, { id }, password) => authenticateV1(realm, id, password)],
  ["v1 by username", (realm, _, password) => authenticateV1(realm, "jo", password)],
  ["v1 by username in another case", (realm, _, password) => authenticateV1(realm, "%20J%EF%BC%AF", password)],
  ["v1 wrapped", (realm, { id }, password) => realm.post(`/v1/users/${id}/authenticate`, { user: { password } })],
  ["v2 by id", (realm, { id }, password) => authenticate(realm, id, password)],
  ["v2 by email", (realm, user, password) => authenticate(realm, user.string("email"), password)],
  [
    "v2 by email in another case",
    (realm, user, password) => authenticate(realm, `${user.string("email").toUpperCase()}%20`, password)
  ],
  ["v1 update_password", (realm, { id }, password) => update(realm, "v1", id, password)],
  ["v1 update_password by username", (realm, _, password) => update(realm, "v1", "jo", password)],
  ["v2 update_password", (realm, user, password) => update(realm, "v2", user.string("email"), password)],
  [
    "v1 with an Idempotency-Key",
    (realm, { id }, password) =>
      realm.post(`/v1/users/${id}/authenticate`, { password }, { "idempotency-key": uniqueText("guess") })
  ],
  [
    "v2 with an Idempotency-Key",
    (realm, { id }, password) =>
      realm.post(`/v2/users/${id}/authenticate`, { user: { password } }, { "idempotency-key": uniqueText("guess") })
  ]
]

describe("guessing a user's password", () => {
  test.each([
    ["v1 authenticate", (realm: GivenRealm, { id }: Reply) => authenticateV1(realm, id), PASSWORD],
    ["v2 authenticate", (realm: GivenRealm, { id }: Reply) => authenticate(realm, id), PASSWORD],
    ["v1 update_password", (realm: GivenRealm, { id }: Reply) => update(realm, "v1", id, PASSWORD), OTHER_PASSWORD],
    ["v2 update_password", (realm: GivenRealm, { id }: Reply) => update(realm, "v2", id, PASSWORD), OTHER_PASSWORD]
  ] as const)("SEC-06: nine wrong passwords followed by the correct password at %s reset the count", async (_, right, after) => {
    const realm = await newRealm()
    const user = await quickUser(realm)
    await guessTimes(realm, user, 9)
    expect((await right(realm, user)).status).toBeLessThan(300)
    await guessTimes(realm, user, 2)
    expect((await authenticate(realm, user.id, after)).status).toBe(200)
    expect((await realm.get("/v2/events?event_type=user.blocked")).items).toEqual([])
  })

  test("SEC-06, SEC-09: the tenth wrong password blocks all logins with 429 for 15 minutes", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const user = await quickUser(realm)
      const otherUser = await quickUser(realm)
      const nine = await realm.seen.caused(() => guessTimes(realm, user, 9))
      expect(nine).toEqual(nine.map(() => event(user, "login.failed")))
      const tenth = await realm.seen.caused(() => guessTimes(realm, user, 1))
      expect(tenth).toEqual([event(user, "login.failed"), event(user, "blocked")])

      const hashes = await hashesComputed(realm)
      const rejected = await realm.seen.caused(async () => {
        for (const password of [PASSWORD, "wrong", PASSWORD]) {
          for (const reply of [
            await authenticate(realm, user.id, password),
            await authenticateV1(realm, user.id, password)
          ]) {
            expect([statusAndErrors(reply), reply.headers.get("retry-after")]).toEqual([BLOCKED, "900"])
          }
        }
        clock.advance("2 minutes")
        const later = await authenticate(realm, user.id)
        const sentence = "Too many failed attempts. Try again in 13 minutes."
        expect([statusAndErrors(later), later.headers.get("retry-after")]).toEqual([[429, [sentence]], "780"])
        const inSpanish = await realm.call("POST", `/v2/users/${user.id}/authenticate`, {
          body: { user: { password: PASSWORD } },
          headers: { "accept-language": "es" }
        })
        expect(inSpanish.errors).toEqual(["Demasiados intentos fallidos. Vuelva a intentarlo en 13 minutos."])
        clock.advance("779 seconds")
        expect((await authenticate(realm, user.id)).headers.get("retry-after")).toBe("1")
      })
      expect([rejected, await hashesComputed(realm)]).toEqual([[], hashes])
      expect((await authenticate(realm, otherUser.id)).status).toBe(200)

      clock.advance("1 second")
      const { result, events } = await realm.seen.during(() => authenticate(realm, user.id))
      expect([result.status, events]).toEqual([200, [{ ...event(user, "login.succeeded"), session_id: result.id }]])
    }))

  test("SEC-06: a block is followed by ten more attempts before the next block", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const user = await quickUser(realm)
      for (const _ of [1, 2]) {
        const events = await realm.seen.caused(() => guessTimes(realm, user, 10))
        expect(events.filter(({ event_type }) => event_type === "user.blocked")).toEqual([event(user, "blocked")])
        expect((await authenticate(realm, user.id)).status).toBe(429)
        clock.advance("15 minutes")
      }
      expect((await authenticate(realm, user.id)).status).toBe(200)
    }))

  test("SEC-06: wrong passwords add up over any length of time", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const user = await quickUser(realm)
      for (let n = 0; n < 10; n += 1) {
        await guessTimes(realm, user, 1)
        clock.advance("7 days")
      }
      // The block started by the tenth attempt has also ended.
      expect((await authenticate(realm, user.id)).status).toBe(200)
      await guessTimes(realm, user, 9)
      clock.advance("1 day")
      await guessTimes(realm, user, 1)
      expect((await authenticate(realm, user.id)).status).toBe(429)
    }))

  test("SEC-08, CVE-2025-24806, CVE-2026-9798, CVE-2026-16103: all endpoints share one count and one block", async () => {
    const realm = await newRealm()
    const user = await quickUser(realm, { username: "jo", email: "jo@example.test" })
    const events = await realm.seen.caused(async () => {
      for (const [name, ask] of entryPoints.slice(0, 10)) {
        const reply = await ask(realm, user, "wrong")
        expect([name, reply.status]).toEqual([name, name.startsWith("v1") && !name.includes("update") ? 401 : 422])
      }
      for (const [name, ask] of entryPoints) {
        const reply = await ask(realm, user, PASSWORD)
        expect([name, ...statusAndErrors(reply)]).toEqual([name, ...BLOCKED])
      }
    })
    // A wrong current password isn't a failed login.
    expect(events).toEqual([...Array.from({ length: 7 }, () => event(user, "login.failed")), event(user, "blocked")])
  })

  test.each(entryPoints)("SEC-08: %s: ten wrong passwords block the login by id", async (_name, ask) => {
    const realm = await newRealm()
    const user = await quickUser(realm, { username: "jo", email: "jo@example.test" })
    for (let n = 0; n < 10; n += 1) expect([401, 422]).toContain((await ask(realm, user, `guess ${n}`)).status)
    expect((await authenticate(realm, user.id)).status).toBe(429)
    const blocked = (await realm.get("/v2/events?event_type=user.blocked")).items
    expect(blocked.map(({ user_id }) => user_id)).toEqual([user.id])
  })

  test("SEC-08: counts a wrong password only once if repeated with its Idempotency-Key", async () => {
    const realm = await newRealm()
    const user = await quickUser(realm)
    const headers = { "idempotency-key": "once" }
    const ask = () => realm.post(`/v2/users/${user.id}/authenticate`, { user: { password: "wrong" } }, headers)
    const events = await realm.seen.caused(async () => {
      for (let n = 0; n < 12; n += 1) expect((await ask()).status).toBe(422)
    })
    expect(events).toEqual([event(user, "login.failed")])
    expect((await authenticate(realm, user.id)).status).toBe(200)
  })

  test("SEC-09: concurrent correct passwords cause no block", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const { result, events } = await realm.seen.during(() =>
      Promise.all(Array.from({ length: 24 }, (_, n) => (n % 2 === 0 ? authenticate : authenticateV1)(realm, user.id)))
    )
    const successes = result.filter(({ status }) => status === 200).length
    expect(result.filter(({ status }) => status === 429).length).toBe(result.length - successes)
    expect(successes).toBeGreaterThanOrEqual(10)
    expect(events.map(({ event_type }) => event_type)).toEqual(
      Array.from({ length: successes }, () => "user.login.succeeded")
    )
    expect((await authenticate(realm, user.id)).status).toBe(200)
  })

  test("SEC-09: a reset by token works during a block and lifts the block", async () => {
    const realm = await newRealm()
    for (const byToken of [
      async (id: string) => resetV1(realm, await passwordTokenV1(realm, id)),
      async (id: string) => reset(realm, await passwordToken(realm, id))
    ]) {
      const user = await quickUser(realm)
      await guessTimes(realm, user, 10)
      expect((await authenticate(realm, user.id)).status).toBe(429)
      expect((await byToken(user.id)).status).toBe(200)
      await guessTimes(realm, user, 2)
      expect((await authenticate(realm, user.id, OTHER_PASSWORD)).status).toBe(200)
    }
  })

  test("SEC-09: a rejected reset token doesn't lift a block", async () => {
    const realm = await newRealm()
    const user = await quickUser(realm)
    const token = await passwordToken(realm, user.id)
    await guessTimes(realm, user, 10)
    expect((await reset(realm, `tpw:${"x".repeat(43)}`)).status).toBe(422)
    expect((await reset(realm, token, "short")).status).toBe(422)
    expect((await authenticate(realm, user.id)).status).toBe(429)
  })

  test("SEC-09: setting a password through the management API lifts the block, but other changes don't", async () => {
    const realm = await newRealm()
    const user = await quickUser(realm)
    await guessTimes(realm, user, 10)
    await realm.put(`/v2/users/${user.id}`, { user: { first_name: "Jo", state: "inactive" } })
    await realm.put(`/v2/users/${user.id}`, { user: { state: "active" } })
    expect((await authenticate(realm, user.id)).status).toBe(429)
    await realm.put(`/v2/users/${user.id}`, { user: { password: OTHER_PASSWORD } })
    expect((await authenticate(realm, user.id, OTHER_PASSWORD)).status).toBe(200)
  })

  test("SEC-12: changing a password requires the current password", async () => {
    const realm = await newRealm()
    for (const version of ["v1", "v2"]) {
      const user = await quickUser(realm)
      const session = await realm.session(user.id)
      const events = await realm.seen.caused(async () => {
        for (const current of ["", null, undefined]) {
          const reply = await update(realm, version, user.id, current)
          expect(statusAndErrors(reply)).toEqual([422, ["Current password can't be blank."]])
        }
        for (let n = 0; n < 9; n += 1) {
          const current = [session.string("token"), session.id, OTHER_PASSWORD][n % 3]
          const reply = await update(realm, version, user.id, current?.slice(0, 500))
          expect(statusAndErrors(reply)).toEqual([422, ["Current password does not match."]])
        }
      })
      expect(events).toEqual([])
      expect((await realm.get(`/v2/sessions/${session.id}`)).status).toBe(200)
      expect((await authenticate(realm, user.id)).status).toBe(200)
    }
  })

  test("SEC-12: guesses of the current password have the same limit, so a block also rejects the correct password", async () => {
    const realm = await newRealm()
    for (const version of ["v1", "v2"]) {
      const user = await quickUser(realm)
      const events = await realm.seen.caused(async () => {
        for (let n = 0; n < 10; n += 1) {
          expect((await update(realm, version, user.id, `guess ${n}`)).status).toBe(422)
        }
        expect(statusAndErrors(await update(realm, version, user.id, PASSWORD))).toEqual(BLOCKED)
      })
      expect(events).toEqual([event(user, "blocked")])
      expect((await authenticate(realm, user.id, OTHER_PASSWORD)).status).toBe(429)
    }
  })
})
