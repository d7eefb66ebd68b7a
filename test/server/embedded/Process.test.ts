import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Api } from "#testing/Api"
import { npmStart, type Running, runToEnd, start } from "../ServerProcess.ts"
import { takenPort } from "../TakenPort.ts"

const folder = () => join(mkdtempSync(join(tmpdir(), "sallyport-")), "data")

const KEY = "a-root-key-of-more-than-thirty-two-characters"

test("C71: `npm start` prints where it is, its database, the file of the generated root key, once, and a curl line that works when pasted; a signal to npm ends it", async () => {
  const dataDir = folder()
  const first = await start({ SALLYPORT_DATA_DIR: dataDir }, npmStart)
  expect(first.output()).toContain(`embedded database in ${dataDir} (one process only)`)
  const file = join(dataDir, "root_key")
  expect(first.output()).toContain(`It is in this file, which only its owner can read:\n    ${file}\n`)
  expect(first.output()).not.toContain("sk_")
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const key = readFileSync(file, "utf8").trim()
  expect(key).toMatch(/^sk_[0-9a-z]{26}_[0-9A-Za-z]{43}$/)
  const line = /curl -s [\s\S]+?\}'/.exec(first.output())?.[0] ?? ""
  const answer: unknown = JSON.parse(execFileSync("bash", ["-c", line], { encoding: "utf8" }))
  expect(answer).toMatchObject({ object: "realm", name: "Acme" })
  // A supervisor signals npm; the service it has started must end with it, and free the data folder.
  expect(await first.stop("SIGTERM")).toBe(0)

  const second = await start({ SALLYPORT_DATA_DIR: dataDir })
  expect(second.output()).not.toContain("oot key")
  // The file of the first start still has the key, and the line that is printed uses it.
  const again = /curl -s [\s\S]+?\}'/.exec(second.output())?.[0] ?? ""
  expect(again).toContain(`Bearer $(cat '${file}')`)
  expect((await new Api(second.url, key).get("/v2/realms")).items).toMatchObject([{ name: "Acme" }])
  expect(await second.stop("SIGINT")).toBe(0)
  expect(statSync(join(dataDir, "secret")).mode & 0o777).toBe(0o600)
})

test("C71: A root key whose file exists or can't be written refuses the start, and is generated again by the next one", async () => {
  const dataDir = folder()
  const file = join(dataDir, "root_key")
  mkdirSync(dataDir)
  writeFileSync(file, "the key of another database")
  const refused = await runToEnd({ SALLYPORT_DATA_DIR: dataDir })
  expect(refused).toEqual({
    code: 1,
    output:
      `The generated root key can't be written to ${file}: it exists, and may hold the key of another database. ` +
      "Set SALLYPORT_ROOT_KEY, or let SALLYPORT_DATA_DIR name another folder.\n"
  })
  expect(readFileSync(file, "utf8")).toBe("the key of another database")
  renameSync(file, `${file}.other`)
  const running = await start({ SALLYPORT_DATA_DIR: dataDir })
  const root = new Api(running.url, readFileSync(file, "utf8").trim())
  expect((await root.get("/v2/realms")).status).toBe(200)
  await running.stop("SIGTERM")
})

describe("a data folder with a service on it", () => {
  const environment = { SALLYPORT_DATA_DIR: folder(), SALLYPORT_ROOT_KEY: KEY }
  let first: Running

  beforeAll(async () => {
    first = await start(environment)
  })

  afterAll(() => void first.process.kill("SIGKILL"))

  test("A second start while one runs refuses clearly", async () => {
    const refused = await runToEnd(environment)
    expect(refused.code).toBe(1)
    expect(refused.output).toContain(String(first.process.pid))
    expect(refused.output.trim().split("\n")).toHaveLength(1)
  })

  test("After kill -9 what was acknowledged is there, tokens' keys and secrets included", async () => {
    const api = new Api(first.url, KEY)
    const realm = await api.post("/v2/realms", { realm: { name: "Kept", jwt_algo: "hs256" } })
    const inRealm = new Api(first.url, KEY, realm.id)
    const user = await inRealm.post("/v2/users", { user: { email: "jo@example.test", credentials: [] } })
    expect(user.status).toBe(201)
    await first.stop("SIGKILL")

    const second = await start(environment)
    const again = new Api(second.url, KEY, realm.id)
    expect((await again.get(`/v2/users/${user.id}`)).body).toEqual((await again.get("/v2/users/jo@example.test")).body)
    expect((await again.get(`/v2/realms/${realm.id}`)).member("jwt_key")).toBe(realm.member("jwt_key"))
    expect((await again.post("/v2/sessions", { session: { user_id: user.id } })).status).toBe(201)
    await second.stop("SIGTERM")
  })
})

test("A configuration that is not valid ends with code 1 and every problem", async () => {
  const refused = await runToEnd({ PORT: "x", DATABASE_URL: "postgres://u:p@localhost/none" })
  expect(refused.code).toBe(1)
  expect(refused.output.trim()).toBe(
    [
      "The configuration is not valid:",
      "  - PORT must be a whole number from 0 to 65535.",
      "  - SALLYPORT_SECRET is required with DATABASE_URL: at least 32 characters, and the same at every start."
    ].join("\n")
  )
})

test("A port in use is told in one sentence", async () => {
  await using taken = await takenPort()
  const refused = await runToEnd({ DATABASE_URL: "memory://", SALLYPORT_ROOT_KEY: KEY, PORT: taken.port })
  expect(refused.code).toBe(1)
  expect(refused.output).toBe(`PORT ${taken.port} is in use.\n`)
})
