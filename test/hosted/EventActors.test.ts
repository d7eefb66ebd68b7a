import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { appWithDouble, logInAtProvider } from "../external/BrowserLogins.ts"
import { profile } from "../support/external.ts"
import { hostedAt, userAtApp } from "../support/hostedApi.ts"
import { OTHER_PASSWORD, PASSWORD } from "../support/logins.ts"
import { pageOf } from "../support/pages.ts"
import { quickUser } from "../support/passwordEntryPoints.ts"
import { clockedService, newRealm, ownService } from "../support/sallyport.ts"
import { passwordTokenV1 } from "../support/tokens.ts"
import { linkTo, onProfilePage, Visitor, visitorAtApp } from "../support/visitor.ts"

/** The events of an action: each type with its actor, the changed members of an update and the reason. */
const eventsOf = async (realm: GivenRealm, act: () => Promise<unknown>) => {
  const before = (await realm.seen.all()).length
  await act()
  return (await realm.seen.all())
    .slice(before)
    .map(({ event_type, actor, changed, reason }) =>
      [event_type, actor, changed ?? reason].filter((told) => told !== undefined)
    )
}

const visitorOf = (app: Reply) => ({ type: "client_app", id: app.id })
const userOf = ({ id }: Pick<Reply, "id">) => ({ type: "user", id })

/** The only user of the realm. */
const onlyUserId = async (realm: GivenRealm) => String((await realm.get("/v2/users")).items[0]?.["id"])

const passwordFields = (password: string) => ({ password, password_confirmation: password })

describe("the actor of a hosted login event", () => {
  test("is the app's visitor when the password is wrong and the user when it is right", async () => {
    const realm = await newRealm()
    const { user, app, email, visitor } = await visitorAtApp(realm)
    expect(await eventsOf(realm, () => visitor.logIn(email, "not this one"))).toEqual([
      ["user.login.failed", visitorOf(app), "wrong_password"]
    ])
    expect(await eventsOf(realm, () => visitor.logIn(email))).toEqual([["user.login.succeeded", userOf(user)]])
  })

  test("is not recorded for an unknown name, which causes no event", async () => {
    const realm = await newRealm()
    const { visitor } = await visitorAtApp(realm)
    expect(await eventsOf(realm, () => visitor.logIn("nobody@example.test"))).toEqual([])
  })

  test("is the user for a logout or a profile change", async () => {
    const realm = await newRealm()
    const { user, visitor } = await onProfilePage(realm)
    const profile = () => visitor.fill({ first_name: "Eve" }, "Save")
    expect(await eventsOf(realm, profile)).toEqual([["user.profile.updated", userOf(user), ["first_name", "name"]]])
    await visitor.open("/logout")
    expect(await eventsOf(realm, () => visitor.fill())).toEqual([["session.deleted", userOf(user), "logged_out"]])
  })

  test("is the user for a password change with a token and for the sessions that the change ends", async () => {
    const realm = await newRealm()
    const { user, at, login } = await userAtApp(realm)
    const token = (await login(PASSWORD)).string("token")
    await login(PASSWORD)
    const change = { token, current_password: PASSWORD, password: OTHER_PASSWORD }
    expect(await eventsOf(realm, () => at.post("updatePassword", change))).toEqual([
      ["user.updated", userOf(user), ["password"]],
      ["session.deleted", userOf(user), "password_changed"]
    ])
    expect(await eventsOf(realm, () => at.post("logout", { token }))).toEqual([
      ["session.deleted", userOf(user), "logged_out"]
    ])
  })

  test("is the app's visitor for a sign-up and the new user for the login that follows", async () => {
    const realm = await newRealm()
    const at = await hostedAt(realm)
    const username = uniqueText("newcomer")
    const form = { username, email: `${username}@example.test`, password: PASSWORD }
    const told = await eventsOf(realm, () => at.post("signup", form))
    expect(told).toEqual([
      ["user.created", visitorOf(at.app)],
      ["user.login.succeeded", { type: "user", id: await onlyUserId(realm) }]
    ])
  })

  test("is the visitor for a reset request and the user for the reset itself", async () => {
    const realm = await (await clockedService()).given.realm()
    const { user, app, email, visitor, origin } = await visitorAtApp(realm)
    await new Visitor(realm.transport, origin).logIn(email)
    await visitor.open("/forgot")
    await visitor.fill({ name: email })
    const link = await linkTo(email)
    expect((await realm.seen.all()).at(-1)).toMatchObject({
      event_type: "user.password.resetting",
      actor: visitorOf(app)
    })
    await visitor.open(link)
    expect(await eventsOf(realm, () => visitor.fill(passwordFields(OTHER_PASSWORD)))).toEqual([
      ["user.password_token.consumed", userOf(user)],
      ["user.email.verified", userOf(user)],
      ["session.deleted", userOf(user), "email_verified"]
    ])
  })

  test("has no id for a visitor of the realm's pages", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const user = await quickUser(realm, { username: uniqueText("reader") })
      const page = pageOf(realm, "reset")
      const expired = await passwordTokenV1(realm, user.id)
      clock.advance("30 days")
      expect(await eventsOf(realm, () => page.send({ token: expired, ...passwordFields(OTHER_PASSWORD) }))).toEqual([
        ["user.password_token.failed", { type: "client_app", id: null }]
      ])
      const token = await passwordTokenV1(realm, user.id)
      expect(await eventsOf(realm, () => page.send({ token, ...passwordFields(OTHER_PASSWORD) }))).toEqual([
        ["user.password_token.consumed", userOf(user)]
      ])
    }))

  test("is the visitor when a provider login creates a user, and the user for later logins", async () => {
    const realm = await newRealm()
    const started = await appWithDouble(realm)
    const first = await eventsOf(realm, () => logInAtProvider(started))
    const made = { type: "user", id: await onlyUserId(realm) }
    expect(first).toEqual([
      ["user.created", visitorOf(started.app)],
      ["user.login.succeeded", made]
    ])
    // In the same browser the new session replaces the previous one.
    expect(await eventsOf(realm, () => logInAtProvider(started))).toEqual([
      ["user.login.succeeded", made],
      ["session.deleted", made, "logged_in_again"]
    ])

    const other = await newRealm()
    const email = `${uniqueText("linked")}@example.test`
    const user = await other.user({ email, email_verification: "verified" })
    const linking = await appWithDouble(other, { told: profile({ email, email_verified: true }) })
    expect(await eventsOf(other, () => logInAtProvider(linking))).toEqual([
      ["user.updated", userOf(user), ["credentials"]],
      ["user.login.succeeded", userOf(user)]
    ])
  })
})
