import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { expansion, type ValidCall, validCall } from "../support/calls.ts"
import { urlQuery } from "../support/external.ts"
import {
  affectingOperations,
  defaultResource,
  type Kind,
  kinds,
  resourcesIn,
  setState
} from "../support/inactiveResources.ts"
import { statusAndErrors } from "../support/logins.ts"
import type { Operation } from "../support/operations.ts"
import { query } from "../support/query.ts"
import { service, workerSql } from "../support/sallyport.ts"
import { passwordToken, reset, UNUSABLE } from "../support/tokens.ts"

const SUCCEEDS = "works as when active"
const realmOff = "422 realm_inactive"
const providerOff = "422 provider_inactive"
const noUser = "404 user not_found"
const noSession = "404 session not_found"
const tokenUnusable = "422 token token_unusable"
const loginFailed = "422 login_failed"
const hookOff = "422 hook_inactive"

/** An operation with the same outcome in both versions. */
const inBothVersions = (name: string, outcome: string) => ({ [`v1.${name}`]: outcome, [`v2.${name}`]: outcome })

const externalLogins = (outcome: string) => ({
  ...inBothVersions("external_authentication authenticate", outcome),
  ...inBothVersions("external_authentication authenticate_token", outcome)
})

/**
 * The operations that fail for inactive resources, by kind (C19, C28, C44). All others manage resources and work as
 * usual.
 */
const exceptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  realm: {
    ...inBothVersions("logins authenticate", realmOff),
    ...inBothVersions("logins reset_password_with_token", realmOff),
    ...inBothVersions("logins passkey_login_options", realmOff),
    ...inBothVersions("logins authenticate_passkey", realmOff),
    ...inBothVersions("logins send_code", realmOff),
    "v1.logins authenticate_code": realmOff,
    "v1.logins authenticate_key": realmOff,
    "v2.logins authenticate_token": realmOff,
    ...inBothVersions("external_authentication list_urls", realmOff),
    ...inBothVersions("external_authentication get_url", realmOff),
    ...externalLogins(realmOff)
  },
  user: {
    "v1.logins authenticate": "401 login_failed",
    "v2.logins authenticate": loginFailed,
    "v1.logins authenticate_passkey": "401 login_failed",
    "v2.logins authenticate_passkey": loginFailed,
    "v1.logins authenticate_code": "404 token not_found",
    "v1.logins authenticate_key": "404 api_key not_found",
    "v2.logins authenticate_token": tokenUnusable,
    ...inBothVersions("logins reset_password_with_token", tokenUnusable),
    ...inBothVersions("logins verify_email", tokenUnusable),
    ...inBothVersions("logins generate_password_token", noUser),
    ...inBothVersions("logins request_email_verification", noUser),
    "v2.logins send_email_verification": noUser,
    "v2.logins send_password_reset": noUser,
    ...inBothVersions("logins send_code", noUser),
    ...inBothVersions("logins update_password", noUser),
    "v2.logins update_profile": noUser,
    "v2.users accept_invitation": noUser,
    ...inBothVersions("sessions create", noUser),
    ...inBothVersions("sessions get", noSession),
    ...externalLogins(loginFailed)
  },
  org: {},
  hook: {
    ...inBothVersions("hooks ping", hookOff),
    ...inBothVersions("hooks replay", hookOff),
    "v2.events retry": hookOff,
    // Waiting deliveries were canceled when the hook became inactive.
    "v2.events cancel": "422 notification_over"
  },
  "auth provider": {
    ...inBothVersions("external_authentication get_url", providerOff),
    ...externalLogins(providerOff)
  },
  "connected app": { "v2.invitations create": "422 client_app_id not_active" },
  "password provider": {
    ...inBothVersions("logins authenticate", providerOff),
    ...inBothVersions("logins reset_password_with_token", providerOff),
    "v2.logins send_password_reset": providerOff
  },
  "totp provider": {
    "v1.logins authenticate_code": providerOff,
    "v2.logins authenticate_token": providerOff,
    ...inBothVersions("credentials create", "422 credential_type provider_inactive")
  },
  "passkey provider": {
    ...inBothVersions("logins passkey_options", "422 credential_type provider_inactive"),
    ...inBothVersions("logins passkey_login_options", providerOff),
    ...inBothVersions("logins authenticate_passkey", providerOff)
  },
  "email_code provider": inBothVersions("logins send_code", providerOff)
}

const outcomeOf = (reply: Reply): string => {
  if (reply.status < 300) return SUCCEEDS
  const detail = ["field", "code"].map((name) => reply.member("error_details", 0, name))
  return [reply.status, ...detail].filter((part) => part !== null && part !== undefined).join(" ")
}

/** A realm with an inactive hook for all events. */
const realmWithSilentHook = async () => {
  const realm = await (await service()).given.realm()
  const hook = { realm_id: realm.id, event_type: [], destination: "https://silent.example.test/", state: "inactive" }
  return { realm, hook: (await realm.post("/v2/hooks", { hook })).id }
}

const deliveriesTo = async (hooks: ReadonlyArray<string>) => {
  const sql = await workerSql()
  return query(sql`select id from deliveries where ${sql.in("hook_id", hooks)}`)
}

interface Prepared {
  readonly operation: Operation
  readonly realm: GivenRealm
  readonly call: ValidCall
}

/** Valid calls, each to an inactive resource. */
const preparedFor = async (kind: Kind, operations: ReadonlyArray<Operation>) => {
  const { realm: shared, hook } = await realmWithSilentHook()
  const [prepared, hooks]: [Array<Prepared>, Array<string>] = [[], [hook]]
  for (const operation of operations) {
    // Operations on realms each get their own realm.
    const own = operation.resource === "realms" ? await realmWithSilentHook() : undefined
    const realm = own?.realm ?? shared
    const call = await validCall(operation, realm, kind.naming)
    prepared.push({ operation, realm, call })
    for (const id of resourcesIn(call, kind)) await setState(realm, kind, id, "inactive")
    if (own === undefined) continue
    hooks.push(own.hook)
    if (kind.prefix === undefined) await setState(realm, kind, await defaultResource(realm, kind), "inactive")
  }
  if (kind.prefix === undefined) await setState(shared, kind, await defaultResource(shared, kind), "inactive")
  return { prepared, hooks }
}

const cves =
  "SEC-55 (CVE-2026-1486, CVE-2025-64717, CVE-2024-46999, CVE-2024-47000, CVE-2024-47060, CVE-2025-53942, CVE-2025-64521, CVE-2026-43983)"

describe(`${cves}: inactive resources can be managed, but reject logins and send nothing`, () => {
  const each = kinds.flatMap((kind) => (["v1", "v2"] as const).map((version) => ({ name: kind.name, kind, version })))
  test.each(each)("$name, $version", async ({ kind, version }) => {
    const operations = affectingOperations(kind).filter((operation) => operation.version === version)
    const { prepared, hooks } = await preparedFor(kind, operations)
    const [outcomes, expected]: [Record<string, string>, Record<string, string>] = [{}, {}]
    for (const { operation, realm, call } of prepared) {
      outcomes[operation.name] = outcomeOf(await realm.call(call.method, call.path, { body: call.body }))
      expected[operation.name] = exceptions[kind.name]?.[operation.name] ?? SUCCEEDS
    }
    expect(outcomes).toEqual(expected)
    expect(await deliveriesTo(hooks)).toEqual([])
  })

  test("all listed exceptions are tested operations", () => {
    for (const kind of kinds) {
      const all = affectingOperations(kind).map(({ name }) => name)
      expect(Object.keys(exceptions[kind.name] ?? {}).filter((name) => !all.includes(name))).toEqual([])
    }
  })
})

/** Appends the decoded claims of the tokens in a text to that text. */
const withClaims = (text: string): string =>
  [text, ...[...text.matchAll(/eyJ[\w-]+\.(eyJ[\w-]+)\./g)].map(([, claims = ""]) => claims)]
    .map((part, n) => (n === 0 ? part : Buffer.from(part, "base64url").toString()))
    .join(" ")

/** Returns whether an operation's response may contain a user's orgs, in tokens or expansions. */
const mayShowOrgs = ({ resource, operation, method }: Operation) =>
  ["users", "sessions", "external_authentication"].includes(resource) && operation !== "list" && method !== "DELETE"

describe("SEC-55: inactive orgs, users, realms and providers", () => {
  test("an inactive org is left out of tokens and expansions in every operation on its members", async () => {
    const realm = await (await service()).given.realm({ jwt_scopes: ["ar.orgs", "ar.custom"] })
    const [open, shut] = [await realm.org(), await realm.org()]
    const [kind] = kinds.filter(({ name }) => name === "user")
    if (kind === undefined) throw new Error("There is no kind of inactive resource named user")
    const [showing, leaking]: [Array<string>, Array<string>] = [[], []]
    for (const operation of affectingOperations(kind).filter(mayShowOrgs)) {
      const call = await validCall(operation, realm, kind.naming)
      const { method, path, body } = call
      for (const user of resourcesIn(call, kind)) {
        await realm.membership(user, open.id)
        await realm.membership(user, shut.id)
      }
      await realm.put(`/v2/orgs/${shut.id}`, { org: { state: "inactive" } })
      const query = expansion(operation)
      const reply = await realm.call(method, `${path}${path.includes("?") ? "&" : "?"}${query}`, { body })
      await realm.put(`/v2/orgs/${shut.id}`, { org: { state: "active" } })
      expect([operation.name, reply.status < 300]).toEqual([operation.name, true])
      if (withClaims(reply.text).includes(open.id)) showing.push(operation.name.slice(3))
      if (withClaims(reply.text).includes(shut.id)) leaking.push(operation.name.slice(3))
    }
    expect(leaking).toEqual([])
    expect(showing).toEqual(expect.arrayContaining(["users get", "sessions get", "sessions create"]))
    expect(showing).toEqual(expect.arrayContaining(["external_authentication authenticate", "logins authenticate"]))
  })

  test("a deactivated user permanently loses sessions and one-time tokens", async () => {
    const realm = await (await service()).given.realm()
    const user = await realm.user()
    const sessions = [await realm.session(user.id), await realm.session(user.id)]
    const token = await passwordToken(realm, user.id)
    const setState = (state: string) => realm.put(`/v2/users/${user.id}`, { user: { state } })
    const events = await realm.seen.caused(() => setState("inactive"))
    expect(events.map(({ event_type }) => event_type)).toEqual(["user.updated", "session.deleted", "session.deleted"])
    await setState("active")
    for (const { id } of sessions) expect((await realm.get(`/v2/sessions/${id}`)).status).toBe(404)
    expect(statusAndErrors(await reset(realm, token))).toEqual(UNUSABLE)
  })

  test("an inactive realm's tokens can still be verified, and its sessions can be read and deleted", async () => {
    const realm = await (await service()).given.realm()
    const session = await realm.session((await realm.user()).id)
    await realm.put(`/v2/realms/${realm.id}`, { realm: { state: "inactive" } })
    expect((await realm.get(`/v1/sessions/${session.string("token")}`)).id).toBe(session.id)
    expect((await realm.delete(`/v1/sessions/${session.string("token")}`)).status).toBe(204)
    expect((await realm.get(`/v1/sessions/${session.id}`)).status).toBe(404)
  })

  test.each([
    "v1",
    "v2"
  ])("an inactive provider has no authorization URL until the provider is active again (%s)", async (version) => {
    const realm = await (await service()).given.realm()
    const [one, two] = [await realm.authProvider(), await realm.authProvider()]
    const listed = async () =>
      (await realm.get(`/${version}/auth_providers/authorize?${urlQuery()}`)).items.map(({ id }) => id)
    expect(await listed()).toEqual([one.id, two.id])
    await realm.put(`/v2/auth_providers/${one.id}`, { auth_provider: { state: "inactive" } })
    expect(await listed()).toEqual([two.id])
    await realm.put(`/v2/auth_providers/${one.id}`, { auth_provider: { state: "active" } })
    expect(await listed()).toEqual([one.id, two.id])
  })
})
