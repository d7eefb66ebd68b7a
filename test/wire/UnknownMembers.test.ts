import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { type Operation, operations, pathOf, requiredQuery } from "../support/operations.ts"
import { resourceFor } from "../support/resources.ts"
import { newRealm } from "../support/sallyport.ts"
import { untouchedRealm } from "../support/untouchedRealm.ts"

const strict = { Prefer: "handling=strict" }

const writes = operations.filter(
  ({ method, members, top }) => ["POST", "PUT"].includes(method) && members.length + top.length > 0
)

/** A member's name, and the name with its last two letters swapped, which is not a member of the operation. */
const misspelled = ({ members }: Operation): readonly [meant: string, sent: string] => {
  for (const meant of members.toSorted((a, b) => b.length - a.length)) {
    const sent = `${meant.slice(0, -2)}${meant.at(-1)}${meant.at(-2)}`
    if (sent !== meant && !members.includes(sent)) return [meant, sent]
  }
  throw new Error("There is no member to misspell.")
}

/**
 * Reduces a sample body to the members that the operation knows and adds the given members. Operations with the same
 * wrapper share a sample.
 */
const bodyWith = ({ wrapper, members: known }: Operation, body: unknown, members: object): object => {
  if (wrapper === undefined) return { ...Object(body), ...members }
  const sample = Object.entries(Object(Object(body)[wrapper])).filter(([name]) => known.includes(name))
  return { [wrapper]: { ...Object.fromEntries(sample), ...members } }
}

const details = (reply: Reply): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const found = reply.member("error_details")
  return Array.isArray(found) ? found : []
}

/** Calls an operation in the untouched realm with a valid body and the given additional members. */
const callWith = async (operation: Operation, members: object, headers: Readonly<Record<string, string>> = {}) => {
  const untouched = await untouchedRealm()
  const [thing, body] = [await untouched.thing(operation), await untouched.body(operation)]
  const path = pathOf(operation, () => thing) + requiredQuery(operation)
  let reply: Reply | undefined
  await untouched.expectUnchanged(async () => {
    reply = await untouched.realm.call(operation.method, path, { body: bodyWith(operation, body, members), headers })
  })
  if (reply === undefined) throw new Error("The operation was not called.")
  return reply
}

const expectUnknown = (reply: Reply, [meant, sent]: readonly [meant: string, sent: string]) => {
  expect([reply.status, reply.text]).toEqual([422, reply.text])
  expect(details(reply).map(({ field, code }) => [field, code])).toEqual([[sent, "unknown_member"]])
  expect(details(reply)[0]).toMatchObject({ params: { nearest: meant } })
}

describe("C251: a misspelled member is rejected, and the error suggests the nearest name", () => {
  test.each(
    writes.flatMap((one) => (one.isContractResource ? [] : [[one.name, one] as const]))
  )("%s, for a resource that is not part of the contract", async (_, operation) => {
    const [meant, sent] = misspelled(operation)
    expectUnknown(await callWith(operation, { [sent]: "x" }), [meant, sent])
  })

  test.each(
    writes.flatMap((one) => (one.isContractResource ? [[one.name, one] as const] : []))
  )("%s, if the caller prefers strict handling", async (_, operation) => {
    const [meant, sent] = misspelled(operation)
    expectUnknown(await callWith(operation, { [sent]: "x" }, strict), [meant, sent])
  })
})

describe("C251: X-Service-Ignored lists ignored members of the contract's resources", () => {
  test.each(
    writes.flatMap((one) => (one.isContractResource ? [[one.name, one] as const] : []))
  )("%s", async (_, operation) => {
    const { realm } = await untouchedRealm()
    const [, sent] = misspelled(operation)
    const path = pathOf(operation) + requiredQuery(operation)
    const reply = await realm.call(operation.method, path, { body: bodyWith(operation, {}, { [sent]: "x" }) })
    const expectedName = operation.wrapper === undefined ? sent : `${operation.wrapper}.${sent}`
    expect([reply.headers.get("x-service-ignored"), reply.text.includes("unknown_member")]).toEqual([
      expectedName,
      false
    ])
  })

  test("also lists ignored query parameters in /v1 and unknown members of nested objects and lists", async () => {
    const realm = await newRealm()
    const created = await realm.post("/v1/orgs?notify=1", { org: { name: "Acme", nmae: "x", "ü,": 1 } })
    expect([created.status, created.headers.get("x-service-ignored")]).toEqual([201, "notify, org.nmae, org.%C3%BC%2C"])
    const roles = [{ name: "admin", permissions: ["a:b"], permisions: [] }]
    const changed = await realm.put(`/v1/realms/${realm.id}`, { realm: { roles } })
    expect([changed.status, changed.headers.get("x-service-ignored")]).toEqual([200, "realm.roles.0.permisions"])
  })

  test("also lists a request member inside user in /v1's authenticate", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: "correct horse battery" })
    const body = { user: { password: "correct horse battery", request: { ip: "203.0.113.7" } } }
    const reply = await realm.post(`/v1/users/${user.id}/authenticate`, body)
    expect([reply.status, reply.headers.get("x-service-ignored")]).toEqual([200, "user.request"])
    const rejected = await realm.call("POST", `/v1/users/${user.id}/authenticate`, { body, headers: strict })
    expect([rejected.status, rejected.errors]).toEqual([
      422,
      ["Move request out of user, to the top of the request body."]
    ])
    const v2 = await realm.post(`/v2/users/${user.id}/authenticate`, body)
    expect([v2.status, v2.errors]).toEqual([422, ["Move request out of user, to the top of the request body."]])
  })
})

describe("C251: an API key with an org_id is rejected, because the key would apply to the whole realm", () => {
  test("POST /v2/api_keys", async () => {
    const realm = await newRealm()
    const org = await realm.org()
    const { result, events } = await realm.seen.during(() =>
      realm.post("/v2/api_keys", { api_key: { name: "Key", level: "read", realm_id: realm.id, org_id: org.id } })
    )
    expect([result.status, events]).toEqual([422, []])
    expect(result.errors).toEqual(["Unknown member org_id. Members here: name, level, realm_id, expires_at."])
  })
})

describe("C8: an update accepts the resource exactly as returned by a read", () => {
  test.each(
    operations.flatMap((one) => (one.operation === "update" ? [[one.name, one] as const] : []))
  )("%s accepts the resource and reports its read-only members as ignored", async (_, operation) => {
    const realm = await newRealm()
    const id = await resourceFor(operation, realm)
    const path = pathOf(operation, () => id)
    const read = Object((await realm.get(path)).body)
    const { wrapper = "" } = operation
    // Members that are null, because they are secret or not set, are left out.
    const given = Object.fromEntries(Object.entries(read).filter(([, value]) => value !== null))
    const reply = await realm.call("PUT", path, { body: { [wrapper]: given }, headers: strict })
    expect([reply.status, reply.text]).toEqual([200, reply.text])
    const ignoredMembers = reply.headers.get("x-service-ignored")?.split(", ")
    expect(ignoredMembers).toEqual(expect.arrayContaining([`${wrapper}.id`, `${wrapper}.object`]))
  })
})

describe("available_locales", () => {
  test("can contain only supported locales", async () => {
    const realm = await newRealm()
    const good = { default_locale: "fr", available_locales: ["fr", "pt-BR", "zh-Hant-TW"] }
    expect((await realm.put(`/v2/realms/${realm.id}`, { realm: good })).status).toBe(200)
    for (const [member, value] of [
      ["available_locales", ["fr", "english"]],
      ["available_locales", "fr xx"],
      ["available_locales", ["fr", "fr_FR"]],
      ["default_locale", "en-XX"]
    ] as const) {
      const reply = await realm.put(`/v2/realms/${realm.id}`, { realm: { [member]: value } })
      expect([value, reply.status, details(reply)[0]]).toMatchObject([
        value,
        422,
        { field: member, code: "unknown_locale" }
      ])
    }
    expect((await realm.get(`/v2/realms/${realm.id}`)).body).toMatchObject(good)
  })
})

describe("Prefer", () => {
  test.each([
    "handling=strict",
    "respond-async, handling=strict; note=1",
    'wait=10,Handling = "Strict"'
  ])("%s rejects unknown query parameters in /v1", async (prefer) => {
    const { realm } = await untouchedRealm()
    const headers = { Prefer: prefer }
    const reply = await realm.call("GET", "/v1/users?limit=2", { headers })
    expect([reply.status, details(reply)[0]]).toMatchObject([
      422,
      { code: "unknown_parameter", params: { nearest: "max_results" } }
    ])
  })

  test.each([
    "handling=lenient",
    "strict",
    "x-handling=strict",
    "handling=stricter",
    ""
  ])("%s ignores unknown query parameters in /v1", async (prefer) => {
    const { realm } = await untouchedRealm()
    const reply = await realm.call("GET", "/v1/users?limit=2", { headers: { Prefer: prefer } })
    expect([reply.status, reply.headers.get("x-service-ignored")]).toEqual([200, "limit"])
  })
})
