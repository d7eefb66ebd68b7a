import { existsSync, readFileSync } from "node:fs"
import { connect } from "node:net"
import { setTimeout } from "node:timers/promises"
import { Client } from "pg"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Api } from "#testing/Api"
import { fullReadiness } from "../Readiness.ts"
import { type Running, runToEnd, start, withoutSlowRequests } from "../ServerProcess.ts"
import { portInUse, takenPort } from "../TakenPort.ts"
import { freshEnvironment as environment, ROOT_KEY as KEY } from "./FreshEnvironment.ts"

/** The maximum length of a listen queue on this system: 128 where the system doesn't report one. */
const queueLimit = () => {
  const linux = "/proc/sys/net/core/somaxconn"
  return existsSync(linux) ? Number(readFileSync(linux, "utf8")) : 128
}

describe("two nodes on one database", () => {
  let shared: Awaited<ReturnType<typeof environment>>
  let one: Running
  let two: Running

  beforeAll(async () => {
    shared = await environment()
    ;[one, two] = await Promise.all([start(shared), start(shared, undefined, "serve", "--json")])
  })

  afterAll(() => [one, two].forEach(({ process }) => void process.kill("SIGKILL")))

  test("serve each other's writes, and reject a deleted key within a second", async () => {
    const [first, second] = [new Api(one.url, KEY), new Api(two.url, KEY)]
    const realm = await first.post("/v2/realms", { realm: { name: "Shared", jwt_algo: "hs256" } })
    expect((await second.get(`/v2/realms/${realm.id}`)).body).toEqual(realm.body)
    const made = await first.post("/v2/api_keys", { api_key: { name: "short-lived", level: "read" } })
    const key = new Api(two.url, made.string("key"))
    expect((await key.get("/v2/realms")).status).toBe(200)
    await first.delete(`/v2/api_keys/${made.id}`)
    const deadline = performance.now() + 1_500
    let [status, asked] = [200, 0]
    while (status === 200 && asked < deadline) {
      asked = performance.now()
      status = (await key.get("/v2/realms")).status
      await setTimeout(10)
    }
    expect(status).toBe(401)
  })

  test("RG-08: accept a thousand connections while busy, and respond to every connection later", async () => {
    const { hostname, port } = new URL(two.url)
    two.process.kill("SIGSTOP")
    const callers = Math.min(1_000, queueLimit())
    const sockets = await Promise.all(
      Array.from({ length: callers }, async () => {
        const socket = connect(Number(port), hostname)
        await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject))
        return socket
      })
    )
    two.process.kill("SIGCONT")
    const answers = await Promise.all(
      sockets.map(async (socket) => {
        socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let text = ""
        for await (const chunk of socket) text += String(chunk)
        return text.split("\r\n", 1)[0]
      })
    )
    expect(answers).toEqual(sockets.map(() => "HTTP/1.1 200 OK"))
  })

  test("return 503 for readiness on SIGTERM, finish requests in flight, and exit with 0", async () => {
    const api = new Api(one.url, KEY)
    expect((await api.get("/readyz")).body).toEqual(fullReadiness())
    const stopped = one.stop("SIGTERM")
    let reply = await api.get("/readyz")
    while (reply.status === 200) reply = await api.get("/readyz")
    expect(reply.body).toEqual(fullReadiness({ status: "not ready", draining: true }))
    expect((await api.get("/healthz")).status).toBe(200)
    expect((await api.get("/v2/realms")).status).toBe(200)
    expect(await stopped).toBe(0)
    const log = withoutSlowRequests(one.output())
      .split("\n")
      .filter((line) => line.startsWith("{"))
    const lines: ReadonlyArray<Record<string, unknown>> = log.map((line) => JSON.parse(line))
    const anywhere = { timestamp: expect.any(String), pid: one.process.pid }
    expect(lines).toEqual([
      {
        ...anywhere,
        level: "WARN",
        message: expect.stringMatching(/^SALLYPORT_PUBLIC_URL is not set, so tokens and emails name this machine\./),
        public_url: one.url
      },
      {
        ...anywhere,
        level: "INFO",
        message: "The service is ready.",
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        node: process.versions.node,
        port: Number(new URL(one.url).port),
        database: expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:\d+\//),
        workers: 1
      },
      { ...anywhere, level: "INFO", message: "The service is stopping.", signal: "SIGTERM" },
      { ...anywhere, level: "INFO", message: "The service has stopped.", ms: expect.any(Number) }
    ])
  })

  test("print a line of JSON at the start with --json, and log errors with source lines", async () => {
    const printed = two
      .output()
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
    expect(printed.find((line) => "url" in line)).toEqual({
      url: two.url,
      own_url: two.url,
      console_url: `${two.url}/console`,
      ops_url: null,
      database: expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:\d+\//),
      mail: expect.any(String),
      deliveries: "on",
      workers: 1
    })
    const client = new Client({ connectionString: shared.DATABASE_URL })
    await client.connect()
    await client.query("alter table orgs rename to orgs_that_are_gone")
    await client.end()
    const api = new Api(two.url, KEY)
    const realm = await api.post("/v2/realms", { realm: { name: "Broken", jwt_algo: "hs256" } })
    expect((await api.get(`/v2/orgs?realm_id=${realm.id}`)).status).toBe(500)
    await two.stop("SIGKILL")
    expect(two.output()).toMatch(/src\/core\/orgs\/Orgs\.ts:\d+:\d+/)
    expect(two.output()).not.toContain(".js:")
  })
})

test("SEC-47, SEC-104: rotates an encryption key, and doesn't start without a needed key", async () => {
  const first = await environment()
  const alone = { ...first, SALLYPORT_SECRET: "a-fresh-secret-of-more-than-thirty-two-characters" }
  const both = { ...first, SALLYPORT_SECRET: `${alone.SALLYPORT_SECRET},${first.SALLYPORT_SECRET}` }
  const one = await start(first)
  // The realm of operators has a key too.
  const realm = await new Api(one.url, KEY).post("/v2/realms", { realm: { name: "Sealed", jwt_algo: "hs256" } })
  const before = await runToEnd(both, "secrets")
  expect([before.code, before.output.trim()]).toEqual([
    0,
    expect.stringMatching(
      /^TABLE +COLUMN +KEY +STATE +ROWS\njwt_keys +secret +[0-9a-f]{8} +older: decrypts +2\n\nKeep all keys: 2 still encrypted with [0-9a-f]{8}\./
    )
  ])
  const wrong = await runToEnd(alone, "secrets")
  expect(wrong.output).toMatch(/2 can't be decrypted: encrypted with [0-9a-f]{8}, not in SALLYPORT_SECRET\./)
  await one.stop("SIGKILL")

  const refused = await runToEnd(alone)
  expect(refused.code).toBe(1)
  expect(refused.output.trim()).toMatch(
    /^SALLYPORT_SECRET does not decrypt the secrets in this database: 2 of 2 can't be read \(encrypted with [0-9a-f]{8}\)\. Restore the old key\. To rotate it, first add the new key after the old one on all nodes, and only then move the new key to the front\.$/
  )
  await (await start(both)).stop("SIGKILL")
  const after = await runToEnd(both, "secrets")
  expect(after.output).toMatch(
    /jwt_keys +secret +[0-9a-f]{8} +first: encrypts +2\n\nEverything is encrypted with the first key\./
  )
  const rotated = await start(alone)
  const read = await new Api(rotated.url, KEY).get(`/v2/realms/${realm.id}`)
  expect(read.body).toEqual(realm.body)
  await rotated.stop("SIGKILL")
})

test("exits with 2 for an unknown command and suggests a similar command", async () => {
  const unknown = await runToEnd({}, "secretz")
  expect([unknown.code, unknown.output.trim()]).toEqual([
    2,
    expect.stringMatching(/^Error: Unknown command: secretz\. Did you mean secrets\?/)
  ])
})

test("prints its release and its commands", async () => {
  const [version, help] = await Promise.all([runToEnd({}, "--version"), runToEnd({}, "--help")])
  expect([version.code, version.output]).toEqual([0, expect.stringMatching(/^Sallyport \d+\.\d+\.\d+\n$/)])
  expect([help.code, help.output]).toEqual([
    0,
    expect.stringMatching(
      /^Sallyport, the identity service[^]*\nUsage:\n {2}sallyport <command> \[options\]\n[^]*\n {2}secrets /
    )
  ])
})

test("doesn't start with more connections than the server allows", async () => {
  const refused = await runToEnd({ ...(await environment()), SALLYPORT_DATABASE_POOL_SIZE: "500" })
  expect([refused.code, refused.output.trim()]).toEqual([
    1,
    expect.stringMatching(
      /^PostgreSQL at \S+ lets this user open \d+ connections, but this service may need 505\. Reduce SALLYPORT_DATABASE_POOL_SIZE or SALLYPORT_WORKERS, or raise the limit\.$/
    )
  ])
})

test("exits with 1 when the database is unreachable, with advice and without the password", async () => {
  const refused = await runToEnd({
    ...(await environment()),
    DATABASE_URL: "postgres://u:hidden@127.0.0.1:1/none",
    SALLYPORT_DATABASE_WAIT_SECONDS: "0"
  })
  expect(refused.code).toBe(1)
  expect(refused.output.trim().split("\n")).toEqual([
    "PostgreSQL at 127.0.0.1:1/none cannot be used: connect ECONNREFUSED 127.0.0.1:1.",
    "Check the host and the port in DATABASE_URL, and that PostgreSQL is running."
  ])
  expect(refused.output).not.toContain("hidden")
})

test("exits with 1 and lists all problems of an invalid configuration", async () => {
  const refused = await runToEnd({ PORT: "x", DATABASE_URL: "postgres://u:p@localhost/none" })
  expect(refused.code).toBe(1)
  expect(refused.output.trim()).toBe(
    [
      "The configuration is not valid:",
      "  - PORT must be a whole number from 0 to 65535.",
      "  - SALLYPORT_SECRET is required with DATABASE_URL. It must have at least 32 characters, and stay the same at every start."
    ].join("\n")
  )
})

test("reports a port in use in one sentence", async () => {
  await using taken = await takenPort()
  const refused = await runToEnd({ ...(await environment()), PORT: taken.port })
  expect(refused.code).toBe(1)
  expect(refused.output).toBe(`${portInUse("PORT", taken.port)}\n`)
})

test("SEC-99: reports an unavailable ops port in one sentence", async () => {
  await using taken = await takenPort()
  const refused = await runToEnd({ ...(await environment()), SALLYPORT_OPS_PORT: taken.port })
  expect([refused.code, refused.output.trim().split("\n").length]).toEqual([1, 1])
  expect(refused.output).toBe(`${portInUse("SALLYPORT_OPS_PORT", taken.port)}\n`)
})
