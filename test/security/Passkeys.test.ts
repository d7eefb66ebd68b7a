import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { Authenticator } from "#testing/Authenticator"
import type { GivenRealm } from "#testing/Given"
import {
  answer,
  creationOptions,
  enrolPasskey,
  loginOptions,
  ORIGIN,
  passkeyLogin,
  realmWithApp,
  register
} from "../support/passkeys.ts"
import { clockedService } from "../support/sallyport.ts"

const errorOf = (reply: Reply) => [reply.status, reply.errors]
const loginFailed = [422, ["Login failed."]]
const tokenUnusable = [422, ["Token is invalid, has expired or has already been used."]]

/** The login events of a realm. */
const loginEvents = async (realm: GivenRealm) =>
  (await realm.get("/v2/events?event_type=user.login,user.blocked")).items.map(({ event_type, user_id }) => [
    event_type,
    user_id
  ])

const enrolledUser = async (realm: GivenRealm) => {
  const user = await realm.user()
  return { user, ...(await enrolPasskey(realm, user.id)) }
}

describe("a passkey challenge", () => {
  test("SEC-113: accepts only one response at login, whether right or wrong", async () => {
    const realm = await realmWithApp()
    const { authenticator } = await enrolledUser(realm)
    const first = await loginOptions(realm)
    const response = authenticator.get(first.options, { origin: ORIGIN })
    expect((await answer(realm, first.token, response)).status).toBe(200)
    expect(errorOf(await answer(realm, first.token, response))).toEqual(tokenUnusable)

    const second = await loginOptions(realm)
    const right = authenticator.get(second.options, { origin: ORIGIN })
    const wrong = authenticator.get(second.options, { origin: "https://evil.example.test" })
    expect(errorOf(await answer(realm, second.token, wrong))).toEqual(loginFailed)
    expect(errorOf(await answer(realm, second.token, right))).toEqual(tokenUnusable)
  })

  test("SEC-113: expires after ten minutes", async () => {
    const own = await clockedService()
    const realm = await own.given.realm()
    await realm.connectedApp({ login_handler: `${ORIGIN}/login` })
    const { authenticator, user } = await enrolledUser(realm)
    const login = await loginOptions(realm)
    const creation = await creationOptions(realm, user.id)
    await own.advance("10 minutes")
    const used = authenticator.get(login.options, { origin: ORIGIN })
    expect(errorOf(await answer(realm, login.token, used))).toEqual(tokenUnusable)
    const created = new Authenticator().create(creation.options, { origin: ORIGIN })
    expect(errorOf(await register(realm, user.id, creation.token, created))).toEqual(tokenUnusable)
  })

  test("SEC-113: is rejected if it is forged or belongs to another realm, user or ceremony", async () => {
    const [realm, other] = [await realmWithApp(), await realmWithApp()]
    const { authenticator, user } = await enrolledUser(realm)
    const options = await loginOptions(realm)
    const foreign = await loginOptions(other)
    const used = () => authenticator.get(options.options, { origin: ORIGIN })
    expect(errorOf(await answer(realm, foreign.token, used()))).toEqual(tokenUnusable)
    expect(errorOf(await answer(realm, `tpk:${"A".repeat(43)}`, used()))).toEqual(tokenUnusable)
    const another = await loginOptions(realm)
    expect(errorOf(await answer(realm, another.token, used()))).toEqual(loginFailed)

    const stranger = await realm.user()
    const creation = await creationOptions(realm, stranger.id)
    const created = new Authenticator().create(creation.options, { origin: ORIGIN })
    expect(errorOf(await register(realm, user.id, creation.token, created))).toEqual(tokenUnusable)
    const login = await loginOptions(realm)
    expect(errorOf(await register(realm, stranger.id, login.token, created))).toEqual(tokenUnusable)
    const creationAgain = await creationOptions(realm, user.id)
    expect(errorOf(await answer(realm, creationAgain.token, used()))).toEqual(tokenUnusable)
  })
})

test("SEC-236: malformed attestation objects return 422, and the challenge can still be used", async () => {
  const realm = await realmWithApp()
  const user = await realm.user()
  const { token, options } = await creationOptions(realm, user.id)
  const right = new Authenticator().create(options, { origin: ORIGIN })
  const withObject = (attestationObject: string) => ({ ...right, response: { ...right.response, attestationObject } })
  const isWrong = [422, ["The passkey's response is not valid for this challenge."]]
  const rejected = await realm.seen.caused(async () => {
    // An integer, a text, a list, true, null and an empty map.
    for (const object of ["AA", "YWE", "gA", "9Q", "9g", "oA"]) {
      expect(errorOf(await register(realm, user.id, token, withObject(object)))).toEqual(isWrong)
      expect(errorOf(await register(realm, user.id, token, withObject(object), { version: "v1" }))).toEqual(isWrong)
    }
  })
  expect(rejected).toEqual([])
  const replies = await Promise.all([1, 2].map(() => register(realm, user.id, token, right)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 422])
  expect(errorOf(await register(realm, user.id, token, right))).toEqual(tokenUnusable)
})

describe("the origin of a passkey ceremony", () => {
  test("SEC-114: must match the realm's origin and domain at registration and login", async () => {
    const realm = await realmWithApp()
    const { authenticator, user } = await enrolledUser(realm)
    const evil = "https://evil.example.test"
    expect(errorOf(await passkeyLogin(realm, authenticator, { origin: evil }))).toEqual(loginFailed)

    const creation = await creationOptions(realm, user.id)
    const elsewhere = new Authenticator().create(creation.options, { origin: evil })
    expect(errorOf(await register(realm, user.id, creation.token, elsewhere))).toEqual([
      422,
      ["The passkey was created on a different page than requested."]
    ])
    const again = await creationOptions(realm, user.id)
    const otherDomain = { ...again.options, rp: { ...again.options.rp, id: "evil.example.test" } }
    const thief = new Authenticator()
    const created = thief.create(otherDomain, { origin: ORIGIN })
    expect(errorOf(await register(realm, user.id, again.token, created))).toEqual([
      422,
      ["The passkey's response is not valid for this challenge."]
    ])
    // The attacker's page calls an authenticator that would also use the passkey on other pages.
    const login = await loginOptions(realm)
    const response = thief.get({ ...login.options, rpId: "evil.example.test" }, { origin: ORIGIN })
    const id = authenticator.passkeys[0]?.id
    expect(errorOf(await answer(realm, login.token, { ...response, id, rawId: id }))).toEqual(loginFailed)
  })

  test("SEC-114: must be a page of one of the realm's active apps to get options", async () => {
    const realm = await realmWithApp()
    const user = await realm.user()
    for (const origin of [
      "https://evil.example.test",
      "http://app.example.test",
      "https://app.example.test:8443",
      "x"
    ]) {
      for (const path of ["passkey_options", `${user.id}/passkey_options`]) {
        const reply = await realm.post(`/v2/users/${path}`, { user: { origin } })
        expect(errorOf(reply)).toEqual([422, ["Origin must belong to a page of one of the realm's connected apps."]])
      }
    }
  })
})

test("SEC-115: a login with another user's passkey fails and records user.login.failed for the passkey's owner", async () => {
  const realm = await realmWithApp()
  const [victim, attacker] = [await enrolledUser(realm), await enrolledUser(realm)]
  const id = victim.authenticator.passkeys[0]?.id
  const { token, options } = await loginOptions(realm)
  const response = attacker.authenticator.get(options, { origin: ORIGIN })
  expect(errorOf(await answer(realm, token, { ...response, id, rawId: id }))).toEqual(loginFailed)
  expect(await loginEvents(realm)).toEqual([["user.login.failed", victim.user.id]])

  // Another user's handle with the attacker's own passkey also fails.
  const own = await loginOptions(realm)
  const honest = attacker.authenticator.get(own.options, { origin: ORIGIN })
  const userHandle = Buffer.from(victim.user.id).toString("base64url")
  const withForeignHandle = { ...honest, response: { ...honest.response, userHandle } }
  expect(errorOf(await answer(realm, own.token, withForeignHandle))).toEqual(loginFailed)
  expect(await loginEvents(realm)).toEqual([
    ["user.login.failed", victim.user.id],
    ["user.login.failed", attacker.user.id]
  ])
  const unknown = await loginOptions(realm)
  const nobodys = { ...attacker.authenticator.get(unknown.options, { origin: ORIGIN }), id: "AAAA" }
  expect(errorOf(await answer(realm, unknown.token, nobodys))).toEqual(loginFailed)
})

test("SEC-116: a sign counter that doesn't increase is rejected and recorded, unless the counter stays 0", async () => {
  const realm = await realmWithApp()
  const { authenticator, user } = await enrolledUser(realm)
  expect((await passkeyLogin(realm, authenticator, { signCount: 7 })).status).toBe(200)
  for (const signCount of [7, 6, 0])
    expect(errorOf(await passkeyLogin(realm, authenticator, { signCount }))).toEqual(loginFailed)
  expect((await passkeyLogin(realm, authenticator, { signCount: 8 })).status).toBe(200)
  expect(await loginEvents(realm)).toEqual([
    ["user.login.succeeded", user.id],
    ["user.login.failed", user.id],
    ["user.login.failed", user.id],
    ["user.login.failed", user.id],
    ["user.login.succeeded", user.id]
  ])

  const synced = new Authenticator({ backupEligible: true })
  await enrolPasskey(realm, (await realm.user()).id, { authenticator: synced })
  for (const _ of [1, 2]) expect((await passkeyLogin(realm, synced)).status).toBe(200)
})

test("SEC-117: a passkey can be registered only once in a realm, even under concurrent requests", async () => {
  const realm = await realmWithApp()
  const [user, other] = [await realm.user(), await realm.user()]
  const begun = await Promise.all([user, user, other, other].map(({ id }) => creationOptions(realm, id)))
  // Without attestation, the public key is not signed, so it can be submitted for other challenges.
  const created = begun.map(({ options }) => new Authenticator().create(options, { origin: ORIGIN }))
  const [first] = created
  if (first === undefined) throw new Error("No passkey was created.")
  const { id, response } = first
  const answers = created.map((one) => ({
    ...one,
    id,
    response: { ...response, clientDataJSON: one.response.clientDataJSON }
  }))
  const replies = await Promise.all(
    answers.map((one, n) => register(realm, n < 2 ? user.id : other.id, begun[n]?.token ?? "", one))
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 422, 422, 422])
  const rejected = replies.filter(({ status }) => status === 422)
  for (const reply of rejected) expect(reply.errors).toEqual(["This passkey is already registered."])
})

test("SEC-118: a user can't start or finish adding more than 20 passkeys", async () => {
  const realm = await realmWithApp()
  const user = await realm.user()
  const options = await creationOptions(realm, user.id)
  for (let n = 0; n < 20; n++) await enrolPasskey(realm, user.id)
  const tooMany = [422, ["A user can have at most 20 credentials of type passkey."]]
  expect(errorOf(await realm.post(`/v2/users/${user.id}/passkey_options`, { user: { origin: ORIGIN } }))).toEqual(
    tooMany
  )
  const created = new Authenticator().create(options.options, { origin: ORIGIN })
  expect(errorOf(await register(realm, user.id, options.token, created))).toEqual(tooMany)
})

test("SEC-119: login options are the same for everyone, and an unknown passkey fails like a wrong passkey", async () => {
  const [empty, full] = [await realmWithApp(), await realmWithApp()]
  const { authenticator } = await enrolledUser(full)
  const [none, some] = [await loginOptions(empty), await loginOptions(full)]
  const shape = ({ options }: typeof none) => ({ ...options, challenge: "", rpId: "" })
  expect(shape(some)).toEqual(shape(none))
  expect(some.options.allowCredentials).toEqual([])

  const wrong = await passkeyLogin(full, authenticator, { origin: "https://evil.example.test" })
  const { token, options } = await loginOptions(full)
  const unknownPasskey = { ...authenticator.get(options, { origin: ORIGIN }), id: "c3RyYW5nZXI" }
  const unknown = await answer(full, token, unknownPasskey)
  const comparable = ({ status, errors, headers }: Reply) => [status, errors, headers.get("content-length")]
  expect(comparable(unknown)).toEqual(comparable(wrong))
})

test("SEC-145: a passkey's id isn't enough to lock out the owner or to record failures", async () => {
  const { given, advance } = await clockedService()
  const realm = await given.realm({ limits: { attempts: 1_000 } })
  await realm.connectedApp({ login_handler: `${ORIGIN}/login` })
  const { authenticator, user } = await enrolledUser(realm)
  const stranger = await enrolledUser(realm)
  const id = authenticator.passkeys[0]?.id
  const failedLogin = async () => {
    const { token, options } = await loginOptions(realm)
    return answer(realm, token, { ...stranger.authenticator.get(options, { origin: ORIGIN }), id, rawId: id })
  }
  for (let n = 0; n < 12; n++) expect(errorOf(await failedLogin())).toEqual(loginFailed)
  // Responses made on other pages don't affect the owner either.
  const evil = { origin: "https://evil.example.test" }
  expect(errorOf(await passkeyLogin(realm, authenticator, evil))).toEqual(loginFailed)
  expect(await loginEvents(realm)).toEqual(Array.from({ length: 10 }, () => ["user.login.failed", user.id]))
  expect((await passkeyLogin(realm, authenticator)).status).toBe(200)
  await advance("15 minutes")
  expect(errorOf(await failedLogin())).toEqual(loginFailed)
  expect((await loginEvents(realm)).map(([type]) => type)).toEqual([
    ...Array.from({ length: 10 }, () => "user.login.failed"),
    "user.login.succeeded",
    "user.login.failed"
  ])
})
