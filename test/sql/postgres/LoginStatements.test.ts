import * as Redacted from "effect/Redacted"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { Given, type GivenRealm } from "#testing/Given"
import { type Started, start } from "#testing/promise"
import { appAt } from "../../external/BrowserLogins.ts"
import { freshDatabase } from "../../support/databases.ts"
import { webhook } from "../../support/hooks.ts"
import { authenticate, PASSWORD } from "../../support/logins.ts"
import { Visitor } from "../../support/visitor.ts"
import { type ObservedPostgres, observePostgres } from "../../support/wireStatements.ts"

let observed: ObservedPostgres
let started: Started
let realm: GivenRealm

beforeAll(async () => {
  const database = await freshDatabase()
  if (database._tag !== "Postgres") throw new Error("These tests need PostgreSQL.")
  observed = await observePostgres(Redacted.value(database.url))
  started = await start({ database: { ...database, url: observed.url } })
  realm = await new Given(started.url, started.key).realm()
})

afterAll(async () => {
  await started.stop()
  observed.close()
})

/**
 * The minimum number of statements in five calls. Some calls need more, because keys and the realm are reloaded into
 * memory once a second.
 */
const statementsOf = async (call: () => Promise<Reply>, status: number) => {
  let fewest = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5; round++) {
    observed.statements.length = 0
    expect((await call()).status).toBe(status)
    fewest = Math.min(fewest, observed.statements.length)
  }
  return fewest
}

const logIn = (name: string, password = PASSWORD) => statementsOf(() => authenticate(realm, name, password), 200)
const fail = (name: string) => statementsOf(() => authenticate(realm, name, "wrong horse battery"), 422)

test("a password login takes three statements", async () => {
  const user = await realm.user({ email: "jo@example.test", password: PASSWORD })
  expect(await logIn(user.id)).toBe(3)
  expect(await logIn("jo@example.test")).toBe(3)
  const inV1 = () => realm.post(`/v1/users/${user.id}/authenticate`, { user: { password: PASSWORD } })
  // The response includes the whole user.
  expect(await statementsOf(inV1, 200)).toBe(4)
})

test("a login with a subscribed webhook takes one more statement, which reads the webhook's data", async () => {
  const hooked = await new Given(started.url, started.key).realm()
  const user = await hooked.user({ password: PASSWORD })
  await webhook(hooked, { event_type: ["user.login.succeeded"] })
  expect(await statementsOf(() => authenticate(hooked, user.id), 200)).toBe(4)
})

test("SEC-14: a wrong password takes as many statements as an unknown username", async () => {
  await realm.user({ email: "al@example.test", password: PASSWORD })
  const known = await fail("al@example.test")
  expect([known, await fail("nobody@example.test")]).toEqual([3, 3])
})

test("a login on a page in a new browser takes five statements", async () => {
  const alone = await new Given(started.url, started.key).realm({ org_mode: "single_user" })
  await alone.user({ email: "cy@example.test", password: PASSWORD })
  const { origin } = await appAt(alone)
  const send = (name: string, password: string) => () =>
    new Visitor(started.url, origin).send("/login", { name, password, way: "login" })
  expect(await statementsOf(send("cy@example.test", PASSWORD), 303)).toBe(5)
  const wrong = (name: string) => statementsOf(send(name, "wrong horse battery"), 422)
  // Both responses are the same, so neither reveals whether the username exists (SEC-14).
  expect(await wrong("cy@example.test")).toBe(await wrong("nobody@example.test"))
})

test("a session is created in one statement", async () => {
  const user = await realm.user()
  const create = () => realm.post("/v2/sessions", { session: { user_id: user.id } })
  expect(await statementsOf(create, 201)).toBe(1)
})

test.each([
  ["email", 2],
  ["id", 1]
])("a page after a user ordered by %s takes one statement, and %i if no users follow", async (sort, atEnd) => {
  const given = await new Given(started.url, started.key).realm()
  const [first, last] = [await given.user({ email: "a@example.test" }), await given.user({ email: "b@example.test" })]
  const after = (id: string) => statementsOf(() => given.get(`/v2/users?sort=${sort}&after=${id}`), 200)
  expect([await after(first.id), await after(last.id)]).toEqual([1, atEnd])
})
