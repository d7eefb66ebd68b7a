import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { newApiUser } from "../support/credentials.ts"
import { userEvent as event, statusAndErrors } from "../support/logins.ts"
import { unknownIdLike } from "../support/resources.ts"
import { newRealm } from "../support/sallyport.ts"
import { emailToken, latestEventToken, tokenOf, UNUSABLE, verifyEmailV1 } from "../support/tokens.ts"

const request = (realm: GivenRealm, user: string) =>
  realm.post(`/v1/users/${user}/request_email_verification`, undefined)

const read = async (realm: GivenRealm, user: Reply) => (await realm.get(`/v1/users/${user.id}`)).body

const NOT_FOUND = [404, ["User could not be found."]]

describe("POST /v1/users/{id}/request_email_verification", () => {
  test("returns the user and a token, by id or username, and records user.email.verifying", async () => {
    const realm = await newRealm()
    const user = await realm.user({ username: uniqueText("Jo") })
    const first = await realm.seen.during(() => request(realm, user.id))
    const expected = { ...Object(await read(realm, user)), email_verification: "requested", token: tokenOf("tve:") }
    expect([first.result.status, first.result.body]).toEqual([200, expected])
    expect(first.events).toEqual([event(user, "updated"), event(user, "email.verifying")])
    const again = await realm.seen.during(() => request(realm, user.string("username").toUpperCase()))
    expect([again.result.status, again.events]).toEqual([200, [event(user, "email.verifying")]])
  })

  test("records user.email.verification_requested, which shows level write the token until the token is used", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email_verification: "requested" })
    const last = async (level: "read" | "write") => {
      const { items } = await (await realm.as(level)).get("/v1/events?event_type=user.email.verification_requested")
      return [items.length, items[0]?.["event_type"], items[0]?.["user_id"], items[0]?.["token"]]
    }
    const expected = [1, "user.email.verification_requested", user.id]
    expect(await last("read")).toEqual([...expected, null])
    expect(await last("write")).toEqual([...expected, tokenOf("tve:")])
    expect((await verifyEmailV1(realm, (await last("write"))[3])).status).toBe(200)
    expect(await last("write")).toEqual([...expected, null])
  })

  test("returns 422 for a verified email or an API user, and 404 for an unknown or inactive user", async () => {
    const realm = await newRealm()
    const verified = await realm.user({ email_verification: "verified" })
    const inactive = await realm.user({ state: "inactive" })
    const api = await newApiUser(realm)
    const events = await realm.seen.caused(async () => {
      expect(statusAndErrors(await request(realm, verified.id))).toEqual([422, ["Email is already verified."]])
      expect(statusAndErrors(await request(realm, api.id))).toEqual([422, ["Email is only available for human users."]])
      for (const id of [inactive.id, unknownIdLike(inactive.id), "nobody", "--"]) {
        expect([id, ...statusAndErrors(await request(realm, id))]).toEqual([id, ...NOT_FOUND])
      }
    })
    expect(events).toEqual([])
  })
})

describe("POST /v1/users/{id}/verify_email", () => {
  test.each<[string, (user: Reply) => string]>([
    ["--", () => "--"],
    ["its id", ({ id }) => id],
    ["its username", (user) => user.string("username")]
  ])("returns the user, named by %s, and records user.email.verified", async (_, name) => {
    const realm = await newRealm()
    const user = await realm.user({ username: uniqueText("Jo") })
    const token = await emailToken(realm, user.id)
    const { result, events } = await realm.seen.during(() => verifyEmailV1(realm, token, name(user)))
    expect([result.status, result.body]).toEqual([200, await read(realm, user)])
    expect([result.member("email_verification"), events]).toEqual(["verified", [event(user, "email.verified")]])
  })

  test("replaces the user's email with the pending email", async () => {
    const realm = await newRealm()
    const email_pending = `${uniqueText("next")}@example.test`
    const user = await realm.user({ email_pending })
    const token = await latestEventToken(realm, "user.email.updating")
    const { result, events } = await realm.seen.during(() => verifyEmailV1(realm, token))
    expect([result.status, result.member("email"), result.member("email_verification")]).toEqual([
      200,
      email_pending,
      "verified"
    ])
    expect(events).toEqual([event(user, "email.verified")])
  })

  test("rejects a token at another user's path but keeps the token valid", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const other = await realm.user()
    const foreign = await (await newRealm()).user()
    const token = await emailToken(realm, user.id)
    const events = await realm.seen.caused(async () => {
      expect(statusAndErrors(await verifyEmailV1(realm, token, other.id))).toEqual(UNUSABLE)
      for (const name of [unknownIdLike(user.id), foreign.id, "nobody"]) {
        expect([name, ...statusAndErrors(await verifyEmailV1(realm, token, name))]).toEqual([name, ...NOT_FOUND])
      }
    })
    expect(events).toEqual([])
    expect((await verifyEmailV1(realm, token)).status).toBe(200)
    expect(statusAndErrors(await verifyEmailV1(realm, token))).toEqual(UNUSABLE)
  })
})
