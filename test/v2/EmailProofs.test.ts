import { describe, expect, test } from "vitest"
import type { Api, Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { newRealm, ownService } from "../support/sallyport.ts"

const TOKEN = /^(tve|tue):[0-9A-Za-z]{43}$/

/** The type and token of each user event with a token, as the caller sees them. */
const tokenEvents = async (caller: Api, user: Reply, version = "v2") =>
  (await caller.get(`/${version}/events?user_id=${user.id}`)).items.flatMap((event) =>
    "token" in event ? [[event["event_type"], event["token"]]] : []
  )

const update = (realm: GivenRealm, user: Reply, changes: object) => realm.put(`/v2/users/${user.id}`, { user: changes })

const withBothProofs = { email_verification: "requested", email_pending: "next@example.test" }

describe("events with an email verification token", () => {
  test("contain a different token at creation and for every request", async () => {
    const realm = await newRealm()
    const user = await realm.user(withBothProofs)
    await update(realm, user, { email_verification: "requested", email_pending: "other@example.test" })
    const events = await tokenEvents(realm, user)
    expect(events.map(([type]) => type)).toEqual([
      "user.email.updating",
      "user.email.verifying",
      "user.email.updating",
      "user.email.verifying"
    ])
    const tokens = events.map(([, token]) => String(token))
    // The first pending address was replaced, so its token was voided.
    expect(tokens[0]).toBe("null")
    expect(tokens.slice(1).every((token) => TOKEN.test(token))).toBe(true)
    expect(tokens.map((token) => token.slice(0, 4))).toEqual(["null", "tve:", "tue:", "tve:"])
    expect(new Set(tokens).size).toBe(4)
  })

  test("show the token to keys of level write, in both versions", async () => {
    const realm = await newRealm()
    const user = await realm.user(withBothProofs)
    const [, verifying] = await tokenEvents(await realm.as("write"), user)
    expect(String(verifying?.[1])).toMatch(/^tve:/)
    expect((await tokenEvents(await realm.as("read"), user)).map(([, token]) => token)).toEqual([null, null])
    const inV1 = await tokenEvents(await realm.as("write"), user, "v1")
    expect(inV1).toEqual([
      ["user.email.updating", expect.stringMatching(TOKEN)],
      ["user.email.verification_requested", verifying?.[1]]
    ])
  })

  test("are the only user events that contain a token", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email_verification: "verified" })
    await update(realm, user, { first_name: "Jo", state: "inactive" })
    expect(await tokenEvents(realm, user)).toEqual([])
  })

  test("stop showing the token when the token expires after 24 hours", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const user = await realm.user(withBothProofs)
      clock.advance("23 hours")
      expect((await tokenEvents(realm, user)).every(([, token]) => TOKEN.test(String(token)))).toBe(true)
      clock.advance("1 hour")
      expect((await tokenEvents(realm, user)).map(([, token]) => token)).toEqual([null, null])
    }))
})

describe("CVE-2026-9087, SEC-26: email verification tokens after a change of the user", () => {
  test.each<[object, string]>([
    [{ email: `${uniqueText("other")}@example.test` }, "updating"],
    [{ email_pending: "other@example.test" }, "updating verifying"],
    [{ email_pending: null }, "verifying"],
    [{ email: `${uniqueText("other")}@example.test`, email_pending: "" }, ""],
    [{ first_name: "Jo" }, "updating verifying"],
    [{ state: "inactive" }, "updating verifying"]
  ])("after %j, only these tokens are still valid: %s", async (changes, left) => {
    const realm = await newRealm()
    const user = await realm.user(withBothProofs)
    const before = await tokenEvents(realm, user)
    await update(realm, user, changes)
    const after = await tokenEvents(realm, user)
    const live = after.filter(([, token]) => token !== null).map(([type]) => String(type).split(".").at(-1))
    expect(live.sort().join(" ")).toBe(left)
    if ("email_pending" in changes) expect(after.map(([, token]) => token)).not.toContain(before[0]?.[1])
  })

  test("include the token of the new pending address, but not of the replaced address", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email_pending: "old@example.test" })
    const [[, old] = []] = await tokenEvents(realm, user)
    await update(realm, user, { email_pending: "new@example.test" })
    const [, [, fresh] = []] = await tokenEvents(realm, user)
    const verify = (token: unknown) => realm.post("/v2/users/verify_email", { user: { token } })
    expect((await verify(old)).status).toBe(422)
    expect((await verify(fresh)).body).toMatchObject({ email: "new@example.test", email_pending: null })
  })
})

describe("a pending password reset", () => {
  test("is voided when the user is deactivated", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: "a long enough password" })
    const { token } = Object((await realm.post(`/v2/users/${user.id}/generate_password_token`, {})).body)
    await update(realm, user, { state: "inactive" })
    await update(realm, user, { state: "active" })
    const password = "another long password"
    const reset = await realm.post("/v2/users/reset_password_with_token", { user: { token, password } })
    expect([reset.status, reset.errors]).toEqual([422, ["Token is invalid, has expired or has already been used."]])
  })

  test("is voided when the user's email changes", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: "a long enough password" })
    const { token } = Object((await realm.post(`/v2/users/${user.id}/generate_password_token`, {})).body)
    await update(realm, user, { email: `${uniqueText("other")}@example.test` })
    const password = "another long password"
    const reset = await realm.post("/v2/users/reset_password_with_token", { user: { token, password } })
    expect(reset.status).toBe(422)
  })
})
