import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { service } from "../support/sallyport.ts"

const newRealm = async (settings: Readonly<Record<string, unknown>> = {}): Promise<GivenRealm> =>
  (await service()).given.realm({ username_validation_human: "email", ...settings })

const email = () => `${uniqueText("mail")}@example.test`

const human = (attributes: object = {}) => ({ user_type: "human", email: email(), credentials: [], ...attributes })

const setUsernameValidation = (realm: GivenRealm, username_validation_human: string) =>
  realm.put(`/v1/realms/${realm.id}`, { realm: { username_validation_human } })

/** The usernames of a user in all responses that include one. */
const shownUsernames = async (realm: GivenRealm, user: Reply) => {
  const org = await realm.org()
  const membership = await realm.membership(user.id, org.id)
  const session = await realm.session(user.id)
  const [, claims = ""] = session.string("token").split(".")
  return [
    (await realm.get(`/v1/users/${user.id}`)).member("username"),
    (await realm.get(`/v2/users/${user.id}`)).member("username"),
    (await realm.get("/v1/users")).items[0]?.["username"],
    (await realm.get("/v2/users")).items[0]?.["username"],
    membership.member("user", "username"),
    (await realm.get(`/v2/memberships?org_id=${org.id}`)).member("collection", 0, "user", "username"),
    session.member("user", "username"),
    JSON.parse(Buffer.from(claims, "base64url").toString()).preferred_username
  ]
}

describe("a realm with username_validation_human email", () => {
  test.each(["v1", "v2"])("ignores a username at creation and update, and returns null (%s)", async (version) => {
    const realm = await newRealm()
    const user = human({ username: "jo\u0007", email: "jo@example.test" })
    const { result, events } = await realm.seen.during(() => realm.post(`/${version}/users`, { user }))
    expect([result.status, result.member("username"), result.member("name")]).toEqual([201, null, "jo"])
    expect(events).toEqual([{ event_type: "user.created", user_id: result.id }])
    for (const username of ["al", "", null]) {
      const path = `/${version}/users/${result.id}`
      const done = await realm.seen.during(() => realm.put(path, { user: { username } }))
      expect([done.result.status, done.result.member("username"), done.events]).toEqual([200, null, []])
    }
    expect(new Set(await shownUsernames(realm, result))).toEqual(new Set([null]))
  })

  test("requires an email but no username in v1", async () => {
    const realm = await newRealm()
    expect((await realm.post("/v1/users", { user: human() })).status).toBe(201)
    const withoutEmail = await realm.post("/v1/users", { user: human({ email: "" }) })
    expect([withoutEmail.status, withoutEmail.errors]).toEqual([422, ["Email can't be blank."]])
  })

  test("finds human users by email in any case", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email: "jo@example.test" })
    const robot = await realm.apiUser({ username: "robot", email: "ops@example.test" })
    for (const [name, id] of [
      ["jo@example.test", user.id],
      ["JO@Example.test", user.id],
      ["ROBOT", robot.id]
    ] as const) {
      expect([name, (await realm.get(`/v1/users/${encodeURIComponent(name)}`)).member("id")]).toEqual([name, id])
    }
    for (const nobody of ["jo", "ops@example.test"]) {
      expect([nobody, (await realm.get(`/v1/users/${nobody}`)).status]).toEqual([nobody, 404])
    }
    expect((await realm.put("/v1/users/jo@example.test", { user: { first_name: "Jo" } })).id).toBe(user.id)
    expect((await realm.delete("/v1/users/jo@example.test")).status).toBe(204)
  })

  test("finds no user by an email that several users share, if duplicate emails are allowed", async () => {
    const realm = await newRealm({ require_unique_emails: false })
    const first = await realm.user({ email: "jo@example.test" })
    await realm.apiUser({ email: "jo@example.test" })
    expect((await realm.get("/v1/users/jo@example.test")).id).toBe(first.id)
    await realm.user({ email: "jo@example.test" })
    for (const version of ["v1", "v2"]) {
      expect((await realm.get(`/${version}/users/jo@example.test`)).status).toBe(404)
      expect((await realm.get(`/${version}/users/${first.id}`)).status).toBe(200)
    }
  })

  test("keeps the usernames of API users", async () => {
    const realm = await newRealm()
    const robot = await realm.apiUser({ username: "robot" })
    expect(robot.member("username")).toBe("robot")
    expect((await realm.get(`/v2/users/${robot.id}`)).member("username")).toBe("robot")
  })
})

describe("a realm that switches to emails as usernames and back", () => {
  test("hides the usernames, then shows them again and finds users by username", async () => {
    const realm = await newRealm({ username_validation_human: "standard" })
    const user = await realm.user({ username: "Jo", email: "smith@example.test" })
    await setUsernameValidation(realm, "email")
    expect(new Set(await shownUsernames(realm, user))).toEqual(new Set([null]))
    expect((await realm.get(`/v1/users/${user.id}`)).member("name")).toBe("smith")
    expect((await realm.get("/v1/users/jo")).status).toBe(404)
    expect((await realm.get("/v2/users?username=jo")).body).toEqual({ collection: [], more_results: false })
    expect((await realm.put(`/v1/users/${user.id}`, { user: { reference: "7" } })).member("username")).toBeNull()
    await setUsernameValidation(realm, "standard")
    expect((await realm.get("/v1/users/jo")).id).toBe(user.id)
    expect((await realm.get(`/v2/users/${user.id}`)).body).toMatchObject({ username: "Jo", name: "Jo", reference: "7" })
    expect((await realm.get("/v1/users/smith@example.test")).status).toBe(404)
  })
})
