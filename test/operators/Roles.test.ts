import { describe, expect, test } from "vitest"
import { type Level } from "#domain/Level"
import type { Reply } from "#testing/Api"
import type { ConsolePage } from "../support/console.ts"
import { everyOperation, type Operation, pathOf } from "../support/operations.ts"
import { loggedInOperator } from "../support/operators.ts"
import { service } from "../support/sallyport.ts"

/** What each role may call, as the contract lists it: the levels, and the operations that help users (C303). */
const contract = {
  viewer: { levels: ["read"], helps: false },
  support: { levels: ["read"], helps: true },
  admin: { levels: ["read", "write", "admin_realm"], helps: true },
  owner: { levels: ["read", "write", "admin_realm", "admin_all_realms"], helps: true }
} as const satisfies Readonly<Record<string, { readonly levels: ReadonlyArray<Level>; readonly helps: boolean }>>

const roles = ["viewer", "support", "admin", "owner"] as const

type Role = (typeof roles)[number]

const helping = [
  "v1.sessions delete",
  "v2.invitations invite",
  "v2.logins send_email_verification",
  "v2.logins send_password_reset",
  "v2.sessions delete",
  "v2.users cancel_deletion",
  "v2.users end_sessions",
  "v2.users unblock",
  "v2.users untrust_devices"
]

test("C303: support may call exactly these operations above level read", () => {
  const found = everyOperation.filter(({ allowsSupport }) => allowsSupport).map(({ name }) => name)
  expect(found.toSorted()).toEqual(helping)
})

const isPermitted = (role: Role, { level = "admin_all_realms", name }: Operation): boolean => {
  const { levels, helps } = contract[role]
  return levels.some((one) => one === level) || (helps && helping.includes(name))
}

const lowestRole = (operation: Operation): Role => roles.find((role) => isPermitted(role, operation)) ?? "owner"

const outcomeOf = (reply: Reply): string => {
  if (reply.status !== 401 && reply.status !== 403) return "let in"
  const code = reply.string("error_details", 0, "code")
  return `${reply.status} ${code} ${reply.member("error_details", 0, "params", "required")}`
}

describe("SEC-281: each role may call exactly what its permissions include, through the console", () => {
  let prepared:
    | Promise<{ readonly realm: string; readonly pages: ReadonlyArray<readonly [Role, ConsolePage]> }>
    | undefined

  const operators = () =>
    (prepared ??= service().then(async (own) => {
      const realm = await own.given.realm()
      const pages: Array<readonly [Role, ConsolePage]> = []
      for (const role of roles) pages.push([role, (await loggedInOperator(own, role)).page])
      return { realm: realm.id, pages }
    }))

  test.each(everyOperation)("$name", async (operation) => {
    const { realm, pages } = await operators()
    const { method } = operation
    const headers = { "x-service-realm": realm, "content-type": "application/json" }
    const table: Array<readonly [Role, string]> = []
    for (const [role, page] of pages) {
      const call = method === "GET" ? { headers } : { headers, body: "{nonsense" }
      table.push([role, outcomeOf(await page.send(method, `/console/api${pathOf(operation)}`, call))])
    }
    const refusal = `403 role_too_low ${lowestRole(operation)}`
    expect(table).toEqual(roles.map((role) => [role, isPermitted(role, operation) ? "let in" : refusal]))
  })
})

test("SEC-282: shows no login tokens to operators below level write, even if the realm shows them to read keys", async () => {
  const own = await service()
  const realm = await own.given.realm()
  const user = await realm.user()
  const session = await realm.post("/v2/sessions", { session: { user_id: user.id } })
  const path = `/v2/sessions/${session.string("id")}`
  const key = await realm.as("read")
  expect((await key.get(path)).member("token")).toEqual(expect.any(String))
  for (const [role, shows] of [
    ["viewer", false],
    ["support", false],
    ["admin", true]
  ] as const) {
    const { page } = await loggedInOperator(own, role)
    const reply = await page.call("GET", `/console/api${path}`)
    expect([role, reply.status, typeof reply.member("token") === "string"]).toEqual([role, 200, shows])
  }
})

test("SEC-281: an operator locked to a realm reaches no other realm, and nothing that spans all realms", async () => {
  const own = await service()
  const [realm, other] = [await own.given.realm(), await own.given.realm()]
  const { page } = await loggedInOperator(own, "admin", { realm_id: realm.id })
  expect((await page.session()).member("realm_id")).toBe(realm.id)
  const listed = await page.call("GET", "/console/api/v2/realms")
  expect(listed.items.map(({ id }) => id)).toEqual([realm.id])
  expect((await page.call("GET", `/console/api/v2/realms/${other.id}`)).status).toBe(404)
  expect((await page.call("GET", `/console/api/v2/users?realm_id=${other.id}`)).status).toBe(404)
  expect((await page.call("GET", "/console/api/v2/events?realm_id=null")).status).toBe(404)
})
