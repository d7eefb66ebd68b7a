import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { authenticate, PASSWORD } from "../support/logins.ts"
import { hashesComputed, quickUser } from "../support/passwordEntryPoints.ts"
import { service } from "../support/sallyport.ts"

/** A response without the parts that differ between requests or that only API callers see (the reason, C259). */
const comparableResponse = ({ status, headers, text }: Reply) => {
  const id = headers.get("x-request-id") ?? ""
  const names = [...headers.keys()].filter(
    (name) => name !== "x-request-id" && name !== "date" && name !== "content-length"
  )
  return {
    status,
    body: text.replace(id, "id").replace(/,"params":\{"reason":"\w+"\}/, ""),
    headers: Object.fromEntries(names.map((name) => [name, headers.get(name)]))
  }
}

/** Users who can't log in. They must get the same response as unknown names. */
const givenUsers = async () => {
  const realm: GivenRealm = await (await service()).given.realm()
  const other = await (await service()).given.realm()
  await realm.user({ email: "wrong@example.test", password: PASSWORD })
  await quickUser(realm, { email: "imported@example.test" })
  await realm.user({ email: "inactive@example.test", password: PASSWORD, state: "inactive" })
  await realm.user({ email: "without@example.test" })
  await realm.user({ email: "both@example.test", state: "inactive" })
  await other.user({ email: "foreign@example.test", password: PASSWORD })
  await realm.apiUser({ email: "robot@example.test" })
  const deleted = await realm.user({ email: "deleted@example.test", password: PASSWORD })
  await realm.delete(`/v2/users/${deleted.id}`)
  return realm
}

const people: ReadonlyArray<readonly [name: string, path: string, password: string]> = [
  ["a wrong password", "wrong@example.test", "seven purple elephantz"],
  ["a wrong password for an imported hash", "imported@example.test", "seven purple elephantz"],
  ["an inactive user", "inactive@example.test", PASSWORD],
  ["an inactive user and a wrong password", "inactive@example.test", "seven purple elephantz"],
  ["a user without a password", "without@example.test", PASSWORD],
  ["an inactive user without a password", "both@example.test", PASSWORD],
  ["an unknown email", "nobody@example.test", PASSWORD],
  ["another realm's email", "foreign@example.test", PASSWORD],
  ["an API user's email", "robot@example.test", PASSWORD],
  ["a deleted user", "deleted@example.test", PASSWORD],
  ["a name that is not an email", "nobody", PASSWORD],
  ["several @", "a@b@example.test", PASSWORD],
  ["a very long email", `${"x".repeat(300)}@example.test`, PASSWORD]
]

describe("a /v2 login by email", () => {
  test.each([
    "en",
    "es"
  ])("SEC-14, SEC-241, CVE-2024-41952, CVE-2026-23511: hides whether a user exists in its response and cost (%s)", async (language) => {
    const realm = await givenUsers()
    const ask = async (path: string, password: string) => {
      const before = await hashesComputed(realm)
      const body = { user: { password } }
      const headers = { "accept-language": language }
      const reply = await realm.call("POST", `/v2/users/${path}/authenticate`, { body, headers })
      return { ...comparableResponse(reply), hashes: (await hashesComputed(realm)) - before }
    }
    const expected = await ask("nobody@example.test", "wrong")
    expect([expected.status, expected.hashes]).toEqual([422, 1])
    expect(JSON.parse(expected.body).errors).toEqual([language === "en" ? "Login failed." : "Error al iniciar sesión."])
    for (const [name, path, password] of people) expect([name, await ask(path, password)]).toEqual([name, expected])
  })

  test("SEC-14: doesn't reveal users through impossible passwords or disabled logins", async () => {
    const realm = await givenUsers()
    const paths = ["wrong@example.test", "inactive@example.test", "without@example.test", "nobody@example.test"]
    const same = async (password: string, status: number) => {
      const before = await hashesComputed(realm)
      const [first, ...others] = (await Promise.all(paths.map((path) => authenticate(realm, path, password)))).map(
        comparableResponse
      )
      expect(first?.status).toBe(status)
      expect(others).toEqual(others.map(() => first))
      return (await hashesComputed(realm)) - before
    }
    expect(await same("", 422)).toBe(0)
    expect(await same("x".repeat(513), 422)).toBe(0)
    await realm.put("/v2/auth_providers/password", { auth_provider: { state: "inactive" } })
    expect(await same(PASSWORD, 422)).toBe(0)
    await realm.put("/v2/auth_providers/password", { auth_provider: { state: "active" } })
    await realm.put(`/v2/realms/${realm.id}`, { realm: { state: "inactive" } })
    expect(await same(PASSWORD, 422)).toBe(0)
  })
})
