import { describe, expect, test } from "vitest"
import type { Api, Reply } from "#testing/Api"
import { uniqueText } from "#testing/Given"
import { query } from "../support/query.ts"
import { unknownIdLike } from "../support/resources.ts"
import { newRealm, ownService, service } from "../support/sallyport.ts"

const PASSWORD = "a long enough password"

const newHuman = () => ({
  username: uniqueText("newcomer"),
  email: `${uniqueText("newcomer")}@example.test`,
  password: PASSWORD,
  first_name: "New"
})

const tokenOf = async (realm: Api, attributes: object = {}): Promise<Reply> => {
  const reply = await realm.post("/v1/user_tokens", { user_token: { ...newHuman(), ...attributes } })
  expect([reply.status, reply.text]).toEqual([201, expect.stringContaining("utk_")])
  return reply
}

const path = (token: Reply | string) => `/v1/user_tokens/${typeof token === "string" ? token : token.id}`

/** Creates a user from a token and the given additional attributes. */
const use = (realm: Api, token: Reply | string, extra: object = {}) =>
  realm.post("/v1/users", { user: { token: typeof token === "string" ? token : token.id, ...extra } })

const unusable = ["Token is invalid, has expired or has already been used."]

const notFound = ["User token could not be found."]

describe("POST /v1/user_tokens", () => {
  test("returns 201 with the token and its data, and records no event", async () => {
    const realm = await newRealm()
    const data = { ...newHuman(), username: "New", email: "New@Example.test", password_confirmation: PASSWORD }
    const { result, events } = await realm.seenV1.during(() => realm.post("/v1/user_tokens", { user_token: data }))
    expect([result.status, events]).toEqual([201, []])
    expect(result.body).toEqual({
      id: expect.stringMatching(/^utk_[0-9A-Za-z]{43}$/),
      object: "user_token",
      username: "new",
      email: "new@example.test",
      first_name: "New",
      last_name: null,
      credential_type: "password"
    })
    const read = await realm.seenV1.during(() => realm.get(path(result)))
    expect([read.result.status, read.result.body, read.events]).toEqual([200, result.body, []])
    expect((await realm.get("/v1/users")).items).toEqual([])
  })

  test.each([
    [{ username: "" }, "Username can't be blank."],
    [{ username: undefined }, "Username can't be blank."],
    [{ email: null }, "Email can't be blank."],
    [{ email: "new" }, "Email is not a valid email address."],
    [{ password: undefined }, "Password can't be blank."],
    [{ password: "1234567" }, "Password is too short (minimum is 8 characters)."],
    [{ password: "password1" }, "Password is too common. Choose a different one."],
    [{ password: "newly-made-newcomer", username: "newcomer" }, /^Password can't contain/],
    [{ password_confirmation: "b" }, "Password confirmation does not match the password."],
    [{ first_name: 1 }, "First name must be text."],
    [{ username: "TAKEN" }, "Username has already been taken."],
    [{ email: "Taken@Example.test" }, "Email has already been taken."]
  ])("rejects %j as when creating a human, and stores nothing", async (attributes, sentence) => {
    const realm = await newRealm()
    await realm.user({ username: "taken", email: "taken@example.test" })
    const data = { ...newHuman(), ...attributes }
    const { result, events } = await realm.seenV1.during(() => realm.post("/v1/user_tokens", { user_token: data }))
    const expected = typeof sentence === "string" ? sentence : expect.stringMatching(sentence)
    expect([result.status, result.errors, events]).toEqual([422, [expected], []])
  })

  test("ignores the username if emails are the usernames", async () => {
    const realm = await newRealm({ username_validation_human: "email" })
    const token = await tokenOf(realm, { username: "left-out" })
    expect(token.member("username")).toBeNull()
    expect((await use(realm, token)).body).toMatchObject({ username: null, email: token.string("email"), name: "New" })
  })

  test("accepts an email that is already in use if duplicate emails are allowed", async () => {
    const realm = await newRealm({ require_unique_emails: false })
    const user = await realm.user()
    expect((await use(realm, await tokenOf(realm, { email: user.string("email") }))).status).toBe(201)
  })
})

describe("GET /v1/user_tokens/{token_id}", () => {
  test("finds the realm from the token", async () => {
    const { given } = await service()
    const realm = await newRealm()
    const token = await tokenOf(realm)
    expect((await given.root.get(path(token))).body).toEqual(token.body)
    expect((await (await realm.as("read")).get(path(token))).body).toEqual(token.body)
  })

  test("returns the same 404 for a token that is unknown, malformed or from another realm", async () => {
    const { given } = await service()
    const realm = await newRealm()
    const token = await tokenOf(realm)
    const foreign = await tokenOf(await newRealm())
    const user = await realm.user()
    for (const bad of [foreign.id, unknownIdLike(token.id), user.id, "utk_", "x", token.id.slice(4), `${token.id}A`]) {
      for (const caller of [realm, await realm.as("read")]) {
        const reply = await caller.get(path(bad))
        expect([bad, reply.status, reply.errors]).toEqual([bad, 404, notFound])
      }
      if (bad !== foreign.id) expect((await given.root.get(path(bad))).errors).toEqual(notFound)
    }
  })
})

describe("POST /v1/users with a signup token", () => {
  test("creates the human user described by the token, and records user.created", async () => {
    const realm = await newRealm()
    const token = await tokenOf(realm, { username: "Jo", email: "jo@example.test", last_name: "Doe" })
    const { result, events } = await realm.seenV1.during(() => use(realm, token))
    expect(result.status).toBe(201)
    expect(result.body).toMatchObject({
      user_type: "human",
      username: "jo",
      email: "jo@example.test",
      first_name: "New",
      last_name: "Doe",
      name: "New Doe",
      credentials: [{ credential_type: "password" }],
      memberships: [],
      new_record: true
    })
    expect(events).toEqual([{ event_type: "user.created", user_id: result.id }])
    const login = await realm.post("/v1/users/jo/authenticate", { password: PASSWORD })
    expect(login.status).toBe(200)
  })

  test("prefers the token's data over the given attributes, and accepts attributes missing from the token", async () => {
    const realm = await newRealm()
    const token = await tokenOf(realm, { username: "jo", email: "jo@example.test" })
    const extra = {
      user_type: "human",
      username: "else",
      email: "else@example.test",
      first_name: "Else",
      password: "another long password",
      last_name: "Beside",
      reference: "7",
      custom: { a: 1 },
      org: { name: "Acme" },
      permissions: "ar:owner"
    }
    const user = await use(realm, token, extra)
    expect(user.body).toMatchObject({ username: "jo", email: "jo@example.test", name: "New Beside", reference: "7" })
    expect(user.member("memberships", 0, "permissions")).toEqual(["ar:owner"])
    const login = async (password: string) => (await realm.post("/v1/users/jo/authenticate", { password })).status
    expect([await login(PASSWORD), await login("another long password")]).toEqual([200, 401])
  })

  test("creates only human users", async () => {
    const realm = await newRealm()
    const token = await tokenOf(realm)
    const reply = await use(realm, token, { user_type: "api" })
    expect([reply.status, reply.errors]).toEqual([422, ["Token is only available for human users."]])
    expect((await use(realm, token)).status).toBe(201)
  })

  test("accepts a token only once", async () => {
    const realm = await newRealm()
    const token = await tokenOf(realm)
    expect((await use(realm, token)).status).toBe(201)
    const { result, events } = await realm.seenV1.during(() => use(realm, token))
    expect([result.status, result.errors, events]).toEqual([422, unusable, []])
    const read = await realm.get(path(token))
    expect([read.status, read.errors]).toEqual([404, notFound])
  })

  test("returns 422 for a token that is unknown, malformed or from another realm", async () => {
    const realm = await newRealm()
    const token = await tokenOf(realm)
    const foreign = await tokenOf(await newRealm())
    for (const bad of [foreign.id, unknownIdLike(token.id), "utk_", "x", token.id.slice(4)]) {
      const { result, events } = await realm.seenV1.during(() => use(realm, bad))
      expect([bad, result.status, result.errors, events]).toEqual([bad, 422, unusable, []])
    }
    const { given } = await service()
    expect((await use(given.root, token, { realm_id: realm.id })).status).toBe(201)
  })

  test("accepts a token for 24 hours", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const [early, late] = [await tokenOf(realm), await tokenOf(realm)]
      clock.advance("23 hours")
      clock.advance("59 minutes")
      expect((await use(realm, early)).status).toBe(201)
      expect((await realm.get(path(late))).status).toBe(200)
      clock.advance("1 minute")
      expect([(await realm.get(path(late))).errors, (await given.root.get(path(late))).errors]).toEqual([
        notFound,
        notFound
      ])
      expect((await use(realm, late)).errors).toEqual(unusable)
    }))

  test("SEC-46: stores no token or password in plain text, and removes the data of expired tokens", () =>
    ownService(async ({ given, clock, sql }) => {
      const realm = await given.realm()
      const token = await tokenOf(realm)
      const rows = async () =>
        JSON.stringify(await query(sql`select * from signup_tokens where realm_id = ${realm.id}`))
      expect(await rows()).toContain("$argon2id$")
      expect(await rows()).not.toMatch(new RegExp(`${token.id}|${token.id.slice(4)}|${PASSWORD}`))
      clock.advance("25 hours")
      const next = await tokenOf(realm)
      expect(await rows()).not.toContain(token.string("username"))
      await use(realm, next)
      expect(await rows()).toBe("[]")
    }))

  test("keeps the token valid if the request is rejected", async () => {
    const realm = await newRealm()
    const token = await tokenOf(realm)
    for (const extra of [{ state: "closed" }, { custom: { "a b": 1 } }, { org_ids: ["x"] }, { permissions: ["a b"] }]) {
      expect((await use(realm, token, extra)).status).toBe(422)
    }
    await realm.user({ username: token.string("username") })
    expect((await use(realm, token)).errors).toEqual(["Username has already been taken."])
    expect((await realm.get(path(token))).status).toBe(200)
  })

  test("creates only one user when several tokens have the same username", async () => {
    const realm = await newRealm()
    const same = newHuman()
    const tokens = [await tokenOf(realm, same), await tokenOf(realm, same), await tokenOf(realm, same)]
    expect(new Set(tokens.map(({ id }) => id)).size).toBe(3)
    const replies = []
    for (const token of tokens) replies.push(await use(realm, token))
    expect(replies.map(({ status }) => status)).toEqual([201, 422, 422])
    expect(String(replies[1]?.errors)).toMatch(/has already been taken/)
  })

  test("creates exactly one user when one token is used 20 times concurrently", async () => {
    const realm = await newRealm()
    const token = await tokenOf(realm)
    const { result, events } = await realm.seenV1.during(() =>
      Promise.all(Array.from({ length: 20 }, () => use(realm, token)))
    )
    const statuses = result.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array(19).fill(422)])
    expect(new Set(result.filter(({ status }) => status === 422).map(({ errors }) => String(errors)))).toEqual(
      new Set(unusable)
    )
    const [user] = (await realm.get("/v1/users")).items
    expect(events).toEqual([{ event_type: "user.created", user_id: user?.["id"] }])
    expect((await realm.get("/v1/users")).items).toHaveLength(1)
  })

  test("creates exactly one user when 20 tokens for the same username are used concurrently", async () => {
    const realm = await newRealm()
    const same = newHuman()
    const tokens = await Promise.all(Array.from({ length: 20 }, () => tokenOf(realm, same)))
    const { result, events } = await realm.seenV1.during(() => Promise.all(tokens.map((token) => use(realm, token))))
    expect(result.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(422)])
    expect(events).toHaveLength(1)
    expect((await realm.get("/v1/users")).items).toHaveLength(1)
  })
})
