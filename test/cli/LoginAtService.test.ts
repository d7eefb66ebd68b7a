import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Clock, Context, Effect } from "effect"
import { afterAll, describe, expect, test } from "vitest"
import { issuerOf } from "../support/decoding.ts"
import { deviceClient, enterCode } from "../support/oauthDevices.ts"
import { clockedService } from "../support/sallyport.ts"
import { onProfilePage } from "../support/visitor.ts"
import { cli } from "./Cli.ts"

const folder = mkdtempSync(join(tmpdir(), "sallyport-login-at-service-"))
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0

const away: typeof globalThis.fetch = () =>
  Promise.reject(
    new TypeError("fetch failed", { cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }) })
  )

/** A step to run during the command's nth wait, counted from 1. */
type Meanwhile = (wait: number, code: string) => Promise<unknown>

/** A user at a browser and at a terminal. The command waits by advancing the service's clock. */
const place = async (settings: Readonly<Record<string, unknown>> = {}) => {
  const { given, clock, advance } = await clockedService()
  const realm = await given.realm()
  const [at, client] = [await onProfilePage(realm), await deviceClient(realm, settings)]
  const file = join(folder, `${++count}.json`)
  let [code, waits, isAway] = ["", 0, false]
  const fetch: typeof globalThis.fetch = async (url, init = {}) => {
    if (isAway) return away(url, init)
    const { pathname, search } = new URL(String(url))
    const { body, method = "GET" } = init
    const headers = Object.fromEntries(new Headers(init.headers))
    const sent = { method, path: pathname + search, headers, ...(typeof body === "string" ? { body } : {}) }
    const { status, text } = await realm.transport.send(sent)
    code = /"user_code": ?"([^"]+)"/.exec(text)?.[1] ?? code
    return new Response(text, { status })
  }
  const run = (words: ReadonlyArray<string>, meanwhile: Meanwhile = async () => undefined) => {
    const waiting: Clock.Clock = {
      currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
      currentTimeMillis: clock.currentTimeMillis,
      currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
      currentTimeNanos: clock.currentTimeNanos,
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: clock.monotonicTimeNanos,
      sleep: (duration) =>
        Effect.promise(async () => {
          await advance(duration)
          await meanwhile(++waits, code)
        })
    }
    return cli([...words, "--token-file", file], { fetch, services: Context.make(Clock.Clock, waiting) })
  }
  const logIn = (meanwhile?: Meanwhile, ...more: ReadonlyArray<string>) =>
    run(["login", "--issuer", issuerOf(realm), "--client-id", client.id, ...more], meanwhile)
  const decide = async (entered: string, button = "Allow") => {
    await enterCode(at, entered)
    return at.visitor.fill({}, button)
  }
  const tokens = () => JSON.parse(readFileSync(file, "utf8"))
  const network = (is: "up" | "down") => (isAway = is === "down")
  return { ...at, realm, client, file, run, logIn, decide, tokens, network, advance }
}

describe("sallyport login, whoami and logout against a real service", () => {
  test("log in with a device code, refresh expired tokens and revoke them", async () => {
    const { realm, user, client, file, run, logIn, decide, tokens, advance } = await place()
    const { result, events } = await realm.seen.during(() => logIn(async (wait, code) => wait === 2 && decide(code)))
    expect(result).toMatchObject({ code: 0, out: `You are logged in. The tokens are in ${file}.\n` })
    expect(result.err).toMatch(/^Open http\S+\/device and enter the code [A-Z]{4}-[A-Z]{4}\.\n/)
    const about = { user_id: user.id, client_app_id: client.id }
    expect(events).toEqual([
      { event_type: "oauth.device.approved", ...about, session_id: expect.any(String) },
      { event_type: "oauth.grant.created", ...about }
    ])
    const first = tokens()
    const known = await run(["whoami"])
    expect(known).toMatchObject({ code: 0, err: "" })
    expect(known.out).toMatch(new RegExp(`^User: +${user.id}\nName: .*\nEmail: +${user.string("email")}\n`))
    expect(tokens()).toEqual(first)
    await advance("2 hours")
    expect(await run(["whoami"])).toEqual(known)
    expect(tokens()).not.toMatchObject({ access_token: first.access_token })
    expect(tokens().refresh_token).not.toBe(first.refresh_token)
    const left = await realm.seen.during(() => run(["logout"]))
    expect(left.result).toEqual({ code: 0, out: `You are logged out of ${issuerOf(realm)}.\n`, err: "" })
    expect(left.events).toEqual([
      expect.objectContaining({ event_type: "oauth.token.revoked", user_id: user.id, client_app_id: client.id })
    ])
    expect((await realm.get(`/v2/grants?user_id=${user.id}`)).items).toEqual([
      expect.objectContaining({ state: "ended" })
    ])
    expect(existsSync(file)).toBe(false)
    expect(await run(["whoami"])).toMatchObject({ code: 1, err: expect.stringContaining("You are not logged in.") })
  })

  test("C199: log in for an API and refresh its token, while whoami still shows the user", async () => {
    const resource = "https://api.example.test/notes"
    const { user, run, logIn, decide, tokens, advance } = await place({ resources: [resource] })
    const audience = () => JSON.parse(Buffer.from(tokens().access_token.split(".")[1], "base64url").toString()).aud
    const login = await logIn((_, code) => decide(code), "--resource", resource)
    expect([login.code, audience()]).toEqual([0, resource])
    for (const hours of ["0 hours", "2 hours"] as const) {
      await advance(hours)
      const known = await run(["whoami"])
      expect([known.code, known.out]).toEqual([0, expect.stringMatching(`^User: +${user.id}\n[^]*For: +${resource}\n`)])
      expect(audience()).toBe(resource)
    }
    const other = await logIn(undefined, "--resource", "https://other.example.test")
    expect(other).toMatchObject({ code: 1, err: expect.stringContaining("Check --resource") })
  })

  test("fail without storing tokens if the user denies the login or enters no code in time", async () => {
    const { file, logIn, decide } = await place()
    const denied = await logIn(async (wait, code) => wait === 1 && decide(code, "Don't allow"))
    expect(denied).toMatchObject({ code: 1, out: "", err: expect.stringContaining("Error: Access was denied.\n") })
    const late = await logIn()
    expect(late).toMatchObject({ code: 1, out: "", err: expect.stringContaining("Error: The code has expired.\n") })
    expect(existsSync(file)).toBe(false)
  })

  test("reject another realm's issuer and a client without the device grant", async () => {
    const { realm, run, file } = await place()
    const other = await place()
    const login = (issuer: string, client: string, ...more: ReadonlyArray<string>) =>
      run(["login", "--issuer", issuer, "--client-id", client, ...more])
    const nowhere = await login("https://id.example.test/realms/rl_01m7y8xyj4bmw0ek0bz2h2g9tn", other.client.id)
    expect(nowhere).toMatchObject({ code: 1, err: expect.stringContaining("There is no OpenID Provider at") })
    const foreign = await login(issuerOf(realm), other.client.id)
    expect(foreign).toMatchObject({ code: 1, err: expect.stringContaining("Error: The login was rejected: ") })
    const scopeless = await login(issuerOf(realm), other.client.id, "--scope", "notes:delete")
    expect(scopeless).toMatchObject({
      code: 1,
      err: expect.stringContaining("the app may not exist, or it has a secret")
    })
    expect(existsSync(file)).toBe(false)
  })

  test("report that the login has ended once its tokens are revoked", async () => {
    const { realm, run, logIn, decide, advance } = await place()
    await logIn(async (wait, code) => wait === 1 && decide(code))
    const [grant] = (await realm.get("/v2/grants")).items
    await realm.delete(`/v2/grants/${grant?.["id"]}`)
    expect(await run(["whoami"])).toMatchObject({ code: 1, err: expect.stringContaining("The login has ended.") })
    await advance("2 hours")
    expect(await run(["whoami"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("Run sallyport login --issuer ")
    })
  })

  test("survive a temporary network outage and report a permanent outage", async () => {
    const { run, logIn, decide, network, file } = await place()
    const { code } = await logIn(async (wait, code) => {
      if (wait === 1) network("down")
      if (wait === 2) network("up")
      if (wait === 3) await decide(code)
    })
    expect(code).toBe(0)
    network("down")
    const whoami = await run(["whoami"])
    expect(whoami).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("can't be reached: the connection was refused.")
    })
    expect(existsSync(file)).toBe(true)
    const logout = await run(["logout"])
    expect(logout).toMatchObject({ code: 0, err: expect.stringContaining("The tokens could not be revoked") })
    expect(existsSync(file)).toBe(false)
    expect(await logIn()).toMatchObject({
      code: 1,
      err: expect.stringContaining("Check the issuer's URL and the network.")
    })
  })
})
