import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { type GivenRealm, unique } from "#testing/Given"
import { newApiUser } from "../support/credentials.ts"
import { userEvent as event, refusal, unwrapped } from "../support/logins.ts"
import { strangerTo } from "../support/resources.ts"
import { ownService, service } from "../support/sallyport.ts"
import { carried, emailToken, passwordToken, tokenOf, UNUSABLE, verifyEmail } from "../support/tokens.ts"

const newRealm = async (): Promise<GivenRealm> => (await service()).given.realm()

const newEmail = () => `${unique("next")}@example.test`

const request = (realm: GivenRealm, user: string, body?: unknown) =>
  realm.post(`/v2/users/${user}/request_email_verification`, body)

const update = (realm: GivenRealm, user: Reply, changes: object) => realm.put(`/v2/users/${user.id}`, { user: changes })

/** E-mail, pending e-mail and verification of a user, as a read shows them. */
const emailsOf = async (realm: GivenRealm, { id }: Reply) => {
  const user = await realm.get(`/v2/users/${id}`)
  return [user.member("email"), user.member("email_pending"), user.member("email_verification")]
}

/** Proves by a token, and demands that it was taken. */
const proved = async (realm: GivenRealm, user: Reply, token: unknown) => {
  const { result, events } = await realm.seen.during(() => verifyEmail(realm, token))
  expect([result.status, result.body]).toEqual([200, (await realm.get(`/v2/users/${user.id}`)).body])
  expect(events).toEqual([event(user, "email.verified")])
}

/** Demands that a token is refused, and that it proves nothing. */
const unusable = async (realm: GivenRealm, token: unknown) => {
  const { result, events } = await realm.seen.during(() => verifyEmail(realm, token))
  expect([token, ...refusal(result), events]).toEqual([token, ...UNUSABLE, []])
}

describe("POST /v2/users/{id}/request_email_verification", () => {
  test("200 token tve:…; user.updated the first time, user.email.verifying each time; each token is good", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const first = await realm.seen.during(() => request(realm, user.id))
    expect([first.result.status, first.result.body]).toEqual([200, { object: "token", token: tokenOf("tve:") }])
    expect(first.events).toEqual([event(user, "updated"), event(user, "email.verifying")])
    expect(await emailsOf(realm, user)).toEqual([user.string("email"), null, "requested"])
    const again = await realm.seen.during(() => request(realm, user.string("email")))
    expect(again.events).toEqual([event(user, "email.verifying")])
    expect(again.result.string("token")).not.toBe(first.result.string("token"))
    await proved(realm, user, first.result.string("token"))
  })

  test("of a user whose e-mail is verified: 200 token tue:… for the pending one, user.email.updating", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email_verification: "verified", email_pending: newEmail() })
    const { result, events } = await realm.seen.during(() => request(realm, user.id))
    expect([result.status, result.body]).toEqual([200, { object: "token", token: tokenOf("tue:") }])
    expect(events).toEqual([event(user, "email.updating")])
    await proved(realm, user, result.string("token"))
    expect(await emailsOf(realm, user)).toEqual([user.string("email_pending"), null, "verified"])
  })

  test("verified, and none pending: 422, no event", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email_verification: "verified" })
    const { result, events } = await realm.seen.during(() => request(realm, user.id))
    expect([...refusal(result), events]).toEqual([422, ["Email is already verified."], []])
  })

  test("an unverified user with a pending e-mail proves the own one: the pending one stays pending", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email_pending: newEmail() })
    const token = await emailToken(realm, user.id)
    expect(token).toMatch(/^tve:/)
    await proved(realm, user, token)
    expect(await emailsOf(realm, user)).toEqual([user.string("email"), user.string("email_pending"), "verified"])
  })

  test.each([
    undefined,
    {},
    { request: { ip: "203.0.113.7", client: "phone" } }
  ])("the body is optional: %j", async (body) => {
    const realm = await newRealm()
    expect((await request(realm, (await realm.user()).id, body)).status).toBe(200)
    const from = body?.request ?? { ip: null, client: null }
    expect((await realm.seen.all()).slice(-2).map((each) => each["request"])).toEqual([from, from])
  })

  test("nobody's and an inactive user's: 404; an api user's: 422; no event", async () => {
    const realm = await newRealm()
    const user = await realm.user({ state: "inactive" })
    const api = await newApiUser(realm)
    const foreign = await (await newRealm()).user()
    const events = await realm.seen.caused(async () => {
      for (const id of [user.id, strangerTo(user.id), foreign.id, "nobody@example.test"]) {
        expect([id, ...refusal(await request(realm, id))]).toEqual([id, 404, ["User could not be found."]])
      }
      expect(refusal(await request(realm, api.id))).toEqual([422, ["Email is only available for human users."]])
    })
    expect(events).toEqual([])
  })
})

describe("POST /v2/users/verify_email", () => {
  test("200 user, user.email.verified; the token is used up, and so are all others of that proof", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const session = await realm.session(user.id)
    const tokens = [await emailToken(realm, user.id), await emailToken(realm, user.id)]
    await proved(realm, user, tokens[1])
    expect(await emailsOf(realm, user)).toEqual([user.string("email"), null, "verified"])
    for (const token of tokens) await unusable(realm, token)
    expect((await realm.get(`/v2/sessions/${session.id}`)).status).toBe(200)
  })

  test("a token that is none, is for something else or is another realm's: 422, no event", async () => {
    const [realm, other] = [await newRealm(), await newRealm()]
    const user = await realm.user()
    const foreign = await other.user()
    const token = await emailToken(other, foreign.id)
    const ofPassword = await passwordToken(realm, user.id)
    for (const presented of [token, ofPassword, `tve:${"x".repeat(43)}`, "tve:", "", null, undefined]) {
      await unusable(realm, presented)
    }
    await proved(other, foreign, token)
  })

  test("400 without its wrapper, 422 for what is no text", async () => {
    const realm = await newRealm()
    const bare = await realm.post("/v2/users/verify_email", { token: "x" })
    expect(refusal(bare)).toEqual([400, unwrapped("token")])
    expect(refusal(await verifyEmail(realm, 7))).toEqual([422, ["Token must be text."]])
  })

  test("SEC-55: an inactive user proves nothing; the token is good again with the user", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email_pending: newEmail() })
    const [own, pending] = [await emailToken(realm, user.id), await carried(realm, "user.email.updating")]
    await update(realm, user, { state: "inactive" })
    for (const token of [own, pending]) await unusable(realm, token)
    await update(realm, user, { state: "active" })
    await proved(realm, user, own)
    await proved(realm, user, pending)
  })

  test("an address that somebody has taken meanwhile: 422, nothing changes, and the token is not used up", async () => {
    const realm = await newRealm()
    const email_pending = newEmail()
    const user = await realm.user({ email_pending, email_verification: "verified" })
    const token = await carried(realm, "user.email.updating")
    const rival = await realm.user({ email: email_pending })
    const { result, events } = await realm.seen.during(() => verifyEmail(realm, token))
    expect([...refusal(result), events]).toEqual([422, ["Email has already been taken."], []])
    expect(await emailsOf(realm, user)).toEqual([user.string("email"), email_pending, "verified"])
    await realm.delete(`/v2/users/${rival.id}`)
    await proved(realm, user, token)
    expect(await emailsOf(realm, user)).toEqual([email_pending, null, "verified"])
  })

  test("a proof lives 24 hours, and is gone from its event then", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const user = await realm.user({ email_verification: "requested", email_pending: newEmail() })
      const other = await realm.user({ email_verification: "requested", email_pending: newEmail() })
      const all = await realm.seen.all()
      const tokenFor = ({ id }: Reply, type: string) =>
        all.find((each) => each["user_id"] === id && each["event_type"] === type)?.["token"]
      clock.advance("86399 seconds")
      for (const type of ["user.email.verifying", "user.email.updating"]) {
        await proved(realm, user, tokenFor(user, type))
        expect(await carried(realm, type)).toBe(tokenFor(other, type))
      }
      clock.advance("1 second")
      for (const type of ["user.email.verifying", "user.email.updating"]) {
        expect(await carried(realm, type)).toBeNull()
        await unusable(realm, tokenFor(other, type))
      }
      expect(await emailsOf(realm, other)).toEqual([other.string("email"), other.string("email_pending"), "requested"])
    }))
})

describe("Email rules (`v2.email`)", () => {
  test("update email: it changes at once. That never clears or re-requests verification by itself", async () => {
    const realm = await newRealm()
    for (const email_verification of ["none", "requested", "verified"]) {
      const user = await realm.user({ email_verification })
      const email = newEmail()
      const events = await realm.seen.caused(() => update(realm, user, { email }))
      expect(events).toEqual([event(user, "updated")])
      expect(await emailsOf(realm, user)).toEqual([email, null, email_verification])
    }
  })

  test("with email_verification requested in the same update, verification of the new address is requested", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email_verification: "verified" })
    const email = newEmail()
    const asked = { email, email_verification: "requested" }
    const events = await realm.seen.caused(() => update(realm, user, asked))
    expect(events).toEqual([event(user, "updated"), event(user, "email.verifying")])
    expect(await emailsOf(realm, user)).toEqual([email, null, "requested"])
    await proved(realm, user, await carried(realm, "user.email.verifying"))
    expect(await emailsOf(realm, user)).toEqual([email, null, "verified"])
  })

  test.each([
    "none",
    "requested",
    "verified"
  ])("update email_pending: user.email.updating. Once verified it moves to email, email_pending is cleared, verified: %s", async (email_verification) => {
    const realm = await newRealm()
    const user = await realm.user({ email_verification })
    const email_pending = newEmail()
    const events = await realm.seen.caused(() => update(realm, user, { email_pending: email_pending.toUpperCase() }))
    expect(events).toEqual([event(user, "updated"), event(user, "email.updating")])
    expect(await emailsOf(realm, user)).toEqual([user.string("email"), email_pending, email_verification])
    const token = await carried(realm, "user.email.updating")
    expect(token).toEqual(tokenOf("tue:"))
    await proved(realm, user, token)
    expect(await emailsOf(realm, user)).toEqual([email_pending, null, "verified"])
    const [now, before] = [email_pending, user.string("email")].map((email) => realm.get(`/v2/users/${email}`))
    expect([(await now)?.id, (await before)?.status]).toEqual([user.id, 404])
    expect((await now)?.member("name")).toBe(email_pending.split("@")[0])
  })

  test("creating a user with requested triggers user.email.verifying in addition to user.created", async () => {
    const realm = await newRealm()
    const { result, events } = await realm.seen.during(() => realm.user({ email_verification: "requested" }))
    expect(events).toEqual([event(result, "created"), event(result, "email.verifying")])
    const token = await carried(realm, "user.email.verifying")
    expect(token).toEqual(tokenOf("tve:"))
    expect(result.text).not.toContain(String(token))
    await proved(realm, result, token)
  })

  test("creating one with a pending e-mail triggers user.email.updating", async () => {
    const realm = await newRealm()
    const email_pending = newEmail()
    const { result, events } = await realm.seen.during(() => realm.user({ email_pending }))
    expect(events).toEqual([event(result, "created"), event(result, "email.updating")])
    await proved(realm, result, await carried(realm, "user.email.updating"))
    expect(await emailsOf(realm, result)).toEqual([email_pending, null, "verified"])
  })

  test("once a caller vouches for the address, its proofs are no longer wanted", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email_verification: "requested" })
    const token = await carried(realm, "user.email.verifying")
    await update(realm, user, { email_verification: "verified" })
    expect(await carried(realm, "user.email.verifying")).toBeNull()
    await unusable(realm, token)
  })
})

describe("Events carry the tokens that prove an e-mail", () => {
  test.each([
    ["user.email.verifying", { email_verification: "requested" }],
    ["user.email.updating", { email_pending: newEmail() }]
  ])("%s: for readers of level write, until the token was used", async (type, attributes) => {
    const realm = await newRealm()
    await realm.user(attributes)
    const token = await carried(realm, type)
    expect(await carried(await realm.as("write"), type)).toBe(token)
    expect(await carried(await realm.as("read"), type)).toBeNull()
    expect((await verifyEmail(realm, token)).status).toBe(200)
    expect(await carried(realm, type)).toBeNull()
    const id = String((await realm.get(`/v2/events?event_type=${type}`)).items[0]?.["id"])
    expect((await realm.get(`/v2/events/${id}`)).member("token")).toBeNull()
  })
})
