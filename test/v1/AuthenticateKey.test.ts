import { decodeJwt } from "jose"
import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { newCredential } from "../support/credentials.ts"
import { userEvent as event, PASSWORD, statusAndErrors } from "../support/logins.ts"
import { noRealm } from "../support/noRealm.ts"
import { newRealm, ownService, service } from "../support/sallyport.ts"

const authenticateKey = (realm: GivenRealm, api_key: unknown, extra: object = {}) =>
  realm.post("/v1/users/authenticate_key", { api_key, ...extra })

/** The id of the user's first credential. */
const credentialOf = async (realm: GivenRealm, user: Reply) =>
  (await realm.get(`/v1/users/${user.id}`)).string("credentials", 0, "id")

const HOUR = 3600
const START = STARTS_AT / 1000
const NO_KEY = [404, ["API key could not be found."]]

describe("POST /v1/users/authenticate_key", () => {
  test("returns the user and a token, and records user.login.succeeded with the request attributes", async () => {
    const realm = await newRealm({ api_key_minutes: 10 })
    const user = await realm.apiUser({ api_key: "generate" })
    const request = { ip: "203.0.113.7", client: "worker" }
    const { result, events } = await realm.seen.during(() =>
      authenticateKey(realm, user.string("api_key"), { request })
    )
    const token = result.string("token")
    const read = await realm.get(`/v1/users/${user.id}`)
    expect([result.status, result.body]).toEqual([200, { ...Object(read.body), token }])
    expect([result.id, result.member("last_login_at")]).toEqual([user.id, START])
    expect(events).toEqual([event(user, "login.succeeded")])
    const listed = (await realm.get(`/v1/events?user_id=${user.id}`)).items.at(-1)
    expect([listed?.["event_type"], listed?.["request"]]).toEqual(["user.login.succeeded", request])
  })

  test("issues a token without a session that expires after api_key_minutes (0 means never)", async () => {
    for (const [minutes, seconds] of [
      [10, 600],
      [0, undefined]
    ] as const) {
      const realm = await newRealm({ api_key_minutes: minutes, jwt_claims: "both", session_minutes: 60 })
      const user = await realm.apiUser({ username: "Robot", api_key: "generate" })
      const claims = decodeJwt((await authenticateKey(realm, user.string("api_key"))).string("token"))
      expect(claims).toMatchObject({ sub: user.id, uid: user.id, aud: realm.id, un: "robot", iat: START })
      expect(claims.exp).toBe(seconds === undefined ? undefined : START + seconds)
      expect((await realm.get("/v2/sessions")).items).toEqual([])
      expect((await realm.get(`/v2/sessions/${claims["sid"]}`)).status).toBe(404)
    }
  })

  test("includes memberships with expand=memberships in the query or body, and accepts a form body", async () => {
    const realm = await newRealm()
    const user = await realm.apiUser({ api_key: "generate" })
    const key = user.string("api_key")
    const { id } = await realm.membership(user.id, (await realm.org()).id)
    expect((await authenticateKey(realm, key)).member("memberships")).toBeUndefined()
    const form = { "content-type": "application/x-www-form-urlencoded" }
    for (const reply of [
      await authenticateKey(realm, key, { expand: "memberships" }),
      await realm.post("/v1/users/authenticate_key?expand=memberships", { api_key: key }),
      await realm.call("POST", "/v1/users/authenticate_key", {
        body: `api_key=${key}&expand[]=memberships`,
        headers: form
      })
    ]) {
      expect([reply.status, reply.member("memberships", 0, "id")]).toEqual([200, id])
    }
  })

  test("returns 404 and records no event for an unknown key or the key of an inactive user", async () => {
    const [realm, elsewhere] = [await newRealm(), await newRealm()]
    const active = await realm.apiUser({ api_key: "generate" })
    const inactive = await realm.apiUser({ api_key: "generate", state: "inactive" })
    const foreign = await elsewhere.apiUser({ api_key: "generate" })
    const human = await realm.user({ password: PASSWORD })
    const key = active.string("api_key")
    const { events } = await realm.seen.during(async () => {
      for (const presented of [
        inactive.string("api_key"),
        foreign.string("api_key"),
        "x".repeat(43),
        key.slice(0, -1),
        `${key}x`,
        ` ${key}`,
        key.toLowerCase() === key ? key.toUpperCase() : key.toLowerCase(),
        PASSWORD,
        human.id,
        active.id,
        "generate"
      ]) {
        expect([presented, ...statusAndErrors(await authenticateKey(realm, presented))]).toEqual([presented, ...NO_KEY])
      }
      expect(statusAndErrors(await authenticateKey(elsewhere, key))).toEqual(NO_KEY)
    })
    expect(events).toEqual([])
    expect((await authenticateKey(realm, key)).id).toBe(active.id)
    await realm.put(`/v1/users/${inactive.id}`, { user: { state: "active" } })
    expect((await authenticateKey(realm, inactive.string("api_key"))).id).toBe(inactive.id)
  })

  test("returns 422 for a blank or non-text key, an inactive realm or a missing realm", async () => {
    const realm = await newRealm()
    const key = (await realm.apiUser({ api_key: "generate" })).string("api_key")
    for (const blank of ["", null, undefined]) {
      expect(statusAndErrors(await authenticateKey(realm, blank))).toEqual([422, ["API key can't be blank."]])
    }
    expect(statusAndErrors(await authenticateKey(realm, 7))).toEqual([422, ["API key must be text."]])
    expect(statusAndErrors(await authenticateKey(realm, "a\u0000b"))).toEqual([422, ["API key is not valid."]])
    const { root } = (await service()).given
    const withoutRealm = await root.post("/v1/users/authenticate_key", { api_key: key })
    expect(statusAndErrors(withoutRealm)).toEqual([422, noRealm])
    const inBody = await root.post("/v1/users/authenticate_key", { api_key: key, realm_id: realm.id })
    expect(inBody.status).toBe(200)
    await realm.put(`/v1/realms/${realm.id}`, { realm: { state: "inactive" } })
    const { result, events } = await realm.seen.during(() => authenticateKey(realm, key))
    expect([statusAndErrors(result), events]).toEqual([[422, ["The realm is inactive, so nobody can log in."]], []])
  })

  test.each([
    "hash",
    "encrypt"
  ])("accepts a generated or assigned key until it is changed or deleted (api_key_policy %s)", async (policy) => {
    const realm = await newRealm({ api_key_policy: policy })
    const [created, assigned] = [await realm.apiUser({ api_key: "generate" }), await realm.apiUser()]
    const own = "one-of-my-own-0123456789"
    await newCredential(realm, assigned.id, { credential_type: "api_key", api_key: own })
    const key = created.string("api_key")
    expect((await authenticateKey(realm, key)).id).toBe(created.id)
    expect((await authenticateKey(realm, own)).id).toBe(assigned.id)
    expect((await authenticateKey(realm, key)).member("api_key")).toBe(policy === "encrypt" ? key : null)

    const changed = await realm.put(`/v1/credentials/${await credentialOf(realm, created)}`, {
      credential: { api_key: "generate" }
    })
    expect(statusAndErrors(await authenticateKey(realm, key))).toEqual(NO_KEY)
    expect((await authenticateKey(realm, changed.string("api_key"))).id).toBe(created.id)
    await realm.delete(`/v1/credentials/${await credentialOf(realm, assigned)}`)
    expect(statusAndErrors(await authenticateKey(realm, own))).toEqual(NO_KEY)
    await realm.delete(`/v1/users/${created.id}`)
    expect(statusAndErrors(await authenticateKey(realm, changed.string("api_key")))).toEqual(NO_KEY)
  })

  test("accepts any of a user's API keys", async () => {
    const realm = await newRealm()
    const user = await realm.apiUser({ api_key: "generate" })
    const second = await newCredential(realm, user.id, { credential_type: "api_key" })
    for (const key of [user.string("api_key"), second.string("api_key")]) {
      expect((await authenticateKey(realm, key)).id).toBe(user.id)
    }
  })

  test("records an event for a user's first login of each UTC day", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const user = await realm.apiUser({ api_key: "generate" })
      const key = user.string("api_key")
      let hour = 0
      // Hour 0 is midnight.
      for (const [at, events, lastLogin] of [
        [20, 1, 20],
        [21, 0, 20],
        [23.99, 0, 20],
        [24, 1, 20],
        [43.99, 0, 20],
        [44, 0, 44],
        [47.99, 0, 44],
        [48, 1, 44],
        [120, 1, 120],
        [144, 1, 144]
      ] as const) {
        clock.advance(`${Math.round((at - hour) * HOUR)} seconds`)
        hour = at
        const seen = await realm.seen.during(() => authenticateKey(realm, key))
        expect([at, seen.result.member("last_login_at")]).toEqual([at, START + lastLogin * HOUR])
        expect([at, seen.events]).toEqual([at, Array.from({ length: events }, () => event(user, "login.succeeded"))])
        const read = await realm.get(`/v1/users/${user.id}`)
        expect([at, read.member("last_login_at")]).toEqual([at, START + lastLogin * HOUR])
      }
    }))

  test("records one event for concurrent first logins of the day", async () => {
    const realm = await newRealm()
    const user = await realm.apiUser({ api_key: "generate" })
    const key = user.string("api_key")
    const { result, events } = await realm.seen.during(() =>
      Promise.all(Array.from({ length: 10 }, () => authenticateKey(realm, key)))
    )
    expect(result.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    expect(events).toEqual([event(user, "login.succeeded")])
  })

  test("never blocks a user for wrong keys", async () => {
    const realm = await newRealm()
    const user = await realm.apiUser({ api_key: "generate" })
    for (let n = 0; n < 12; n += 1) expect((await authenticateKey(realm, `wrong key ${n}`)).status).toBe(404)
    expect((await authenticateKey(realm, user.string("api_key"))).status).toBe(200)
  })

  test("returns errors in Spanish for Accept-Language: es", async () => {
    const realm = await newRealm()
    const ask = (api_key: string) =>
      realm.post("/v1/users/authenticate_key", { api_key }, { "accept-language": "es-MX" })
    expect(statusAndErrors(await ask("wrong"))).toEqual([404, ["Clave de API: no se ha encontrado."]])
    expect(statusAndErrors(await ask(""))).toEqual([422, ["Clave de API: no puede estar en blanco."]])
  })
})
