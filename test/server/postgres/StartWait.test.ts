import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { expect, onTestFinished, test } from "vitest"
import { poolerEnvironment } from "../../support/databases.ts"
import { freePort } from "../../support/PostgresServer.ts"
import { bundle } from "../Bundle.ts"
import { bundleFlags } from "../ServerProcess.ts"
import { freshEnvironment } from "./FreshEnvironment.ts"

/** A service that starts before its database is reachable at its port. */
const startTooEarly = async (environment: Readonly<Record<string, string>> = {}) => {
  const settings = await freshEnvironment()
  const [target, port] = [new URL(settings.DATABASE_URL), await freePort()]
  const url = new URL(target)
  url.port = String(port)
  const child = spawn(process.execPath, [...bundleFlags, await bundle(), "serve"], {
    env: {
      PATH: process.env.PATH ?? "",
      PORT: "0",
      ...poolerEnvironment(),
      ...settings,
      DATABASE_URL: url.href,
      ...environment
    }
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk))
  const ended = once(child, "close").then(() => child.exitCode)
  const lines = () =>
    output
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line): Readonly<Record<string, unknown>> => JSON.parse(line))
  const says = async (message: string) => {
    while (!lines().some((line) => line.message === message)) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The service ended: ${output}`)
      await setTimeout(20)
    }
  }
  await says("The database can't be reached. The start waits for it.")
  return {
    child,
    ended,
    lines,
    says,
    output: () => output,
    /** Makes the database reachable. */
    comes: async () => {
      const proxy = createServer((client) => {
        const server = connect(Number(target.port), target.hostname)
        client.pipe(server).pipe(client)
        for (const socket of [client, server]) socket.on("error", () => socket.destroy())
      })
      proxy.listen(port, "127.0.0.1")
      await once(proxy, "listening")
      return proxy
    }
  }
}

test("C223: the start waits for a missing database, and logs the start and end of the wait", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const SALLYPORT_SECRET_FILE = join(folder, "secret")
  writeFileSync(SALLYPORT_SECRET_FILE, "8f14e45fceea167a5a36dedd4bea2543c9f0f895fb98ab9159f51fd0297e236d")
  const { child, ended, lines, says, comes } = await startTooEarly({ SALLYPORT_SECRET: "", SALLYPORT_SECRET_FILE })
  child.kill("SIGHUP")
  const proxy = await comes()
  await says("The service is ready.")
  expect(lines().map(({ level, message }) => [level, message])).toEqual([
    ["WARN", "The database can't be reached. The start waits for it."],
    ["INFO", "The database can be reached. The start continues."],
    ["WARN", expect.stringContaining("SALLYPORT_PUBLIC_URL is not set")],
    ["INFO", "The service is ready."]
  ])
  expect(lines()[0]).toMatchObject({
    cause: expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:\d+\/\w+ cannot be used: connect ECONNREFUSED/),
    at_most_seconds: 60
  })
  child.kill("SIGKILL")
  await ended
  proxy.close()
})

test("C223: the wait for a database ends with code 0 on a signal, and with code 1 and advice on a timeout", async () => {
  const [stopped, tired] = await Promise.all([startTooEarly(), startTooEarly({ SALLYPORT_DATABASE_WAIT_SECONDS: "1" })])
  const at = performance.now()
  stopped.child.kill("SIGTERM")
  expect(await stopped.ended).toBe(0)
  expect(performance.now() - at).toBeLessThan(10_000)
  expect(await tired.ended).toBe(1)
  expect(tired.output()).toContain("\nCheck the host and the port in DATABASE_URL, and that PostgreSQL is running.\n")
})
