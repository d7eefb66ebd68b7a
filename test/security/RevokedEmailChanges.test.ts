import { describe, expect, test, vi } from "vitest"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { hostedAt, person } from "../support/hostedApi.ts"
import { userEvent as event, OTHER_PASSWORD, PASSWORD, statusAndErrors } from "../support/logins.ts"
import {
  changers,
  type EntryPoint,
  firstCredential,
  type Person,
  quickUser,
  setters
} from "../support/passwordEntryPoints.ts"
import { clockedService, newRealm } from "../support/sallyport.ts"
import { emailToken, latestEventToken, UNUSABLE, verifyEmail, verifyEmailV1 } from "../support/tokens.ts"
import { linkTo, newPassword, onSecurityPage, visitorAtApp } from "../support/visitor.ts"

const newPerson = (): Person => ({
  username: uniqueText("jo"),
  email: `${uniqueText("jo")}@example.test`,
  first_name: "Jo",
  last_name: "Fox"
})

/** Makes a thief's email pending for a user. Returns the tokens that would verify it. */
const makeThiefEmailPending = async (realm: GivenRealm, userId: string): Promise<ReadonlyArray<string>> => {
  const changes = { email_verification: "verified", email_pending: `${uniqueText("thief")}@example.test` }
  const { status } = await realm.put(`/v2/users/${userId}`, { user: changes })
  expect(status).toBe(200)
  return [String(await latestEventToken(realm, "user.email.updating")), await emailToken(realm, userId)]
}

/** Asserts that the pending email is removed and its tokens are void. */
const expectChangeUndone = async (
  realm: GivenRealm,
  userId: string,
  [first, second]: ReadonlyArray<string>
): Promise<void> => {
  const { result, events } = await realm.seen.during(async () => [
    await verifyEmail(realm, first),
    await verifyEmailV1(realm, second)
  ])
  expect([...result.map(statusAndErrors), events]).toEqual([UNUSABLE, UNUSABLE, []])
  const user = await realm.get(`/v2/users/${userId}`)
  expect([user.member("email_pending"), user.string("email").startsWith("thief")]).toEqual([null, false])
}

const removers: ReadonlyArray<EntryPoint> = ["v1", "v2"].map((version) => ({
  name: `DELETE /${version}/credentials/{id} of a password`,
  open: async (realm, given) => {
    const { id: userId } = await quickUser(realm, given)
    const credential = await firstCredential(realm, userId)
    return { userId, set: () => realm.delete(`/${version}/credentials/${credential}`) }
  }
}))

describe("SEC-84: a pending email and its tokens", () => {
  test.each([...changers, ...setters, ...removers])("are voided by $name", async ({ open }) => {
    const realm = await newRealm()
    const { userId, set } = await open(realm, newPerson())
    const proofs = await makeThiefEmailPending(realm, userId)
    const { result, events } = await realm.seen.during(() => set(OTHER_PASSWORD))
    expect(result.status).toBeLessThan(300)
    expect(events.map(({ event_type }) => event_type)).not.toContain("user.email.updating")
    for (const way of [["email_pending"], ["user", "email_pending"]]) expect(result.member(...way) ?? null).toBe(null)
    await expectChangeUndone(realm, userId, proofs)
  })

  test("stay valid if the password change is rejected", async () => {
    const realm = await newRealm()
    const { userId, set } = await (changers[0] as EntryPoint).open(realm, newPerson())
    const [proof] = await makeThiefEmailPending(realm, userId)
    expect((await set("short")).status).toBe(422)
    expect((await verifyEmail(realm, proof)).status).toBe(200)
  })

  test("are voided by update_password and reset_password in the hosted login API", async () => {
    const { given, advance, postbox } = await clockedService()
    const realm = await given.realm()
    const hosted = await hostedAt(realm)
    const user = await person(realm)
    const email = user.string("email")
    const login = await hosted.post("login", { email, password: PASSWORD })
    const first = await makeThiefEmailPending(realm, user.id)
    const change = { token: login.string("token"), current_password: PASSWORD, password: OTHER_PASSWORD }
    expect((await hosted.post("updatePassword", change)).status).toBe(200)
    await expectChangeUndone(realm, user.id, first)

    const second = await makeThiefEmailPending(realm, user.id)
    await hosted.post("forgotPassword", { email })
    // The email is created after the response.
    const token = await vi.waitFor(async () => {
      await advance("1 second")
      const [, mailed] =
        /token=(kpw_\w+)/.exec(
          postbox
            .to(email)
            .map(({ text }) => text)
            .join()
        ) ?? []
      if (mailed === undefined) throw new Error("No token was emailed.")
      return mailed
    }, 10_000)
    const { events } = await realm.seen.during(() => hosted.post("resetPassword", { token, password: PASSWORD }))
    expect(events[0]).toEqual(event(user, "password_token.consumed"))
    await expectChangeUndone(realm, user.id, second)
  })

  test("are voided by the password form at /security and by a reset on the hosted pages", async () => {
    const { given } = await clockedService()
    const realm = await given.realm()
    const { visitor, user, email } = await onSecurityPage(realm)
    const first = await makeThiefEmailPending(realm, user.id)
    await visitor.fill(newPassword(PASSWORD, OTHER_PASSWORD), "Change password")
    await expectChangeUndone(realm, user.id, first)

    const second = await makeThiefEmailPending(realm, user.id)
    await (await clockedService()).advance("1 second")
    ;(await clockedService()).postbox.take(email)
    await visitor.open("/forgot")
    await visitor.fill({ name: email })
    await visitor.open(await linkTo(email))
    await visitor.fill({ password: PASSWORD, password_confirmation: PASSWORD })
    expect(visitor.page.status).toBe(200)
    await expectChangeUndone(realm, user.id, second)
  })
})

describe("SEC-84: an email sent in the same request as a new password stays pending, with new tokens", () => {
  test.each([
    ["PUT /v2/users/{id}", "", "email_pending", "updated"],
    ["PUT /v2/users/{id}/profile", "/profile", "email", "profile.updated"]
  ])("%s", async (_, path, member, eventName) => {
    const realm = await newRealm()
    const { user } = await visitorAtApp(realm)
    const [before, again] = await makeThiefEmailPending(realm, user.id)
    const pending = (await realm.get(`/v2/users/${user.id}`)).string("email_pending")
    const changes = { password: OTHER_PASSWORD, [member]: pending }
    const { result, events } = await realm.seen.during(() =>
      realm.put(`/v2/users/${user.id}${path}`, { user: changes })
    )
    expect([result.status, result.member("email_pending")]).toEqual([200, pending])
    expect(events).toEqual([event(user, eventName), event(user, "email.updating")])
    expect([(await verifyEmail(realm, before)).status, (await verifyEmail(realm, again)).status]).toEqual([422, 422])
    const proof = await latestEventToken(realm, "user.email.updating")
    expect((await verifyEmail(realm, proof)).member("email")).toBe(pending)
  })
})
