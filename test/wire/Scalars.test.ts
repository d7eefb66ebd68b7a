import { describe, expect, test } from "vitest"
import { withAt } from "../support/bodyWays.ts"
import { operationNamed, operations, operationsOnResource, pathOf, requiredQuery } from "../support/operations.ts"
import { untouchedRealm } from "../support/untouchedRealm.ts"

/** Lists and objects to send instead of a scalar. */
const nonScalars: ReadonlyArray<unknown> = [["active"], [1], [], { a: "active" }, [["active"]]]

/** Returns whether a member belongs only to the response of a new passkey. A login accepts and ignores these members. */
const isIgnored = (operation: string, way: ReadonlyArray<string>): boolean =>
  operation.endsWith(" authenticate_passkey") &&
  ["attestationObject", "transports"].some((member) => way.includes(member))

const withBody = operations.filter(({ scalars }) => scalars.length > 0)

describe("a member that takes a single string, number or boolean", () => {
  test("exists in many operations", () => {
    expect(withBody.length).toBeGreaterThan(60)
    expect(operationNamed("v2.users create")?.scalars).toContainEqual(["user", "email"])
    expect(operationNamed("v2.users create")?.scalars).toContainEqual(["user", "credentials", "0", "password"])
    expect(operationNamed("v1.realms update")?.scalars).toContainEqual(["realm", "limits", "reads"])
    expect(operationNamed("v1.realms update")?.scalars).toContainEqual(["realm", "available_locales", "0"])
  })

  test.each(
    withBody.map((operation) => [operation.name, operation] as const)
  )("C47: %s: returns 422 for a list or an object without storing data", async (_, operation) => {
    const untouched = await untouchedRealm()
    const { realm } = untouched
    const [thing, body] = [await untouched.thing(operation), await untouched.body(operation)]
    const path = pathOf(operation, () => thing) + requiredQuery(operation)
    await untouched.expectUnchanged(async () => {
      for (const way of operation.scalars) {
        if (isIgnored(operation.name, way)) continue
        const name = way.findLast((step) => step !== "0")
        for (const value of nonScalars) {
          const reply = await realm.call(operation.method, path, { body: withAt(body, way, value) })
          expect([way, value, reply.status]).toEqual([way, value, 422])
          expect([way, value, reply.text]).toEqual([way, value, expect.stringContaining(`"field":"${name}"`)])
          expect(reply.errors).toEqual(expect.arrayContaining([expect.stringMatching(/^[A-Z].+\.$/)]))
        }
      }
    })
  })
})

describe("`realm_id`", () => {
  const writes = operations.filter(({ method }) => method !== "GET")

  test.each(
    writes.map((operation) => [operation.name, operation] as const)
  )("C47: %s: returns 422 for a list or an object anywhere in the body without storing data", async (_, operation) => {
    const untouched = await untouchedRealm()
    const { realm } = untouched
    const locked = await realm.as("admin_realm")
    const [thing, body = {}] = [await untouched.thing(operation), await untouched.body(operation)]
    const path = pathOf(operation, () => thing) + requiredQuery(operation)
    await untouched.expectUnchanged(async () => {
      for (const value of [[realm.id], [realm.id, realm.id], { id: realm.id }, []]) {
        const inside = operation.wrapper === undefined ? [] : [withAt(body, [operation.wrapper, "realm_id"], value)]
        for (const given of [...inside, { ...body, realm_id: value }]) {
          const reply = await realm.call(operation.method, path, { body: given })
          expect([value, reply.status, reply.errors]).toEqual([value, 422, ["Realm must be text."]])
          const { status } = await locked.call(operation.method, path, { body: given })
          expect([value, status]).toEqual([value, operation.level === "admin_all_realms" ? 403 : 422])
        }
      }
    })
  })

  test.each(
    [...operationsOnResource, ...operations.filter(({ params }) => params.length === 0)].map(
      (one) => [one.name, one] as const
    )
  )("C47: %s: returns 422 if given twice in the query", async (_, operation) => {
    const untouched = await untouchedRealm()
    const { realm } = untouched
    const needed = requiredQuery(operation)
    const query = `${needed === "" ? "?" : `${needed}&`}realm_id=${realm.id}&realm_id=${realm.id}`
    const path = pathOf(operation, () => (operation.resource === "realms" ? realm.id : "x")) + query
    const reply = await realm.call(operation.method, path, { body: await untouched.body(operation) })
    expect([reply.status, reply.errors]).toEqual([422, ["Realm can be given only once."]])
  })
})
