import { describe, expect, test } from "vitest"
import { type AccessKind, type AccountChange, accountAccess } from "#domain/AccountAccess"
import type { Reply } from "#testing/Api"
import { Authenticator } from "#testing/Authenticator"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { codeOf, sendCode, withEmailCodes } from "../support/codes.ts"
import { logIn, oauth2StandIn, profile } from "../support/external.ts"
import { authenticate, complete, enrolled, OTHER_PASSWORD, PASSWORD } from "../support/logins.ts"
import { storedClient, storedConsent, storedGrant } from "../support/oauthGrants.ts"
import { creationOptions, enrolPasskey, ORIGIN, passkeyLogin, register } from "../support/passkeys.ts"
import { query, tablesWith } from "../support/query.ts"
import { clockedService } from "../support/sallyport.ts"
import { latestEventToken, mailedToken, passwordToken, reset, verifyEmail } from "../support/tokens.ts"

/** A user who logs in with their own password and whose email is unverified. */
interface Account {
  readonly realm: GivenRealm
  readonly user: Reply
  readonly clientId: string
}

/** Reports whether a means of access still works. */
type Probe = () => Promise<boolean>

/** A realm with an app that allows passkeys on its pages. */
const newRealm = async (): Promise<GivenRealm> => {
  const { given } = await clockedService()
  const realm = await given.realm({ limits: { mails: 1_000, mails_sustained: 1_000 } })
  await realm.connectedApp({ login_handler: `${ORIGIN}/login` })
  return realm
}

const now = async () => (await clockedService()).clock.currentTimeMillisUnsafe()

const lists =
  ({ realm, user }: Account, type: string) =>
  async () =>
    (await realm.get(`/v2/users/${user.id}`)).text.includes(`"credential_type":"${type}"`)

/**
 * Sets up one means of access of each kind. Probes run in this order. API keys are left out, because only API users have
 * them.
 */
const accessStarters: Readonly<Record<Exclude<AccessKind, "api_keys">, (account: Account) => Promise<Probe>>> = {
  external_profiles: async (account) => {
    const { realm, user } = account
    const { provider } = await oauth2StandIn(realm, profile())
    const identity = { auth_provider_id: provider.id, provider_user_id: uniqueText("id"), access_token: "at" }
    await realm.post("/v2/credentials", { credential: { credential_type: "oauth2", user_id: user.id, ...identity } })
    return lists(account, "oauth2")
  },
  passkeys: async (account) => {
    const { authenticator } = await enrolPasskey(account.realm, account.user.id)
    return async () => (await passkeyLogin(account.realm, authenticator)).status < 300
  },
  passkey_challenges: async ({ realm, user }) => {
    const { token, options } = await creationOptions(realm, user.id)
    const created = new Authenticator().create(options, { origin: ORIGIN })
    return async () => (await register(realm, user.id, token, created)).status === 201
  },
  authenticator_apps: async (account) => {
    await enrolled(account.realm, account.user.id, await now())
    return lists(account, "totp")
  },
  pending_logins: async ({ realm, user }) => {
    const device = await enrolled(realm, user.id, await now())
    const token = (await authenticate(realm, user.id)).string("token")
    return async () => (await complete(realm, token, device.code())).status === 200
  },
  sessions: async ({ realm, user }) => {
    const { id } = await realm.session(user.id)
    return async () => (await realm.get(`/v2/sessions/${id}`)).status === 200
  },
  oauth_grants: async ({ realm, user, clientId }) => {
    const id = await storedGrant((await clockedService()).sql, realm, clientId, user.id, {
      scopes: ["offline_access"],
      currentTime: await now()
    })
    return async () => {
      const grant = await realm.get(`/v2/grants/${id}`)
      return grant.status === 200 && grant.member("ended_at") === null
    }
  },
  oauth_consents: async ({ realm, user, clientId }) => {
    const id = await storedConsent((await clockedService()).sql, realm, clientId, user.id)
    return async () => (await realm.get(`/v2/consents/${id}`)).status === 200
  },
  known_browsers: async ({ realm, user }) => {
    const { sql } = await clockedService()
    const at = new Date(await now())
    await query(sql`insert into known_browsers (realm_id, id, user_id, made, created_at, expires_at)
      values (${realm.id}, ${uniqueText("browser")}, ${user.id}, 0, ${at}, ${at})`)
    return async () =>
      (await query(sql`select 1 from known_browsers where realm_id = ${realm.id} and user_id = ${user.id}`)).length > 0
  },
  trusted_devices: async ({ realm, user }) => {
    const { sql } = await clockedService()
    const at = new Date(await now())
    await query(sql`insert into trusted_devices (realm_id, id, user_id, created_at, expires_at)
      values (${realm.id}, ${uniqueText("device")}, ${user.id}, ${at}, ${at})`)
    return async () =>
      (await query(sql`select 1 from trusted_devices where realm_id = ${realm.id} and user_id = ${user.id}`)).length > 0
  },
  password_resets: async ({ realm, user }) => {
    const token = await passwordToken(realm, user.id)
    // With a valid token, only the weak password is rejected.
    return async () => !(await reset(realm, token, "short")).text.includes("Token is invalid")
  },
  email_codes: async ({ realm, user }) => {
    const token = (await sendCode(realm, user.id)).string("token")
    const code = await codeOf(realm, user.id)
    return async () => (await complete(realm, token, code)).status === 200
  },
  email_verifications: async ({ realm, user }) => {
    const token = await mailedToken(realm, user.id)
    return async () => (await verifyEmail(realm, token)).status === 200
  },
  email_changes: async ({ realm, user }) => {
    await realm.put(`/v2/users/${user.id}`, { user: { email_pending: `${uniqueText("next")}@example.test` } })
    const token = await latestEventToken(realm, "user.email.updating")
    return async () => (await verifyEmail(realm, token)).status === 200
  },
  password: async ({ realm, user }) => {
    return async () => (await authenticate(realm, user.id)).status === 200
  }
}

const updateUser = async ({ realm, user }: Account, changes: object) =>
  expect((await realm.put(`/v2/users/${user.id}`, { user: changes })).status).toBe(200)

const changes: Readonly<Record<AccountChange, (account: Account) => Promise<unknown>>> = {
  taken_over: async ({ realm, user }) => {
    const { provider } = await oauth2StandIn(realm, profile({ email: user.string("email"), email_verified: true }))
    expect((await logIn(realm, provider.id)).string("user_id")).toBe(user.id)
    // Removes the provider, because the profile that reclaimed the account belongs to the owner.
    await realm.delete(`/v2/auth_providers/${provider.id}`)
  },
  password_reset: async ({ realm, user }) =>
    expect((await reset(realm, await passwordToken(realm, user.id))).status).toBe(200),
  password_changed: (account) => updateUser(account, { password: OTHER_PASSWORD }),
  // Reactivates the user, so that access that was only suspended works again.
  deactivated: async (account) => {
    await updateUser(account, { state: "inactive" })
    await updateUser(account, { state: "active" })
  },
  deleted: async ({ realm, user }) => expect((await realm.delete(`/v2/users/${user.id}`)).status).toBe(204)
}

const cases = Object.entries(changes)

describe("SEC-244: account access set up by a previous holder", () => {
  test.each(cases)("is revoked or kept as listed when the account is %s", async (change, make) => {
    const realm = await withEmailCodes(await newRealm())
    const clientId = await storedClient((await clockedService()).sql, realm)
    const user = await realm.user({ password: PASSWORD })
    const account = { realm, user, clientId }
    const probes: Array<readonly [string, Probe]> = []
    for (const [kind, begin] of Object.entries(accessStarters)) probes.push([kind, await begin(account)])
    await make(account)
    const found: Record<string, boolean> = {}
    for (const [kind, probe] of probes) found[kind] = await probe()
    const { api_keys: _, ...listed } = accountAccess
    const expected = Object.entries(listed).map(([kind, outcomes]) => [
      kind,
      Object.entries(outcomes).some(([name, outcome]) => name === change && outcome !== "ends")
    ])
    expect(found).toEqual(Object.fromEntries(expected))
  })

  test("loses app consents and records an event for each app", async () => {
    const realm = await newRealm()
    const { sql } = await clockedService()
    const user = await realm.user({ password: PASSWORD })
    const clientId = await storedClient(sql, realm)
    await storedConsent(sql, realm, clientId, user.id)
    const { provider } = await oauth2StandIn(realm, profile({ email: user.string("email"), email_verified: true }))
    const { result, events } = await realm.seen.during(() => logIn(realm, provider.id))
    expect(events).toEqual([
      { event_type: "user.updated", user_id: user.id },
      { event_type: "oauth.consent.revoked", user_id: user.id, client_app_id: clientId },
      { event_type: "user.login.succeeded", user_id: user.id, session_id: result.id }
    ])
  })

  test("is stored only in the listed tables", async () => {
    // Tables that refer to a user but don't give access.
    const others = ["attempts", "event_changes", "events", "last_logins", "memberships", "oauth_logout_requests"]
    const known = [
      "browser_sessions",
      "credentials",
      "known_browsers",
      "oauth_codes",
      "oauth_consents",
      "oauth_devices"
    ]
    known.push("oauth_grants", "one_time_tokens", "passkey_challenges", "sessions", "trusted_devices")
    // Operators are users of the system realm, in which nobody can log in with a provider.
    known.push("operators", "operator_sessions")
    const { sql } = await clockedService()
    expect(await tablesWith(sql, "user_id")).toEqual([...known, ...others, "oauth_logouts"].toSorted())
  })
})
