import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { buildOfSource } from "#server/SourceBuild"
import { Api } from "#testing/Api"
import { expectMailsByThread } from "../MailsByThread.ts"
import { npmStart, type Running, root, runToEnd, source, start } from "../ServerProcess.ts"
import { portInUse, takenPort } from "../TakenPort.ts"

const folder = () => join(mkdtempSync(join(tmpdir(), "sallyport-")), "data")

const KEY = "a-root-key-of-more-than-thirty-two-characters"

describe("C71: `npm start` on an empty folder", () => {
  const dataDir = folder()
  const file = join(dataDir, "root_key")
  /** Whether `npm start` runs from the source because no build of it exists. */
  const fromSource = buildOfSource(root, `${root}dist`) === undefined
  let first: Running

  beforeAll(async () => {
    first = await start({ SALLYPORT_DATA_DIR: dataDir }, npmStart)
  }, 60_000)

  afterAll(() => void first.process.kill("SIGTERM"))

  test("prints its URL, its database, the file of the generated root key and a working curl line", async () => {
    expect(first.output()).toContain(`embedded database in ${dataDir} (one process only)`)
    expect(first.output()).toContain(`It is in this file, which only its owner can read:\n    ${file}\n`)
    expect(first.output()).not.toContain("sk_")
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const key = readFileSync(file, "utf8").trim()
    expect(key).toMatch(/^sk_[0-9a-z]{26}_[0-9A-Za-z]{43}$/)
    const line = /curl -s [\s\S]+?\}'/.exec(first.output())?.[0] ?? ""
    const answer: unknown = JSON.parse(execFileSync("bash", ["-c", line], { encoding: "utf8" }))
    expect(answer).toMatchObject({ object: "realm", name: "Acme" })
  })

  test("stops on a signal to npm, and reads the root key from its file on the second start (SEC-83)", async () => {
    const key = readFileSync(file, "utf8").trim()
    const threads = async ({ url }: Running) => {
      const { items } = await new Api(url, key).get("/v2/realms")
      expect(items).toMatchObject([{ name: "Acme" }])
      await expectMailsByThread(url, key, String(items[0]?.["id"]))
    }
    if (fromSource) await threads(first)
    // A supervisor signals npm. The service that npm started must end with it and release the data folder.
    expect(await first.stop("SIGTERM")).toBe(0)

    // One of the two starts runs from the source.
    const second = await start({ SALLYPORT_DATA_DIR: dataDir }, fromSource ? undefined : source)
    expect(second.output()).not.toContain("oot key")
    // The file from the first start still contains the key, and the printed line uses it.
    const again = /curl -s [\s\S]+?\}'/.exec(second.output())?.[0] ?? ""
    expect(again).toContain(`Bearer $(cat '${file}')`)
    expect((await new Api(second.url, key).get("/v2/realms")).items).toMatchObject([{ name: "Acme" }])
    if (!fromSource) await threads(second)
    expect(await second.stop("SIGINT")).toBe(0)
    expect(statSync(join(dataDir, "secret")).mode & 0o777).toBe(0o600)
  })
})

test("C71: a start with a port in use creates no files, so that the next start shows its new root key", async () => {
  const SALLYPORT_DATA_DIR = folder()
  await using taken = await takenPort()
  const refused = await runToEnd({ SALLYPORT_DATA_DIR, PORT: taken.port })
  expect(refused).toEqual({ code: 1, output: `${portInUse("PORT", taken.port)}\n` })
  expect(existsSync(SALLYPORT_DATA_DIR)).toBe(false)
})

describe("a service on an embedded database", () => {
  const environment = { SALLYPORT_DATA_DIR: folder() }
  const file = join(environment.SALLYPORT_DATA_DIR, "root_key")
  let running: Running

  afterAll(() => void running.process.kill("SIGKILL"))

  test("C71: doesn't start when the root key file exists or can't be written, and creates the key next time", async () => {
    mkdirSync(environment.SALLYPORT_DATA_DIR)
    writeFileSync(file, "the key of another database")
    const refused = await runToEnd(environment)
    expect(refused).toEqual({
      code: 1,
      output:
        `The generated root key can't be written to ${file}: it exists and may contain the key of another database. ` +
        "Set SALLYPORT_ROOT_KEY, or let SALLYPORT_DATA_DIR name another folder.\n"
    })
    expect(readFileSync(file, "utf8")).toBe("the key of another database")
    renameSync(file, `${file}.other`)
    running = await start(environment)
    const root = new Api(running.url, readFileSync(file, "utf8").trim())
    expect((await root.get("/v2/realms")).status).toBe(200)
  })

  test("rejects a second start with a clear message while another instance is running", async () => {
    const refused = await runToEnd(environment)
    expect(refused.code).toBe(1)
    expect(refused.output).toContain(String(running.process.pid))
    expect(refused.output.trim().split("\n")).toHaveLength(1)
  })

  test("SEC-83: renders emails on a thread when started from the bundle", async () => {
    const key = readFileSync(file, "utf8").trim()
    const realm = await new Api(running.url, key).post("/v2/realms", { realm: { name: "Acme" } })
    await expectMailsByThread(running.url, key, realm.id)
  })

  test("preserves all acknowledged writes after a kill -9", async () => {
    const generated = readFileSync(file, "utf8").trim()
    const api = new Api(running.url, generated)
    const realm = await api.post("/v2/realms", { realm: { name: "Kept", jwt_algo: "hs256" } })
    const inRealm = new Api(running.url, generated, realm.id)
    const user = await inRealm.post("/v2/users", { user: { email: "jo@example.test", credentials: [] } })
    expect(user.status).toBe(201)
    await running.stop("SIGKILL")

    running = await start({ ...environment, SALLYPORT_ROOT_KEY: KEY, SALLYPORT_SMTP_URL: "smtp://127.0.0.1:9" })
    const again = new Api(running.url, KEY, realm.id)
    expect((await again.get(`/v2/users/${user.id}`)).body).toEqual((await again.get("/v2/users/jo@example.test")).body)
    expect((await again.get(`/v2/realms/${realm.id}`)).member("jwt_key")).toBe(realm.member("jwt_key"))
    expect((await again.post("/v2/sessions", { session: { user_id: user.id } })).status).toBe(201)
  })

  test("rejects turning the clock outside test mode, and explains how to enable test mode", async () => {
    for (const [path, said] of [
      ["/v2/test/clock", "The clock can be moved only with SALLYPORT_TEST_MODE=on."],
      ["/v2/test/faults", "Failures can be requested only with SALLYPORT_TEST_MODE=on."],
      [
        "/v2/test/messages",
        "Emails are stored here only without a mail server (SALLYPORT_SMTP_URL), with the embedded database or SALLYPORT_TEST_MODE=on."
      ]
    ] as const) {
      for (const method of ["GET", "POST", "DELETE"]) {
        const reply = await new Api(running.url, KEY).call(method, path)
        expect([method, path, reply.status, reply.errors]).toEqual([method, path, 404, [said]])
      }
    }
  })
})
