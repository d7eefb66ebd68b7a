import { decodeJwt } from "jose"
import { describe, expect, test } from "vitest"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { codeOf, sendCode, withEmailCodes } from "../support/codes.ts"
import { logIn, oauth2StandIn, profile } from "../support/external.ts"
import { exportedRows, exportOf, importRows } from "../support/imports.ts"
import { authenticate, complete, enrolled, userEvent as event, PASSWORD, statusAndErrors } from "../support/logins.ts"
import { service } from "../support/sallyport.ts"
import { tokenOf } from "../support/tokens.ts"

const addressOf = (name: string) => `${uniqueText(name)}@example.test`

/** The email claims in a new login token for the user. */
const emailClaims = async (realm: GivenRealm, user_id: string) => {
  const session = await realm.post("/v2/sessions", { session: { user_id } })
  const { email, email_verified } = decodeJwt(session.string("token"))
  return { email, email_verified }
}

/** Creates a user whose verified email was then replaced, via the API, with somebody else's email. */
const givenReplacedEmail = async (changes: object = {}) => {
  const realm = await (await service()).given.realm()
  const user = await realm.user({ password: PASSWORD, email_verification: "verified" })
  const victims = addressOf("victim")
  const { body } = await realm.put(`/v2/users/${user.id}`, { user: { email: victims, ...changes } })
  return { realm, user, victims, body }
}

describe("SEC-243: an address that replaces a verified address", () => {
  test("keeps `email_verification` but is unverified in the login token", async () => {
    const { realm, user, victims, body } = await givenReplacedEmail()
    expect(body).toMatchObject({ email: victims, email_verification: "verified" })
    expect(await emailClaims(realm, user.id)).toEqual({ email: victims, email_verified: false })
  })

  test("is verified if the caller resets the verification and then sets it", async () => {
    const { realm, user, victims } = await givenReplacedEmail({ email_verification: "none" })
    const verify = () => realm.put(`/v2/users/${user.id}`, { user: { email_verification: "verified" } })
    expect(await realm.seen.caused(verify)).toEqual([event(user, "updated"), event(user, "email.verified")])
    expect(await emailClaims(realm, user.id)).toEqual({ email: victims, email_verified: true })
    expect(await realm.seen.caused(verify)).toEqual([])
  })

  test("is reclaimed by a provider login that verified the address, and the former password fails", async () => {
    const { realm, user, victims } = await givenReplacedEmail()
    const { provider } = await oauth2StandIn(realm, profile({ email: victims, email_verified: true }))
    const session = await realm.session(user.id)
    const { result, events } = await realm.seen.during(() => logIn(realm, provider.id))
    expect([result.status, result.string("user_id")]).toEqual([201, user.id])
    expect(events).toEqual([
      event(user, "updated"),
      { event_type: "session.deleted", user_id: user.id, session_id: session.id },
      { ...event(user, "login.succeeded"), session_id: result.id }
    ])
    expect((await authenticate(realm, user.id)).status).toBe(422)
    expect(await emailClaims(realm, user.id)).toEqual({ email: victims, email_verified: true })
  })

  test("is reclaimed by a login with an emailed code, which removes the former authenticator app", async () => {
    const { realm, user, victims } = await givenReplacedEmail()
    await withEmailCodes(realm)
    await enrolled(realm, user.id)
    const token = (await sendCode(realm, user.id)).string("token")
    expect((await complete(realm, token, await codeOf(realm, user.id))).member("amr")).toEqual(["otp"])
    expect(await emailClaims(realm, user.id)).toEqual({ email: victims, email_verified: true })
  })

  test("is not verified by sending back the values that were read", async () => {
    const { realm, user, victims } = await givenReplacedEmail()
    const { email, email_verification } = (await realm.get(`/v2/users/${user.id}`)).body as Record<string, unknown>
    expect([email, email_verification]).toEqual([victims, "verified"])
    const { result, events } = await realm.seen.during(() =>
      realm.put(`/v2/users/${user.id}`, { user: { email, email_verification } })
    )
    expect([result.status, events]).toEqual([200, []])
    const third = addressOf("third")
    await realm.put(`/v2/users/${user.id}`, { user: { email: third, email_verification } })
    expect(await emailClaims(realm, user.id)).toEqual({ email: third, email_verified: false })
    for (const value of ["none", "verified"])
      await realm.put(`/v2/users/${user.id}`, { user: { email_verification: value } })
    expect(await emailClaims(realm, user.id)).toEqual({ email: third, email_verified: true })
  })

  test("receives no codes as a second factor", async () => {
    const { realm, user } = await givenReplacedEmail()
    await withEmailCodes(realm, { second_factor: true })
    await enrolled(realm, user.id)
    const pending = (await authenticate(realm, user.id)).string("token")
    const sent = await sendCode(realm, user.id, { user: { token: pending } })
    const reason = "Email is not verified, so a code sent to it can't be a second factor."
    expect(statusAndErrors(sent)).toEqual([422, [reason]])
    await withEmailCodes(realm, { second_factor: false })
    const off = await sendCode(realm, user.id, { user: { token: pending } })
    expect(statusAndErrors(off)).toEqual([422, ["This login method is turned off for this realm."]])
  })

  test("can be verified by email like a new address", async () => {
    const { realm, user, victims } = await givenReplacedEmail()
    const request = () => realm.post(`/v2/users/${user.id}/request_email_verification`, {})
    const { result, events } = await realm.seen.during(request)
    expect(result.body).toEqual({ object: "token", token: tokenOf("tve:") })
    expect(events).toEqual([event(user, "updated"), event(user, "email.verifying")])
    await realm.post("/v2/users/verify_email", { user: { token: result.string("token") } })
    expect(await emailClaims(realm, user.id)).toEqual({ email: victims, email_verified: true })
  })

  test("is not verified by an export followed by an import", async () => {
    const { realm, user, victims } = await givenReplacedEmail()
    const rows = exportedRows(await exportOf(realm))
    expect(rows[0]).not.toHaveProperty("email_verification")
    const other = await (await service()).given.realm()
    await importRows(other, rows)
    expect(await emailClaims(other, (await other.get(`/v2/users/${victims}`)).id)).toMatchObject({
      email_verified: false
    })
    expect(await importRows(realm, rows)).toMatchObject({ summary: { unchanged: 1, updated: 0 } })
    expect((await realm.get(`/v2/users/${user.id}`)).member("email_verification")).toBe("verified")
  })

  test("is verified by an import only if the row sets the address to verified", async () => {
    const { realm, user } = await givenReplacedEmail()
    const [second, third] = [addressOf("second"), addressOf("third")]
    await importRows(realm, [{ reference: user.id, email: second }])
    expect(await emailClaims(realm, user.id)).toEqual({ email: second, email_verified: false })
    await importRows(realm, [{ reference: user.id, email: third, email_verification: "verified" }])
    expect(await emailClaims(realm, user.id)).toEqual({ email: third, email_verified: true })
  })
})
