import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { newApiUser, newCredential } from "../support/credentials.ts"
import { newRealm } from "../support/sallyport.ts"

const rejectionOf = (reply: Reply) => ({ status: reply.status, errors: reply.errors })

const ownKey = "one-of-my-own-0123456789"
const otherKey = "another-of-mine-9876543210"

/** The id of the user that a key logs in, or undefined. */
const ownerOf = async (given: GivenRealm, key: string) => {
  const reply = await given.post("/v1/users/authenticate_key", { api_key: key })
  return reply.status === 200 ? reply.id : undefined
}

const newKey = (given: GivenRealm, userId: string, api_key?: string) =>
  newCredential(given, userId, { credential_type: "api_key", ...(api_key === undefined ? {} : { api_key }) })

/** Changes a setting of the realm, with immediate effect on this node; other nodes follow within a second. */
const updateSettings = (given: GivenRealm, settings: Readonly<Record<string, unknown>>) =>
  given.put(`/v2/realms/${given.id}`, { realm: settings })

describe.each(["v1", "v2"])("POST /%s/credentials with an API key", (version) => {
  test("generates a 256-bit key if the request contains no key, and shows the key only once", async () => {
    const given = await newRealm()
    const user = await newApiUser(given)
    const keys = new Set<string>()
    for (const asked of [{}, { api_key: null }, { api_key: "" }, { api_key: "  " }, { api_key: "generate" }]) {
      const credential = { user_id: user.id, credential_type: "api_key", ...asked }
      const { result, events } = await given.seen.during(() => given.post(`/${version}/credentials`, { credential }))
      const key = result.string("api_key")
      expect([result.status, result.body]).toEqual([
        201,
        { id: result.id, object: "credential", credential_type: "api_key", user_id: user.id, api_key: key }
      ])
      expect(key).toMatch(/^[0-9A-Za-z]{43}$/)
      expect(events).toEqual([{ event_type: "user.updated", user_id: user.id }])
      expect((await given.get(`/${version}/credentials/${result.id}`)).body).toEqual({
        id: result.id,
        object: "credential",
        credential_type: "api_key",
        user_id: user.id
      })
      expect(await ownerOf(given, key)).toBe(user.id)
      keys.add(key)
    }
    expect(keys.size).toBe(5)
  })

  test("adds the realm's api_key_prefix to generated keys only", async () => {
    const given = await newRealm({ api_key_prefix: "acme_" })
    const user = await newApiUser(given)
    for (const [api_key, expected] of [
      ["generate", /^acme_[0-9A-Za-z]{43}$/],
      [ownKey, new RegExp(`^${ownKey}$`)]
    ] as const) {
      const credential = { user_id: user.id, credential_type: "api_key", api_key }
      const made = await given.post(`/${version}/credentials`, { credential })
      expect(made.string("api_key")).toMatch(expected)
      expect(await ownerOf(given, made.string("api_key"))).toBe(user.id)
    }
  })
})

test.each([
  ["x".repeat(19), "API key is too short (minimum is 20 characters)."],
  ["0123456789abcdefghi", "API key is too short (minimum is 20 characters)."],
  ["x".repeat(40), "API key is too easy to guess. Use at least 10 different characters."],
  ["012345678".repeat(5), "API key is too easy to guess. Use at least 10 different characters."],
  ["0123456789 0123456789", "API key may contain only visible ASCII characters, without spaces."],
  ["0123456789-0123456789\n", "API key may contain only visible ASCII characters, without spaces."],
  ["0123456789-ñ-0123456789", "API key may contain only visible ASCII characters, without spaces."],
  ["0123456789".repeat(26), "API key is too long (maximum is 255 characters)."],
  [7, "API key must be text."]
])("SEC-46: the API key %o gets 422 when creating and updating: %s", async (api_key, error) => {
  const given = await newRealm()
  const user = await newApiUser(given)
  const made = await newKey(given, user.id)
  const events = await given.seen.caused(async () => {
    const credential = { user_id: user.id, credential_type: "api_key", api_key }
    expect(rejectionOf(await given.post("/v2/credentials", { credential }))).toEqual({ status: 422, errors: [error] })
    const changed = await given.put(`/v2/credentials/${made.id}`, { credential: { api_key } })
    expect(rejectionOf(changed)).toEqual({ status: 422, errors: [error] })
  })
  expect(events).toEqual([])
  expect(await ownerOf(given, made.string("api_key"))).toBe(user.id)
})

test("an API key of the maximum length is accepted", async () => {
  const given = await newRealm()
  const user = await newApiUser(given)
  const longest = `${"0123456789".repeat(25)}abcde`
  expect((await newKey(given, user.id, longest)).member("api_key")).toBe(longest)
  expect(await ownerOf(given, longest)).toBe(user.id)
})

describe("an API key in a realm", () => {
  test("cannot be assigned to two users until the first user's credential is deleted", async () => {
    const [given, elsewhere] = [await newRealm(), await newRealm()]
    const [one, two, foreign] = [await newApiUser(given), await newApiUser(given), await newApiUser(elsewhere)]
    const [first, second] = [await newKey(given, one.id, ownKey), await newKey(given, two.id, otherKey)]
    const taken = { status: 422, errors: ["API key has already been taken."] }
    const events = await given.seen.caused(async () => {
      for (const user of [one, two]) {
        const credential = { user_id: user.id, credential_type: "api_key", api_key: ownKey }
        expect(rejectionOf(await given.post("/v1/credentials", { credential }))).toEqual(taken)
      }
      const changed = await given.put(`/v2/credentials/${second.id}`, { credential: { api_key: ownKey } })
      expect(rejectionOf(changed)).toEqual(taken)
    })
    expect(events).toEqual([])
    expect([await ownerOf(given, ownKey), await ownerOf(given, otherKey)]).toEqual([one.id, two.id])

    await newKey(elsewhere, foreign.id, ownKey)
    expect([await ownerOf(given, ownKey), await ownerOf(elsewhere, ownKey)]).toEqual([one.id, foreign.id])

    await given.delete(`/v2/credentials/${first.id}`)
    expect(await ownerOf(given, ownKey)).toBeUndefined()
    await newKey(given, two.id, ownKey)
    expect(await ownerOf(given, ownKey)).toBe(two.id)
  })

  test("is assigned to exactly one of many users when requested concurrently", async () => {
    const given = await newRealm()
    const users = await Promise.all(Array.from({ length: 6 }, () => newApiUser(given)))
    const { result, events } = await given.seen.during(() =>
      Promise.all(
        users.map(({ id }) =>
          given.post("/v2/credentials", { credential: { user_id: id, credential_type: "api_key", api_key: ownKey } })
        )
      )
    )
    expect(result.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422])
    const winner = result.find(({ status }) => status === 201)
    expect(events).toEqual([{ event_type: "user.updated", user_id: winner?.member("user_id") }])
  })
})

describe.each(["v1", "v2"])("PUT /%s/credentials/{id} of an API key", (version) => {
  test("replaces the key with a generated or given key, which is shown only once", async () => {
    const given = await newRealm({ api_key_prefix: "p_" })
    const user = await newApiUser(given)
    const made = await newKey(given, user.id)
    let before = made.string("api_key")
    for (const [api_key, expected] of [
      ["generate", /^p_[0-9A-Za-z]{43}$/],
      [ownKey, new RegExp(`^${ownKey}$`)],
      ["generate", /^p_[0-9A-Za-z]{43}$/]
    ] as const) {
      const path = `/${version}/credentials/${made.id}`
      const { result, events } = await given.seen.during(() => given.put(path, { credential: { api_key } }))
      const key = result.string("api_key")
      expect([result.status, result.body]).toEqual([
        200,
        { id: made.id, object: "credential", credential_type: "api_key", user_id: user.id, api_key: key }
      ])
      expect(key).toMatch(expected)
      expect(events).toEqual([{ event_type: "user.updated", user_id: user.id }])
      expect([await ownerOf(given, before), await ownerOf(given, key)]).toEqual([undefined, user.id])
      expect((await given.get(path)).member("api_key")).toBeUndefined()
      before = key
    }
  })

  test("leaves the key unchanged if the new key is missing, blank or the same", async () => {
    const given = await newRealm()
    const user = await newApiUser(given)
    const { id } = await newKey(given, user.id, ownKey)
    for (const credential of [
      {},
      { api_key: null },
      { api_key: "" },
      { api_key: " " },
      { api_key: ownKey },
      { name: "x" }
    ]) {
      const { result, events } = await given.seen.during(() =>
        given.put(`/${version}/credentials/${id}`, { credential })
      )
      expect([credential, result.status, events]).toEqual([credential, 200, []])
    }
    expect(await ownerOf(given, ownKey)).toBe(user.id)
  })
})

test("DELETE returns 204 and records user.updated, and the key stops working", async () => {
  const given = await newRealm()
  const user = await newApiUser(given)
  const [gone, left] = [await newKey(given, user.id), await newKey(given, user.id)]
  const { result, events } = await given.seen.during(() => given.delete(`/v1/credentials/${gone.id}`))
  expect(result.status).toBe(204)
  expect(events).toEqual([{ event_type: "user.updated", user_id: user.id }])
  expect(await ownerOf(given, gone.string("api_key"))).toBeUndefined()
  expect(await ownerOf(given, left.string("api_key"))).toBe(user.id)
})

describe("the api_key_policy of a realm", () => {
  test("encrypt: keys are returned only to callers with level write or higher (C6)", async () => {
    const given = await newRealm({ api_key_policy: "encrypt" })
    const user = await newApiUser(given)
    const made = await newKey(given, user.id)
    const key = made.string("api_key")
    for (const [caller, expected] of [
      [given, key],
      [await given.as("admin_realm"), key],
      [await given.as("write"), key],
      [await given.as("read"), null]
    ] as const) {
      for (const version of ["v1", "v2"]) {
        const read = await caller.get(`/${version}/credentials/${made.id}`)
        expect([read.status, read.member("api_key")]).toEqual([200, expected])
      }
    }
    await given.put(`/v2/credentials/${made.id}`, { credential: { api_key: ownKey } })
    expect((await given.get(`/v2/credentials/${made.id}`)).member("api_key")).toBe(ownKey)
  })

  test("applies to a key when the key is stored, regardless of later policy changes", async () => {
    const given = await newRealm()
    const user = await newApiUser(given)
    const keyInResponse = async (id: string) => (await given.get(`/v1/credentials/${id}`)).member("api_key")
    const hashed = await newKey(given, user.id, ownKey)
    await updateSettings(given, { api_key_policy: "encrypt" })
    const encrypted = await newKey(given, user.id, otherKey)
    expect([await keyInResponse(hashed.id), await keyInResponse(encrypted.id)]).toEqual([undefined, otherKey])
    await updateSettings(given, { api_key_policy: "hash" })
    expect([await keyInResponse(hashed.id), await keyInResponse(encrypted.id)]).toEqual([undefined, otherKey])
    expect([await ownerOf(given, ownKey), await ownerOf(given, otherKey)]).toEqual([user.id, user.id])

    await updateSettings(given, { api_key_policy: "encrypt" })
    const again = await given.seen.caused(() =>
      given.put(`/v1/credentials/${hashed.id}`, { credential: { api_key: ownKey } })
    )
    expect(again).toEqual([{ event_type: "user.updated", user_id: user.id }])
    expect(await keyInResponse(hashed.id)).toBe(ownKey)
    await updateSettings(given, { api_key_policy: "hash" })
    const made = await given.put(`/v1/credentials/${encrypted.id}`, { credential: { api_key: "generate" } })
    expect(made.string("api_key")).toMatch(/^[0-9A-Za-z]{43}$/)
    expect(await keyInResponse(encrypted.id)).toBeUndefined()
  })
})

test("a human user cannot have an API key", async () => {
  const given = await newRealm()
  const user = await given.user()
  const credential = { user_id: user.id, credential_type: "api_key" }
  const { result, events } = await given.seen.during(() => given.post("/v2/credentials", { credential }))
  expect(rejectionOf(result)).toEqual({
    status: 422,
    errors: ["Credential type api_key is only available for API users."]
  })
  expect(events).toEqual([])
})
