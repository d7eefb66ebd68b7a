import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { hostedAt } from "../support/hostedApi.ts"
import { authenticate, authenticateV1, complete, enrolled, PASSWORD, wrongCode } from "../support/logins.ts"
import { newRealm, ownService } from "../support/sallyport.ts"

/** Users whose login is rejected, with the reason and the entered password. */
const rejectedLogins: ReadonlyArray<readonly [reason: string, attributes: object, typed: string]> = [
  ["wrong_password", { password: PASSWORD }, "seven purple elephantz"],
  ["user_inactive", { password: PASSWORD, state: "inactive" }, PASSWORD],
  ["wrong_password", { password: PASSWORD, state: "inactive" }, "seven purple elephantz"],
  ["no_password", {}, PASSWORD]
]

/** The reasons of a realm's failed logins in an API version. */
const recordedReasons = async (realm: GivenRealm, version: "v1" | "v2") =>
  (await realm.get(`/${version}/events?event_type=user.login.failed`)).items.map(({ user_id, reason }) => [
    user_id,
    reason
  ])

const reasonIn = (reply: Reply) => reply.member("error_details", 0, "params", "reason")

describe("SEC-241: the reason for a failed login", () => {
  test.each(rejectedLogins)("is %s for %j", async (reason, attributes, typed) => {
    for (const [attempt, status] of [
      [authenticate, 422],
      [authenticateV1, 401]
    ] as const) {
      const realm = await newRealm()
      const user = await realm.user({ email: "jo@example.test", ...attributes })
      const reply = await attempt(realm, user.id, typed)
      expect([reply.status, reply.errors, reasonIn(reply)]).toEqual([status, ["Login failed."], reason])
      for (const version of ["v1", "v2"] as const)
        expect(await recordedReasons(realm, version)).toEqual([[user.id, reason]])
    }
  })

  test('is "wrong_code" after a correct password', async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const device = await enrolled(realm, user.id)
    const { token } = Object((await authenticate(realm, user.id)).body)
    const reply = await complete(realm, token, wrongCode(device))
    expect([reply.status, reasonIn(reply)]).toEqual([422, "wrong_code"])
    expect(await recordedReasons(realm, "v2")).toEqual([[user.id, "wrong_code"]])
  })

  test('is "unknown_user" in the response for an unknown name, without an event', async () => {
    const realm = await newRealm()
    const reply = await authenticate(realm, "nobody@example.test")
    expect([reply.status, reasonIn(reply)]).toEqual([422, "unknown_user"])
    expect(await recordedReasons(realm, "v2")).toEqual([])
  })
})

test("SEC-241: hosted login returns the same response for every reason, and never the reason itself", async () => {
  const realm = await newRealm()
  const at = await hostedAt(realm)
  const answers = new Set<string>()
  for (const [index, [reason, attributes, typed]] of rejectedLogins.entries()) {
    const username = `jo${index}`
    const user = await realm.user({ username, ...attributes })
    const reply = await at.post("login", { username, password: typed })
    answers.add(reply.text)
    expect(reply.text).not.toContain(reason)
    expect((await recordedReasons(realm, "v2")).at(-1)).toEqual([user.id, reason])
  }
  answers.add((await at.post("login", { username: "nobody", password: PASSWORD })).text)
  expect(answers.size).toBe(1)
})

describe("SEC-242: attempts by blocked users and for unknown names", () => {
  test("are recorded once a minute with their count for a blocked user, even for the right password", () =>
    ownService(async ({ given, advance }) => {
      const realm = await given.realm()
      const user = await realm.user({ password: PASSWORD })
      for (let n = 0; n < 10; n += 1) await authenticate(realm, user.id, "wrong one here")
      for (const password of [PASSWORD, "wrong one here", PASSWORD])
        expect((await authenticate(realm, user.id, password)).status).toBe(429)
      const before = (await realm.seen.all()).length
      await advance("59 seconds")
      expect(await realm.seen.all()).toHaveLength(before)
      await advance("2 minutes")
      const [event, ...more] = (await realm.seen.all()).slice(before)
      expect(event).toMatchObject({ event_type: "user.login.failed", user_id: user.id, reason: "blocked", attempts: 3 })
      expect(more).toEqual([])
    }))

  test("are recorded once a minute per realm for unknown names, without name or user", () =>
    ownService(async ({ given, advance }) => {
      const [realm, quiet] = [await given.realm(), await given.realm()]
      for (const name of ["a@example.test", "b@example.test", "a@example.test"]) await authenticate(realm, name)
      await authenticate(quiet, "c@example.test")
      await advance("1 minute")
      for (const [one, attempts] of [
        [realm, 3],
        [quiet, 1]
      ] as const) {
        const [event, ...more] = (await one.get("/v1/events?event_type=user.login.failed")).items
        expect(event).toMatchObject({ reason: "unknown_user", attempts, actor: { id: "RecordRefusedLogins" } })
        expect([Object.keys(event ?? {}).includes("user_id"), more]).toEqual([false, []])
        expect(JSON.stringify(event)).not.toContain("example.test")
      }
    }))
})
