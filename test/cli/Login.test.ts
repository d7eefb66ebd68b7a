import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Clock, Context, Effect } from "effect"
import { afterAll, describe, expect, test } from "vitest"
import { cli } from "./Cli.ts"

const ISSUER = "https://id.example.test/realms/rl_1"
const START = Date.UTC(2026, 0)

const folder = mkdtempSync(join(tmpdir(), "sallyport-login-"))
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0
const newFile = () => join(folder, `${++count}`, "nested", "login.json")

type Answer = readonly [status: number, body: object]

const metadata = {
  issuer: ISSUER,
  token_endpoint: `${ISSUER}/token`,
  device_authorization_endpoint: `${ISSUER}/device_authorization`,
  revocation_endpoint: `${ISSUER}/revoke`,
  userinfo_endpoint: `${ISSUER}/userinfo`
}

const prompt = {
  device_code: "odc_1",
  user_code: "WDJB-MJHT",
  verification_uri: "https://login.example.test/device",
  verification_uri_complete: "https://login.example.test/device?user_code=WDJB-MJHT",
  interval: 5,
  expires_in: 600
}

const tokens = { access_token: "at1", refresh_token: "rt1", expires_in: 3_600, scope: "openid profile" }
const pending: Answer = [400, { error: "authorization_pending" }]

/**
 * An OpenID Provider with scripted responses for each endpoint (the last one repeats), and a clock that doesn't wait.
 */
const provider = (answers: Readonly<Record<string, ReadonlyArray<Answer>>> = {}, environment = {}) => {
  const asked: Array<string> = []
  const waits: Array<number> = []
  let millis = START
  const all: Record<string, Array<Answer>> = {
    "/.well-known/openid-configuration": [[200, metadata]],
    "/device_authorization": [[200, prompt]],
    "/token": [[200, tokens]],
    "/revoke": [[200, {}]],
    "/userinfo": [[200, { sub: "usr_1", name: "Ada", email: "ada@example.test" }]]
  }
  for (const [path, own] of Object.entries(answers)) all[path] = [...own]
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const path = String(url).slice(ISSUER.length)
    asked.push(`${init?.method} ${path} ${init?.body ?? new Headers(init?.headers).get("authorization") ?? ""}`.trim())
    const left = all[path] ?? []
    const [status, body] = (left.length > 1 ? left.shift() : left[0]) ?? [404, {}]
    return new Response(JSON.stringify(body), { status })
  }
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: () => millis,
    currentTimeMillis: Effect.sync(() => millis),
    currentTimeNanosUnsafe: () => BigInt(millis) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(millis) * 1_000_000n),
    monotonicTimeNanosUnsafe: () => BigInt(millis) * 1_000_000n,
    monotonicTimeNanos: Effect.sync(() => BigInt(millis) * 1_000_000n),
    sleep: (duration) =>
      Effect.sync(() => {
        const length = Number(duration.value._tag === "Millis" ? duration.value.millis : 0)
        waits.push(length / 1_000)
        millis += length
      })
  }
  const run = (...words: ReadonlyArray<string>) =>
    cli(words, { environment, fetch, services: Context.make(Clock.Clock, clock) })
  return { asked, waits, run, advance: (seconds: number) => (millis += seconds * 1_000) }
}

const words = (file: string) => ["login", "--issuer", ISSUER, "--client-id", "lpl_1", "--token-file", file]

describe("sallyport login", () => {
  test("shows the URL and the code, polls, and stores the tokens in a file that only the owner can read", async () => {
    const { run, asked, waits } = provider({ "/token": [pending, pending, [200, tokens]] })
    const file = newFile()
    expect(await run(...words(file))).toEqual({
      code: 0,
      out: `You are logged in. The tokens are in ${file}.\n`,
      err: `Open https://login.example.test/device and enter the code WDJB-MJHT.
Or open https://login.example.test/device?user_code=WDJB-MJHT and check that the code matches.
Waiting…
`
    })
    expect(waits).toEqual([5, 5, 5])
    const grant = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=odc_1&client_id=lpl_1"
    expect(asked).toEqual([
      "GET /.well-known/openid-configuration",
      "POST /device_authorization client_id=lpl_1&scope=openid+profile+email+offline_access",
      ...Array.from({ length: 3 }, () => `POST /token ${grant}`)
    ])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(file, "..")).mode & 0o777).toBe(0o700)
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      issuer: ISSUER,
      client_id: "lpl_1",
      scope: "openid profile",
      access_token: "at1",
      expires_at: START / 1_000 + 15 + 3_600,
      refresh_token: "rt1"
    })
  })

  test("replaces a file that other users could read", async () => {
    const file = join(folder, "open.json")
    writeFileSync(file, "{}", { mode: 0o644 })
    expect(await provider().run(...words(file))).toMatchObject({ code: 0 })
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test("polls more slowly on slow_down, and continues after a server error", async () => {
    const slow: Answer = [400, { error: "slow_down" }]
    const { run, waits } = provider({ "/token": [slow, slow, [503, {}], pending, [200, tokens]] })
    expect(await run(...words(newFile()))).toMatchObject({ code: 0 })
    expect(waits).toEqual([5, 10, 15, 15, 15])
  })

  test.each([
    [{ "/token": [[400, { error: "access_denied" }]] }, "Access was denied."],
    [{ "/token": [[400, { error: "expired_token" }]] }, "The code has expired."],
    [{ "/token": [pending] }, "The code has expired."],
    [{ "/token": [[401, { error: "invalid_client", error_description: "No." }]] }, "The login was rejected: No."],
    [
      { "/device_authorization": [[400, { error: "unauthorized_client" }]] },
      "The login was rejected: unauthorized_client"
    ],
    [{ "/.well-known/openid-configuration": [[404, {}]] }, `There is no OpenID Provider at ${ISSUER}`],
    [
      { "/.well-known/openid-configuration": [[200, { ...metadata, issuer: "https://evil.example.test" }]] },
      "belongs to another issuer: https://evil.example.test."
    ],
    [
      { "/.well-known/openid-configuration": [[200, { ...metadata, token_endpoint: "http://evil.example.test" }]] },
      "doesn't support device login"
    ]
  ] satisfies ReadonlyArray<
    readonly [Readonly<Record<string, ReadonlyArray<Answer>>>, string]
  >)("stores no tokens when the login fails: %j", async (answers, happened) => {
    const file = newFile()
    const ended = await provider(answers).run(...words(file))
    expect(ended).toMatchObject({ code: 1, out: "" })
    expect(ended.err).toContain(happened)
    expect(existsSync(file)).toBe(false)
  })

  test("sends no requests to an issuer without TLS unless the issuer is on this machine", async () => {
    const { run, asked } = provider()
    for (const issuer of [
      "http://id.example.test/realms/rl_1",
      "id.example.test",
      "ftp://localhost",
      "http://localhost.evil.test"
    ]) {
      expect(await run("login", "--issuer", issuer, "--client-id", "lpl_1", "--token-file", newFile())).toMatchObject({
        code: 2
      })
    }
    expect(asked).toEqual([])
  })

  test("strips control characters from the provider's messages", async () => {
    const evil = { ...prompt, user_code: "WDJB\u001b[31m-MJHT" }
    const { err } = await provider({ "/device_authorization": [[200, evil]] }).run(...words(newFile()))
    expect(err).not.toContain("\u001b")
  })
})

const loggedIn = async (answers: Readonly<Record<string, ReadonlyArray<Answer>>> = {}, environment = {}) => {
  const at = provider(answers, environment)
  const file = newFile()
  await at.run(...words(file))
  at.asked.splice(0)
  return {
    ...at,
    file,
    run: (command: string, ...more: ReadonlyArray<string>) => at.run(command, "--token-file", file, ...more)
  }
}

describe("sallyport whoami", () => {
  test("queries the issuer with a separate token after a login for an API", async () => {
    const [api, next] = ["https://api.example.test/notes", { access_token: "at2", refresh_token: "rt2" }]
    const { run, asked } = provider({
      "/token": [
        [200, tokens],
        [200, next]
      ]
    })
    const file = newFile()
    expect(await run(...words(file), "--resource", api, "--scope", "openid notes:read")).toMatchObject({ code: 0 })
    expect(asked[1]).toBe(
      `POST /device_authorization client_id=lpl_1&scope=openid+notes%3Aread&resource=${encodeURIComponent(api)}`
    )
    const shown = await run("whoami", "--token-file", file)
    expect([shown.code, shown.out.split("\n")]).toMatchObject([0, expect.arrayContaining([`For:    ${api}`])])
    const resource = encodeURIComponent(ISSUER)
    expect(asked.slice(-2)).toEqual([
      `POST /token grant_type=refresh_token&refresh_token=rt1&client_id=lpl_1&resource=${resource}`,
      "GET /userinfo Bearer at2"
    ])
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      access_token: "at1",
      refresh_token: "rt2",
      resources: [api]
    })
  })

  test("explains which command to run when nobody is logged in or the openid scope is missing", async () => {
    const nobody = await provider().run("whoami", "--token-file", newFile())
    expect(nobody.err).toBe("Error: You are not logged in.\nRun sallyport login --issuer <url> --client-id <id>.\n")
    const { run } = await loggedIn({ "/userinfo": [[403, { error: "insufficient_scope" }]] })
    expect((await run("whoami")).err).toBe(
      `Error: The login doesn't include user information.\nRun sallyport login --issuer ${ISSUER} --client-id lpl_1 --scope "openid profile openid".\n`
    )
  })

  test("shows the logged-in user as reported by the issuer", async () => {
    const { run, asked } = await loggedIn({}, { SALLYPORT_REALM: "rl_1", SALLYPORT_URL: "http://id.test" })
    expect(await run("whoami")).toEqual({
      code: 0,
      err: "",
      out: `User:   usr_1
Name:   Ada
Email:  ada@example.test
Issuer: ${ISSUER}
Client: lpl_1
Scope:  openid profile
Realm:  rl_1 (at http://id.test)
`
    })
    expect(asked).toEqual(["GET /.well-known/openid-configuration", "GET /userinfo Bearer at1"])
    expect(JSON.parse((await run("whoami", "--json")).out)).toMatchObject({ sub: "usr_1", issuer: ISSUER })
  })

  test("refreshes an expired login and stores the new tokens", async () => {
    const next = { access_token: "at2", refresh_token: "rt2", expires_in: 3_600 }
    const { run, asked, advance, file } = await loggedIn({
      "/token": [
        [200, tokens],
        [200, next]
      ]
    })
    advance(3_590)
    expect(await run("whoami")).toMatchObject({ code: 0 })
    expect(asked).toContain("POST /token grant_type=refresh_token&refresh_token=rt1&client_id=lpl_1")
    expect(asked.at(-1)).toBe("GET /userinfo Bearer at2")
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ refresh_token: "rt2", access_token: "at2" })
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test("reports an ended login and a missing login", async () => {
    const over = await loggedIn({
      "/token": [
        [200, tokens],
        [400, { error: "invalid_grant" }]
      ]
    })
    over.advance(4_000)
    expect(await over.run("whoami")).toMatchObject({ code: 1, err: expect.stringContaining("The login has ended.") })
    const revoked = await loggedIn({ "/userinfo": [[401, { error: "invalid_token" }]] })
    expect(await revoked.run("whoami")).toMatchObject({ code: 1, err: expect.stringContaining("The login has ended.") })
    const none = await provider().run("whoami", "--token-file", newFile())
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining("You are not logged in.") })
    writeFileSync(revoked.file, "{}")
    expect(await revoked.run("whoami")).toMatchObject({ code: 1, err: expect.stringContaining("contains no login") })
  })
})

describe("sallyport logout", () => {
  test("revokes the tokens and deletes the file", async () => {
    const { run, asked, file } = await loggedIn()
    expect(await run("logout")).toEqual({ code: 0, out: `You are logged out of ${ISSUER}.\n`, err: "" })
    expect(asked.at(-1)).toBe("POST /revoke token=rt1&client_id=lpl_1")
    expect(existsSync(file)).toBe(false)
  })

  test("deletes the file even if the issuer is unreachable, and warns that the tokens are still valid", async () => {
    const { run, file } = await loggedIn({ "/revoke": [[503, {}]] })
    const ended = await run("logout")
    expect(ended).toMatchObject({ code: 0, err: expect.stringContaining("could not be revoked") })
    expect(existsSync(file)).toBe(false)
  })
})

test("stores the login in the home folder unless an option or a variable names another file", async () => {
  const home = join(folder, "home")
  const { err } = await cli(["whoami"], { environment: { HOME: home } })
  expect(err).toContain("You are not logged in.")
  expect((await cli(["whoami"])).err).toContain("--token-file")
})
