import { hash } from "@node-rs/argon2"
import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { newApiUser, newCredential } from "../support/credentials.ts"
import { newRealm } from "../support/sallyport.ts"

const rejectionOf = (reply: Reply) => ({ status: reply.status, errors: reply.errors })

const good = "a wholly unguessable phrase"
const better = "an even less guessable phrase"

const withPassword = (given: GivenRealm, userId: string, password = good) =>
  newCredential(given, userId, { credential_type: "password", password })

/** The status of a login with a password. */
const login = async (given: GivenRealm, userId: string, password: string) =>
  (await given.post(`/v2/users/${userId}/authenticate`, { user: { password } })).status

const sessionsOf = async (given: GivenRealm, userId: string) =>
  (await given.get(`/v2/sessions?user_id=${userId}`)).items.length

describe.each(["v1", "v2"])("POST /%s/credentials with a password", (version) => {
  test("creates a password for a user without a password and records user.updated", async () => {
    const given = await newRealm()
    const user = await given.user()
    const credential = { user_id: user.id, credential_type: "password", password: good, password_confirmation: good }
    const { result, events } = await given.seen.during(() => given.post(`/${version}/credentials`, { credential }))
    expect([result.status, result.body]).toEqual([
      201,
      { id: result.id, object: "credential", credential_type: "password", user_id: user.id }
    ])
    expect(result.id).toMatch(/^crd_/)
    expect(events).toEqual([{ event_type: "user.updated", user_id: user.id }])
    expect((await given.get(`/v2/users/${user.id}`)).member("credentials")).toEqual([
      { id: result.id, object: "credential", credential_type: "password" }
    ])
    expect([await login(given, user.id, good), await login(given, user.id, better)]).toEqual([200, 422])
  })

  test("returns 422 and changes nothing if the user already has a password", async () => {
    const given = await newRealm()
    const user = await given.user({ password: good })
    const credential = { user_id: user.id, credential_type: "password", password: better }
    const { result, events } = await given.seen.during(() => given.post(`/${version}/credentials`, { credential }))
    expect(rejectionOf(result)).toEqual({ status: 422, errors: ["Password is already set. Update it instead."] })
    expect(events).toEqual([])
    expect([await login(given, user.id, good), await login(given, user.id, better)]).toEqual([200, 422])
  })
})

test("creates only one password for many concurrent requests", async () => {
  const given = await newRealm()
  const user = await given.user()
  const credential = { user_id: user.id, credential_type: "password", password: good }
  const { result, events } = await given.seen.during(() =>
    Promise.all(Array.from({ length: 8 }, () => given.post("/v2/credentials", { credential })))
  )
  expect(result.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 422)])
  expect(events).toEqual([{ event_type: "user.updated", user_id: user.id }])
})

test("accepts an imported hash instead of a password", async () => {
  const given = await newRealm()
  const user = await given.user()
  const password_hash = await hash(good, { memoryCost: 8_192, timeCost: 1 })
  await newCredential(given, user.id, { credential_type: "password", password_hash })
  expect([await login(given, user.id, good), await login(given, user.id, better)]).toEqual([200, 422])
})

const invalidCredentials = [
  [{}, "Password can't be blank."],
  [{ password: null }, "Password can't be blank."],
  [{ password: "" }, "Password can't be blank."],
  [{ password: "x7!qzw" }, "Password is too short (minimum is 8 characters)."],
  [{ password: "password1" }, "Password is too common. Choose a different one."],
  [{ password: "my-jolanda-2026" }, "Password can't contain the name of the realm, or a name or email of the user."],
  [{ password: good, password_confirmation: better }, "Password confirmation does not match the password."],
  [{ password: good, password_hash: "$argon2id$" }, "Password hash and password can't both be set."],
  [
    { password_hash: "md5" },
    "Password hash is not in an accepted format. Accepted are argon2id, argon2i, argon2d, bcrypt, scrypt, PBKDF2 (SHA-1, SHA-256, SHA-512), SSHA, phpass, Firebase-scrypt."
  ],
  [{ password: 7 }, "Password must be text."]
] as const

test.each(invalidCredentials)("returns 422 for a password credential of %o: %s", async (attributes, error) => {
  const given = await newRealm()
  const user = await given.user({ email: "jolanda@example.test" })
  const credential = { user_id: user.id, credential_type: "password", ...attributes }
  const { result, events } = await given.seen.during(() => given.post("/v2/credentials", { credential }))
  expect(rejectionOf(result)).toEqual({ status: 422, errors: [error] })
  expect(events).toEqual([])
  expect((await given.get(`/v2/users/${user.id}`)).member("credentials")).toEqual([])
})

test("returns 422 with both problems for a confirmation without a password", async () => {
  const given = await newRealm()
  const user = await given.user()
  const credential = { user_id: user.id, credential_type: "password", password_confirmation: good }
  const { result, events } = await given.seen.during(() => given.post("/v2/credentials", { credential }))
  const errors = ["Password confirmation does not match the password.", "Password can't be blank."]
  expect([rejectionOf(result), events]).toEqual([{ status: 422, errors }, []])
})

describe.each(["v1", "v2"])("PUT /%s/credentials/{id} of a password", (version) => {
  test("changes the password and ends every session", async () => {
    const given = await newRealm()
    const user = await given.user({ password: good })
    const id = (await given.get(`/v2/users/${user.id}`)).string("credentials", 0, "id")
    const sessions = [await given.session(user.id), await given.session(user.id)]
    const { result, events } = await given.seen.during(() =>
      given.put(`/${version}/credentials/${id}`, { credential: { password: better } })
    )
    expect([result.status, result.body]).toEqual([
      200,
      { id, object: "credential", credential_type: "password", user_id: user.id }
    ])
    expect(events).toEqual([
      { event_type: "user.updated", user_id: user.id },
      ...sessions.map((session) => ({ event_type: "session.deleted", user_id: user.id, session_id: session.id }))
    ])
    expect(await sessionsOf(given, user.id)).toBe(0)
    expect([await login(given, user.id, good), await login(given, user.id, better)]).toEqual([422, 200])
  })

  test("leaves the password unchanged if the request contains no password", async () => {
    const given = await newRealm()
    const user = await given.user()
    const { id } = await withPassword(given, user.id)
    await given.session(user.id)
    for (const credential of [{}, { password: null }, { name: "x", api_key: "generate", user_id: "x", id: "x" }]) {
      const { result, events } = await given.seen.during(() =>
        given.put(`/${version}/credentials/${id}`, { credential })
      )
      expect([result.status, result.id, events]).toEqual([200, id, []])
    }
    expect([await login(given, user.id, good), await sessionsOf(given, user.id)]).toEqual([200, 2])
  })

  test("returns 422 for an unacceptable password and keeps the old password", async () => {
    const given = await newRealm()
    const user = await given.user({ email: "jolanda@example.test" })
    const { id } = await withPassword(given, user.id)
    const session = await given.session(user.id)
    const events = await given.seen.caused(async () => {
      const unconfirmed = [
        { password_confirmation: good },
        "Password confirmation does not match the password."
      ] as const
      for (const [credential, error] of [...invalidCredentials.slice(2), unconfirmed]) {
        const reply = await given.put(`/${version}/credentials/${id}`, { credential })
        expect(rejectionOf(reply)).toEqual({ status: 422, errors: [error] })
      }
    })
    expect(events).toEqual([])
    expect((await given.get(`/v2/sessions/${session.id}`)).status).toBe(200)
    expect(await login(given, user.id, good)).toBe(200)
  })
})

describe.each(["v1", "v2"])("DELETE /%s/credentials/{id} of a password", (version) => {
  test("removes the password and invalidates reset tokens, but keeps the sessions", async () => {
    const given = await newRealm()
    const user = await given.user()
    const { id } = await withPassword(given, user.id)
    const session = await given.session(user.id)
    const token = (await given.post(`/v2/users/${user.id}/generate_password_token`, {})).string("token")
    const { result, events } = await given.seen.during(() => given.delete(`/${version}/credentials/${id}`))
    expect([result.status, result.text]).toEqual([204, ""])
    expect(events).toEqual([{ event_type: "user.updated", user_id: user.id }])
    expect((await given.get(`/v2/sessions/${session.id}`)).status).toBe(200)
    expect(await login(given, user.id, good)).toBe(422)
    const reset = { user: { token, password: better, password_confirmation: better } }
    expect((await given.post("/v2/users/reset_password_with_token", reset)).status).toBe(422)
    expect(await login(given, user.id, better)).toBe(422)
    expect((await given.get(`/${version}/credentials/${id}`)).status).toBe(404)
    expect((await given.delete(`/${version}/credentials/${id}`)).status).toBe(404)
    expect((await withPassword(given, user.id)).status).toBe(201)
  })
})

test("setting a password ends the lockout after wrong guesses", async () => {
  const given = await newRealm()
  const user = await given.user()
  for (let guess = 0; guess < 11; guess += 1) await login(given, user.id, better)
  expect(await login(given, user.id, better)).toBe(429)
  await withPassword(given, user.id)
  expect(await login(given, user.id, good)).toBe(200)
})

test("an API user cannot have a password", async () => {
  const given = await newRealm()
  const user = await newApiUser(given)
  const credential = { user_id: user.id, credential_type: "password", password: good }
  const { result, events } = await given.seen.during(() => given.post("/v1/credentials", { credential }))
  expect(rejectionOf(result)).toEqual({
    status: 422,
    errors: ["Credential type password is only available for human users."]
  })
  expect(events).toEqual([])
})
