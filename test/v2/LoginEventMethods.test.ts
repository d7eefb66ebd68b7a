import { expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { codeOf, recoveryCodes, sendCode, withEmailCodes } from "../support/codes.ts"
import { logIn, oauth2StandIn, profile } from "../support/external.ts"
import { turnedRealm } from "../support/hooks.ts"
import { authenticate, complete, enrolled, PASSWORD } from "../support/logins.ts"
import { enrolPasskey, passkeyLogin, realmWithApp } from "../support/passkeys.ts"
import { newRealm } from "../support/sallyport.ts"

/** The methods of a user's logins, oldest first. */
const methodsOf = async (realm: GivenRealm, userId: string) =>
  (await realm.get(`/v2/events?user_id=${userId}&event_type=user.login.succeeded`)).items.map(({ methods }) => methods)

test("C87: user.login.succeeded names the methods of logins with passwords, codes and API keys", async () => {
  const realm = await withEmailCodes(await newRealm())
  const user = await realm.user({ password: PASSWORD })
  await authenticate(realm, user.id)
  const device = await enrolled(realm, user.id)
  const [recoveryCode] = await recoveryCodes(realm, user.id)
  for (const code of [device.code(), recoveryCode]) {
    await complete(realm, (await authenticate(realm, user.id)).string("token"), code)
  }
  expect(await methodsOf(realm, user.id)).toEqual([["password"], ["password", "totp"], ["password", "recovery_code"]])
  const reader = await realm.user()
  await complete(realm, (await sendCode(realm, reader.id)).string("token"), await codeOf(realm, reader.id))
  expect(await methodsOf(realm, reader.id)).toEqual([["email"]])
  const robot = await realm.apiUser({ api_key: "generate" })
  await realm.post("/v1/users/authenticate_key", { api_key: robot.string("api_key") })
  expect(await methodsOf(realm, robot.id)).toEqual([["api_key"]])
})

test("C87: user.login.succeeded names passkeys, and external providers by type, also after a second factor", async () => {
  const realm = await realmWithApp()
  const owner = await realm.user()
  await passkeyLogin(realm, (await enrolPasskey(realm, owner.id)).authenticator)
  expect(await methodsOf(realm, owner.id)).toEqual([["passkey"]])
  const { provider } = await oauth2StandIn(realm, profile())
  const userId = (await logIn(realm, provider.id)).string("user_id")
  const device = await enrolled(realm, userId)
  await complete(realm, (await logIn(realm, provider.id)).string("token"), device.code())
  expect(await methodsOf(realm, userId)).toEqual([["oauth2"], ["oauth2", "totp"]])
})

test("C206: counts active users, and logins by their methods, by hour, day and month", async () => {
  const { realm, advance, given } = await turnedRealm()
  const [ada, grace] = [await realm.user({ password: PASSWORD }), await realm.user({ password: PASSWORD })]
  for (const { id } of [ada, ada, grace]) await authenticate(realm, id)
  const robot = await realm.apiUser({ api_key: "generate" })
  await realm.post("/v1/users/authenticate_key", { api_key: robot.string("api_key") })
  const stranger = await given.realm()
  await authenticate(stranger, (await stranger.user({ password: PASSWORD })).id)
  await advance("1 second")
  const latest = async (interval: string) =>
    JSON.parse((await realm.get(`/v2/realms/${realm.id}/statistics?interval=${interval}`)).text).intervals.at(-1)
  const counted = {
    logins: 4,
    active_users: 3,
    logins_by_method: [
      { methods: ["password"], logins: 3 },
      { methods: ["api_key"], logins: 1 }
    ]
  }
  for (const interval of ["hour", "day", "month"]) expect(await latest(interval)).toMatchObject(counted)
  await advance("1 day")
  await authenticate(realm, ada.id)
  await advance("1 second")
  expect(await latest("day")).toMatchObject({ logins: 1, active_users: 1 })
  expect(await latest("month")).toMatchObject({ logins: 5, active_users: 3 })
})
