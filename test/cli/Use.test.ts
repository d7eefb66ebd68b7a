import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { service } from "../support/sallyport.ts"
import { cli, serviceEnvironment } from "./Cli.ts"

const folder = mkdtempSync(join(tmpdir(), "sallyport-use-"))
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0

/** A home folder of its own, with the root key of the shared service, and two realms. */
const home = async () => {
  const at = await service()
  const XDG_CONFIG_HOME = join(folder, `${++count}`)
  const environment = { ...serviceEnvironment(at), XDG_CONFIG_HOME }
  const run = (...words: ReadonlyArray<string>) => cli(words, { environment })
  const [first, second] = [await at.given.realm(), await at.given.realm()]
  return { ...at, environment, run, first, second, file: join(XDG_CONFIG_HOME, "sallyport", "remembered.json") }
}

test("prints help without a command", async () => {
  expect(await cli([])).toEqual(await cli(["--help"]))
})

test("remembers a realm for each service, so that commands don't need --realm", async () => {
  const { run, url, environment, first, second, file } = await home()
  const app = await run("apps", "create", "First", "--realm", first.id, "--json")
  expect(app.code).toBe(0)
  expect(await run("use")).toMatchObject({ code: 0, out: expect.stringContaining("No realm is chosen for") })
  expect((await run("apps", "list")).err).toContain("This key is for all realms.")

  expect(await run("use", first.id)).toMatchObject({ code: 0, out: expect.stringContaining(`(${first.id}).`) })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(JSON.parse((await run("use", "--json")).out)).toEqual({ url, realm_id: first.id })
  expect((await run("apps", "list")).out).toContain("First")

  expect((await run("apps", "list", "--realm", second.id)).out).not.toContain("First")
  const named = await cli(["apps", "list"], { environment: { ...environment, SALLYPORT_REALM: second.id } })
  expect([named.code, named.out.includes("First")]).toEqual([0, false])
  const elsewhere = { ...environment, SALLYPORT_URL: url.replace("127.0.0.1", "localhost") }
  expect(await cli(["use"], { environment: elsewhere })).toMatchObject({ out: expect.stringContaining("No realm") })

  const keys = await run("keys", "create", "all", "--level", "read", "--json")
  expect(JSON.parse(keys.out)).toMatchObject({ realm_id: null })

  expect((await run("use", "--clear")).out).toBe(`The realm ${first.id} is no longer used for ${url}.\n`)
  expect((await run("use", "--clear")).out).toBe(`No realm is chosen for ${url}.\n`)
  expect((await run("apps", "list")).code).toBe(1)
})

test("finds a realm by name or reference, and remembers an ID unverified without a key", async () => {
  const { given, run, environment, first } = await home()
  const name = `Named ${first.id}`
  await given.root.put(`/v2/realms/${first.id}`, { realm: { name, reference: `ref-${first.id}` } })
  expect((await run("use", name)).out).toContain(`now use the realm ${name} (${first.id}).`)
  expect((await run("use", `ref-${first.id}`)).code).toBe(0)
  expect(await run("use", "Nothing")).toMatchObject({
    code: 1,
    err: expect.stringContaining("No realm is named Nothing.\nNothing was changed.\nGive the ID of the realm")
  })
  expect((await run("use", "rl_00000000000000000000000000")).code).toBe(1)
  const { SALLYPORT_KEY: _, ...keyless } = environment
  expect(await cli(["use", name], { environment: keyless })).toMatchObject({ code: 2 })
  expect((await cli(["use", first.id], { environment: keyless })).out).toContain(`now use the realm ${first.id}.`)
  expect(await run("use", first.id, "--clear")).toMatchObject({
    code: 2,
    err: expect.stringContaining("A realm and --clear can't be combined.")
  })
})

test("names the source of a realm that the service doesn't accept", async () => {
  const { given, run, environment, first, file } = await home()
  await run("use", first.id)
  await given.root.delete(`/v2/realms/${first.id}`)
  const gone = await run("apps", "list")
  expect(gone.err).toContain(`sallyport use chose the realm ${first.id}. Use --realm, or run sallyport use --clear.`)
  const named = await cli(["apps", "list"], { environment: { ...environment, SALLYPORT_REALM: first.id } })
  expect(named.err).toContain(`SALLYPORT_REALM names the realm ${first.id}.`)
  expect((await run("apps", "list", "--realm", first.id)).err).not.toContain("sallyport use chose")

  writeFileSync(file, "{")
  expect(await run("apps", "list")).toMatchObject({
    code: 1,
    err: expect.stringContaining(`The file ${file} is damaged.`)
  })
  expect(readFileSync(file, "utf8")).toBe("{")
  expect(await cli(["use", first.id], { environment: { SALLYPORT_URL: environment.SALLYPORT_URL } })).toMatchObject({
    code: 1,
    err: expect.stringContaining("There is no home folder to remember this in.")
  })
})
