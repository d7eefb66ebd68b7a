import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { authenticate, authenticateV1, OTHER_PASSWORD, statusAndErrors } from "../support/logins.ts"
import {
  changers,
  type EntryPoint,
  entryPoints,
  hashesComputed,
  makers,
  type Person,
  quickUser
} from "../support/passwordEntryPoints.ts"
import { newRealm } from "../support/sallyport.ts"

const put = (realm: GivenRealm, user: Reply, password: string) =>
  realm.put(`/v2/users/${user.id}`, { user: { password } })

/** Returns whether a login with the password succeeds. */
const logsIn = async (realm: GivenRealm, user: Reply, password: string) => {
  const { status } = await authenticate(realm, user.id, password)
  expect([200, 422]).toContain(status)
  return status === 200
}

describe("a password as entered", () => {
  test("SEC-03: logs in exactly as set, but not with a single character changed", async () => {
    const realm = await newRealm()
    const user = await quickUser(realm)
    const length = (text: string) => Array.from(text.normalize("NFKC")).length
    const password = fc
      .string({ unit: "grapheme", minLength: 12, maxLength: 40 })
      .filter((text) => !text.includes("\0") && length(text) >= 8)
    const character = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 })
    await fc.assert(
      fc.asyncProperty(password, fc.nat(), character, async (text, at, other) => {
        const characters = Array.from(text)
        const mutated = characters.with(at % characters.length, other).join("")
        fc.pre(mutated.isWellFormed() && mutated.normalize("NFKC") !== text.normalize("NFKC"))
        expect((await put(realm, user, text)).status).toBe(200)
        expect([await logsIn(realm, user, mutated), await logsIn(realm, user, text)]).toEqual([false, true])
      }),
      { numRuns: 8 }
    )
  })

  test("SEC-03: is not case-folded, trimmed, stripped of characters or truncated after 72", async () => {
    const realm = await newRealm()
    const user = await quickUser(realm)
    const long = "x7".repeat(36)
    for (const [password, ...others] of [
      ["  Seven Walruses  ", "Seven Walruses", "  Seven Walruses", "Seven Walruses  ", "  seven walruses  "],
      [`${long}a`, `${long}b`, long, `${long}A`],
      [`${"y7".repeat(255)}za`, `${"y7".repeat(255)}zb`, `${"y7".repeat(255)}z`],
      ["\tseven\nwalruses", "seven walruses", "\tseven walruses"],
      ["seven\u200bwalruses", "sevenwalruses"],
      ["пароль семи моржей", "пароль семи моржеи"]
    ] as const) {
      expect((await put(realm, user, password)).status).toBe(200)
      for (const other of others) expect([other, await logsIn(realm, user, other)]).toEqual([other, false])
      expect([password, await logsIn(realm, user, password)]).toEqual([password, true])
    }
  })

  test("SEC-03: matches the same characters typed on another keyboard (NFKC)", async () => {
    const realm = await newRealm()
    const user = await quickUser(realm)
    const forms = ["contrase\u00f1a ﬁnal ⅷ", "contrasen\u0303a final viii"] as const
    for (const [set, typed] of [forms, [forms[1], forms[0]]] as const) {
      await put(realm, user, set)
      expect([await logsIn(realm, user, typed), await logsIn(realm, user, `${typed}.`)]).toEqual([true, false])
    }
  })

  test("SEC-03: keeps plus signs, percent signs and surrounding spaces when form-encoded", async () => {
    const realm = await newRealm()
    const user = await quickUser(realm)
    const password = " a+b %41 c&d=é "
    await put(realm, user, password)
    const path = `/v1/users/${user.id}/authenticate`
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    const encoded = new URLSearchParams({ password }).toString()
    expect((await realm.call("POST", path, { body: encoded, headers })).status).toBe(200)
    const other = new URLSearchParams({ password: " a b %41 c&d=é " }).toString()
    expect((await realm.call("POST", path, { body: other, headers })).status).toBe(401)
  })
})

describe("a huge password", () => {
  const person: Person = { username: "jo", email: "jo@example.test", first_name: "Jo", last_name: "Fox" }
  const KB = 1024

  /** An operation that checks a user's current password. */
  const checker = (
    name: string,
    check: (realm: GivenRealm, userId: string, password: unknown) => Promise<Reply>
  ): EntryPoint => ({
    name,
    open: async (realm) => {
      const { id } = await quickUser(realm, person)
      return { userId: id, set: (password) => check(realm, id, password) }
    }
  })

  const checkers: ReadonlyArray<EntryPoint> = [
    checker("POST /v1/users/{id}/authenticate", authenticateV1),
    checker("POST /v2/users/{id}/authenticate", authenticate),
    checker("POST /v2/users/{nobody}/authenticate", (realm, _id, password) =>
      authenticate(realm, "nobody@example.test", password)
    ),
    ...["v1", "v2"].map((version) =>
      checker(`PUT /${version}/users/{id}/update_password from it`, (realm, id, current_password) =>
        realm.put(`/${version}/users/${id}/update_password`, {
          user: { current_password, password: OTHER_PASSWORD, password_confirmation: OTHER_PASSWORD }
        })
      )
    )
  ]

  test.each([
    ...entryPoints,
    ...checkers
  ])("SEC-04: $name: returns 422 for 10 KB and 413 for 1 MB, without hashing or counting an attempt", async (entryPoint) => {
    const realm = await newRealm()
    const { set } = await entryPoint.open(realm, person)
    const before = await hashesComputed(realm)
    const { events } = await realm.seen.during(async () => {
      for (const password of ["x".repeat(513), "ß".repeat(10 * KB)]) {
        const reply = await set(password)
        expect([reply.status, JSON.stringify(reply.errors)]).toEqual([
          422,
          expect.stringMatching(/password is too long \(maximum is 512 characters\)\./i)
        ])
      }
      const huge = await set("x".repeat(1024 * KB))
      expect(statusAndErrors(huge)).toEqual([413, ["The request body is larger than 256 KiB."]])
    })
    expect(events).toEqual([])
    expect(await hashesComputed(realm)).toBe(before)
  })

  test("SEC-04: of up to 512 characters is accepted and logs in", async () => {
    const realm = await newRealm()
    const password = "🐇x".repeat(256)
    for (const entryPoint of [...makers.slice(0, 1), ...changers.slice(0, 1)]) {
      const attributes = {
        ...person,
        username: `jo-${entryPoint.name}`,
        email: `jo-${entryPoint.name.length}@example.test`
      }
      const { set } = await entryPoint.open(realm, attributes)
      const reply = await set(password)
      expect([entryPoint.name, reply.status]).toEqual([entryPoint.name, entryPoint.name.startsWith("POST") ? 201 : 200])
      expect((await authenticateV1(realm, reply.id, password)).status).toBe(200)
    }
  })
})
