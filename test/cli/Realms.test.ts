import { expect, test } from "vitest"
import { unique } from "#testing/Given"
import { service } from "../support/sallyport.ts"
import { cli, reaching } from "./Cli.ts"

test("A realm is created, shown, listed and deleted", async () => {
  const environment = reaching(await service())
  const name = unique("Terminal")
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
  expect(refused.err).toContain("with all of its users, orgs, sessions, keys and settings. Nobody can bring it back.")
  expect(await cli(["realms", "delete", id, "--yes"], { environment })).toEqual({
    code: 0,
    out: `The realm ${name} (${id}) was deleted.\n`,
    err: ""
  })
  expect(await cli(["realms", "get", id], { environment })).toEqual({
    code: 1,
    out: "",
    err: "Error: Realm could not be found.\nNothing was changed.\nCheck the ID: sallyport realms list shows what exists.\n"
  })
})
