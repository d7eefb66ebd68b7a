import { readFileSync, writeFileSync } from "node:fs"
import { expect, test } from "vitest"
import { importRows } from "../support/imports.ts"
import { service } from "../support/sallyport.ts"
import { rowsIn, usersAtCommand } from "./Users.ts"

const source = async () => {
  const command = await usersAtCommand()
  const { realm } = command
  const org = { reference: "acme", name: "Acme", custom: { tier: 1 } }
  const rows = ["ada", "bob", "eve"].map((name) => ({
    reference: name,
    email: `${name}@example.test`,
    custom: { name },
    memberships: [{ org, permissions: ["billing:read"] }]
  }))
  await importRows(realm, rows)
  return command
}

const linesIn = (file: string) =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))

test("writes rows with IDs that another service imports", async () => {
  const { realm, run, path } = await source()
  const ended = await run(["fetch", path("users.ndjson")])
  expect([ended.code, ended.out]).toEqual([0, expect.stringContaining("Wrote 3 users to ")])
  expect(ended.out).toContain("The API doesn't return password hashes")
  const [ada] = (await realm.get("/v2/users?email=ada@example.test")).items
  const [org] = (await realm.get("/v2/orgs")).items
  const written = linesIn(path("users.ndjson"))
  expect(written[0]).toMatchObject({
    id: ada?.["id"],
    reference: "ada",
    custom: { name: "ada" },
    memberships: [{ org: { id: org?.["id"], reference: "acme", name: "Acme" }, permissions: ["billing:read"] }]
  })
  // The IDs exist in this service, so the copy changes them as another service would have them.
  const copy = await (await service()).given.realm()
  const moved = JSON.stringify(written).replaceAll(/(usr|org)_0/g, "$1_F-0")
  const imported = await importRows(copy, JSON.parse(moved))
  expect(imported.summary).toMatchObject({ created: 3, refused: 0, orgs_created: 1 })
  expect(await rowsIn(copy)).toEqual(await rowsIn(realm))
})

test("continues an interrupted run after the last complete line", async () => {
  const { run, path } = await source()
  await run(["fetch", path("all.ndjson")])
  const [first = "", second = ""] = readFileSync(path("all.ndjson"), "utf8").split("\n")
  writeFileSync(path("users.ndjson.part"), `${first}\n${second.slice(0, 40)}`)
  const ended = await run(["fetch", path("users.ndjson")])
  expect([ended.code, ended.err]).toEqual([0, expect.stringContaining("Continuing after 1 user of an earlier run.")])
  expect(readFileSync(path("users.ndjson"), "utf8")).toBe(readFileSync(path("all.ndjson"), "utf8"))
})

test("rejects a partial file that it didn't write", async () => {
  const { run, path } = await source()
  writeFileSync(path("users.ndjson.part"), "something else\n")
  const ended = await run(["fetch", path("users.ndjson")])
  expect([ended.code, ended.err]).toEqual([1, expect.stringContaining("was not written by this command")])
})

test("gives all but the first user with a shared reference their ID as reference, and skips closed orgs", async () => {
  const { realm, run, path } = await usersAtCommand()
  const [one, other, closed] = [
    await realm.user({ reference: "same" }),
    await realm.user({ reference: "same" }),
    await realm.org()
  ]
  await realm.membership(one.id, closed.id)
  await realm.delete(`/v2/orgs/${closed.id}`)
  const ended = await run(["fetch", path("users.ndjson"), "--json"])
  expect(JSON.parse(ended.out)).toMatchObject({ users: 2, left_out: { closed_orgs: 1, shared_references: 1 } })
  expect(linesIn(path("users.ndjson"))).toMatchObject([
    { id: one.id, reference: "same", memberships: [] },
    { id: other.id, reference: other.id }
  ])
})
