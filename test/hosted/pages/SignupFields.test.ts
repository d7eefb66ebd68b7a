import { describe, expect, test } from "vitest"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { hostedAt } from "../../support/hostedApi.ts"
import { PASSWORD, statusAndErrors } from "../../support/logins.ts"
import { pageOf } from "../../support/pages.ts"
import { newRealm } from "../../support/sallyport.ts"
import { formsIn, visitorAtApp } from "../../support/visitor.ts"

const newEmail = () => `${uniqueText("newcomer")}@example.test`

/** The fields of the sign-up form, sorted by name. */
const fieldsShown = async (realm: GivenRealm, app = {}) => {
  const { visitor } = await visitorAtApp(realm, { app })
  await visitor.open("/signup")
  return [...visitor.form().open].toSorted()
}

describe("C157: signup_fields", () => {
  test.each([
    [["username", "names", "org_name"], {}, ["email", "first_name", "last_name", "password", "username"]],
    [["username"], {}, ["email", "password", "username"]],
    [["names"], {}, ["email", "first_name", "last_name", "password"]],
    [["org_name"], { signup_mode: "user_org" }, ["email", "org_name", "password"]],
    ["", { signup_mode: "user_org" }, ["email", "password"]],
    [[], { require_names: true }, ["email", "first_name", "last_name", "password"]],
    [[], { signup_mode: "user_org", require_org_name: true }, ["email", "org_name", "password"]]
  ])("%j and the app settings %j result in the fields %j", async (signup_fields, app, expected) => {
    expect(await fieldsShown(await newRealm({ signup_fields }), app)).toEqual(expected)
  })

  test("omit the username in a realm that uses emails as usernames", async () => {
    expect(await fieldsShown(await newRealm({ username_validation_human: "email" }))).not.toContain("username")
  })

  test("are the only optional fields that a sign-up accepts", async () => {
    const realm = await newRealm({ signup_fields: [] })
    const { visitor } = await visitorAtApp(realm)
    const email = newEmail()
    await visitor.open("/signup")
    await visitor.fill({ email, password: PASSWORD })
    expect(visitor.leads.searchParams.has("token")).toBe(true)
    await visitor.logIn(email, PASSWORD, "?way=login")
    expect(visitor.leads.searchParams.has("token")).toBe(true)

    const hosted = await hostedAt(realm)
    const names = { username: uniqueText("name"), first_name: "Ada", last_name: "Lovelace" }
    const other = newEmail()
    const made = await hosted.post("signup", { ...names, email: other, password: PASSWORD })
    expect(made.member("result")).toBe("okay")
    expect((await realm.get(`/v2/users/${other}`)).body).toMatchObject({
      username: null,
      first_name: null,
      last_name: null
    })
  })

  test("apply to sign-up tokens and to the v1 users created from them", async () => {
    const realm = await newRealm({ signup_fields: ["names"] })
    const hosted = await hostedAt(realm, { signup_mode: "user_token" })
    const email = newEmail()
    const made = await hosted.post("signup", { email, first_name: "Ada", last_name: "L", password: PASSWORD })
    const user = await realm.post("/v1/users", { user: { user_type: "human", token: made.string("token") } })
    expect([user.status, user.member("email"), user.member("first_name")]).toEqual([201, email, "Ada"])
    const usual = await newRealm()
    const refused = await usual.post("/v1/user_tokens", { user_token: { email, password: PASSWORD } })
    expect(statusAndErrors(refused)).toEqual([422, ["Username can't be blank."]])
  })

  test("apply to invited users", async () => {
    for (const [signup_fields, expected] of [
      [["names"], ["first_name", "last_name", "password"]],
      [["username"], ["password"]]
    ] as const) {
      const realm = await newRealm({ signup_fields })
      const invitation = await realm.invitation()
      await realm.post(`/v2/invitations/${invitation.id}/invite`, {})
      const page = pageOf(realm, "invitation")
      const token = invitation.string("token")
      const shown = await page.show({ token, way: "signup" })
      expect(
        [...(formsIn(shown)[0]?.open ?? [])].filter((name) => expected.some((one) => one === name)).toSorted()
      ).toEqual(expected)
      expect(formsIn(shown)[0]?.open.has("first_name")).toBe(expected.length > 1)
      await page.send({ token, way: "signup", password: PASSWORD, password_confirmation: PASSWORD, first_name: "Ada" })
      const user = await realm.get(`/v2/users/${invitation.string("email")}`)
      expect(user.member("first_name")).toBe(expected.length > 1 ? "Ada" : null)
    }
  })
})
