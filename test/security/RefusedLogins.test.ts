import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { appWithDouble, back, begin } from "../external/BrowserLogins.ts"
import { codeOf, sendCode, withEmailCodes } from "../support/codes.ts"
import { comeBack, logIn, oauth2Double, person, stateFor } from "../support/external.ts"
import { hostedAt } from "../support/hostedApi.ts"
import { authenticate, authenticateV1, complete, enrolled, PASSWORD, wrongCode } from "../support/logins.ts"
import { answer, readyPasskey } from "../support/passkeys.ts"
import { ownService } from "../support/sallyport.ts"

const OFF = "This login method is turned off for this realm."

const turnOff = (realm: GivenRealm, provider: string) =>
  realm.put(`/v2/auth_providers/${provider}`, { auth_provider: { state: "inactive" } })

const isOff = (reply: Reply) => {
  const [code, reason] = [["code"], ["params", "reason"]].map((path) => reply.member("error_details", 0, ...path))
  return [reply.status, reply.errors, code, reason]
}

const OFF_WITH_REASON = [422, [OFF], "provider_inactive", "method_off"]

/** What the failed logins of a realm tell, without what is the same in all events. */
const recorded = async (realm: GivenRealm, version: "v1" | "v2" = "v2") =>
  (await realm.get(`/${version}/events?event_type=user.login.failed`)).items.map(
    ({ user_id, reason, attempts, actor }) => ({ user_id, reason, attempts, by: Object(actor).id })
  )

const row = (user_id: string | undefined, reason: string, attempts = 1) => ({
  user_id,
  reason,
  attempts,
  by: "RecordRefusedLogins"
})

describe("SEC-260: a login whose method is turned off leaves one event a minute, and its reason in the answer to an API key", () => {
  test("by password, of a user, and without one for names that nobody has", () =>
    ownService(async ({ given, advance }) => {
      const realm = await given.realm()
      const user = await realm.user({ email: "jo@example.test", password: PASSWORD })
      await turnOff(realm, "password")
      expect(isOff(await authenticate(realm, user.id))).toEqual(OFF_WITH_REASON)
      expect(isOff(await authenticateV1(realm, user.id))).toEqual(OFF_WITH_REASON)
      expect(isOff(await authenticate(realm, "nobody@example.test"))).toEqual(OFF_WITH_REASON)
      const at = await hostedAt(realm)
      const [known, unknown] = [
        await at.post("login", { username: "jo@example.test", password: PASSWORD }),
        await at.post("login", { username: "nobody@example.test", password: PASSWORD })
      ]
      expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
      expect(known.text).not.toContain("method_off")
      expect(await recorded(realm)).toEqual([])
      await advance("1 minute")
      for (const version of ["v1", "v2"] as const)
        expect(await recorded(realm, version)).toEqual([row(user.id, "method_off", 3), row(undefined, "method_off", 2)])
    }))

  test("by a code of an authenticator app", () =>
    ownService(async ({ given, advance }) => {
      const realm = await given.realm()
      const user = await realm.user({ password: PASSWORD })
      const device = await enrolled(realm, user.id)
      const token = (await authenticate(realm, user.id)).string("token")
      await turnOff(realm, "totp")
      expect(isOff(await complete(realm, token, wrongCode(device)))).toEqual(OFF_WITH_REASON)
      await advance("1 minute")
      expect(await recorded(realm)).toEqual([row(user.id, "method_off")])
    }))

  test("by a code in a mail", () =>
    ownService(async ({ given, advance }) => {
      const realm = await given.realm()
      await withEmailCodes(realm)
      const user = await realm.user({ email: "jo@example.test" })
      const token = (await sendCode(realm, user.id)).string("token")
      const code = await codeOf(realm, user.id)
      await turnOff(realm, "email_code")
      expect(isOff(await complete(realm, token, code))).toEqual(OFF_WITH_REASON)
      await advance("1 minute")
      expect(await recorded(realm)).toEqual([row(user.id, "method_off")])
    }))

  test("by a passkey, of its owner", () =>
    ownService(async ({ given, advance }) => {
      const realm = await given.realm()
      const { id, attributes } = await readyPasskey(realm)
      await turnOff(realm, "passkey")
      expect(isOff(await answer(realm, attributes.token, attributes.response))).toEqual(OFF_WITH_REASON)
      await advance("1 minute")
      expect(await recorded(realm)).toEqual([row(id, "method_off")])
    }))

  test("through a provider, without a user, as nobody is known yet", () =>
    ownService(async ({ given, advance }) => {
      const realm = await given.realm()
      const { provider, double } = await oauth2Double(realm, person())
      const state = await stateFor(realm, provider.id)
      await turnOff(realm, provider.id)
      const authorize = `/v2/auth_providers/${provider.id}/authorize`
      for (const reply of [await comeBack(realm, { state }), await realm.post(authorize, { access_token: "at" })])
        expect(isOff(reply)).toEqual(OFF_WITH_REASON)
      expect(double.got).toEqual([])
      await advance("1 minute")
      expect(await recorded(realm)).toEqual([row(undefined, "method_off", 2)])
    }))
})

describe("SEC-260: a login that a provider refuses leaves one event a minute", () => {
  test("without a user, where the provider tells of nobody", () =>
    ownService(async ({ given, advance }) => {
      const realm = await given.realm()
      const { provider } = await oauth2Double(realm, person())
      for (const error of ["access_denied", "server_error", "access_denied"]) {
        const state = await stateFor(realm, provider.id)
        expect((await comeBack(realm, { state, error })).status).toBe(422)
      }
      const before = (await realm.seen.all()).length
      await advance("1 minute")
      expect(await recorded(realm)).toEqual([row(undefined, "provider_refused", 3)])
      expect(await realm.seen.all()).toHaveLength(before + 1)
    }))

  test("in a browser as well, where the page doesn't tell the reason", () =>
    ownService(async ({ given, advance }) => {
      const realm = await given.realm()
      const at = await appWithDouble(realm)
      const reply = await back(at, await begin(at), { error: "access_denied" })
      expect(reply.text).not.toMatch(/provider_refused|method_off/)
      await advance("1 minute")
      expect(await recorded(realm)).toEqual([row(undefined, "provider_refused")])
    }))

  test("without a user, where the provider gives no profile", () =>
    ownService(async ({ given, advance }) => {
      const realm = await given.realm()
      const { provider } = await oauth2Double(realm, person({ id: null, sub: null }))
      expect((await logIn(realm, provider.id)).status).toBe(422)
      await advance("1 minute")
      expect(await recorded(realm)).toEqual([row(undefined, "provider_refused")])
    }))

  test("of the user with the e-mail that it has not verified, and user_inactive of one who is inactive", () =>
    ownService(async ({ given, advance }) => {
      const realm = await given.realm()
      const jo = await realm.user({ email: "jo@example.test", email_verification: "verified" })
      const gone = await realm.user({ email: "gone@example.test", state: "inactive", email_verification: "verified" })
      const unverified = await oauth2Double(realm, person({ email: "jo@example.test", email_verified: false }))
      const inactive = await oauth2Double(realm, person({ email: "gone@example.test" }))
      expect((await logIn(realm, unverified.provider.id)).status).toBe(422)
      const refused = await logIn(realm, inactive.provider.id)
      expect([refused.status, refused.errors]).toEqual([422, ["Login failed."]])
      expect(refused.member("error_details")).toEqual([
        { field: null, code: "login_failed", message: "Login failed.", params: { reason: "user_inactive" } }
      ])
      await advance("1 minute")
      expect(await recorded(realm)).toEqual([row(jo.id, "provider_refused"), row(gone.id, "user_inactive")])
    }))
})

describe("SEC-260: names that nobody has are recorded only where the realm asks for them", () => {
  const tried = ["zed@example.test", "zed@example.test", "b\tc", `${"n".repeat(199)}😀`]

  test.each([
    [{}, undefined],
    [{ record_unknown_names: true }, ["zed@example.test", "b c", `${"n".repeat(199)}\ufffd`]]
  ])("a realm with %j", (settings, names) =>
    ownService(async ({ given, advance }) => {
      const realm = await given.realm(settings)
      const at = await hostedAt(realm)
      for (const username of tried)
        expect((await at.post("login", { username, password: PASSWORD })).text).not.toContain("zed")
      expect((await authenticate(realm, "zed@example.test")).status).toBe(422)
      await advance("1 minute")
      for (const version of ["v1", "v2"]) {
        const [event, ...more] = (await realm.get(`/${version}/events?event_type=user.login.failed`)).items
        expect([event?.["reason"], event?.["names"], more]).toEqual(["unknown_user", names, []])
      }
    }))

  test("20 of a minute at most, until the realm no longer asks", () =>
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
