import { describe, expect, test } from "vitest"
import { withAt } from "../support/bodyWays.ts"
import { operations, pathOf, requiredQuery } from "../support/operations.ts"
import { untouchedRealm } from "../support/untouchedRealm.ts"

const withLists = operations.flatMap((one) =>
  one.lists.map((way) => [`${one.name} ${way.join(".")}`, one, way] as const)
)

/** The number of items that fit into a body of 256 KiB. */
const MANY = 80_000

describe("SEC-234: a list that is too long is rejected before its items are checked", () => {
  test("the tests cover lists of several operations", () => {
    expect(withLists.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        "v2.users create user.credentials",
        "v2.realms update realm.roles",
        "v2.realms update realm.roles.0.permissions",
        "v1.realms create realm.resource_links"
      ])
    )
  })

  test.each(withLists)("%s", async (_, operation, way) => {
    const untouched = await untouchedRealm()
    const [thing, body] = [await untouched.thing(operation), await untouched.body(operation)]
    const path = pathOf(operation, () => thing) + requiredQuery(operation)
    const objects = `[${Array(MANY).fill("{}").join(",")}]`
    const numbers = `[${Array(MANY).fill("7").join(",")}]`
    await untouched.expectUnchanged(async () => {
      for (const list of [objects, numbers]) {
        // Parsing and serializing the list again would take longer than the request.
        const sent = JSON.stringify(withAt(body, way, "@")).replace('"@"', list)
        const reply = await untouched.realm.call(operation.method, path, { body: sent })
        const expected = {
          field: way.findLast((step) => step !== "0"),
          code: "too_many",
          params: { most: expect.any(Number) }
        }
        expect([reply.status, reply.member("error_details")]).toEqual([422, [expect.objectContaining(expected)]])
      }
    })
  })

  test.each(
    withLists.filter(([, { name }, way]) => name === "v2.realms update" && way.length === 2)
  )("%s, as a space-separated string", async (_, operation, way) => {
    const untouched = await untouchedRealm()
    const thing = await untouched.thing(operation)
    const text = "a ".repeat(MANY)
    await untouched.expectUnchanged(async () => {
      const reply = await untouched.realm.put(
        pathOf(operation, () => thing),
        withAt({}, way, text)
      )
      const [first, ...others] = [reply.member("error_details")].flat()
      expect([reply.status, others]).toEqual([422, []])
      expect(["too_many", "not_list"]).toContain(Object(first).code)
    })
  })
})

describe("C250: a response lists at most 100 errors", () => {
  test("even if the request has more errors", async () => {
    const { realm } = await untouchedRealm()
    const credentials = Array.from({ length: 100 }, () => ({ credential_type: "password", password: "short" }))
    const name = { email: "x", first_name: 1, last_name: 1, username: 1, locale: 1 }
    const reply = await realm.post("/v2/users", { user: { ...name, credentials } })
    expect(reply.status).toBe(422)
    expect(reply.text.length).toBeLessThan(64_000)
  })
})
