import { describe, expect, test } from "vitest"
import { bodyOf } from "../support/imports.ts"
import { rowsIn, usersAtCommand } from "./Users.ts"

const refused = (n: number, more: object = {}) => ({
  reference: `r${n}`,
  email: `u${n}@example.test`,
  colour: "red",
  ...more
})

const many = (length: number) => Array.from({ length }, (_, n) => refused(n, n % 2 === 0 ? {} : { shape: "round" }))

describe("C283: users import", () => {
  test("stops after 100 rows if all are rejected for the same reason", async () => {
    const { run, write, read, realm } = await usersAtCommand()
    const ended = await run(["import", write("users.ndjson", bodyOf(many(10_000)))])
    expect(ended).toMatchObject({ code: 1, out: "" })
    expect(ended.err).toMatch(
      /^Error: The import was stopped because the first 100 rows were all rejected for the same reason: .*colour.*\n0 users were imported, and 100 rows rejected\. .*\nFix the rows, or, if they come from another system, run the command again with its --preset\.\n$/
    )
    expect(read("users.ndjson.refused.ndjson").trimEnd().split("\n")).toHaveLength(100)
    expect(await rowsIn(realm)).toEqual([])
  })

  test.each([
    [
      "one of the rows is accepted",
      [...many(150), { reference: "good", email: "good@example.test" }].toReversed(),
      150
    ],
    ["the rows are rejected for different reasons", [...many(99), { reference: "x", email: "no address" }], 100],
    ["there are fewer rows", many(99), 99]
  ])("continues to the end if %s", async (_, rows, count) => {
    const { importing, write } = await usersAtCommand()
    expect(await importing(write("users.ndjson", bodyOf(rows)))).toMatchObject({ code: 1, told: { refused: count } })
  })

  test.each([
    ["auth0", "Auth0", "tenant.json", bodyOf([{ user_id: "auth0|1", email: "a@example.test", identities: [] }])],
    ["auth0", "Auth0", "users.csv", "user_id,email,email_verified\n'auth0|1,'a@example.test,true\n"],
    ["firebase", "Firebase", "users.json", JSON.stringify({ users: [{ localId: "u1", email: "a@example.test" }] })],
    [
      "keycloak",
      "Keycloak",
      "realm.json",
      JSON.stringify({ users: [{ id: "1", username: "a", requiredActions: [] }] })
    ],
    ["supabase", "Supabase", "users.csv", "instance_id,id,email,encrypted_password\n0,u1,a@example.test,\n"],
    ["devise", "Devise", "users.csv", "id,email,encrypted_password,reset_password_token\n1,a@example.test,,\n"]
  ])("suggests the preset %s before sending a request if the file is an export of %s (%s)", async (preset, system, name, content) => {
    const { run, write, realm } = await usersAtCommand()
    const file = write(name, content)
    const sent: Array<string> = []
    const fetch: typeof globalThis.fetch = async (url, init) => {
      sent.push(String(url))
      return globalThis.fetch(url, init)
    }
    const ended = await run(["import", file], { fetch })
    expect(ended).toMatchObject({ code: 2, out: "" })
    expect(ended.err).toContain(`This looks like an export from ${system}`)
    expect(ended.err).toContain(`Run the command again with --preset ${preset}.\n`)
    expect([sent, await rowsIn(realm)]).toEqual([[], []])
    expect((await run(["import", file, "--preset", preset])).err).not.toContain("This looks like")
  })
})

describe("users import of Keycloak users without an email", () => {
  const exportOf = (users: ReadonlyArray<object>) => JSON.stringify({ users })

  test("uses a username that is an email address as an unverified email", async () => {
    const { importing, write, realm } = await usersAtCommand()
    const users = [{ id: "1", username: "ada@example.test", emailVerified: true, requiredActions: [] }]
    expect(await importing(write("realm.json", exportOf(users)), ["--preset", "keycloak"])).toMatchObject({ code: 0 })
    expect(await rowsIn(realm)).toMatchObject([{ email: "ada@example.test", email_verification: "none" }])
  })

  test("explains what to do about usernames that are not email addresses", async () => {
    const { run, write } = await usersAtCommand()
    const ended = await run([
      "import",
      write("realm.json", exportOf([{ id: "1", username: "ada", requiredActions: [] }])),
      "--preset",
      "keycloak"
    ])
    expect(ended.code).toBe(1)
    expect(ended.err).toContain(
      "Users can't be created without an email: add emails in the source, or choose the column that contains them, as in --map 'username=email'."
    )
  })
})
