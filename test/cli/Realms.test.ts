import { expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { service } from "../support/sallyport.ts"
import { cli, serviceEnvironment } from "./Cli.ts"

test("creates, shows, lists and deletes a realm", async () => {
  const environment = serviceEnvironment(await service())
  const name = uniqueText("Terminal")
  const words = ["realms", "create", name, "--reference", "acme", "--jwt-algo", "hs256", "--test"]
  const created = await cli(words, { environment })
  expect(created).toMatchObject({ code: 0, err: "" })
  const [, id = ""] = /^ID: +(rl_\S+)$/m.exec(created.out) ?? []
  expect(created.out).toMatch(
    new RegExp(
      `^ID: +${id}\nName: +${name}\nState: +active\nEnvironment: +test\nReference: +acme\nSign-up: +open\nUsernames: +standard\nTokens: +hs256, sessions of \\d+ minutes\nCreated: +[\\d-]+ [\\d:]+\n$`
    )
  )
  expect((await cli(["realms", "get", id], { environment })).out).toBe(created.out)
  expect(JSON.parse((await cli(["realms", "get", id, "--json"], { environment })).out)).toMatchObject({ id, name })
  expect((await cli(["realms", "list", "--state", "active"], { environment })).out).toMatch(
    new RegExp(`^${id} +${name} +active +acme$`, "m")
  )
  const refused = await cli(["realms", "delete", id], { environment, answers: [""] })
  expect(refused).toMatchObject({ code: 1, out: "" })
  expect(refused.err).toContain("with all its users, orgs, sessions, keys and settings. This can't be undone.")
  expect(await cli(["realms", "delete", id, "--yes"], { environment })).toEqual({
    code: 0,
    out: `The realm ${name} (${id}) was deleted.\n`,
    err: ""
  })
  expect(await cli(["realms", "get", id], { environment })).toEqual({
    code: 1,
    out: "",
    err: "Error: Realm could not be found.\nCheck the ID: sallyport realms list shows what exists.\n"
  })
})

test("realms update changes settings by their API names and leaves all other settings unchanged", async () => {
  const at = await service()
  const environment = serviceEnvironment(at)
  const realm = await at.given.realm()
  const words = ["realms", "update", realm.id]
  const changed = await cli(
    [...words, "--set", "name=Acme = one", "--set", "session_minutes=60", "--set", 'custom={"plan":"pro"}', "--json"],
    { environment }
  )
  expect(changed).toMatchObject({ code: 0, err: "" })
  const now = (await realm.get(`/v2/realms/${realm.id}`)).body
  expect(JSON.parse(changed.out)).toEqual(now)
  expect(now).toMatchObject({ name: "Acme = one", custom: { plan: "pro" }, session_minutes: 60, signup: "open" })
  expect((await cli([...words, "--set", 'reference="60"'], { environment })).out).toMatch(/^Reference: +60$/m)
  expect((await cli([...words, "--set", "reference=null"], { environment })).out).not.toContain("60\n")
  const refused = await cli([...words, "--set", "signup=never"], { environment })
  expect(refused).toMatchObject({ code: 1, out: "" })
  expect(refused.err).toContain("open, invitation, closed")
})

test.each([
  [[], "No settings given."],
  [["--set", "session_minuts=60"], "Realms have no setting session_minuts. Did you mean session_minutes?"],
  [["--set", "60"], "--set 60 has no value."],
  [["--set", "custom={plan}"], "--set custom: its value looks like JSON but is invalid."],
  [["--set", "name=a", "--set", "name=b"], "--set name is given twice."]
])("realms update rejects %j with a message and changes nothing", async (words, told) => {
  const at = await service()
  const { code, err } = await cli(["realms", "update", (await at.given.realm()).id, ...words], {
    environment: serviceEnvironment(at)
  })
  expect(code).toBe(2)
  expect(err).toContain(told)
})

test("lists realms for shells, and prints nothing on stdout without a service", async () => {
  const at = await service()
  const realm = await at.given.realm({ name: "Harbor\tmaster" })
  const { key = "" } = await realm.as("read")
  const ended = await cli(["realms", "complete"], { environment: serviceEnvironment({ url: at.url, key }) })
  expect(ended).toMatchObject({ code: 0, out: `${realm.id}\tHarbor master\n` })
  expect(await cli(["realms", "complete"])).toMatchObject({ out: "" })
})
