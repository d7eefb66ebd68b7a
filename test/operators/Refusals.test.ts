import { expect, test } from "vitest"
import { Api } from "#testing/Api"
import { ORIGIN } from "../support/console.ts"
import { everyOperation, pathOf, requiredQuery } from "../support/operations.ts"
import { loggedInOperator, rootOf } from "../support/operators.ts"
import { isolatedService, service } from "../support/sallyport.ts"
import { untouchedRealm } from "../support/untouchedRealm.ts"

const forbidden = everyOperation.filter(({ level, allowsSupport }) => level !== "read" && !allowsSupport)

test("SEC-281: a valid call that support may not make changes nothing and records no event", async () => {
  const own = await service()
  const untouched = await untouchedRealm()
  const { page } = await loggedInOperator(own, "support")
  const calls: Array<readonly [name: string, call: () => ReturnType<typeof page.call>]> = []
  for (const operation of forbidden) {
    const thing = await untouched.thing(operation)
    const body = await untouched.body(operation)
    const path = `/console/api${pathOf(operation, () => thing)}${requiredQuery(operation)}`
    const headers = { "x-service-realm": untouched.realm.id }
    calls.push([
      operation.name,
      () => page.call(operation.method, path, body === undefined ? { headers } : { headers, body })
    ])
  }
  expect(calls.length).toBeGreaterThan(100)
  const outcomes: Array<readonly [string, number, unknown]> = []
  await untouched.expectUnchanged(async () => {
    for (const [name, call] of calls) {
      const reply = await call()
      outcomes.push([name, reply.status, reply.member("error_details", 0, "code")])
    }
  })
  expect(outcomes).toEqual(calls.map(([name]) => [name, 403, "role_too_low"]))
})

test("SEC-281: nothing in an operator's browser is a key for the API outside the console", async () => {
  const own = await service()
  const realm = await own.given.realm()
  const { browser } = await loggedInOperator(own, "owner")
  const path = `/v2/users?realm_id=${realm.id}`
  const user = { email: "mallory@example.test" }
  const { events } = await realm.seen.during(async () => {
    expect((await browser.go(ORIGIN + path)).member("error_details", 0, "code")).toBe("key_missing")
    const secrets = Object.values({ ...browser.cookies("id.example.test") })
    expect(secrets.length).toBeGreaterThan(0)
    for (const secret of secrets) {
      const caller = new Api(own.transport, secret, realm.id)
      const replies = [await caller.get(path), await caller.post("/v2/users", { user })]
      expect(replies.map((reply) => [reply.status, reply.member("error_details", 0, "code")])).toEqual([
        [401, "key_unknown"],
        [401, "key_unknown"]
      ])
    }
  })
  expect(events).toEqual([])
})

test("SEC-284: what a removed operator submits from an open form is not saved", async () => {
  const own = await service()
  const root = rootOf(own)
  const realm = await own.given.realm()
  const { id, page } = await loggedInOperator(own, "admin")
  const headers = { "x-service-realm": realm.id }
  expect((await page.call("GET", `/console/api/v2/realms/${realm.id}`, { headers })).status).toBe(200)
  expect((await root.delete(`/v2/operators/${id}`)).status).toBe(204)
  const { result, events } = await realm.seen.during(() =>
    page.call("PUT", `/console/api/v2/realms/${realm.id}`, { headers, body: { realm: { name: "Taken over" } } })
  )
  expect([result.status, result.member("error_details"), events]).toEqual([
    401,
    [{ field: null, code: "console_session_over", message: expect.stringContaining("Log in again") }],
    []
  ])
  expect((await realm.get(`/v2/realms/${realm.id}`)).member("name")).not.toBe("Taken over")
})

test("SEC-285: the last owner can't leave, and stays logged in", () =>
  isolatedService(async (own) => {
    const { id, page } = await loggedInOperator(own, "owner")
    const team = async () => (await rootOf(own).get("/v2/events?realm_id=null&event_type=operator.")).items.length
    const before = await team()
    const path = `/console/api/v2/operators/${id}`
    const refusal = (field: string | null) => [
      422,
      [expect.objectContaining({ field, code: "last_owner", message: expect.stringContaining("owner") })]
    ]
    const left = await page.call("DELETE", path)
    expect([left.status, left.member("error_details")]).toEqual(refusal(null))
    const demoted = await page.call("PUT", path, { body: { operator: { role: "viewer" } } })
    expect([demoted.status, demoted.member("error_details")]).toEqual(refusal("role"))
    expect([(await page.session()).status, (await page.call("GET", path)).member("role")]).toEqual([200, "owner"])
    expect(await team()).toBe(before)

    // With another owner, the same call succeeds and ends the session.
    await loggedInOperator(own, "owner")
    expect([(await page.call("DELETE", path)).status, (await page.session()).status]).toEqual([204, 401])
  }))
