import { describe, expect, test } from "vitest"
import type { Api, Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import {
  lists,
  longestPage,
  type Operation,
  operations,
  operationsOnOne,
  pathOf,
  queryNeeded
} from "../support/operations.ts"
import { bodyOf, filterOf, listedFor, listPath, resourceFor, snapshotOf, strangerTo } from "../support/resources.ts"
import { service } from "../support/sallyport.ts"

/** A response without its request id. */
const answerOf = ({ status, text }: Reply) => ({
  status,
  body: text === "" ? "" : JSON.parse(text, (name, value: unknown) => (name === "request_id" ? undefined : value))
})

const twoRealms = async () => {
  const { given } = await service()
  return [await given.realm(), await given.realm()] as const
}

let untouched: ReturnType<typeof twoRealms> | undefined

/** Two realms shared by all tests that change nothing in them. */
const untouchedRealms = () => (untouched ??= twoRealms())

/** The status for a missing resource: 404 (C4), except when deleting a session (`v2.sessions`). */
const missing = ({ resource, operation }: Operation) => (resource === "sessions" && operation === "delete" ? 204 : 404)

/** Whether an unknown name gets the same response as a wrong password, unlike an unknown id. */
const hidesUnknown = ({ name }: Operation) => name === "v2.logins authenticate"

const asks = (caller: Api, operation: Operation, id: string, body: unknown) => {
  const path = pathOf(operation, () => id) + queryNeeded(operation)
  return caller.call(operation.method, path, { body })
}

const twins = async (caller: Api, operation: Operation, own: GivenRealm, other: GivenRealm) => {
  const [mine, others] = [await resourceFor(operation, own), await resourceFor(operation, other)]
  const body = await bodyOf(operation, own, mine)
  const before = await snapshotOf(own, other)
  const random = answerOf(await asks(caller, operation, strangerTo(mine), body))
  expect(answerOf(await asks(caller, operation, others, body))).toEqual(random)
  const nonsense = async () => answerOf(await asks(caller, operation, "nonsense", body))
  if (!hidesUnknown(operation)) expect(await nonsense()).toEqual(random)
  expect(await snapshotOf(own, other)).toEqual(before)
  // A failed attempt is counted even for an unknown name, which changes the snapshot.
  if (hidesUnknown(operation)) expect((await nonsense()).status).toBe(422)
  return { random, own: (await asks(caller, operation, mine, body)).status }
}

describe("SEC-50 (CVE-2025-64431, CVE-2025-27507, CVE-2026-32131, CVE-2026-4630): with a key locked to a realm, a resource of another realm looks like an unknown id: 404, no event, no change", () => {
  test.each(operationsOnOne)("$name", async (operation) => {
    const [own, other] = await twoRealms()
    const { random, own: ownStatus } = await twins(await own.as("admin_realm"), operation, own, other)
    if (operation.level === "admin_all_realms") return expect([random.status, ownStatus]).toEqual([403, 403])
    expect(random.status).toBe(missing(operation))
    expect(ownStatus).toBeLessThan(300)
  })
})

// Realms are left out: a realm id in the path decides the realm of the request, whatever the header says (C4).
describe("SEC-50 (CVE-2026-33495, CVE-2026-33496): with the root key and a realm header, a resource of another realm looks like an unknown id", () => {
  test.each(operationsOnOne.filter(({ resource }) => resource !== "realms"))("$name", async (operation) => {
    const [own, other] = await twoRealms()
    const { random, own: ownStatus } = await twins(own, operation, own, other)
    expect(random.status).toBe(missing(operation))
    expect(ownStatus).toBeLessThan(300)
  })
})

describe("SEC-50: with a key locked to a realm, naming another realm returns the same 404 as naming an unknown realm", () => {
  test.each(operations.filter(({ level }) => level !== "admin_all_realms"))("$name", async (operation) => {
    const [own, other] = await untouchedRealms()
    const caller = await own.as("admin_realm")
    const { method, wrapper } = operation
    const body = method === "GET" ? undefined : wrapper === undefined ? {} : { [wrapper]: {} }
    const path = pathOf(operation, () => (operation.resource === "realms" ? other.id : "x"))
    const named = (id: string) => caller.call(operation.method, `${path}?realm_id=${id}`, { body })
    const headed = (id: string) => caller.call(operation.method, path, { body, headers: { "x-service-realm": id } })
    const random = answerOf(await named(strangerTo(own.id)))
    expect(random.status).toBe(404)
    expect(answerOf(await named(other.id))).toEqual(random)
    expect(answerOf(await headed(other.id))).toEqual(random)
    expect(answerOf(await headed(strangerTo(own.id)))).toEqual(random)
  })
})

/** Ids issued by other systems, which are plain text to this service. */
const idsOfOthers = ["client_id", "provider_user_id"]

const writesNaming = operations.flatMap((operation) =>
  operation.members
    .filter((member) => /_ids?$/.test(member) && ![...idsOfOthers, "realm_id", "passkey_rp_id"].includes(member))
    .filter(() => operation.method !== "GET")
    .map((member) => ({ operation, member, name: operation.name }))
)

describe("SEC-51 (CVE-2026-33132): rejects an id of another realm in a body like an unknown id, and writes nothing", () => {
  test.each(writesNaming)("$name: $member", async ({ operation, member }) => {
    const [own, other] = await twoRealms()
    const caller = await own.as("admin_realm")
    const wrapper = operation.wrapper ?? ""
    const sample = (await bodyOf(operation, own))?.[wrapper] ?? {}
    const resource = member.replace(/^inviting_/, "").replace(/_ids?$/, "s")
    const foreign = await resourceFor({ ...operation, resource }, other)
    const thing = operation.operation === "update" ? await resourceFor(operation, own) : "x"
    const before = await snapshotOf(own, other)
    const refused = async (id: string) => {
      const body = { [wrapper]: { ...sample, [member]: member.endsWith("s") ? [id] : id } }
      return answerOf(await asks(caller, operation, thing, body))
    }
    const random = await refused(strangerTo(foreign))
    expect(random.status).toBe(operation.resource === "sessions" ? 404 : 422)
    expect(await refused(foreign)).toEqual(random)
    expect(await snapshotOf(own, other)).toEqual(before)
  })
})

describe("SEC-75 (CVE-2026-33503, CVE-2026-33504, CVE-2026-33505): a list returns 404 for a malformed `after`, and never shows another realm's rows after one of its ids", () => {
  test.each(lists)("$name", async (operation) => {
    const [own, other] = await twoRealms()
    const filter = await filterOf(operation, own)
    const { path, id: mine } = await listedFor(operation, own)
    const { id: foreign } = await listedFor(operation, other)
    const caller = await own.as("admin_realm")
    const after = async (api: Api, id: string) =>
      answerOf(await api.get(`${path}?${filter}after=${encodeURIComponent(id)}`))
    for (const id of ["nonsense", "' or 1=1--"]) expect((await after(caller, id)).status).toBe(404)
    expect((await after(caller, mine)).status).toBe(200)
    // When sorting by id, any id is a valid position, whichever realm it belongs to (C284): the caller's own rows
    // follow.
    for (const api of operation.resource === "realms" ? [caller] : [caller, own]) {
      const all = (await api.get(`${path}?${filter}max_results=${longestPage(operation)}`)).items.map(({ id }) => id)
      for (const id of [foreign, strangerTo(foreign)]) {
        const order = operation.query.includes("sort") ? "sort=id&" : ""
        const reply = await api.get(`${path}?${filter}${order}after=${id}`)
        expect(reply.status).toBe(200)
        expect(all).toEqual(expect.arrayContaining(reply.items.map(({ id }) => id)))
      }
    }
  })
})

describe("SEC-57, SEC-75: a list returns 422 for a max_results out of range and for an unknown sort, direction, expand or state", () => {
  test.each(lists)("$name", async (operation) => {
    const [realm] = await untouchedRealms()
    const [path, filter] = [await listPath(operation, realm), await filterOf(operation, realm)]
    const words = ["sort", "direction", "expand", "state"].filter((name) => operation.query.includes(name))
    const lengths = [0, longestPage(operation) + 1, 1.5, -1, "abc", ""].map((length) => `max_results=${length}`)
    for (const query of [...lengths, ...words.map((name) => `${name}=nonsense`)]) {
      const reply = await realm.get(`${path}?${filter}${query}`)
      const [field = ""] = query.split("=")
      expect([query, reply.status, reply.member("error_details", 0, "field")]).toEqual([query, 422, field])
    }
    expect((await realm.get(`${path}?${filter}max_results=${longestPage(operation)}`)).status).toBe(200)
  })
})
