import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { decoder } from "#client/Decode"
import { sessionFor } from "#client/frameworks/Session"
import { Sallyport } from "#client/Sallyport"
import { bundle } from "../../server/Bundle.ts"
import { bundleFlags, runToEnd, withoutSlowRequests } from "../../server/ServerProcess.ts"

interface Facts {
  readonly url: string
  readonly realm_id: string
  readonly app_id: string
  readonly key: string
  readonly login_url: string
  readonly login_handler: string
  readonly console_login_url: string
  readonly mailbox_url: string
  readonly user: { readonly email: string; readonly password: string }
}

/** Runs `sallyport dev` in a folder until it has printed its startup output. */
const dev = async (folder: string, ...words: ReadonlyArray<string>) => {
  const { PATH = "", HOME = "" } = process.env
  const file = await bundle()
  const child = spawn(process.execPath, [...bundleFlags, file, "dev", "--port", "0", "--json", ...words], {
    cwd: folder,
    // `dev` must ignore the database of the environment.
    env: { PATH, HOME, DATABASE_URL: "postgres://nowhere:1/none" }
  })
  const printed = { out: "", err: "" }
  child.stderr.on("data", (chunk) => (printed.err += chunk))
  const facts = await new Promise<Facts>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      printed.out += chunk
      if (printed.out.endsWith("}\n")) resolve(JSON.parse(printed.out))
    })
    child.once("close", () => reject(new Error(printed.err)))
  })
  const interrupt = async () => {
    child.kill("SIGINT")
    await once(child, "close")
    return { code: child.exitCode, err: printed.err }
  }
  return { child, facts, interrupt }
}

describe("sallyport dev", () => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-"))
  let running: Awaited<ReturnType<typeof dev>>

  beforeAll(async () => {
    running = await dev(folder, "--data", "kept")
  }, 60_000)

  afterAll(() => void running.child.kill("SIGKILL"))

  test("prints an API key for its realm, where users can log in", async () => {
    const { url, key, realm_id, user } = running.facts
    const sallyport = new Sallyport({ url, key })
    const { items } = await sallyport.users.list()
    expect(items).toMatchObject([{ email: user.email, realm_id }])
    expect(await sallyport.logins.authenticate(user.email, { password: user.password })).toMatchObject({
      object: "session"
    })
  })

  test("has a realm whose tokens an app can verify by their issuer", async () => {
    const { url, key, realm_id } = running.facts
    const sallyport = new Sallyport({ url, key })
    const { id, memberships = [] } = await sallyport.users.create({
      email: "jo@example.com",
      credentials: [],
      org: { name: "Acme" },
      permissions: ["billing:read"]
    })
    const { token } = await sallyport.sessions.create({ user_id: id })
    const decoded = await decoder({ issuer: `${url}/realms/${realm_id}` })(token ?? "")
    const session = decoded === null ? undefined : sessionFor(decoded, memberships[0]?.org_id ?? "")
    expect(session?.permissions).toEqual(["billing:read"])
    await sallyport.users.delete(id)
  })

  test("prints the URLs of a login page and a mailbox, and runs in test mode", async () => {
    const { url, key, login_url, login_handler, mailbox_url } = running.facts
    const { port, hostname, pathname } = new URL(login_url)
    expect({ hostname, pathname }).toEqual({ hostname: "my-app.local.localhost", pathname: "/login" })
    expect(port).toBe(new URL(url).port)
    const home = await (await fetch(new URL("/", login_handler))).text()
    expect(home).toContain("This page stands in for your app")
    expect(home).toContain(`href="${login_url}"`)
    expect((await fetch(`${login_handler}?token=x`)).status).toBe(403)
    expect((await fetch(mailbox_url)).status).toBe(200)
    expect(await new Sallyport({ url, key }).test.read()).toMatchObject({ object: "clock" })
  })

  test("C308: prints a link that logs in to the console with the root key once", async () => {
    const { url, console_login_url } = running.facts
    const { pathname, search, hash } = new URL(console_login_url)
    expect([pathname, search]).toEqual(["/console", ""])
    expect(hash).toMatch(/^#login=[0-9A-Za-z]{43}$/)
    const exchange = () =>
      fetch(`${url}/console/session`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-sallyport-console": "1" },
        body: JSON.stringify({ link_token: hash.slice("#login=".length) })
      })
    const [first, second] = [await exchange(), await exchange()]
    expect([first.status, second.status]).toEqual([201, 401])
    expect(await first.json()).toMatchObject({ level: "admin_all_realms", api_key: { name: "root" } })
  })

  test("exits with 130 on Ctrl-C, and continues with the saved data on the next start", async () => {
    const { code, err } = await running.interrupt()
    expect(code).toBe(130)
    expect(withoutSlowRequests(err)).toBe(
      '{"error":{"happened":"Stopped.","done":"All data is in kept. Run the same command to continue."}}\n'
    )
    const { realm_id, app_id, key } = running.facts
    running = await dev(folder, "--data", "kept", "--callback", "http://localhost:4000/callback")
    expect(running.facts).toMatchObject({ realm_id, app_id, key, login_handler: "http://localhost:4000/callback" })
    expect(readdirSync(folder)).toEqual(["kept"])
  })
})

test("exits with 2 for wrong usage and with 1 for a failure", async () => {
  expect(await runToEnd({}, "keys", "list")).toMatchObject({ code: 2 })
  const { code, output } = await runToEnd(
    { SALLYPORT_KEY: "sk_1", SALLYPORT_URL: "http://127.0.0.1:59" },
    "keys",
    "list"
  )
  expect(code).toBe(1)
  expect(output).toMatch(
    /^Error: The service at http:\/\/127\.0\.0\.1:59 can't be reached: the connection was refused\.\n/
  )
})
