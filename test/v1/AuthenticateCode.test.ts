import { decodeJwt } from "jose"
import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import {
  authenticate,
  authenticateV1,
  completeV1,
  enrolled,
  userEvent as event,
  missingWrapperErrors,
  PASSWORD,
  statusAndErrors,
  wrongCode
} from "../support/logins.ts"
import { unknownIdLike } from "../support/resources.ts"
import { newRealm, ownService } from "../support/sallyport.ts"

const pending = async (realm: GivenRealm, userId: string) => (await authenticateV1(realm, userId)).string("token")

const LOGIN_FAILED = [401, ["Login failed."]]
const NO_TOKEN = [404, ["Token could not be found."]]

describe("POST /v1/users/{id}/authenticate_code", () => {
  test("returns the user and a token for the right code, and records user.login.succeeded", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const device = await enrolled(realm, user.id)
    const loginToken = await pending(realm, user.id)
    const request = { ip: "203.0.113.7", client: "app" }
    const { result, events } = await realm.seen.during(() =>
      completeV1(realm, user.id, loginToken, device.code(), { request })
    )
    const token = result.string("token")
    const [session, ...others] = (await realm.get("/v2/sessions")).items
    expect([result.status, result.body]).toEqual([
      200,
      { ...Object((await realm.get(`/v1/users/${user.id}`)).body), token }
    ])
    expect([session, others]).toEqual([expect.objectContaining({ user_id: user.id, request }), []])
    expect(decodeJwt(token)["sid"]).toBe(session?.["id"])
    expect(events).toEqual([{ ...event(user, "login.succeeded"), session_id: session?.["id"] }])
    const listed = (await realm.get(`/v1/events?user_id=${user.id}&event_type=user.login`)).items
    expect(listed.map(({ event_type }) => event_type)).toEqual(["user.login.initiated", "user.login.succeeded"])
    expect(listed.at(-1)?.["request"]).toEqual(request)
  })

  test("returns 401 and records user.login.failed for a wrong code, and allows another attempt", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const device = await enrolled(realm, user.id)
    const loginToken = await pending(realm, user.id)
    for (const code of [wrongCode(device), device.code(-1), device.code().slice(0, 5), "abcdef"]) {
      const { result, events } = await realm.seen.during(() => completeV1(realm, user.id, loginToken, code))
      expect([code, ...statusAndErrors(result)]).toEqual([code, ...LOGIN_FAILED])
      expect(events).toEqual([event(user, "login.failed")])
    }
    expect((await realm.get("/v2/sessions")).items).toEqual([])
    expect((await completeV1(realm, user.id, loginToken, device.code())).status).toBe(200)
  })

  test("accepts a username in any case, and a form body", async () => {
    const realm = await newRealm()
    const user = await realm.user({ username: "jo", password: PASSWORD })
    const device = await enrolled(realm, user.id)
    const [one, two] = [await pending(realm, user.id), await pending(realm, user.id)]
    expect((await completeV1(realm, "JO", one, device.code())).id).toBe(user.id)
    const reply = await realm.call("POST", "/v1/users/jo/authenticate_code", {
      body: `user[token]=${two}&user[code]=${device.code(1)}`,
      headers: { "content-type": "application/x-www-form-urlencoded" }
    })
    expect([reply.status, reply.id]).toEqual([200, user.id])
  })

  test("includes memberships with expand=memberships in the query or body", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const device = await enrolled(realm, user.id)
    const { id } = await realm.membership(user.id, (await realm.org()).id)
    const [one, two] = [await pending(realm, user.id), await pending(realm, user.id)]
    const inBody = await completeV1(realm, user.id, one, device.code(), { expand: "memberships" })
    expect(inBody.member("memberships", 0, "id")).toBe(id)
    const inQuery = await realm.post(`/v1/users/${user.id}/authenticate_code?expand=memberships`, {
      user: { token: two, code: device.code(1) }
    })
    expect(inQuery.member("memberships", 0, "id")).toBe(id)
  })

  test("returns 404 and records no event for a used token, another user's token or a token of another kind", async () => {
    const [realm, elsewhere] = [await newRealm(), await newRealm()]
    const user = await realm.user({ password: PASSWORD })
    const device = await enrolled(realm, user.id)
    const other = await realm.user({ username: "other", password: PASSWORD })
    const foreign = await elsewhere.user()
    const loginToken = await pending(realm, user.id)
    const v2LoginToken = (await authenticate(realm, user.id)).string("token")
    const { events } = await realm.seen.during(async () => {
      for (const [where, path, token] of [
        [realm, other.id, loginToken],
        [realm, "other", loginToken],
        [elsewhere, foreign.id, loginToken],
        [realm, user.id, `kli_${"x".repeat(43)}`],
        [realm, user.id, loginToken.slice(0, -1)],
        [realm, user.id, `${loginToken}x`],
        [realm, user.id, loginToken.replace("kli_", "tmf:")],
        [realm, user.id, v2LoginToken],
        [realm, user.id, ""],
        [realm, user.id, undefined]
      ] as const) {
        expect([token, ...statusAndErrors(await completeV1(where, path, token, device.code()))]).toEqual([
          token,
          ...NO_TOKEN
        ])
      }
      for (const path of [unknownIdLike(user.id), "nobody", foreign.id]) {
        expect((await completeV1(realm, path, loginToken, device.code())).status).toBe(404)
      }
    })
    expect(events).toEqual([])
    expect((await completeV1(realm, user.id, loginToken, device.code())).status).toBe(200)
    const afterward = await realm.seen.during(() => completeV1(realm, user.id, loginToken, device.code(1)))
    expect([statusAndErrors(afterward.result), afterward.events]).toEqual([NO_TOKEN, []])
  })

  test("returns 404 after five wrong codes for the same token, even for the right code", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const device = await enrolled(realm, user.id)
    const loginToken = await pending(realm, user.id)
    for (let n = 0; n < 5; n += 1) {
      expect(statusAndErrors(await completeV1(realm, user.id, loginToken, wrongCode(device)))).toEqual(LOGIN_FAILED)
    }
    const { result, events } = await realm.seen.during(() => completeV1(realm, user.id, loginToken, device.code()))
    expect([statusAndErrors(result), events]).toEqual([NO_TOKEN, []])
    expect((await completeV1(realm, user.id, await pending(realm, user.id), device.code())).status).toBe(200)
  })

  test("rejects a token after ten minutes or after its user is deleted, deactivated or gets a new password", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const user = await realm.user({ password: PASSWORD })
      const now = () => clock.currentTimeMillisUnsafe()
      const device = await enrolled(realm, user.id, now())
      const [first, second] = [await pending(realm, user.id), await pending(realm, user.id)]
      const tryCode = async (token: string) => {
        clock.advance("30 seconds")
        return (await completeV1(realm, user.id, token, device.code(0, now()))).status
      }
      clock.advance("569 seconds")
      expect(await tryCode(first)).toBe(200)
      clock.advance("1 second")
      expect(statusAndErrors(await completeV1(realm, user.id, second, device.code(1, now())))).toEqual(NO_TOKEN)

      const third = await pending(realm, user.id)
      for (const state of ["inactive", "active"]) await realm.put(`/v1/users/${user.id}`, { user: { state } })
      expect(await tryCode(third)).toBe(404)
      const fourth = await pending(realm, user.id)
      const password = "eight yellow giraffes"
      await realm.put(`/v1/users/${user.id}`, { user: { password } })
      expect(await tryCode(fourth)).toBe(404)
      const fifth = (await authenticateV1(realm, user.id, password)).string("token")
      await realm.delete(`/v1/users/${user.id}`)
      expect(await tryCode(fifth)).toBe(404)
    }))

  test("doesn't count an attempt if the code or the wrapper is missing", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const device = await enrolled(realm, user.id)
    const loginToken = await pending(realm, user.id)
    const { events } = await realm.seen.during(async () => {
      for (const code of ["", null, undefined]) {
        expect(statusAndErrors(await completeV1(realm, user.id, loginToken, code))).toEqual([
          422,
          ["Code can't be blank."]
        ])
      }
      expect(statusAndErrors(await completeV1(realm, user.id, loginToken, 123_456))).toEqual([
        422,
        ["Code must be text."]
      ])
      for (let n = 0; n < 5; n += 1) {
        const withoutWrapper = await realm.post(`/v1/users/${user.id}/authenticate_code`, {
          token: loginToken,
          code: device.code()
        })
        expect(statusAndErrors(withoutWrapper)).toEqual([400, missingWrapperErrors("token", "code")])
      }
    })
    expect(events).toEqual([])
    expect((await completeV1(realm, user.id, loginToken, device.code())).status).toBe(200)
  })

  test("returns 422 and records no event while the totp provider or the realm is inactive", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const device = await enrolled(realm, user.id)
    const loginToken = await pending(realm, user.id)
    const setState = (state: string) => realm.put("/v1/auth_providers/totp", { auth_provider: { state } })
    await setState("inactive")
    const whileInactive = await realm.seen.during(() => completeV1(realm, user.id, loginToken, device.code()))
    expect([statusAndErrors(whileInactive.result), whileInactive.events]).toEqual([
      [422, ["This login method is turned off for this realm."]],
      []
    ])
    await setState("active")
    await realm.put(`/v1/realms/${realm.id}`, { realm: { state: "inactive" } })
    const inactive = await realm.seen.during(() => completeV1(realm, user.id, loginToken, device.code()))
    const sentence = "The realm is inactive, so nobody can log in."
    expect([statusAndErrors(inactive.result), inactive.events]).toEqual([[422, [sentence]], []])
    await realm.put(`/v1/realms/${realm.id}`, { realm: { state: "active" } })
    expect((await completeV1(realm, user.id, loginToken, device.code())).status).toBe(200)
  })

  test("returns 429 after ten wrong codes, even for the right code with a new token", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const device = await enrolled(realm, user.id)
    const tokens = [await pending(realm, user.id), await pending(realm, user.id), await pending(realm, user.id)]
    const { events } = await realm.seen.during(async () => {
      for (let n = 0; n < 10; n += 1) {
        const wrong = await completeV1(realm, user.id, tokens[Math.floor(n / 5)], wrongCode(device))
        expect(statusAndErrors(wrong)).toEqual(LOGIN_FAILED)
      }
      const blocked = await completeV1(realm, user.id, tokens[2], device.code())
      expect(statusAndErrors(blocked)).toEqual([429, ["Too many failed attempts. Try again in 15 minutes."]])
      expect(blocked.headers.get("retry-after")).toBe("900")
    })
    expect(events).toEqual([...Array.from({ length: 10 }, () => event(user, "login.failed")), event(user, "blocked")])
  })

  test("returns errors in Spanish for Accept-Language: es", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const device = await enrolled(realm, user.id)
    const token = await pending(realm, user.id)
    const ask = (presented: string, code: string) =>
      realm.post(
        `/v1/users/${user.id}/authenticate_code`,
        { user: { token: presented, code } },
        { "accept-language": "es" }
      )
    expect(statusAndErrors(await ask(token, wrongCode(device)))).toEqual([401, ["Error al iniciar sesión."]])
    expect((await ask("kli_x", device.code())).headers.get("content-language")).toBe("es")
  })
})
