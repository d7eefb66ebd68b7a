import { createHash } from "node:crypto"
import { describe, expect, test } from "vitest"
import { Api, type Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { authenticate, userEvent as event, PASSWORD, statusAndErrors } from "../support/logins.ts"
import { query } from "../support/query.ts"
import { newRealm, ownService } from "../support/sallyport.ts"
import { newHolder, tokenKinds } from "../support/tokenKinds.ts"
import {
  emailToken,
  latestEventToken,
  passwordToken,
  passwordTokenV1,
  reset,
  resetV1,
  UNUSABLE,
  verifyEmail
} from "../support/tokens.ts"

const typesOf = (events: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
  events.map(({ event_type }) => String(event_type))

const newPassword = () => `${uniqueText("purple")} elephants`

/** Sets a different password with each token concurrently and asserts that exactly one reset takes effect. */
const expectOneWinner = async (realm: GivenRealm, user: Reply, tokens: ReadonlyArray<string>) => {
  const attempts = tokens.map((token) => ({ token, password: newPassword() }))
  const { result, events } = await realm.seen.during(() =>
    Promise.all(
      attempts.map(({ token, password }) =>
        token.startsWith("kpw_") ? resetV1(realm, token, "--", password) : reset(realm, token, password)
      )
    )
  )
  expect(result.map(({ status }) => status).toSorted()).toEqual([200, ...tokens.slice(1).map(() => 422)])
  const types = typesOf(events).filter((type) => type !== "user.password_token.failed")
  const winner = result.findIndex(({ status }) => status === 200)
  const loggedIn = tokens[winner]?.startsWith("tpw:") ? ["user.login.succeeded"] : []
  expect(types).toEqual(["user.password_token.consumed", ...loggedIn])
  const password = attempts[winner]?.password
  expect((await authenticate(realm, user.id, password)).status).toBe(200)
  expect((await realm.get(`/v2/users/${user.id}`)).member("credentials")).toHaveLength(1)
}

describe("SEC-21, CVE-2026-1035: a reset token", () => {
  test("works exactly once in 20 concurrent resets", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const token = await passwordToken(realm, user.id)
    await expectOneWinner(
      realm,
      user,
      Array.from({ length: 20 }, () => token)
    )
  })

  test("works exactly once if several tokens of a user are used concurrently, and voids the other tokens", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const tokens: Array<string> = []
    for (const _ of [1, 2, 3, 4])
      tokens.push(await passwordToken(realm, user.id), await passwordTokenV1(realm, user.id))
    await expectOneWinner(realm, user, tokens)
  })

  test("is not used up by a weak password", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const token = await passwordToken(realm, user.id)
    for (const weak of ["short", "password1", user.string("email").split("@")[0]]) {
      const { result, events } = await realm.seen.during(() => reset(realm, token, weak))
      expect([weak, result.status, events]).toEqual([weak, 422, []])
      expect(statusAndErrors(result)).not.toEqual(UNUSABLE)
    }
    expect((await reset(realm, token)).status).toBe(200)
    expect(statusAndErrors(await reset(realm, token))).toEqual(UNUSABLE)
  })

  test("is either voided by a concurrent password or email change, or used before the change", async () => {
    const realm = await newRealm()
    for (const changes of [{ password: newPassword() }, { email: `${uniqueText("moved")}@example.test` }]) {
      const user = await realm.user({ password: PASSWORD })
      const token = await passwordToken(realm, user.id)
      const chosen = newPassword()
      const change = () => realm.put(`/v2/users/${user.id}`, { user: changes })
      const [done, changed] = await Promise.all([reset(realm, token, chosen), change()])
      expect([200, 422]).toContain(done.status)
      expect(changed.status).toBe(200)
      expect(statusAndErrors(await reset(realm, token))).toEqual(UNUSABLE)
      const types = typesOf((await realm.get(`/v2/events?user_id=${user.id}`)).items)
      const resetLast = types.indexOf("user.password_token.consumed") > types.indexOf("user.updated")
      const password = "password" in changes && !resetLast ? changes.password : done.status === 200 ? chosen : PASSWORD
      expect((await authenticate(realm, user.id, password)).status).toBe(200)
    }
  })
})

describe("SEC-24, CVE-2025-64708, GHSA-w9fp-wv6g-pqv8: expired secrets are rejected even before a cleanup", () => {
  test("one-time tokens of every kind", () =>
    ownService(async ({ given, clock, sql }) => {
      const realm = await given.realm()
      const now = () => clock.currentTimeMillisUnsafe()
      for (const [kind, { minutes, make, use }] of Object.entries(tokenKinds)) {
        const [first, second] = [await newHolder(realm, now()), await newHolder(realm, now())]
        const [one, two] = [await make(realm, first), await make(realm, second)]
        clock.advance(minutes * 60_000 - 1)
        expect([kind, (await use(realm, one, first, now())).status < 300]).toEqual([kind, true])
        clock.advance(1)
        expect([kind, (await use(realm, two, second, now())).status]).toEqual([kind, kind === "kli_" ? 404 : 422])
        const table = { utk_: "signup_tokens", nvt_: "invitations" }[kind] ?? "one_time_tokens"
        const digest = createHash("sha256").update(two).digest()
        const condition = kind === "nvt_" ? sql`token_digest = ${digest}` : sql`id = ${digest.toString("base64")}`
        const row = sql`select 1 from ${sql(table)} where realm_id = ${realm.id} and ${condition}`
        expect([kind, (await query(row)).length]).toEqual([kind, 1])
      }
    }))

  test("sessions and API keys", () =>
    ownService(async ({ given, clock, sql }) => {
      const realm = await given.realm({ session_minutes: 10 })
      const session = await realm.session((await realm.user()).id)
      const expires_at = clock.currentTimeMillisUnsafe() / 1000 + 600
      const created = await realm.post("/v2/api_keys", {
        api_key: { name: "short", level: "write", realm_id: realm.id, expires_at }
      })
      const caller = new Api(realm.transport, created.string("key"))
      clock.advance(600_000 - 1)
      expect((await caller.get(`/v2/sessions/${session.id}`)).status).toBe(200)
      clock.advance(1)
      expect((await realm.get(`/v2/sessions/${session.id}`)).status).toBe(404)
      expect((await realm.get("/v2/sessions")).items).toEqual([])
      expect((await caller.get("/v2/users")).status).toBe(401)
      for (const table of ["sessions", "api_keys"]) {
        const rows = await query(sql`select 1 from ${sql(table)} where realm_id = ${realm.id}`)
        expect(rows.length).toBeGreaterThan(0)
      }
    }))
})

describe("SEC-26, CVE-2026-14781, CVE-2026-9087: an email verification token", () => {
  const emailsOf = async (realm: GivenRealm, { id }: Reply) => {
    const user = await realm.get(`/v2/users/${id}`)
    return [user.member("email"), user.member("email_pending"), user.member("email_verification")]
  }

  const newEmail = () => `${uniqueText("next")}@example.test`

  /** Makes an address pending, by an update or in the profile, and returns the token from its event. */
  const makeEmailPending = async (
    realm: GivenRealm,
    { id }: Reply,
    email: string | null,
    entryPoint: "email_pending" | "profile"
  ) => {
    const reply =
      entryPoint === "profile"
        ? await realm.put(`/v2/users/${id}/profile`, { user: { email } })
        : await realm.put(`/v2/users/${id}`, { user: { email_pending: email } })
    expect(reply.status).toBe(200)
    return latestEventToken(realm, "user.email.updating")
  }

  test.each([
    "email_pending",
    "profile"
  ] as const)("%s: verifies only the latest of two pending emails", async (entryPoint) => {
    const realm = await newRealm()
    const user = await realm.user()
    const [first, second] = [newEmail(), newEmail()]
    const old = await makeEmailPending(realm, user, first, entryPoint)
    const token = await makeEmailPending(realm, user, second, entryPoint)
    expect(statusAndErrors(await verifyEmail(realm, old))).toEqual(UNUSABLE)
    expect(await emailsOf(realm, user)).toEqual([user.string("email"), second, "none"])
    expect((await verifyEmail(realm, token)).status).toBe(200)
    expect(await emailsOf(realm, user)).toEqual([second, null, "verified"])
  })

  test("is void once the email is no longer pending, even if the email becomes pending again", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const email = newEmail()
    const old = await makeEmailPending(realm, user, email, "email_pending")
    await makeEmailPending(realm, user, null, "email_pending")
    const token = await makeEmailPending(realm, user, email, "email_pending")
    expect(statusAndErrors(await verifyEmail(realm, old))).toEqual(UNUSABLE)
    expect((await verifyEmail(realm, token)).status).toBe(200)
  })

  test("can't verify the next email or the same email set again later", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const old = await emailToken(realm, user.id)
    const change = (email: string) => realm.put(`/v2/users/${user.id}`, { user: { email } })
    const next = newEmail()
    await change(next)
    expect(statusAndErrors(await verifyEmail(realm, old))).toEqual(UNUSABLE)
    expect(await emailsOf(realm, user)).toEqual([next, null, "requested"])
    await change(user.string("email"))
    expect(statusAndErrors(await verifyEmail(realm, old))).toEqual(UNUSABLE)
    expect(await emailsOf(realm, user)).toEqual([user.string("email"), null, "requested"])
  })

  test("leaves the pending email pending if the token is for the current email", async () => {
    const realm = await newRealm()
    const email_pending = newEmail()
    const user = await realm.user({ email_pending, email_verification: "requested" })
    const [own, pending] = [
      await latestEventToken(realm, "user.email.verifying"),
      await latestEventToken(realm, "user.email.updating")
    ]
    expect((await verifyEmail(realm, pending)).status).toBe(200)
    expect(await emailsOf(realm, user)).toEqual([email_pending, null, "verified"])
    expect(statusAndErrors(await verifyEmail(realm, own))).toEqual(UNUSABLE)
  })

  test("verifies the email for only one user", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const email = user.string("email")
    const token = await emailToken(realm, user.id)
    await realm.put(`/v2/users/${user.id}`, { user: { email: newEmail() } })
    const other = await realm.user({ email, email_verification: "requested" })
    expect(statusAndErrors(await verifyEmail(realm, token))).toEqual(UNUSABLE)
    const atOther = await realm.post(`/v1/users/${other.id}/verify_email`, { user: { token } })
    expect(statusAndErrors(atOther)).toEqual(UNUSABLE)
    expect(await emailsOf(realm, other)).toEqual([email, null, "requested"])
  })

  test("doesn't verify an email that becomes pending in the meantime", async () => {
    const realm = await newRealm()
    for (const _ of [1, 2, 3, 4, 5, 6]) {
      const [first, second] = [newEmail(), newEmail()]
      const user = await realm.user({ email_pending: first })
      const token = await latestEventToken(realm, "user.email.updating")
      const [proof] = await Promise.all([
        verifyEmail(realm, token),
        realm.put(`/v2/users/${user.id}`, { user: { email_pending: second } })
      ])
      expect(await emailsOf(realm, user)).toEqual(
        proof.status === 200 ? [first, second, "verified"] : [user.string("email"), second, "none"]
      )
    }
  })

  test("succeeds exactly once in 20 concurrent submissions", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const token = await emailToken(realm, user.id)
    const { result, events } = await realm.seen.during(() =>
      Promise.all(Array.from({ length: 20 }, () => verifyEmail(realm, token)))
    )
    expect(result.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(events).toEqual([event(user, "email.verified")])
  })
})
