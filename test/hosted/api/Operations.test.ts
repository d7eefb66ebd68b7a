import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import {
  effectsOf,
  hostedAt,
  LOGGED_IN,
  LOGIN_FAILED,
  operationNames,
  person,
  rejection,
  statusAndBody
} from "../../support/hostedApi.ts"
import { enrolled, OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { newRealm } from "../../support/sallyport.ts"
import { passwordTokenV1 } from "../../support/tokens.ts"

describe("every operation of the hosted login API", () => {
  const NOWHERE = ["There is nothing at this address."]

  test("is available only on the host of an active app, regardless of letter case and port", async () => {
    const realm = await newRealm()
    const at = await hostedAt(realm)
    const { id } = at.app
    for (const name of operationNames) {
      for (const host of ["nobody.local.localhost", "id.example.test", "127.0.0.1", `x.${at.host}`, ""]) {
        const reply = await at.post(name, { username: "x", password: "y", token: "z" }, { host })
        expect([host, reply.status, reply.member("errors")]).toEqual([host, 404, NOWHERE])
      }
    }
    for (const host of [`${at.host}:8080`, at.host.toUpperCase(), `${at.host}.`]) {
      expect((await at.post("login", {}, { host })).status).toBe(200)
    }
    await realm.put(`/v2/client_apps/${id}`, { client_app: { state: "inactive" } })
    expect((await at.post("login", {})).status).toBe(404)
    expect((await at.get("checkSession", {})).body).toEqual({ valid: false, error: NOWHERE[0], errors: NOWHERE })
  })

  test("is rejected in an inactive realm, except for checking or ending a session (C19)", async () => {
    const realm = await newRealm()
    const [user, at] = [await person(realm), await hostedAt(realm)]
    const username = user.string("username")
    const token = (await at.post("login", { username, password: PASSWORD })).string("token")
    const password = "nine orange hippos"
    await realm.put(`/v2/realms/${realm.id}`, { realm: { state: "inactive" } })
    const input = { username, email: "x@example.test", password, current_password: PASSWORD, token, code: "123456" }
    const events = await realm.seen.caused(async () => {
      for (const name of operationNames.filter((one) => one !== "checkSession" && one !== "logout")) {
        const refusal = rejection("The realm is inactive, so nobody can log in.")
        expect([name, ...statusAndBody(await at.post(name, input))]).toEqual([name, ...refusal])
      }
    })
    expect(events).toEqual([])
    expect(statusAndBody(await at.post("checkSession", { token }))).toEqual([200, { valid: true }])
    expect((await realm.seen.caused(() => at.post("logout", { token }))).length).toBe(1)
  })

  test("is rejected while passwords are turned off in the realm", async () => {
    const realm = await newRealm()
    const [user, at] = [await person(realm), await hostedAt(realm)]
    const providers = (await realm.get("/v2/auth_providers")).items
    const passwords = providers.find(({ provider_type }) => provider_type === "password")
    await realm.put(`/v2/auth_providers/${passwords?.["id"]}`, { auth_provider: { state: "inactive" } })
    const refusal = rejection("This login method is turned off for this realm.")
    const input = { email: user.string("email"), password: PASSWORD }
    expect(statusAndBody(await at.post("login", input))).toEqual(refusal)
    expect(statusAndBody(await at.post("login", { username: "nobody", password: PASSWORD }))).toEqual(refusal)
    expect(
      statusAndBody(await at.post("signup", { username: "new", email: "new@example.test", password: PASSWORD }))
    ).toEqual(refusal)
  })

  test("uses the caller's language, with the realm's as the fallback", async () => {
    const realm = await newRealm({ default_locale: "es", available_locales: ["es", "en"] })
    const at = await hostedAt(realm)
    const errorIn = async (language: string) => {
      const reply = await at.post("login", { username: "a", password: "b" }, { "accept-language": language })
      return [reply.member("error"), reply.headers.get("content-language")]
    }
    expect(await errorIn("es-MX, en;q=0.5")).toEqual([expect.stringContaining("sesión"), "es"])
    expect(await errorIn("en")).toEqual(["Login failed.", "en"])
    expect(await errorIn("fr")).toEqual(await errorIn("es"))
    const nowhere = await at.post("login", {}, { host: "x.test", "accept-language": "es" })
    expect([nowhere.status, nowhere.member("error")]).toEqual([404, expect.stringMatching(/dirección/)])
  })

  test("allows only POST, GET, HEAD and OPTIONS", async () => {
    const at = await hostedAt(await newRealm())
    for (const name of operationNames) {
      for (const method of ["PUT", "DELETE", "PATCH"]) {
        const reply = await at.send(name, method)
        expect([name, reply.status, reply.headers.get("allow")]).toEqual([name, 405, "GET, HEAD, POST, OPTIONS"])
        expect(reply.errors).toEqual([
          `This URL does not accept ${method} requests. It accepts: GET, HEAD, POST, OPTIONS.`
        ])
      }
    }
  })

  test("does not find a user by a shared email, only by username (C18)", async () => {
    const realm = await newRealm({ require_unique_emails: false })
    const email = "shared@example.test"
    const [user, , at] = [await person(realm, { email }), await person(realm, { email }), await hostedAt(realm)]
    const events = await effectsOf(realm, async (own) => {
      const { post } = at.of(own)
      expect(statusAndBody(await post("login", { email, password: PASSWORD }))).toEqual(LOGIN_FAILED)
      expect((await post("forgotPassword", { email })).member("message")).toEqual(expect.any(String))
      expect((await post("resendEmailToken", { email })).member("message")).toEqual(expect.any(String))
    })
    expect(events).toEqual([])
    expect(statusAndBody(await at.post("login", { username: user.string("username"), password: PASSWORD }))).toEqual(
      LOGGED_IN
    )
  })

  test("SEC-27: leaves the email unverified, even after a reset with an emailed token", async () => {
    const realm = await newRealm()
    const [user, at] = [await person(realm, { email_verification: "requested" }), await hostedAt(realm)]
    const token = await passwordTokenV1(realm, user.id)
    await at.post("resetPassword", { token, password: OTHER_PASSWORD, email_verification: "verified" })
    const input = { username: user.string("username"), password: OTHER_PASSWORD, email_verification: "verified" }
    expect(statusAndBody(await at.post("login", input))).toEqual(LOGGED_IN)
    expect((await realm.get(`/v2/users/${user.id}`)).member("email_verification")).toBe("requested")
  })
})

describe("concurrent requests", () => {
  const fiveTimes = (ask: (n: number) => Promise<Reply>) => Promise.all([1, 2, 3, 4, 5].map(ask))
  const failures = (replies: ReadonlyArray<Reply>) => replies.filter((reply) => reply.member("error") !== undefined)

  test("log in only once with the same token and code", async () => {
    const realm = await newRealm()
    const [user, at] = [await person(realm), await hostedAt(realm)]
    const device = await enrolled(realm, user.id)
    const token = (await at.post("login", { username: user.string("username"), password: PASSWORD })).string("token")
    const { result, events } = await realm.seen.during(() =>
      fiveTimes(() => at.post("verifyLogin", { token, code: device.code() }))
    )
    expect(failures(result)).toHaveLength(4)
    expect(events.filter(({ event_type }) => event_type === "user.login.succeeded")).toHaveLength(1)
    expect((await realm.get("/v2/sessions")).items).toHaveLength(1)
  })

  test("set only one password with the same reset token", async () => {
    const realm = await newRealm()
    const [user, at] = [await person(realm), await hostedAt(realm)]
    const token = await passwordTokenV1(realm, user.id)
    const password = (n: number) => `${n} orange hippos on a raft`
    const replies = await fiveTimes((n) => at.post("resetPassword", { token, password: password(n) }))
    expect(failures(replies)).toHaveLength(4)
    const won = replies.findIndex((reply) => reply.member("error") === undefined) + 1
    const username = user.string("username")
    expect(statusAndBody(await at.post("login", { username, password: password(won) }))).toEqual(LOGGED_IN)
  })

  test("create only one user with the same username", async () => {
    const realm = await newRealm()
    const at = await hostedAt(realm, { signup_mode: "user_org" })
    const replies = await fiveTimes((n) =>
      at.post("signup", { username: "ada", email: `ada-${n}@example.test`, password: PASSWORD })
    )
    expect(failures(replies).map(statusAndBody)).toEqual(Array(4).fill(rejection("Username has already been taken.")))
    for (const list of ["users", "orgs", "sessions"]) {
      expect([list, (await realm.get(`/v2/${list}`)).items.length]).toEqual([list, 1])
    }
  })
})
