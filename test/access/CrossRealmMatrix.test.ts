import { describe, expect, test } from "vitest"
import type { Api, Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import {
  lists,
  maxPageSize,
  type Operation,
  operations,
  operationsOnResource,
  pathOf,
  requiredQuery
} from "../support/operations.ts"
import { bodyOf, filterOf, listedFor, listPath, resourceFor, snapshotOf, unknownIdLike } from "../support/resources.ts"
import { service } from "../support/sallyport.ts"

/** A response without its request id. */
const comparable = ({ status, text }: Reply) => ({
  status,
  body: text === "" ? "" : JSON.parse(text, (name, value: unknown) => (name === "request_id" ? undefined : value))
})

const twoRealms = async () => {
  const { given } = await service()
  return [await given.realm(), await given.realm()] as const
}

let untouched: ReturnType<typeof twoRealms> | undefined

/** Two realms shared by all tests that leave them unchanged. */
const untouchedRealms = () => (untouched ??= twoRealms())

/** The status for a missing resource: 404 (C4), or 204 when deleting a session (`v2.sessions`). */
const missingStatus = ({ resource, operation }: Operation) =>
  resource === "sessions" && operation === "delete" ? 204 : 404

/** Returns whether an unknown name gets the same response as a wrong password. */
const hidesUnknown = ({ name }: Operation) => name === "v2.logins authenticate"

const callWith = (caller: Api, operation: Operation, id: string, body: unknown) => {
  const path = pathOf(operation, () => id) + requiredQuery(operation)
  return caller.call(operation.method, path, { body })
}

const compareWithUnknownId = async (caller: Api, operation: Operation, own: GivenRealm, other: GivenRealm) => {
  const [mine, others] = [await resourceFor(operation, own), await resourceFor(operation, other)]
  const body = await bodyOf(operation, own, mine)
  const before = await snapshotOf(own, other)
  const random = comparable(await callWith(caller, operation, unknownIdLike(mine), body))
  expect(comparable(await callWith(caller, operation, others, body))).toEqual(random)
  const nonsense = async () => comparable(await callWith(caller, operation, "nonsense", body))
  if (!hidesUnknown(operation)) expect(await nonsense()).toEqual(random)
  expect(await snapshotOf(own, other)).toEqual(before)
  // A failed attempt is counted even for an unknown name, which changes the snapshot.
  if (hidesUnknown(operation)) expect((await nonsense()).status).toBe(422)
  return { random, own: (await callWith(caller, operation, mine, body)).status }
}

describe("SEC-50 (CVE-2025-64431, CVE-2025-27507, CVE-2026-32131, CVE-2026-4630): with a key locked to a realm, a resource of another realm is treated as an unknown id", () => {
  test.each(operationsOnResource)("$name", async (operation) => {
    const [own, other] = await twoRealms()
    const { random, own: ownStatus } = await compareWithUnknownId(await own.as("admin_realm"), operation, own, other)
    if (operation.level === "admin_all_realms") return expect([random.status, ownStatus]).toEqual([403, 403])
    expect(random.status).toBe(missingStatus(operation))
    expect(ownStatus).toBeLessThan(300)
  })
})

// Realms are excluded, because a realm id in the path overrides the realm header (C4).
describe("SEC-50 (CVE-2026-33495, CVE-2026-33496): with the root key and a realm header, a resource of another realm is treated as an unknown id", () => {
  test.each(operationsOnResource.filter(({ resource }) => resource !== "realms"))("$name", async (operation) => {
    const [own, other] = await twoRealms()
    const { random, own: ownStatus } = await compareWithUnknownId(own, operation, own, other)
    expect(random.status).toBe(missingStatus(operation))
    expect(ownStatus).toBeLessThan(300)
  })
})

describe("SEC-50: with a key locked to a realm, another realm is treated as an unknown realm", () => {
  test.each(operations.filter(({ level }) => level !== "admin_all_realms"))("$name", async (operation) => {
    const [own, other] = await untouchedRealms()
    const caller = await own.as("admin_realm")
    const { method, wrapper } = operation
    const body = method === "GET" ? undefined : wrapper === undefined ? {} : { [wrapper]: {} }
    const path = pathOf(operation, () => (operation.resource === "realms" ? other.id : "x"))
    const callWithRealm = (id: string) => caller.call(operation.method, `${path}?realm_id=${id}`, { body })
    const headed = (id: string) => caller.call(operation.method, path, { body, headers: { "x-service-realm": id } })
    const random = comparable(await callWithRealm(unknownIdLike(own.id)))
    expect(random.status).toBe(404)
    expect(comparable(await callWithRealm(other.id))).toEqual(random)
    expect(comparable(await headed(other.id))).toEqual(random)
    expect(comparable(await headed(unknownIdLike(own.id)))).toEqual(random)
  })
})

/** Ids issued by other systems, which are plain text to this service. */
const externalIds = ["client_id", "key_id", "provider_user_id", "team_id"]

const writesWithIds = operations.flatMap((operation) =>
  operation.members
    .filter((member) => /_ids?$/.test(member) && ![...externalIds, "realm_id", "passkey_rp_id"].includes(member))
    .filter(() => operation.method !== "GET")
    .map((member) => ({ operation, member, name: operation.name }))
)

describe("SEC-51 (CVE-2026-33132): another realm's id in a body is rejected like an unknown id", () => {
  test.each(writesWithIds)("$name: $member", async ({ operation, member }) => {
    const [own, other] = await twoRealms()
    const caller = await own.as("admin_realm")
    const wrapper = operation.wrapper ?? ""
    const sample = (await bodyOf(operation, own))?.[wrapper] ?? {}
    const resource = member.replace(/^inviting_/, "").replace(/_ids?$/, "s")
    const foreign = await resourceFor({ ...operation, resource }, other)
    const thing = operation.operation === "update" ? await resourceFor(operation, own) : "x"
    const before = await snapshotOf(own, other)
    const replyWith = async (id: string) => {
      const body = { [wrapper]: { ...sample, [member]: member.endsWith("s") ? [id] : id } }
      return comparable(await callWith(caller, operation, thing, body))
    }
    const random = await replyWith(unknownIdLike(foreign))
    expect(random.status).toBe(operation.resource === "sessions" ? 404 : 422)
    expect(await replyWith(foreign)).toEqual(random)
    expect(await snapshotOf(own, other)).toEqual(before)
  })
})

describe("SEC-75 (CVE-2026-33503, CVE-2026-33504, CVE-2026-33505): a malformed or another realm's `after` never shows another realm's rows", () => {
  test.each(lists)("$name", async (operation) => {
    const [own, other] = await twoRealms()
    const filter = await filterOf(operation, own)
    const { path, id: mine } = await listedFor(operation, own)
    const { id: foreign } = await listedFor(operation, other)
    const caller = await own.as("admin_realm")
    const after = async (api: Api, id: string) =>
      comparable(await api.get(`${path}?${filter}after=${encodeURIComponent(id)}`))
    for (const id of ["nonsense", "' or 1=1--"]) expect((await after(caller, id)).status).toBe(404)
    expect((await after(caller, mine)).status).toBe(200)
    // When sorting by id, any id is a valid position, whichever realm it belongs to (C284): the caller's own rows
    // follow.
    for (const api of operation.resource === "realms" ? [caller] : [caller, own]) {
      const all = (await api.get(`${path}?${filter}max_results=${maxPageSize(operation)}`)).items.map(({ id }) => id)
      for (const id of [foreign, unknownIdLike(foreign)]) {
        const order = operation.query.includes("sort") ? "sort=id&" : ""
        const reply = await api.get(`${path}?${filter}${order}after=${id}`)
        expect(reply.status).toBe(200)
        expect(all).toEqual(expect.arrayContaining(reply.items.map(({ id }) => id)))
      }
    }
  })
})

describe("SEC-57, SEC-75: a list returns 422 for a max_results out of range and for unknown parameter values", () => {
  test.each(lists)("$name", async (operation) => {
    const [realm] = await untouchedRealms()
    const [path, filter] = [await listPath(operation, realm), await filterOf(operation, realm)]
    const words = ["sort", "direction", "expand", "state"].filter((name) => operation.query.includes(name))
    const lengths = [0, maxPageSize(operation) + 1, 1.5, -1, "abc", ""].map((length) => `max_results=${length}`)
    for (const query of [...lengths, ...words.map((name) => `${name}=nonsense`)]) {
      const reply = await realm.get(`${path}?${filter}${query}`)
      const [field = ""] = query.split("=")
      expect([query, reply.status, reply.member("error_details", 0, "field")]).toEqual([query, 422, field])
    }
    expect((await realm.get(`${path}?${filter}max_results=${maxPageSize(operation)}`)).status).toBe(200)
  })
})
