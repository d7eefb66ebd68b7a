import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { appWithDouble, beginLogin, returnWithCode } from "../external/BrowserLogins.ts"
import { codeOf, sendCode, withEmailCodes } from "../support/codes.ts"
import { logIn, oauth2StandIn, profile, stateFor, submitCallback } from "../support/external.ts"
import { hostedAt } from "../support/hostedApi.ts"
import { authenticate, authenticateV1, complete, enrolled, PASSWORD, wrongCode } from "../support/logins.ts"
import { answer, readyPasskey } from "../support/passkeys.ts"
import { ownService } from "../support/sallyport.ts"

const OFF = "This login method is turned off for this realm."

const turnOff = (realm: GivenRealm, provider: string) =>
  realm.put(`/v2/auth_providers/${provider}`, { auth_provider: { state: "inactive" } })

const disabledMethodError = (reply: Reply) => {
  const [code, reason] = [["code"], ["params", "reason"]].map((path) => reply.member("error_details", 0, ...path))
  return [reply.status, reply.errors, code, reason]
}

const OFF_WITH_REASON = [422, [OFF], "provider_inactive", "method_off"]

/** The failed-login events of a realm, without the members common to all events. */
const failedLogins = async (realm: GivenRealm, version: "v1" | "v2" = "v2") =>
  (await realm.get(`/${version}/events?event_type=user.login.failed`)).items.map(
    ({ user_id, reason, attempts, actor }) => ({ user_id, reason, attempts, by: Object(actor).id })
  )

const failedLoginRow = (user_id: string | undefined, reason: string, attempts = 1) => ({
  user_id,
  reason,
  attempts,
  by: "RecordRefusedLogins"
})

describe("SEC-260: a login with a disabled method, recorded once a minute", () => {
  test("by password is recorded for the user, or without a user if the name is unknown", () =>
    ownService(async ({ given, advance }) => {
      const realm = await given.realm()
      const user = await realm.user({ email: "jo@example.test", password: PASSWORD })
      await turnOff(realm, "password")
      expect(disabledMethodError(await authenticate(realm, user.id))).toEqual(OFF_WITH_REASON)
      expect(disabledMethodError(await authenticateV1(realm, user.id))).toEqual(OFF_WITH_REASON)
      expect(disabledMethodError(await authenticate(realm, "nobody@example.test"))).toEqual(OFF_WITH_REASON)
      const at = await hostedAt(realm)
      const [known, unknown] = [
        await at.post("login", { username: "jo@example.test", password: PASSWORD }),
        await at.post("login", { username: "nobody@example.test", password: PASSWORD })
      ]
      expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
      expect(known.text).not.toContain("method_off")
      expect(await failedLogins(realm)).toEqual([])
      await advance("1 minute")
      for (const version of ["v1", "v2"] as const)
        expect(await failedLogins(realm, version)).toEqual([
          failedLoginRow(user.id, "method_off", 3),
          failedLoginRow(undefined, "method_off", 2)
        ])
    }))

  test("by authenticator code is recorded for the user", () =>
    ownService(async ({ given, advance }) => {
      const realm = await given.realm()
      const user = await realm.user({ password: PASSWORD })
      const device = await enrolled(realm, user.id)
      const token = (await authenticate(realm, user.id)).string("token")
      await turnOff(realm, "totp")
      expect(disabledMethodError(await complete(realm, token, wrongCode(device)))).toEqual(OFF_WITH_REASON)
      await advance("1 minute")
      expect(await failedLogins(realm)).toEqual([failedLoginRow(user.id, "method_off")])
    }))

  test("by emailed code is recorded for the user", () =>
    ownService(async ({ given, advance }) => {
      const realm = await given.realm()
      await withEmailCodes(realm)
      const user = await realm.user({ email: "jo@example.test" })
      const token = (await sendCode(realm, user.id)).string("token")
      const code = await codeOf(realm, user.id)
      await turnOff(realm, "email_code")
      expect(disabledMethodError(await complete(realm, token, code))).toEqual(OFF_WITH_REASON)
      await advance("1 minute")
      expect(await failedLogins(realm)).toEqual([failedLoginRow(user.id, "method_off")])
    }))

  test("by passkey is recorded for its owner", () =>
    ownService(async ({ given, advance }) => {
      const realm = await given.realm()
      const { id, attributes } = await readyPasskey(realm)
      await turnOff(realm, "passkey")
      expect(disabledMethodError(await answer(realm, attributes.token, attributes.response))).toEqual(OFF_WITH_REASON)
      await advance("1 minute")
      expect(await failedLogins(realm)).toEqual([failedLoginRow(id, "method_off")])
    }))

  test("through a provider is recorded without a user, because the user is not known yet", () =>
    ownService(async ({ given, advance }) => {
      const realm = await given.realm()
      const { provider, double } = await oauth2StandIn(realm, profile())
      const state = await stateFor(realm, provider.id)
      await turnOff(realm, provider.id)
      const authorize = `/v2/auth_providers/${provider.id}/authorize`
      for (const reply of [await submitCallback(realm, { state }), await realm.post(authorize, { access_token: "at" })])
        expect(disabledMethodError(reply)).toEqual(OFF_WITH_REASON)
      expect(double.got).toEqual([])
      await advance("1 minute")
      expect(await failedLogins(realm)).toEqual([failedLoginRow(undefined, "method_off", 2)])
    }))
})

describe("SEC-260: a login rejected by a provider, recorded once a minute", () => {
  test("is recorded without a user if the provider identified no user", () =>
    ownService(async ({ given, advance }) => {
      const realm = await given.realm()
      const { provider } = await oauth2StandIn(realm, profile())
      for (const error of ["access_denied", "server_error", "access_denied"]) {
        const state = await stateFor(realm, provider.id)
        expect((await submitCallback(realm, { state, error })).status).toBe(422)
      }
      const before = (await realm.seen.all()).length
      await advance("1 minute")
      expect(await failedLogins(realm)).toEqual([failedLoginRow(undefined, "provider_refused", 3)])
      expect(await realm.seen.all()).toHaveLength(before + 1)
    }))

  test("is also recorded for a browser, and the page doesn't show the reason", () =>
    ownService(async ({ given, advance }) => {
      const realm = await given.realm()
      const at = await appWithDouble(realm)
      const reply = await returnWithCode(at, await beginLogin(at), { error: "access_denied" })
      expect(reply.text).not.toMatch(/provider_refused|method_off/)
      await advance("1 minute")
      expect(await failedLogins(realm)).toEqual([failedLoginRow(undefined, "provider_refused")])
    }))

  test("is recorded without a user if the provider returns no profile", () =>
    ownService(async ({ given, advance }) => {
      const realm = await given.realm()
      const { provider } = await oauth2StandIn(realm, profile({ id: null, sub: null }))
      expect((await logIn(realm, provider.id)).status).toBe(422)
      await advance("1 minute")
      expect(await failedLogins(realm)).toEqual([failedLoginRow(undefined, "provider_refused")])
    }))

  test("is recorded for the user if the provider's email is unverified or the user is inactive", () =>
    ownService(async ({ given, advance }) => {
      const realm = await given.realm()
      const jo = await realm.user({ email: "jo@example.test", email_verification: "verified" })
      const inactiveUser = await realm.user({
        email: "gone@example.test",
        state: "inactive",
        email_verification: "verified"
      })
      const unverified = await oauth2StandIn(realm, profile({ email: "jo@example.test", email_verified: false }))
      const inactive = await oauth2StandIn(realm, profile({ email: "gone@example.test" }))
      expect((await logIn(realm, unverified.provider.id)).status).toBe(422)
      const rejected = await logIn(realm, inactive.provider.id)
      expect([rejected.status, rejected.errors]).toEqual([422, ["Login failed."]])
      expect(rejected.member("error_details")).toEqual([
        { field: null, code: "login_failed", message: "Login failed.", params: { reason: "user_inactive" } }
      ])
      await advance("1 minute")
      expect(await failedLogins(realm)).toEqual([
        failedLoginRow(jo.id, "provider_refused"),
        failedLoginRow(inactiveUser.id, "user_inactive")
      ])
    }))
})

describe("SEC-260: unknown names, recorded only if the realm enables record_unknown_names", () => {
  const typedNames = ["zed@example.test", "zed@example.test", "b\tc", `${"n".repeat(199)}😀`]

  test.each([
    [{}, undefined],
    [{ record_unknown_names: true }, ["zed@example.test", "b c", `${"n".repeat(199)}\ufffd`]]
  ])("are recorded according to the realm setting %j", (settings, names) =>
    ownService(async ({ given, advance }) => {
      const realm = await given.realm(settings)
      const at = await hostedAt(realm)
      for (const username of typedNames)
        expect((await at.post("login", { username, password: PASSWORD })).text).not.toContain("zed")
      expect((await authenticate(realm, "zed@example.test")).status).toBe(422)
      await advance("1 minute")
      for (const version of ["v1", "v2"]) {
        const [event, ...more] = (await realm.get(`/${version}/events?event_type=user.login.failed`)).items
        expect([event?.["reason"], event?.["names"], more]).toEqual(["unknown_user", names, []])
      }
    }))

  test("are limited to 20 a minute and stop when the setting is turned off", () =>
    ownService(async ({ given, advance }) => {
      const realm = await given.realm({ record_unknown_names: true })
      const names = Array.from({ length: 25 }, (_, n) => `nobody-${n}`)
      for (const name of names) await authenticate(realm, name)
      await advance("1 minute")
      const off = await realm.put(`/v2/realms/${realm.id}`, { realm: { record_unknown_names: false } })
      expect([off.status, off.member("record_unknown_names")]).toEqual([200, false])
      await authenticate(realm, "somebody")
      await advance("1 minute")
      const { items } = await realm.get("/v2/events?event_type=user.login.failed")
      expect(items.map(({ attempts, names: told }) => [attempts, told])).toEqual([
        [25, names.slice(0, 20)],
        [1, undefined]
      ])
    }))
})
