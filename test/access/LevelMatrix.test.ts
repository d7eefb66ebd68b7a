import { describe, expect, test } from "vitest"
import { allows, type Level } from "#domain/Level"
import { Api, type Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { type Operation, everyOperation as operations, pathOf } from "../support/operations.ts"
import { service } from "../support/sallyport.ts"
import { untouchedRealm } from "../support/untouchedRealm.ts"

/** The levels documented in the contract (`v2.level`, `v1.level`, C3, C35, C44). `others` covers all other operations. */
const contract: Readonly<Record<string, Readonly<Partial<Record<string, Level>>>>> = {
  sessions: { list: "read", get: "read", create: "write", delete: "write" },
  users: { list: "read", get: "read", blocks: "read", trusted_devices: "read", others: "write" },
  consents: { list: "read", get: "read", delete: "write" },
  grants: { list: "read", get: "read", delete: "write" },
  orgs: { list: "read", get: "read", create: "write", update: "write", delete: "write" },
  memberships: { list: "read", get: "read", create: "write", update: "write", delete: "write" },
  domains: { list: "read", get: "read", others: "admin_realm" },
  invitations: { list: "read", get: "read", others: "write" },
  credentials: { get: "read", others: "write" },
  user_tokens: { get: "read", create: "write" },
  realms: {
    list: "read",
    get: "read",
    statistics: "read",
    update: "admin_realm",
    reset: "admin_realm",
    create: "admin_all_realms",
    delete: "admin_all_realms"
  },
  login_policies: { list: "read", get: "read", others: "admin_realm" },
  client_apps: { list: "read", get: "read", brand: "read", others: "admin_realm" },
  app_hooks: { list: "read", get: "read", others: "admin_realm" },
  hooks: { list: "read", get: "read", others: "admin_realm" },
  jwt_keys: { others: "admin_realm" },
  api_keys: { others: "admin_realm" },
  operators: { others: "admin_all_realms" },
  console: { others: "admin_all_realms" },
  imports: { import: "admin_realm" },
  exports: { export: "admin_realm" },
  notifications: { list: "read", listOfHook: "read", get: "read" },
  events: { list: "read", get: "read", others: "admin_realm" },
  auth_providers: { list: "read", get: "read", others: "admin_realm" },
  external_authentication: { list_urls: "read", get_url: "read", others: "write" }
}

test.each(operations)("SEC-52: $name requires the level listed in the contract", ({
  resource,
  operation,
  level,
  method
}) => {
  const row = contract[resource]
  expect(level).toBeDefined()
  expect(level).toBe(row?.[operation] ?? row?.["others"])
  if (method !== "GET") expect(level).not.toBe("read")
})

type Who = "no key" | "empty key" | "unknown key" | Level

const callers = async (realm: GivenRealm): Promise<ReadonlyArray<readonly [Who, Api]>> => [
  ["no key", new Api(realm.transport, undefined, realm.id)],
  ["empty key", new Api(realm.transport, "", realm.id)],
  ["unknown key", new Api(realm.transport, `sk_${"0".repeat(26)}_${"A".repeat(43)}`, realm.id)],
  ["read", await realm.as("read")],
  ["write", await realm.as("write")],
  ["admin_realm", await realm.as("admin_realm")],
  ["admin_all_realms", realm]
]

/** Each caller's response to an operation on a missing resource, with a body that isn't JSON. */
const answers = async (operation: Operation, realm: GivenRealm) => {
  const path = pathOf(operation)
  const call = operation.method === "GET" ? {} : { body: "{nonsense" }
  const replies: Array<readonly [Who, Reply]> = []
  for (const [who, api] of await callers(realm)) replies.push([who, await api.call(operation.method, path, call)])
  return replies
}

const expected = (required: Level, who: Who): string => {
  if (who === "no key" || who === "empty key") return "401 key_missing"
  if (who === "unknown key") return "401 key_unknown"
  return allows(who, required) ? "let in" : `403 level_too_low ${required}`
}

const outcomeOf = (reply: Reply): string => {
  if (reply.status !== 401 && reply.status !== 403) return "let in"
  const code = reply.string("error_details", 0, "code")
  const required = reply.member("error_details", 0, "params", "required")
  return [reply.status, code, ...(required === undefined ? [] : [required])].join(" ")
}

describe("SEC-52, SEC-54 (CVE-2025-61928, CVE-2026-55106): the API key and its level are checked before the body is parsed", () => {
  let prepared: Promise<GivenRealm> | undefined

  /** The realm shared by all operations, which leave it unchanged. Its keys are created before events are recorded. */
  const realmWithCallers = () =>
    (prepared ??= service().then(async ({ given }) => {
      const realm = await given.realm()
      await callers(realm)
      return realm
    }))

  test.each(operations)("$name", async (operation) => {
    const realm = await realmWithCallers()
    const { result, events } = await realm.seen.during(() => answers(operation, realm))
    // An export has no body to reject, so it succeeds for every caller with the required level.
    const exported = { event_type: "realm.exported" }
    expect(events).toEqual(operation.resource === "exports" ? [exported, exported] : [])
    const { level = "admin_all_realms" } = operation
    const table = result.map(([who, reply]) => [who, outcomeOf(reply)])
    expect(table).toEqual(result.map(([who]) => [who, expected(level, who)]))
    for (const [, reply] of result) {
      expect(reply.headers.get("www-authenticate")).toBe(reply.status === 401 ? "Bearer" : null)
      expect(reply.status).toBeLessThan(500)
      if (reply.status === 403)
        expect(reply.errors).toEqual([`The API key's level is too low. This request requires ${level}.`])
    }
  })
})

const levelBelow: Readonly<Record<Level, Exclude<Level, "admin_all_realms">>> = {
  admin_all_realms: "admin_realm",
  admin_realm: "write",
  write: "read",
  read: "read"
}

describe("SEC-52: a rejected call changes nothing, even with a valid body and an existing resource", () => {
  test.each(operations.filter(({ level }) => level !== "read"))("$name", async (operation) => {
    const untouched = await untouchedRealm()
    const { realm } = untouched
    const [thing, body] = [await untouched.thing(operation), await untouched.body(operation)]
    const caller = await realm.as(levelBelow[operation.level ?? "admin_all_realms"])
    const nobody = new Api(realm.transport, undefined, realm.id)
    const path = pathOf(operation, () => thing)
    await untouched.expectUnchanged(async () => {
      expect((await caller.call(operation.method, path, { body })).status).toBe(403)
      expect((await nobody.call(operation.method, path, { body })).status).toBe(401)
    })
  })
})
