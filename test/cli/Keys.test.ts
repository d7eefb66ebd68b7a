import { expect, test } from "vitest"
import { service } from "../support/sallyport.ts"
import { cli, serviceEnvironment } from "./Cli.ts"

/** A realm and a terminal environment whose API key is locked to it. */
const place = async () => {
  const at = await service()
  const realm = await at.given.realm()
  const admin = await at.given.root.post("/v2/api_keys", {
    api_key: { name: "terminal", level: "admin_realm", realm_id: realm.id }
  })
  return { realm, environment: serviceEnvironment({ url: at.url, key: admin.string("key") }) }
}

test("creates, lists and deletes a key, and shows its secret once", async () => {
  const { realm, environment } = await place()
  const created = await cli(["keys", "create", "backend", "--level", "write", "--days", "30"], { environment })
  expect(created).toMatchObject({ code: 0, err: "" })
  const [, key = "", id = ""] = /^Key: +(sk_\S+)\nID: +(key_\S+)$/m.exec(created.out) ?? []
  const lines = [
    `Key:     ${key}`,
    `ID:      ${id}`,
    "Name:    backend",
    "Level:   write",
    `Realm:   ${realm.id}`,
    expect.stringMatching(/^Expires: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    "",
    "Save the key now: it won't be shown again.",
    ""
  ]
  expect(created.out.split("\n")).toEqual(lines)
  const listed = await cli(["keys", "list"], { environment })
  expect(listed.out.split("\n")[0]).toMatch(/^ID +NAME +LEVEL +REALM +CREATED +EXPIRES +LAST USED$/)
  expect(listed.out).toContain(`${id}  backend   write        ${realm.id}`)
  expect(listed.out).not.toContain(key)
  expect(await cli(["keys", "delete", id, "--yes", "--json"], { environment })).toEqual({
    code: 0,
    out: `${JSON.stringify({ id, deleted: true }, undefined, 2)}\n`,
    err: ""
  })
  expect((await cli(["keys", "list"], { environment })).out).not.toContain(id)
})

test("keys commands print the API's responses with --json", async () => {
  const { environment } = await place()
  const { out } = await cli(["keys", "create", "ci", "--level", "read", "--json"], { environment })
  const { key, ...created } = JSON.parse(out)
  expect(key).toMatch(/^sk_/)
  const listed = JSON.parse((await cli(["keys", "list", "--json"], { environment })).out)
  expect(listed).toContainEqual(created)
})

test("keys list shows a realm's keys, and explains how to find realms if the realm is unknown", async () => {
  const at = await service()
  const [one, other] = [await at.given.realm(), await at.given.realm()]
  const environment = serviceEnvironment(at)
  const keyOf = async (realm: string) => {
    const words = ["keys", "create", "backend", "--level", "read", "--realm", realm, "--json"]
    return JSON.parse((await cli(words, { environment })).out).id
  }
  const ids = [await keyOf(one.id), await keyOf(other.id)]
  const listed = await cli(["keys", "list", "--realm", one.id], { environment })
  expect([listed.code, ids.map((id) => listed.out.includes(id))]).toEqual([0, [true, false]])
  const nobody = "rl_00000000000000000000000000"
  const todo = "Check the ID: sallyport realms list shows what exists.\n"
  expect(await cli(["keys", "list", "--realm", nobody], { environment })).toEqual({
    code: 1,
    out: "",
    err: `Error: Realm could not be found.\n${todo}`
  })
  expect(await cli(["keys", "create", "backend", "--level", "read", "--realm", nobody], { environment })).toEqual({
    code: 1,
    out: "",
    err: `Error: Realm could not be found.\nNothing was changed.\n${todo}`
  })
})

test("keys delete at a terminal requires typing the key's name", async () => {
  const { environment } = await place()
  const { out } = await cli(["keys", "create", "old backend", "--level", "read", "--json"], { environment })
  const { id } = JSON.parse(out)
  const question = `The key old backend (${id}, read) will stop working.\nType old backend to confirm: \n`
  expect(await cli(["keys", "delete", id], { environment, answers: ["backend"] })).toEqual({
    code: 1,
    out: "",
    err: `${question}\u001b[31mError: \u001b[39mThe name doesn't match.\nNothing was changed.\n`
  })
  expect(await cli(["keys", "delete", id], { environment, answers: [] })).toMatchObject({ code: 1 })
  expect(await cli(["keys", "delete", id], { environment, answers: ["old backend"] })).toEqual({
    code: 0,
    out: `The key old backend (${id}) was deleted.\n`,
    err: question
  })
})

test("keys delete without a terminal deletes no key unless --yes is given", async () => {
  const { environment } = await place()
  const { out } = await cli(["keys", "create", "kept", "--level", "read", "--json"], { environment })
  const { id } = JSON.parse(out)
  expect(await cli(["keys", "delete", id], { environment })).toEqual({
    code: 2,
    out: "",
    err: `Error: The key kept (${id}, read) will stop working. This can't be confirmed without a terminal.\nAdd --yes to confirm.\n`
  })
  expect((await cli(["keys", "list"], { environment })).out).toContain(id)
})

test("keys commands print control characters in a name as plain text, and unchanged in JSON", async () => {
  const { environment } = await place()
  const name = "red\u001b[31m\u0007name"
  const { out } = await cli(["keys", "create", name, "--level", "read", "--json"], { environment })
  const { id } = JSON.parse(out)
  const listed = await cli(["keys", "list"], { environment })
  expect(listed.out).toContain(`${id}  red [31m name  read`)
  const deleted = await cli(["keys", "delete", id], { environment, answers: ["red [31m name"] })
  expect(deleted).toMatchObject({ code: 0, out: `The key red [31m name (${id}) was deleted.\n` })
  expect(deleted.err).not.toContain("\u0007")
  expect(JSON.parse(out).name).toBe(name)
})
