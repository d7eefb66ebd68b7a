import { expect, test } from "vitest"
import { triggers } from "#cli/trigger/Triggers"
import { service } from "../support/sallyport.ts"
import { type CliOptions, cli, serviceEnvironment } from "./Cli.ts"

/** A realm, and a function that runs commands with its key of level write. */
const realmWithKey = async (settings: Readonly<Record<string, unknown>> = {}) => {
  const at = await service()
  const realm = await at.given.realm(settings)
  const { key = "" } = await realm.as("write")
  const environment = serviceEnvironment({ url: at.url, key })
  const run = (words: ReadonlyArray<string>, options: CliOptions = {}) =>
    cli(["trigger", ...words], { environment, ...options })
  return { realm, run }
}

const types = Object.keys(triggers)

test.each(types)("records %s, about the resource that it names", async (type) => {
  const { realm, run } = await realmWithKey({ environment: "test" })
  const { code, out } = await run([type, "--json"])
  expect(code).toBe(0)
  const { id, name, ...rest } = JSON.parse(out)
  expect([rest, name]).toEqual([{ event_type: type }, expect.stringMatching(/^trigger-\w+$/)])
  const { items } = await realm.get(`/v2/events?event_type=${type}`)
  expect(items).toHaveLength(1)
  expect(Object.values(Object(items[0]))).toContain(id)
})

test("lists the types without an argument, and suggests one for an unknown type", async () => {
  expect(await cli(["trigger"])).toEqual({ code: 0, out: `${types.join("\n")}\n`, err: "" })
  expect(JSON.parse((await cli(["trigger", "--json"])).out)).toEqual(types)
  expect(await cli(["trigger", "user.crated"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("The event type user.crated can't be triggered. Did you mean user.created?")
  })
})

test("asks for confirmation in a live realm, which --yes skips", async () => {
  const { realm, run } = await realmWithKey()
  const name = (await realm.get(`/v2/realms/${realm.id}`)).string("name")
  const count = async () => (await realm.get("/v2/events?event_type=org.created")).items.length
  expect(await run(["org.created"])).toMatchObject({ code: 2, err: expect.stringContaining("is not a test realm.") })
  expect(await run(["org.created"], { answers: ["no"] })).toMatchObject({ code: 1 })
  expect(await count()).toBe(0)
  expect(await run(["org.created"], { answers: [name] })).toMatchObject({ code: 0 })
  expect(await run(["org.created", "--yes"])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^org\.created was triggered with org_\w+ \(trigger-\w+\)\.\n$/)
  })
  expect(await count()).toBe(2)
})
