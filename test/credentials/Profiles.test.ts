import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { newApiUser, newCredential } from "../support/credentials.ts"
import { newRealm } from "../support/sallyport.ts"

const rejectionOf = (reply: Reply) => ({ status: reply.status, errors: reply.errors })

const wellKnown = ["facebook", "github", "google", "linkedin", "slack", "yahoo"] as const

const github = (given: GivenRealm) => given.authProvider({ provider_type: "github" })

const linkProfile = (given: GivenRealm, userId: string, attributes: Readonly<Record<string, unknown>> = {}) =>
  newCredential(given, userId, { credential_type: "github", provider_user_id: uniqueText("profile"), ...attributes })

describe.each(["v1", "v2"])("POST /%s/credentials with a provider profile", (version) => {
  test.each([
    ...wellKnown,
    "oauth2"
  ])("%s: returns 201 with the fields of its type, and records user.updated", async (type) => {
    const given = await newRealm()
    const user = await given.user()
    const provider = await given.authProvider({ provider_type: type })
    const sent = {
      user_id: user.id,
      credential_type: type,
      provider_user_id: "42",
      access_token: "at-1",
      token_expires_at: 1_800_000_000.5
    }
    const { result, events } = await given.seen.during(() =>
      given.post(`/${version}/credentials`, { credential: sent })
    )
    expect([result.status, result.body]).toEqual([
      201,
      { id: result.id, object: "credential", ...sent, auth_provider_id: provider.id }
    ])
    expect(events).toEqual([{ event_type: "user.updated", user_id: user.id }])
    expect((await given.get(`/${version}/credentials/${result.id}`)).body).toEqual(result.body)
  })

  test("accepts a profile without a token or with an expired token", async () => {
    const given = await newRealm()
    const [user, other] = [await given.user(), await given.user()]
    await github(given)
    const bare = await linkProfile(given, user.id)
    expect([bare.member("access_token"), bare.member("token_expires_at")]).toEqual([null, null])
    expect((await linkProfile(given, other.id, { token_expires_at: 1 })).member("token_expires_at")).toBe(1)
  })

  test("returns 422 and reports all problems at once", async () => {
    const given = await newRealm()
    const [user, api] = [await given.user(), await newApiUser(given)]
    const provider = await github(given)
    const google = await given.authProvider({ provider_type: "google" })
    const missing = "Auth provider could not be found."
    const events = await given.seen.caused(async () => {
      for (const [attributes, errors] of [
        [{}, ["Provider user ID can't be blank."]],
        [{ provider_user_id: " " }, ["Provider user ID can't be blank."]],
        [{ provider_user_id: "x".repeat(256) }, ["Provider user ID is too long (maximum is 255 characters)."]],
        [{ provider_user_id: 42 }, ["Provider user ID must be text."]],
        [{ provider_user_id: "1", auth_provider_id: provider.id.replace(/.{4}$/, "zzzz") }, [missing]],
        [{ provider_user_id: "1", auth_provider_id: google.id }, [missing]],
        [{ provider_user_id: "1", credential_type: "slack" }, [missing]],
        [{ credential_type: "slack" }, [missing, "Provider user ID can't be blank."]],
        [
          { provider_user_id: "1", access_token: "x".repeat(8_193) },
          ["Access token is too long (maximum is 8192 characters)."]
        ],
        [
          { provider_user_id: "1", token_expires_at: "soon" },
          ["Token expires at must be a Unix timestamp in seconds."]
        ],
        [{ provider_user_id: "1", user_id: api.id }, ["Credential type github is only available for human users."]]
      ] as const) {
        const credential = { user_id: user.id, credential_type: "github", ...attributes }
        const reply = await given.post(`/${version}/credentials`, { credential })
        expect(rejectionOf(reply)).toEqual({ status: 422, errors })
      }
    })
    expect(events).toEqual([])
    expect((await given.get(`/v2/users/${user.id}`)).member("credentials")).toEqual([])
  })
})

test("SEC-51: returns 422 for a provider of another realm", async () => {
  const [given, other] = [await newRealm(), await newRealm()]
  const [user, foreign] = [await given.user(), await github(other)]
  await github(given)
  const credential = {
    user_id: user.id,
    credential_type: "github",
    provider_user_id: "1",
    auth_provider_id: foreign.id
  }
  const reply = await given.post("/v2/credentials", { credential })
  expect(rejectionOf(reply)).toEqual({ status: 422, errors: ["Auth provider could not be found."] })
})

test("oauth2: requires the provider if the realm has several", async () => {
  const given = await newRealm()
  const user = await given.user()
  const profile = { credential_type: "oauth2", provider_user_id: "1" }
  const none = await given.post("/v2/credentials", { credential: { user_id: user.id, ...profile } })
  expect(rejectionOf(none)).toEqual({ status: 422, errors: ["Auth provider could not be found."] })
  const one = await given.authProvider({ provider_type: "oauth2" })
  expect((await newCredential(given, user.id, profile)).member("auth_provider_id")).toBe(one.id)
  const two = await given.authProvider({ provider_type: "oauth2" })
  const unsaid = await given.post("/v2/credentials", { credential: { user_id: user.id, ...profile } })
  expect(rejectionOf(unsaid)).toEqual({ status: 422, errors: ["Auth provider can't be blank."] })
  const second = await newCredential(given, user.id, { ...profile, auth_provider_id: two.id })
  expect(second.member("auth_provider_id")).toBe(two.id)
})

test("accepts a profile of an inactive provider, so that users can be migrated before a provider is turned off", async () => {
  const given = await newRealm()
  const user = await given.user()
  await given.authProvider({ provider_type: "github", state: "inactive" })
  expect((await linkProfile(given, user.id)).status).toBe(201)
})

describe("a provider profile in a realm", () => {
  test("belongs to one user, who can have only one profile of the provider", async () => {
    const given = await newRealm()
    const [one, two] = [await given.user(), await given.user()]
    await github(given)
    await linkProfile(given, one.id, { provider_user_id: "1" })
    const theirs = await linkProfile(given, two.id, { provider_user_id: "2" })
    const three = await given.user()
    const taken = { status: 422, errors: ["Provider user ID has already been taken."] }
    const events = await given.seen.caused(async () => {
      const again = { user_id: three.id, credential_type: "github", provider_user_id: "1" }
      expect(rejectionOf(await given.post("/v2/credentials", { credential: again }))).toEqual(taken)
      const moved = await given.put(`/v2/credentials/${theirs.id}`, { credential: { provider_user_id: "1" } })
      expect(rejectionOf(moved)).toEqual(taken)
      const second = { user_id: one.id, credential_type: "github", provider_user_id: "3" }
      expect(rejectionOf(await given.post("/v2/credentials", { credential: second }))).toEqual({
        status: 422,
        errors: ["Auth provider is already linked to this user."]
      })
    })
    expect(events).toEqual([])
    const google = await given.authProvider({ provider_type: "google" })
    const elsewhere = { credential_type: "google", provider_user_id: "1" }
    expect((await newCredential(given, one.id, elsewhere)).member("auth_provider_id")).toBe(google.id)
  })

  test("is created only once by many concurrent requests", async () => {
    const given = await newRealm()
    await github(given)
    const users = await Promise.all(Array.from({ length: 4 }, () => given.user()))
    const linkGithub = (user_id: string, provider_user_id: string) =>
      given.post("/v2/credentials", { credential: { user_id, credential_type: "github", provider_user_id } })
    const one = await Promise.all(users.map(({ id }) => linkGithub(id, "1")))
    expect(one.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422])
    const late = await given.user()
    const many = await Promise.all(["a", "b", "c", "d"].map((profile) => linkGithub(late.id, profile)))
    expect(many.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422])
    expect((await given.get(`/v2/users/${late.id}`)).member("credentials")).toHaveLength(1)
  })
})

describe.each(["v1", "v2"])("PUT /%s/credentials/{id} of a provider profile", (version) => {
  test("changes the token without an event, and the provider's user id with user.updated", async () => {
    const given = await newRealm()
    const user = await given.user()
    const provider = await github(given)
    const made = await linkProfile(given, user.id, { access_token: "old" })
    const path = `/${version}/credentials/${made.id}`
    const put = (credential: unknown) => given.seen.during(() => given.put(path, { credential }))
    const token = await put({ access_token: "new", token_expires_at: 1_800_000_000 })
    expect([token.result.status, token.events]).toEqual([200, []])
    const body = { ...Object(made.body), access_token: "new", token_expires_at: 1_800_000_000 }
    expect(token.result.body).toEqual(body)
    expect((await given.get(path)).body).toEqual(body)

    const who = await put({ provider_user_id: "someone-else", access_token: null, token_expires_at: null })
    expect(who.events).toEqual([{ event_type: "user.updated", user_id: user.id }])
    const after = { ...body, provider_user_id: "someone-else", access_token: null, token_expires_at: null }
    expect(who.result.body).toEqual(after)
    for (const same of [
      {},
      { provider_user_id: "someone-else" },
      { name: "x", password: "y", auth_provider_id: "z" }
    ]) {
      const { result, events } = await put(same)
      expect([result.status, result.body, events]).toEqual([200, after, []])
    }
    for (const provider_user_id of [null, "", " "]) {
      expect(rejectionOf((await put({ provider_user_id })).result)).toEqual({
        status: 422,
        errors: ["Provider user ID can't be blank."]
      })
    }
    expect(after.auth_provider_id).toBe(provider.id)
  })
})

test("DELETE removes a profile and frees it for another user", async () => {
  const given = await newRealm()
  const [one, two] = [await given.user(), await given.user()]
  const provider = await github(given)
  const made = await linkProfile(given, one.id, { provider_user_id: "1" })
  const { result, events } = await given.seen.during(() => given.delete(`/v1/credentials/${made.id}`))
  expect([result.status, events]).toEqual([204, [{ event_type: "user.updated", user_id: one.id }]])
  const again = await linkProfile(given, two.id, { provider_user_id: "1" })
  expect((await given.delete(`/v2/auth_providers/${provider.id}`)).status).toBe(204)
  expect((await given.get(`/v2/credentials/${again.id}`)).status).toBe(404)
  expect((await given.get(`/v2/users/${two.id}`)).member("credentials")).toEqual([])
})

test("deleting a provider also removes profiles that are being added at the same time", async () => {
  const given = await newRealm()
  const users = await Promise.all(Array.from({ length: 4 }, () => given.user()))
  for (let round = 0; round < 3; round += 1) {
    const provider = await github(given)
    const [deleted, ...added] = await Promise.all([
      given.delete(`/v2/auth_providers/${provider.id}`),
      ...users.map(({ id }) =>
        given.post("/v2/credentials", {
          credential: { user_id: id, credential_type: "github", provider_user_id: uniqueText("profile") }
        })
      )
    ])
    expect(deleted?.status).toBe(204)
    for (const { status, text } of added) expect([[201, 422].includes(status), text]).toEqual([true, text])
    for (const { id } of users) expect((await given.get(`/v2/users/${id}`)).member("credentials")).toEqual([])
  }
})
