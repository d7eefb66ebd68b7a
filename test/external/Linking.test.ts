import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { uniqueText } from "#testing/Given"
import { newApiUser } from "../support/credentials.ts"
import { logIn, mapping, oauth2StandIn, profile } from "../support/external.ts"
import { authenticate, complete, enrolled, PASSWORD, statusAndErrors } from "../support/logins.ts"
import { newRealm } from "../support/sallyport.ts"

const FAILED = [422, ["Login failed."]]
const UNVERIFIED = [422, ["A user with this email already exists, and the provider has not verified it."]]

/** The events of a login that links a profile to a user, with the sessions it ends. */
const linkedEvents = (reply: Reply, ended: ReadonlyArray<Reply> = []) => {
  const user_id = reply.string("user_id")
  return [
    { event_type: "user.updated", user_id },
    ...ended.map(({ id }) => ({ event_type: "session.deleted", user_id, session_id: id })),
    { event_type: "user.login.succeeded", user_id, session_id: reply.id }
  ]
}

/** A user with a session and this verification state, and a provider that reports the same email. */
const userAndProfile = async (email_verification: string, email_verified: boolean | undefined) => {
  const realm = await newRealm()
  const user = await realm.user({ email: "jo@example.test", email_verification })
  const session = await realm.session(user.id)
  const told = profile({ email: "Jo@Example.Test", email_verified })
  const { provider, double } = await oauth2StandIn(realm, told)
  return { realm, user, session, provider, double }
}

describe("CVE-2023-0105: a profile with the email of an existing user (C43)", () => {
  describe.each(["none", "requested"])("whose email was never verified (%s)", (verification) => {
    test("is linked and verifies the user if the provider has verified the email", async () => {
      const { realm, user, session, provider } = await userAndProfile(verification, true)
      const { result, events } = await realm.seen.during(() => logIn(realm, provider.id))
      expect([result.status, result.string("user_id")]).toEqual([201, user.id])
      expect(events).toEqual(linkedEvents(result, [session]))
      expect(result.member("user", "email_verification")).toBe("verified")
      expect((await realm.get(`/v2/sessions/${session.id}`)).status).toBe(404)
    })

    test.each([
      ["reports the email as unverified", false],
      ["doesn't report whether it is verified", undefined]
    ])("is rejected with user_email and without events if the provider %s", async (_, emailVerified) => {
      const { realm, user, session, provider } = await userAndProfile(verification, emailVerified)
      const { result, events } = await realm.seen.during(() => logIn(realm, provider.id))
      expect([...statusAndErrors(result), events]).toEqual([...UNVERIFIED, []])
      expect(result.body).toMatchObject({
        provider_id: provider.id,
        user_email: "jo@example.test",
        retry_url: expect.stringContaining("/authorize?")
      })
      const after = await realm.get(`/v2/users/${user.id}`)
      expect([after.member("email_verification"), after.member("credentials")]).toEqual([verification, []])
      expect((await realm.get(`/v2/sessions/${session.id}`)).status).toBe(200)
    })
  })

  describe("whose email is verified", () => {
    test("is linked without other changes if the provider has verified the email", async () => {
      const { realm, user, session, provider } = await userAndProfile("verified", true)
      const { result, events } = await realm.seen.during(() => logIn(realm, provider.id))
      expect([result.status, result.string("user_id")]).toEqual([201, user.id])
      expect(events).toEqual(linkedEvents(result))
      expect((await realm.get(`/v2/sessions/${session.id}`)).status).toBe(200)
    })

    test.each([
      ["reports the email as unverified", false],
      ["doesn't report whether it is verified", undefined]
    ])("is rejected with user_email and without events if the provider %s", async (_, emailVerified) => {
      const { realm, user, provider } = await userAndProfile("verified", emailVerified)
      const { result, events } = await realm.seen.during(() => logIn(realm, provider.id))
      expect([...statusAndErrors(result), result.member("user_email"), events]).toEqual([
        ...UNVERIFIED,
        "jo@example.test",
        []
      ])
      expect((await realm.get(`/v2/users/${user.id}`)).member("credentials")).toEqual([])
    })
  })
})

describe("CVE-2026-44166, GHSA-g38m-r43w-p2q7, GHSA-qq9h-g4jm-xgf3: proving the email of an unverified account", () => {
  test("blocks the account's password until the password is reset", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email: "victim@example.test", password: PASSWORD })
    const { provider } = await oauth2StandIn(realm, profile({ email: "victim@example.test" }))
    await logIn(realm, provider.id)
    expect(statusAndErrors(await authenticate(realm, user.id))).toEqual(FAILED)
    const change = { current_password: PASSWORD, password: "eight yellow giraffes" }
    const updated = await realm.put(`/v2/users/${user.id}/update_password`, { user: change })
    expect(statusAndErrors(updated)).toEqual([422, ["Current password does not match."]])
    const listed = (await realm.get(`/v2/users/${user.id}`)).member("credentials")
    expect(listed).toEqual([
      expect.objectContaining({ credential_type: "password" }),
      expect.objectContaining({ credential_type: "oauth2" })
    ])
    const token = (await realm.post(`/v2/users/${user.id}/generate_password_token`, {})).string("token")
    const reset = { token, password: "eight yellow giraffes" }
    expect((await realm.post("/v2/users/reset_password_with_token", { user: reset })).status).toBe(200)
    expect((await authenticate(realm, user.id, "eight yellow giraffes")).status).toBe(200)
  })

  test("revokes the account's reset tokens, verification links, pending email and other profiles", async () => {
    const realm = await newRealm()
    const email = "victim@example.test"
    const attacker = await oauth2StandIn(realm, profile({ email, email_verified: false }))
    const made = await logIn(realm, attacker.provider.id)
    const path = `/v2/users/${made.string("user_id")}`
    await realm.put(path, { user: { email_pending: "attacker@example.test" } })
    const reset = (await realm.post(`${path}/generate_password_token`, {})).string("token")
    const proof = (await realm.post(`${path}/request_email_verification`, {})).string("token")

    const { provider } = await oauth2StandIn(realm, profile({ email }))
    const { result, events } = await realm.seen.during(() => logIn(realm, provider.id))
    expect(events).toEqual(linkedEvents(result, [made]))
    expect(result.member("user", "email_pending")).toBe(null)
    const changed = await realm.post("/v2/users/reset_password_with_token", {
      user: { token: reset, password: PASSWORD }
    })
    const verified = await realm.post("/v2/users/verify_email", { user: { token: proof } })
    expect([changed.status, verified.status]).toEqual([422, 422])
    expect(statusAndErrors(await logIn(realm, attacker.provider.id))).toEqual(UNVERIFIED)
    expect((await realm.get(path)).member("credentials", 1)).toBe(undefined)
  })

  test("SEC-86: removes the account's authenticator app, so that the owner isn't locked out", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email: "jo@example.test" })
    await enrolled(realm, user.id)
    const { provider } = await oauth2StandIn(realm, profile({ email: "jo@example.test" }))
    const { result, events } = await realm.seen.during(() => logIn(realm, provider.id))
    expect([result.status, result.string("user_id"), events]).toEqual([201, user.id, linkedEvents(result)])
    const left = (await realm.get(`/v2/users/${user.id}`)).member("credentials")
    expect(left).toEqual([expect.objectContaining({ credential_type: "oauth2" })])
  })

  test("keeps the second factor and other profiles of a user who was verified before", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email: "jo@example.test", email_verification: "verified" })
    // Verification has been requested again in the meantime.
    await realm.put(`/v2/users/${user.id}`, { user: { email_verification: "requested" } })
    const device = await enrolled(realm, user.id)
    const { provider } = await oauth2StandIn(realm, profile({ email: "jo@example.test" }))
    const { result, events } = await realm.seen.during(() => logIn(realm, provider.id))
    expect([result.status, result.body]).toEqual([201, { object: "token", token: expect.stringMatching(/^tmf:/) }])
    expect(events).toEqual([
      { event_type: "user.updated", user_id: user.id },
      { event_type: "user.login.initiated", user_id: user.id }
    ])
    expect((await complete(realm, result.member("token"), device.code())).status).toBe(200)
    const { result: v1 } = await realm.seen.during(() =>
      realm.post(`/v1/auth_providers/${provider.id}/authorize`, { access_token: "at" })
    )
    expect([v1.status, v1.id, v1.member("token")]).toEqual([200, user.id, expect.stringMatching(/^kli_/)])
  })
})

describe("a provider login is rejected", () => {
  test("CVE-2025-53942 CVE-2025-64521: if the email belongs to an inactive user or an API user", async () => {
    const realm = await newRealm()
    await realm.user({ email: "gone@example.test", state: "inactive", email_verification: "verified" })
    const robot = await newApiUser(realm)
    await realm.put(`/v1/users/${robot.id}`, { user: { email: "robot@example.test" } })
    for (const email of ["gone@example.test", "robot@example.test"]) {
      const { provider } = await oauth2StandIn(realm, profile({ email }))
      const { result, events } = await realm.seen.during(() => logIn(realm, provider.id))
      expect([...statusAndErrors(result), result.member("user_email"), events]).toEqual([...FAILED, email, []])
    }
  })

  test("SEC-55: if the profile belongs to an inactive user, until the user is active again", async () => {
    const realm = await newRealm()
    const { provider } = await oauth2StandIn(realm, profile())
    const user_id = (await logIn(realm, provider.id)).string("user_id")
    await realm.put(`/v2/users/${user_id}`, { user: { state: "inactive" } })
    const { result, events } = await realm.seen.during(() => logIn(realm, provider.id))
    expect([...statusAndErrors(result), events]).toEqual([...FAILED, []])
    await realm.put(`/v2/users/${user_id}`, { user: { state: "active" } })
    expect((await logIn(realm, provider.id)).status).toBe(201)
  })

  test.each([
    ["none", {}],
    ["null", { email: null }],
    ["two addresses", { email: "a@example.test, b@example.test" }],
    ["not an address", { email: "jo" }],
    ["a number", { email: 42 }],
    ["a list", { email: ["jo@example.test"] }]
  ])("and returns user_email null if the profile has no usable email: %s", async (_, told) => {
    const realm = await newRealm()
    const { email: __, ...rest } = profile()
    const { provider } = await oauth2StandIn(realm, { ...rest, ...told })
    const { result, events } = await realm.seen.during(() => logIn(realm, provider.id))
    expect([...statusAndErrors(result), result.member("user_email"), events]).toEqual([
      422,
      ["The provider didn't share an email address."],
      null,
      []
    ])
  })

  test("if the user already has another profile of the same provider", async () => {
    const realm = await newRealm()
    const told = profile()
    const { provider, double } = await oauth2StandIn(realm, told)
    await logIn(realm, provider.id)
    double.answers({ profile: { ...told, sub: uniqueText("heir") } })
    const reply = await logIn(realm, provider.id)
    expect(statusAndErrors(reply)).toEqual([
      422,
      ["The user with this email is linked to another profile at this provider."]
    ])
    expect(reply.member("user_email")).toBe(told.email)
  })
})

describe("the user of a provider profile", () => {
  test("is found by the profile's id even after the profile's email has changed", async () => {
    const realm = await newRealm()
    const told = profile()
    const { provider, double } = await oauth2StandIn(realm, told)
    const first = await logIn(realm, provider.id)
    const other = await realm.user({ email: "other@example.test", email_verification: "verified" })
    double.answers({ profile: { ...told, email: "other@example.test" } })
    const again = await logIn(realm, provider.id)
    expect(again.string("user_id")).toBe(first.string("user_id"))
    expect((await realm.get(`/v2/users/${other.id}`)).member("credentials")).toEqual([])
  })

  test("is a new user if several users share the email", async () => {
    const realm = await newRealm({ require_unique_emails: false })
    const twins = [await realm.user({ email: "twin@example.test" }), await realm.user({ email: "twin@example.test" })]
    const { provider } = await oauth2StandIn(realm, profile({ email: "twin@example.test" }))
    const { result, events } = await realm.seen.during(() => logIn(realm, provider.id))
    expect(twins.map(({ id }) => id)).not.toContain(result.string("user_id"))
    expect(events.map(({ event_type }) => event_type)).toEqual(["user.created", "user.login.succeeded"])
  })

  test("is created unverified if the provider has not verified the email", async () => {
    const realm = await newRealm()
    const { provider } = await oauth2StandIn(realm, profile({ email_verified: false }))
    const reply = await logIn(realm, provider.id)
    expect([reply.status, reply.member("user", "email_verification")]).toEqual([201, "none"])
  })

  test.each([
    [true, "verified"],
    ["true", "verified"],
    ["yes", "none"],
    [1, "none"],
    [{}, "none"],
    ["TRUE", "none"]
  ])("is verified only if email_verified is unambiguous: %j gives %s", async (email_verified, expected) => {
    const realm = await newRealm()
    const { provider } = await oauth2StandIn(realm, profile({ email_verified }))
    expect((await logIn(realm, provider.id)).member("user", "email_verification")).toBe(expected)
  })

  test("gets the first and last name from the full name if they are too long or not strings", async () => {
    const realm = await newRealm()
    const odd = { given_name: "x".repeat(300), family_name: { a: 1 }, fullname: "  Ada King  Lovelace " }
    const { provider } = await oauth2StandIn(realm, profile(odd), { name_field: "fullname" })
    const user = (await logIn(realm, provider.id)).member("user")
    expect(user).toMatchObject({ first_name: "Ada", last_name: "King  Lovelace" })
  })

  test("is read from nested fields named with dots, and may have a numeric id", async () => {
    const realm = await newRealm()
    const told = { data: { user: { id: 42, mail: "deep@example.test", ok: true } } }
    const { provider } = await oauth2StandIn(realm, told, {
      ...mapping,
      id_field: "data.user.id",
      email_field: "data.user.mail",
      email_verified_field: "data.user.ok"
    })
    const reply = await logIn(realm, provider.id)
    expect(reply.member("user")).toMatchObject({ email: "deep@example.test", email_verification: "verified" })
  })

  test("is created only once by concurrent first logins", async () => {
    const realm = await newRealm()
    const { provider } = await oauth2StandIn(realm, profile())
    const all = await Promise.all(Array.from({ length: 4 }, () => logIn(realm, provider.id)))
    expect(all.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(all.map((reply) => reply.string("user_id"))).size).toBe(1)
    const types = (await realm.seen.all()).map(({ event_type }) => event_type)
    expect(types.filter((type) => type === "user.created")).toEqual(["user.created"])
    expect(types).not.toContain("user.updated")
  })
})
