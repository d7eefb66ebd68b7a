import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { authenticateV1, userEvent as event, OTHER_PASSWORD, PASSWORD, statusAndErrors } from "../support/logins.ts"
import { unknownIdLike } from "../support/resources.ts"
import { newRealm } from "../support/sallyport.ts"

const good = { current_password: PASSWORD, password: OTHER_PASSWORD, password_confirmation: OTHER_PASSWORD }

const update = (realm: GivenRealm, user: string, attributes: unknown = good) =>
  realm.put(`/v1/users/${user}/update_password`, { user: attributes })

const MISMATCH = [422, ["Current password does not match."]]

describe("PUT /v1/users/{id}/update_password", () => {
  test("returns 204, replaces the password, ends every session and records user.updated", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const sessions = [await realm.session(user.id), await realm.session(user.id)]
    const other = await realm.session((await realm.user()).id)
    const { result, events } = await realm.seen.during(() => update(realm, user.id))
    expect([result.status, result.text]).toEqual([204, ""])
    expect(events).toEqual([
      event(user, "updated"),
      ...sessions.map(({ id }) => ({ event_type: "session.deleted", user_id: user.id, session_id: id }))
    ])
    const asV1 = (await realm.get(`/v1/events?user_id=${user.id}`)).items.map(({ event_type }) => event_type)
    expect(asV1).toEqual(["user.created", "user.updated"])
    expect((await realm.get("/v2/sessions")).items.map(({ id }) => id)).toEqual([other.id])
    expect((await authenticateV1(realm, user.id, PASSWORD)).status).toBe(401)
    expect((await authenticateV1(realm, user.id, OTHER_PASSWORD)).status).toBe(200)
  })

  test("accepts a username in any case, or an email if emails are the usernames", async () => {
    const [standard, email] = [await newRealm(), await newRealm({ username_validation_human: "email" })]
    const user = await standard.user({ username: "jo", password: PASSWORD })
    await email.user({ email: "jo@example.test", password: PASSWORD })
    expect((await update(standard, "JO")).status).toBe(204)
    expect((await update(email, "JO@example.test")).status).toBe(204)
    const members = { current_password: OTHER_PASSWORD, password: PASSWORD, password_confirmation: PASSWORD }
    const pairs = Object.entries(members).map(([name, text]) => `user[${name}]=${encodeURIComponent(text)}`)
    const form = await standard.call("PUT", "/v1/users/jo/update_password", {
      body: pairs.join("&"),
      headers: { "content-type": "application/x-www-form-urlencoded" }
    })
    expect(form.status).toBe(204)
    expect((await authenticateV1(standard, user.id, PASSWORD)).status).toBe(200)
  })

  test.each<[object, ReadonlyArray<string>]>([
    [{ current_password: undefined }, ["Current password can't be blank."]],
    [{ current_password: null }, ["Current password can't be blank."]],
    [{ current_password: "" }, ["Current password can't be blank."]],
    [{ password_confirmation: undefined }, ["Password confirmation can't be blank."]],
    [{ password_confirmation: null }, ["Password confirmation can't be blank."]],
    [{ password: undefined }, ["Password confirmation does not match the password.", "Password can't be blank."]],
    [{ password: "", password_confirmation: "" }, ["Password can't be blank."]],
    [{ password_confirmation: `${OTHER_PASSWORD} ` }, ["Password confirmation does not match the password."]],
    [{ password: "x7!qzw", password_confirmation: "x7!qzw" }, ["Password is too short (minimum is 8 characters)."]],
    [
      { password: "Password1", password_confirmation: "Password1" },
      ["Password is too common. Choose a different one."]
    ],
    [
      { password: "jolanda-7-2026", password_confirmation: "jolanda-7-2026" },
      ["Password can't contain the name of the realm, or a name or email of the user."]
    ],
    [{ current_password: "x".repeat(513) }, ["Current password is too long (maximum is 512 characters)."]],
    [{ current_password: 7 }, ["Current password must be text."]]
  ])("returns 422 and records no event for %j: %s", async (members, sentences) => {
    const realm = await newRealm()
    const user = await realm.user({ first_name: "Jolanda", password: PASSWORD })
    const { id } = await realm.session(user.id)
    const { events } = await realm.seen.during(async () => {
      expect(statusAndErrors(await update(realm, user.id, { ...good, ...members }))).toEqual([422, sentences])
    })
    expect(events).toEqual([])
    expect((await realm.get(`/v2/sessions/${id}`)).status).toBe(200)
    expect((await authenticateV1(realm, user.id, PASSWORD)).status).toBe(200)
  })

  test("counts no attempt if the request is rejected before the current password is checked", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const bad = { current_password: "wrong", password: "short", password_confirmation: "short" }
    for (let n = 0; n < 11; n += 1) expect((await update(realm, user.id, bad)).status).toBe(422)
    expect((await update(realm, user.id)).status).toBe(204)
  })

  test("returns 422 for a wrong current password, and ends no session", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const { id } = await realm.session(user.id)
    const { events } = await realm.seen.during(async () => {
      for (const current_password of ["wrong", `${PASSWORD} `, PASSWORD.toUpperCase(), OTHER_PASSWORD]) {
        expect(statusAndErrors(await update(realm, user.id, { ...good, current_password }))).toEqual(MISMATCH)
      }
    })
    expect(events).toEqual([])
    expect((await realm.get(`/v2/sessions/${id}`)).status).toBe(200)
    const inSpanish = await realm.call("PUT", `/v1/users/${user.id}/update_password`, {
      body: { user: { ...good, current_password: "wrong" } },
      headers: { "accept-language": "es" }
    })
    expect(statusAndErrors(inSpanish)).toEqual([422, ["La contraseña actual no coincide."]])
  })

  test("returns 422 for a user without a password", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const { result, events } = await realm.seen.during(() => update(realm, user.id))
    expect([statusAndErrors(result), events]).toEqual([MISMATCH, []])
    expect((await authenticateV1(realm, user.id, OTHER_PASSWORD)).status).toBe(401)
  })

  test("returns 429 after ten wrong passwords, even for the right password, and records user.blocked once", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const { events } = await realm.seen.during(async () => {
      for (let n = 0; n < 10; n += 1) {
        const wrong = await update(realm, user.id, { ...good, current_password: `guess ${n}` })
        expect(statusAndErrors(wrong)).toEqual(MISMATCH)
      }
      const blocked = await update(realm, user.id)
      expect(statusAndErrors(blocked)).toEqual([429, ["Too many failed attempts. Try again in 15 minutes."]])
      expect(blocked.headers.get("retry-after")).toBe("900")
    })
    expect(events).toEqual([event(user, "blocked")])
  })

  test("succeeds for exactly one of several concurrent requests", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const { result, events } = await realm.seen.during(() =>
      Promise.all(
        Array.from({ length: 5 }, (_, n) => {
          const password = `${OTHER_PASSWORD} ${n}`
          return update(realm, user.id, { current_password: PASSWORD, password, password_confirmation: password })
        })
      )
    )
    expect(result.map(({ status }) => status).sort()).toEqual([204, 422, 422, 422, 422])
    expect(events).toEqual([event(user, "updated")])
    const winner = result.findIndex(({ status }) => status === 204)
    expect((await authenticateV1(realm, user.id, `${OTHER_PASSWORD} ${winner}`)).status).toBe(200)
  })

  test("returns 404 for an unknown, inactive or another realm's user, and 422 for an API user", async () => {
    const realm = await newRealm()
    const inactive = await realm.user({ password: PASSWORD, state: "inactive" })
    const foreign = await (await newRealm()).user({ password: PASSWORD })
    const robot = await realm.apiUser()
    const { events } = await realm.seen.during(async () => {
      for (const id of [inactive.id, foreign.id, unknownIdLike(foreign.id), "nobody"]) {
        expect(statusAndErrors(await update(realm, id))).toEqual([404, ["User could not be found."]])
      }
      expect(statusAndErrors(await update(realm, robot.id))).toEqual([
        422,
        ["Password is only available for human users."]
      ])
      expect((await realm.put(`/v1/users/${inactive.id}/update_password`, good)).status).toBe(400)
    })
    expect(events).toEqual([])
  })
})
