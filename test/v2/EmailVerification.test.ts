import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { newApiUser } from "../support/credentials.ts"
import { userEvent as event, missingWrapperErrors, statusAndErrors } from "../support/logins.ts"
import { unknownIdLike } from "../support/resources.ts"
import { newRealm, ownService } from "../support/sallyport.ts"
import { emailToken, latestEventToken, passwordToken, tokenOf, UNUSABLE, verifyEmail } from "../support/tokens.ts"

const newEmail = () => `${uniqueText("next")}@example.test`

const request = (realm: GivenRealm, user: string, body?: unknown) =>
  realm.post(`/v2/users/${user}/request_email_verification`, body)

const update = (realm: GivenRealm, user: Reply, changes: object) => realm.put(`/v2/users/${user.id}`, { user: changes })

/** The email, pending email and verification status of a user. */
const emailsOf = async (realm: GivenRealm, { id }: Reply) => {
  const user = await realm.get(`/v2/users/${id}`)
  return [user.member("email"), user.member("email_pending"), user.member("email_verification")]
}

/** Verifies an email with a token and asserts success. */
const expectVerified = async (realm: GivenRealm, user: Reply, token: unknown) => {
  const { result, events } = await realm.seen.during(() => verifyEmail(realm, token))
  expect([result.status, result.body]).toEqual([200, (await realm.get(`/v2/users/${user.id}`)).body])
  expect(events).toEqual([event(user, "email.verified")])
}

/** Asserts that a token is rejected and verifies nothing. */
const expectRejected = async (realm: GivenRealm, token: unknown) => {
  const { result, events } = await realm.seen.during(() => verifyEmail(realm, token))
  expect([token, ...statusAndErrors(result), events]).toEqual([token, ...UNUSABLE, []])
}

describe("POST /v2/users/{id}/request_email_verification", () => {
  test("returns a new tve: token for each request, and records user.email.verifying each time", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const first = await realm.seen.during(() => request(realm, user.id))
    expect([first.result.status, first.result.body]).toEqual([200, { object: "token", token: tokenOf("tve:") }])
    expect(first.events).toEqual([event(user, "updated"), event(user, "email.verifying")])
    expect(await emailsOf(realm, user)).toEqual([user.string("email"), null, "requested"])
    const again = await realm.seen.during(() => request(realm, user.string("email")))
    expect(again.events).toEqual([event(user, "email.verifying")])
    expect(again.result.string("token")).not.toBe(first.result.string("token"))
    await expectVerified(realm, user, first.result.string("token"))
  })

  test("returns a tue: token for the pending email of a verified user, and records user.email.updating", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email_verification: "verified", email_pending: newEmail() })
    const { result, events } = await realm.seen.during(() => request(realm, user.id))
    expect([result.status, result.body]).toEqual([200, { object: "token", token: tokenOf("tue:") }])
    expect(events).toEqual([event(user, "email.updating")])
    await expectVerified(realm, user, result.string("token"))
    expect(await emailsOf(realm, user)).toEqual([user.string("email_pending"), null, "verified"])
  })

  test("returns 422 and records no event if the email is verified and no email is pending", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email_verification: "verified" })
    const { result, events } = await realm.seen.during(() => request(realm, user.id))
    expect([...statusAndErrors(result), events]).toEqual([422, ["Email is already verified."], []])
  })

  test("verifies the current email of an unverified user before the pending email", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email_pending: newEmail() })
    const token = await emailToken(realm, user.id)
    expect(token).toMatch(/^tve:/)
    await expectVerified(realm, user, token)
    expect(await emailsOf(realm, user)).toEqual([user.string("email"), user.string("email_pending"), "verified"])
  })

  test.each([
    undefined,
    {},
    { request: { ip: "203.0.113.7", client: "phone" } }
  ])("accepts an optional body: %j", async (body) => {
    const realm = await newRealm()
    expect((await request(realm, (await realm.user()).id, body)).status).toBe(200)
    const from = body?.request ?? { ip: null, client: null }
    expect((await realm.seen.all()).slice(-2).map((each) => each["request"])).toEqual([from, from])
  })

  test("returns 404 for an unknown or inactive user and 422 for an API user, and records no event", async () => {
    const realm = await newRealm()
    const user = await realm.user({ state: "inactive" })
    const api = await newApiUser(realm)
    const foreign = await (await newRealm()).user()
    const events = await realm.seen.caused(async () => {
      for (const id of [user.id, unknownIdLike(user.id), foreign.id, "nobody@example.test"]) {
        expect([id, ...statusAndErrors(await request(realm, id))]).toEqual([id, 404, ["User could not be found."]])
      }
      expect(statusAndErrors(await request(realm, api.id))).toEqual([422, ["Email is only available for human users."]])
    })
    expect(events).toEqual([])
  })
})

describe("POST /v2/users/verify_email", () => {
  test("returns the user, records user.email.verified and voids all tokens for the same address", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const session = await realm.session(user.id)
    const tokens = [await emailToken(realm, user.id), await emailToken(realm, user.id)]
    await expectVerified(realm, user, tokens[1])
    expect(await emailsOf(realm, user)).toEqual([user.string("email"), null, "verified"])
    for (const token of tokens) await expectRejected(realm, token)
    expect((await realm.get(`/v2/sessions/${session.id}`)).status).toBe(200)
  })

  test("returns 422 for a token that is invalid, from another realm or for another purpose", async () => {
    const [realm, other] = [await newRealm(), await newRealm()]
    const user = await realm.user()
    const foreign = await other.user()
    const token = await emailToken(other, foreign.id)
    const resetToken = await passwordToken(realm, user.id)
    for (const presented of [token, resetToken, `tve:${"x".repeat(43)}`, "tve:", "", null, undefined]) {
      await expectRejected(realm, presented)
    }
    await expectVerified(other, foreign, token)
  })

  test("returns 400 for a missing wrapper, and 422 for a non-text token", async () => {
    const realm = await newRealm()
    const withoutWrapper = await realm.post("/v2/users/verify_email", { token: "x" })
    expect(statusAndErrors(withoutWrapper)).toEqual([400, missingWrapperErrors("token")])
    expect(statusAndErrors(await verifyEmail(realm, 7))).toEqual([422, ["Token must be text."]])
  })

  test("SEC-55: rejects an inactive user's tokens, and accepts them after reactivation", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email_pending: newEmail() })
    const [own, pending] = [await emailToken(realm, user.id), await latestEventToken(realm, "user.email.updating")]
    await update(realm, user, { state: "inactive" })
    for (const token of [own, pending]) await expectRejected(realm, token)
    await update(realm, user, { state: "active" })
    await expectVerified(realm, user, own)
    await expectVerified(realm, user, pending)
  })

  test("returns 422 and keeps the token valid if another user has taken the address in the meantime", async () => {
    const realm = await newRealm()
    const email_pending = newEmail()
    const user = await realm.user({ email_pending, email_verification: "verified" })
    const token = await latestEventToken(realm, "user.email.updating")
    const rival = await realm.user({ email: email_pending })
    const { result, events } = await realm.seen.during(() => verifyEmail(realm, token))
    expect([...statusAndErrors(result), events]).toEqual([422, ["Email has already been taken."], []])
    expect(await emailsOf(realm, user)).toEqual([user.string("email"), email_pending, "verified"])
    await realm.delete(`/v2/users/${rival.id}`)
    await expectVerified(realm, user, token)
    expect(await emailsOf(realm, user)).toEqual([email_pending, null, "verified"])
  })

  test("accepts a token for 24 hours, after which the event no longer shows the token", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const user = await realm.user({ email_verification: "requested", email_pending: newEmail() })
      const other = await realm.user({ email_verification: "requested", email_pending: newEmail() })
      const all = await realm.seen.all()
      const tokenFor = ({ id }: Reply, type: string) =>
        all.find((each) => each["user_id"] === id && each["event_type"] === type)?.["token"]
      clock.advance("86399 seconds")
      for (const type of ["user.email.verifying", "user.email.updating"]) {
        await expectVerified(realm, user, tokenFor(user, type))
        expect(await latestEventToken(realm, type)).toBe(tokenFor(other, type))
      }
      clock.advance("1 second")
      for (const type of ["user.email.verifying", "user.email.updating"]) {
        expect(await latestEventToken(realm, type)).toBeNull()
        await expectRejected(realm, tokenFor(other, type))
      }
      expect(await emailsOf(realm, other)).toEqual([other.string("email"), other.string("email_pending"), "requested"])
    }))
})

describe("Email rules (`v2.email`)", () => {
  test("changes an email immediately, without clearing or requesting verification", async () => {
    const realm = await newRealm()
    for (const email_verification of ["none", "requested", "verified"]) {
      const user = await realm.user({ email_verification })
      const email = newEmail()
      const events = await realm.seen.caused(() => update(realm, user, { email }))
      expect(events).toEqual([event(user, "updated")])
      expect(await emailsOf(realm, user)).toEqual([email, null, email_verification])
    }
  })

  test("requests verification of the new address if the update sets email_verification to requested", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email_verification: "verified" })
    const email = newEmail()
    const attributes = { email, email_verification: "requested" }
    const events = await realm.seen.caused(() => update(realm, user, attributes))
    expect(events).toEqual([event(user, "updated"), event(user, "email.verifying")])
    expect(await emailsOf(realm, user)).toEqual([email, null, "requested"])
    await expectVerified(realm, user, await latestEventToken(realm, "user.email.verifying"))
    expect(await emailsOf(realm, user)).toEqual([email, null, "verified"])
  })

  test.each([
    "none",
    "requested",
    "verified"
  ])("records user.email.updating for email_pending, which replaces email once verified: %s", async (email_verification) => {
    const realm = await newRealm()
    const user = await realm.user({ email_verification })
    const email_pending = newEmail()
    const events = await realm.seen.caused(() => update(realm, user, { email_pending: email_pending.toUpperCase() }))
    expect(events).toEqual([event(user, "updated"), event(user, "email.updating")])
    expect(await emailsOf(realm, user)).toEqual([user.string("email"), email_pending, email_verification])
    const token = await latestEventToken(realm, "user.email.updating")
    expect(token).toEqual(tokenOf("tue:"))
    await expectVerified(realm, user, token)
    expect(await emailsOf(realm, user)).toEqual([email_pending, null, "verified"])
    const [now, before] = [email_pending, user.string("email")].map((email) => realm.get(`/v2/users/${email}`))
    expect([(await now)?.id, (await before)?.status]).toEqual([user.id, 404])
    expect((await now)?.member("name")).toBe(email_pending.split("@")[0])
  })

  test("also records user.email.verifying for a new user with email_verification requested", async () => {
    const realm = await newRealm()
    const { result, events } = await realm.seen.during(() => realm.user({ email_verification: "requested" }))
    expect(events).toEqual([event(result, "created"), event(result, "email.verifying")])
    const token = await latestEventToken(realm, "user.email.verifying")
    expect(token).toEqual(tokenOf("tve:"))
    expect(result.text).not.toContain(String(token))
    await expectVerified(realm, result, token)
  })

  test("records user.email.updating for a new user with a pending email", async () => {
    const realm = await newRealm()
    const email_pending = newEmail()
    const { result, events } = await realm.seen.during(() => realm.user({ email_pending }))
    expect(events).toEqual([event(result, "created"), event(result, "email.updating")])
    await expectVerified(realm, result, await latestEventToken(realm, "user.email.updating"))
    expect(await emailsOf(realm, result)).toEqual([email_pending, null, "verified"])
  })

  test("voids an address's tokens when a caller sets the address to verified", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email_verification: "requested" })
    const token = await latestEventToken(realm, "user.email.verifying")
    await update(realm, user, { email_verification: "verified" })
    expect(await latestEventToken(realm, "user.email.verifying")).toBeNull()
    await expectRejected(realm, token)
  })
})

describe("Events with an email verification token", () => {
  test.each([
    ["user.email.verifying", { email_verification: "requested" }],
    ["user.email.updating", { email_pending: newEmail() }]
  ])("%s shows the token to keys of level write until the token is used", async (type, attributes) => {
    const realm = await newRealm()
    await realm.user(attributes)
    const token = await latestEventToken(realm, type)
    expect(await latestEventToken(await realm.as("write"), type)).toBe(token)
    expect(await latestEventToken(await realm.as("read"), type)).toBeNull()
    expect((await verifyEmail(realm, token)).status).toBe(200)
    expect(await latestEventToken(realm, type)).toBeNull()
    const id = String((await realm.get(`/v2/events?event_type=${type}`)).items[0]?.["id"])
    expect((await realm.get(`/v2/events/${id}`)).member("token")).toBeNull()
  })
})
