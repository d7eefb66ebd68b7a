import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { hostedAt } from "../support/hostedApi.ts"
import { importRows, rejections } from "../support/imports.ts"
import { authenticate, authenticateV1, PASSWORD } from "../support/logins.ts"
import { loggedIn, userinfo } from "../support/oauthTokens.ts"
import { isPart, openApi, type Part, resolvedIn } from "../support/openApi.ts"
import { newRealm, workerSql } from "../support/sallyport.ts"

const VICTIM = "victim@example.test"

/** Operations that set a username next to the user's own email. */
const setters: Readonly<Record<string, (realm: GivenRealm, username: string, email: string) => Promise<Reply>>> = {
  "post /v2/users": (realm, username, email) => realm.post("/v2/users", { user: { username, email, credentials: [] } }),
  "post /v1/users": (realm, username, email) =>
    realm.post("/v1/users", { user: { user_type: "human", username, email, credentials: [] } }),
  "put /v2/users/{user_id}": async (realm, username, email) =>
    realm.put(`/v2/users/${(await realm.user({ email })).id}`, { user: { username } }),
  "put /v1/users/{user_id}": async (realm, username, email) =>
    realm.put(`/v1/users/${(await realm.user({ email, username: uniqueText("user") })).id}`, { user: { username } }),
  "put /v2/users/{user_id}/profile": async (realm, username, email) =>
    realm.put(`/v2/users/${(await realm.user({ email })).id}/profile`, { user: { username } }),
  "post /v2/orgs": (realm, username, email) =>
    realm.post("/v2/orgs", { org: { name: "Org", user: { username, email, credentials: [] } } }),
  "post /v1/orgs": (realm, username, email) =>
    realm.post("/v1/orgs", { org: { name: "Org", user: { user_type: "human", username, email, credentials: [] } } }),
  "post /v1/user_tokens": (realm, username, email) =>
    realm.post("/v1/user_tokens", { user_token: { username, email, password: PASSWORD } }),
  "post /v1/signup": async (realm, username, email) =>
    (await hostedAt(realm)).post("signup", { username, email, password: PASSWORD })
}

/** Other operations with a username. They look up an existing user or, for imports, report errors by row. */
const otherOperations = [
  "post /v1/login",
  "post /v1/verify_login",
  "post /v1/send_code",
  "post /v1/forgot_password",
  "post /v1/reset_password",
  "post /v1/resend_email_token",
  "post /v2/imports"
]

const resolved = resolvedIn(openApi)

const takesUsername = (sent: unknown, seen = new Set<Part>()): boolean => {
  const part = resolved(sent)
  if (Array.isArray(part)) return part.some((one) => takesUsername(one, seen))
  if (!isPart(part) || seen.has(part)) return false
  seen.add(part)
  const properties = part["properties"]
  return (
    (isPart(properties) && Object.hasOwn(properties, "username")) ||
    Object.values(part).some((one) => takesUsername(one, seen))
  )
}

test("SEC-240: the tests cover every operation that accepts a username", () => {
  const paths = openApi["paths"]
  const found = Object.entries(isPart(paths) ? paths : {}).flatMap(([path, item]) =>
    Object.entries(isPart(item) ? item : {})
      .filter(
        ([, operation]) =>
          isPart(operation) && takesUsername(Object.entries(operation).filter(([name]) => name === "requestBody"))
      )
      .map(([method]) => `${method} ${path}`)
  )
  expect(found.toSorted()).toEqual([...Object.keys(setters), ...otherOperations].toSorted())
})

describe.each(Object.entries(setters))("SEC-240: %s", (_, set) => {
  test.each([
    VICTIM,
    "VICTIM@example.test",
    "victim@example。test",
    "victim@example.test.",
    "victim@example.test。。",
    "<victim@example.test>",
    "victim<victim@example.test.>",
    "nobody@müller.example"
  ])("rejects the username %s for a user with another email", async (username) => {
    const realm = await newRealm({ signup: "open" })
    await realm.user({ email: VICTIM })
    const result = await set(realm, username, "taker@example.test")
    expect(result.text).toContain("in the form of an email address must be the user's own email.")
    expect((await realm.get(`/v2/users?username=${encodeURIComponent(username)}`)).items).toEqual([])
  })

  test("accepts the user's own email in any spelling, and a username that is not an email", async () => {
    for (const username of ["own@müller.example", "OWN@xn--mller-kva.example", "own@", "@müller.example", "o@b@c"]) {
      const realm = await newRealm({ signup: "open" })
      const result = await set(realm, username, "own@müller.example")
      expect([username, result.status < 300, result.text.includes('"errors"')]).toEqual([username, true, false])
    }
  })
})

test("SEC-240: an import rejects a row whose username is another user's email", async () => {
  const realm = await newRealm()
  const fresh = await importRows(realm, [
    { reference: "1", email: "a@example.test", username: VICTIM },
    { reference: "2", email: "b@example.test", username: "B@example.test" },
    { reference: "3", user_type: "api", username: VICTIM }
  ])
  expect(rejections(fresh)).toEqual([
    [1, "username username_address"],
    [3, "username username_address"]
  ])
  const changed = await importRows(realm, [{ reference: "2", username: VICTIM }])
  expect(rejections(changed)).toEqual([[1, "username username_address"]])
  const both = await importRows(realm, [{ reference: "2", email: "c@example.test", username: "c@example.test" }])
  expect(both.refused).toEqual([])
})

test("SEC-240: an API user's username can't be an email other than the user's own", async () => {
  const realm = await newRealm()
  const user = { user_type: "api", username: VICTIM }
  expect((await realm.post("/v1/users", { user })).member("error_details", 0, "code")).toBe("username_address")
  expect((await realm.post("/v1/users", { user: { ...user, email: VICTIM } })).status).toBe(201)
})

describe("SEC-240: a username equal to the user's former email", () => {
  /** A user whose username is their former email. */
  const givenStaleUsername = async (realm: GivenRealm): Promise<Reply> => {
    const { id } = await realm.user({ email: VICTIM, username: VICTIM, password: PASSWORD })
    const user = await realm.put(`/v2/users/${id}`, { user: { email: "taker@example.test" } })
    expect([user.status, user.member("username")]).toEqual([200, VICTIM])
    return user
  }

  test("finds no user, or the current owner of the email", async () => {
    const realm = await newRealm()
    const staleUser = await givenStaleUsername(realm)
    expect((await realm.get(`/v1/users/${VICTIM}`)).status).toBe(404)
    expect((await authenticateV1(realm, VICTIM)).status).toBe(404)
    const at = await hostedAt(realm)
    expect((await at.post("login", { username: VICTIM, password: PASSWORD })).text).toContain('"error"')
    const owner = await realm.user({ email: VICTIM, password: PASSWORD })
    expect((await realm.get(`/v2/users/${VICTIM}`)).id).toBe(owner.id)
    expect((await realm.get(`/v1/users/${VICTIM}`)).status).toBe(404)
    expect((await authenticate(realm, VICTIM)).member("user_id")).toBe(owner.id)
    expect((await authenticate(realm, "taker@example.test")).member("user_id")).toBe(staleUser.id)
  })

  test("is omitted from tokens and claims in both versions", async () => {
    const [realm, sql] = [await newRealm({ jwt_claims: "both" }), await workerSql()]
    const claims = async (user: Reply) => {
      const session = await authenticate(realm, user.id)
      const { preferred_username, un } = JSON.parse(atob(session.string("token").split(".")[1] ?? ""))
      const { accessToken } = await loggedIn(sql, realm, { user: user.id, code: { scopes: ["openid", "profile"] } })
      return [preferred_username, un, (await userinfo(realm, accessToken)).member("preferred_username")]
    }
    expect(await claims(await givenStaleUsername(realm))).toEqual([null, null, undefined])
    const own = await realm.user({ email: "own@example.test", username: "Own@example.test", password: PASSWORD })
    expect(await claims(own)).toEqual(["Own@example.test", "own@example.test", "Own@example.test"])
  })

  test("doesn't prevent updates of the user", async () => {
    const realm = await newRealm()
    const { id } = await givenStaleUsername(realm)
    const updated = await realm.put(`/v2/users/${id}`, { user: { username: VICTIM, first_name: "T" } })
    expect([updated.status, updated.member("first_name")]).toEqual([200, "T"])
  })
})
