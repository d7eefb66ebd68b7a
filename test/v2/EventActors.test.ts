import { describe, expect, test } from "vitest"
import { Api, type Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { newApiUser, newCredential } from "../support/credentials.ts"
import { webhook } from "../support/hooks.ts"
import { createKey } from "../support/jwtKeys.ts"
import { enrolled, OTHER_PASSWORD, PASSWORD } from "../support/logins.ts"
import { quickUser } from "../support/passwordEntryPoints.ts"
import { service } from "../support/sallyport.ts"

/** An event type and, for an update, the names of the changed members. */
type ExpectedEvent = readonly [type: string, changed?: ReadonlyArray<string>]

/**
 * An operation on prepared resources, and the events that v2 shows. `v1` has the events that v1 shows, if different.
 */
interface Row {
  readonly name: string
  readonly act: (realm: GivenRealm) => Promise<(caller: Api) => Promise<Reply>>
  readonly expected: ReadonlyArray<ExpectedEvent>
  readonly v1?: ReadonlyArray<ExpectedEvent>
}

/** An update of a prepared resource. */
const update = (
  name: string,
  prepare: (realm: GivenRealm) => Promise<string>,
  body: object,
  expected: ReadonlyArray<ExpectedEvent>,
  v1?: ReadonlyArray<ExpectedEvent>
): Row => ({
  name,
  act: async (realm) => {
    const path = await prepare(realm)
    return (caller) => caller.put(path, body)
  },
  expected,
  ...(v1 === undefined ? {} : { v1 })
})

const org = async (realm: GivenRealm) => `/v2/orgs/${(await realm.org({ reference: "acme", custom: { a: 1 } })).id}`
const user = async (realm: GivenRealm) => `/v2/users/${(await quickUser(realm, { first_name: "Ada" })).id}`
const pendingUser = async (realm: GivenRealm) => {
  const path = await user(realm)
  await realm.put(path, { user: { email_pending: `${uniqueText("new")}@example.test` } })
  return path
}
const newRobot = async (realm: GivenRealm) => (await newApiUser(realm)).id
const membership = async (realm: GivenRealm, version = "v2") =>
  `/${version}/memberships/${(await realm.membership((await realm.user()).id, (await realm.org()).id)).id}`
const realmPath = async (realm: GivenRealm) => `/v2/realms/${realm.id}`
const hook = async (realm: GivenRealm) => `/v2/hooks/${(await webhook(realm, { event_type: ["org.created"] })).id}`
const provider = async (realm: GivenRealm) => `/v2/auth_providers/${(await realm.authProvider()).id}`
const later = 1_900_000_000

const updates: ReadonlyArray<Row> = [
  update("an org's name and custom data", org, { org: { name: "New", custom: { a: 2 } } }, [
    ["org.updated", ["custom", "name"]]
  ]),
  update("an org without changes", org, { org: { reference: "acme", custom: { a: 1 } } }, []),
  update("a first name, which changes the name", user, { user: { first_name: "Eve" } }, [
    ["user.updated", ["first_name", "name"]]
  ]),
  update(
    "a locale, which v1 does not have",
    user,
    { user: { locale: "es" } },
    [["user.updated", ["locale"]]],
    [["user.updated", []]]
  ),
  update(
    "a new pending email",
    user,
    { user: { email_pending: "waits@example.test" } },
    [["user.updated", ["email_pending"]], ["user.email.updating"]],
    [["user.updated", []], ["user.email.updating"]]
  ),
  update("a password", user, { user: { password: OTHER_PASSWORD } }, [["user.updated", ["password"]]]),
  update(
    "a password, which discards the pending email",
    pendingUser,
    { user: { password: OTHER_PASSWORD } },
    [["user.updated", ["email_pending", "password"]]],
    [["user.updated", ["password"]]]
  ),
  update(
    "a verification",
    user,
    { user: { email_verification: "requested" } },
    [["user.updated", ["email_verification"]], ["user.email.verifying"]],
    [["user.updated", ["email_verification"]], ["user.email.verification_requested"]]
  ),
  update("a user without changes", user, { user: { first_name: "Ada" } }, []),
  update("a user's own profile", async (realm) => `${await user(realm)}/profile`, { user: { last_name: "L" } }, [
    ["user.profile.updated", ["last_name", "name"]]
  ]),
  update("a membership", membership, { membership: { permissions: ["reader"], expires_at: later } }, [
    ["membership.updated", ["expires_at", "permissions"]]
  ]),
  update(
    "a membership's custom data, which v2 does not have",
    (realm) => membership(realm, "v1"),
    { membership: { custom: { a: 1 } } },
    [["membership.updated", []]],
    [["membership.updated", ["custom"]]]
  ),
  update(
    "an invitation",
    async (realm) => `/v2/invitations/${(await realm.invitation()).id}`,
    { invitation: { permissions: ["reader"], expires_at: later } },
    [["invitation.referral.updated", ["expires_at", "permissions"]]]
  ),
  update(
    "a realm, whose scopes are fields in v1",
    realmPath,
    { realm: { name: "New", jwt_scopes: ["ar.custom"] } },
    [["realm.updated", ["jwt_scopes", "name"]]],
    [["realm.updated", ["jwt_fields", "name"]]]
  ),
  update("a realm's algorithm, which creates a key", realmPath, { realm: { jwt_algo: "rs256" } }, [
    ["realm.updated", ["jwt_algo", "jwt_keys"]]
  ]),
  update(
    "an app",
    async (realm) => `/v2/client_apps/${(await realm.connectedApp()).id}`,
    { client_app: { name: "New", redirect_uris: ["https://app.example.test/back"] } },
    [["login_policy.updated", ["name", "redirect_uris"]]]
  ),
  update("a hook", hook, { hook: { event_type: ["user.created"], delay: 5 } }, [
    ["app_hook.updated", ["delay", "event_type"]]
  ]),
  update("a provider and its secret", provider, { auth_provider: { name: "New", client_secret: "another" } }, [
    ["auth_provider.updated", ["client_secret", "name"]]
  ])
]

const otherCases: ReadonlyArray<Row> = [
  {
    name: "closing an org",
    act: async (realm) => {
      const path = await org(realm)
      return (caller) => caller.delete(path)
    },
    expected: [["org.updated", ["state"]]]
  },
  {
    name: "a rotated secret",
    act: async (realm) => {
      const path = await hook(realm)
      return (caller) => caller.post(`${path}/rotate_secret`, {})
    },
    expected: [["app_hook.updated", ["secret"]]]
  },
  {
    name: "a new key that signs tokens",
    act: async () => (caller) => createKey(caller, { algo: "rs256" }),
    expected: [["realm.updated", ["jwt_keys"]]]
  },
  {
    name: "a new API key of a user",
    act: async (realm) => {
      const user_id = await newRobot(realm)
      return (caller) => caller.post("/v2/credentials", { credential: { user_id, credential_type: "api_key" } })
    },
    expected: [["user.updated", ["api_key"]]]
  },
  {
    name: "a new device of a user",
    act: async (realm) => {
      const { id: user_id } = await realm.user()
      const credential = { user_id, credential_type: "totp", name: "Phone" }
      return (caller) => caller.post("/v2/credentials", { credential })
    },
    expected: [["user.updated", ["credentials"]]]
  },
  {
    name: "a removed device",
    act: async (realm) => {
      const { id } = await enrolled(realm, (await realm.user()).id)
      return (caller) => caller.delete(`/v2/credentials/${id}`)
    },
    expected: [["user.updated", ["credentials"]]]
  },
  {
    name: "a password changed through its credential",
    act: async (realm) => {
      const { id } = await realm.user()
      const created = await newCredential(realm, id, { credential_type: "password", password: PASSWORD })
      return (caller) => caller.put(`/v2/credentials/${created.id}`, { credential: { password: OTHER_PASSWORD } })
    },
    expected: [["user.updated", ["password"]]]
  },
  {
    name: "an ended session",
    act: async (realm) => {
      const session = await realm.session((await realm.user()).id)
      return (caller) => caller.delete(`/v2/sessions/${session.id}`)
    },
    expected: [["session.deleted"]],
    v1: []
  },
  {
    name: "a login, which counts as the key's action",
    act: async (realm) => {
      const { id } = await quickUser(realm)
      return (caller) => caller.post(`/v2/users/${id}/authenticate`, { user: { password: PASSWORD } })
    },
    expected: [["user.login.succeeded"]]
  },
  {
    name: "a failed login",
    act: async (realm) => {
      const { id } = await quickUser(realm)
      return (caller) => caller.post(`/v2/users/${id}/authenticate`, { user: { password: OTHER_PASSWORD } })
    },
    expected: [["user.login.failed"]]
  },
  {
    name: "an invitation that adds permissions",
    act: async (realm) => {
      const [member, place] = [await realm.user(), await realm.org()]
      await realm.membership(member.id, place.id)
      const invitation = await realm.invitation({ org_id: place.id, permissions: ["reader"] })
      const accepted = { user: { token: invitation.string("token") } }
      return (caller) => caller.post(`/v2/users/${member.id}/accept_invitation`, accepted)
    },
    expected: [["invitation.org.accepted"], ["membership.updated", ["permissions"]]]
  },
  {
    name: "a new user with an org",
    act: async () => (caller) =>
      caller.post("/v2/users", {
        user: { email: `${uniqueText("a")}@example.test`, credentials: [], org: { name: "O" } }
      }),
    expected: [["user.created"], ["org.created"], ["membership.created"]]
  }
]

/** A realm and one of its API keys with the key's id. The test calls `realm` itself with another key. */
const realmWithKey = async () => {
  const realm = await (await service()).given.realm()
  const created = await realm.post("/v2/api_keys", {
    api_key: { name: "Backend", level: "admin_realm", realm_id: realm.id }
  })
  return { realm, caller: new Api(realm.transport, created.string("key"), realm.id), actor: created.id }
}

const summaryOf = (events: ReadonlyArray<Readonly<Record<string, unknown>>>, actor: unknown) =>
  events.map(({ event_type, changed, actor: who }) => {
    expect(who).toEqual(actor)
    return changed === undefined ? [event_type] : [event_type, changed]
  })

/** Runs an action and returns the events that each version shows afterward. */
const eventsAfter = async (realm: GivenRealm, act: () => Promise<Reply>) => {
  const before = [(await realm.seen.all()).length, (await realm.seenV1.all()).length] as const
  const reply = await act()
  return {
    reply,
    v2: (await realm.seen.all()).slice(before[0]),
    v1: (await realm.seenV1.all()).slice(before[1])
  }
}

describe("an event reports the API key that caused it and the changed members, in both versions", () => {
  test.each([...updates, ...otherCases])("$name", async ({ act, expected, v1 }) => {
    const { realm, caller, actor } = await realmWithKey()
    const operation = await act(realm)
    const seen = await eventsAfter(realm, () => operation(caller))
    const key = { type: "api_key", id: actor }
    expect(summaryOf(seen.v2, key)).toEqual(expected)
    expect(summaryOf(seen.v1, key)).toEqual(v1 ?? expected)
  })
})
