import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { hostedAt } from "../support/hostedApi.ts"
import { authenticate, authenticateV1, complete, enrolled, PASSWORD, wrongCode } from "../support/logins.ts"
import { service } from "../support/sallyport.ts"

const newRealm = async (): Promise<GivenRealm> => (await service()).given.realm()

/** People who are refused, with the password that they type, and the reason. */
const refused: ReadonlyArray<readonly [reason: string, attributes: object, typed: string]> = [
  ["wrong_password", { password: PASSWORD }, "seven purple elephantz"],
  ["user_inactive", { password: PASSWORD, state: "inactive" }, PASSWORD],
  ["wrong_password", { password: PASSWORD, state: "inactive" }, "seven purple elephantz"],
  ["no_password", {}, PASSWORD]
]

/** The reasons of the failed logins of a realm, as an API version shows them. */
const recorded = async (realm: GivenRealm, version: "v1" | "v2") =>
  (await realm.get(`/${version}/events?event_type=user.login.failed`)).items.map(({ user_id, reason }) => [
    user_id,
    reason
  ])

const reasonIn = (reply: Reply) => reply.member("error_details", 0, "params", "reason")

describe("SEC-248: a failed login has its reason, in the event and in the answer to an API key", () => {
  test.each(refused)("%s, of %j", async (reason, attributes, typed) => {
    for (const [attempt, status] of [
      [authenticate, 422],
      [authenticateV1, 401]
    ] as const) {
      const realm = await newRealm()
      const user = await realm.user({ email: "jo@example.test", ...attributes })
      const reply = await attempt(realm, user.id, typed)
      expect([reply.status, reply.errors, reasonIn(reply)]).toEqual([status, ["Login failed."], reason])
      for (const version of ["v1", "v2"] as const) expect(await recorded(realm, version)).toEqual([[user.id, reason]])
    }
  })

  test("wrong_code, after a right password", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const device = await enrolled(realm, user.id)
    const { token } = Object((await authenticate(realm, user.id)).body)
    const reply = await complete(realm, token, wrongCode(device))
    expect([reply.status, reasonIn(reply)]).toEqual([422, "wrong_code"])
    expect(await recorded(realm, "v2")).toEqual([[user.id, "wrong_code"]])
  })

  test("unknown_user in the answer about a name that nobody has, which leaves no event of a user", async () => {
    const realm = await newRealm()
    const reply = await authenticate(realm, "nobody@example.test")
    expect([reply.status, reasonIn(reply)]).toEqual([422, "unknown_user"])
    expect(await recorded(realm, "v2")).toEqual([])
  })
})

test("SEC-248: hosted login answers each of them alike, and without the reason", async () => {
  const realm = await newRealm()
  const at = await hostedAt(realm)
  const answers = new Set<string>()
  for (const [index, [reason, attributes, typed]] of refused.entries()) {
    const username = `jo${index}`
    const user = await realm.user({ username, ...attributes })
    const reply = await at.post("login", { username, password: typed })
    answers.add(reply.text)
    expect(reply.text).not.toContain(reason)
    expect((await recorded(realm, "v2")).at(-1)).toEqual([user.id, reason])
  }
  answers.add((await at.post("login", { username: "nobody", password: PASSWORD })).text)
  expect(answers.size).toBe(1)
})
