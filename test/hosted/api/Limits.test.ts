import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import type { TestOptions } from "#testing/TestSallyport"
import { appWithDouble, beginLogin, returnWithCode } from "../../external/BrowserLogins.ts"
import {
  type Hosted,
  hostedAt,
  LOGGED_IN,
  LOGIN_FAILED,
  operationNames,
  person,
  rejection,
  statusAndBody,
  userAtApp
} from "../../support/hostedApi.ts"
import { userEvent as event, OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { hashesComputed } from "../../support/passwordEntryPoints.ts"
import { type OwnService, ownService } from "../../support/sallyport.ts"

/** A service with limits, whose windows begin now. */
const withLimits = (use: (own: OwnService) => Promise<void>, options: TestOptions = {}) =>
  ownService(use, { limits: "all", ...options })

/** The response of hosted login over a limit: status 200 with a Retry-After. */
const overLimit = (most: number, within: number, after: number) => [
  ...rejection(
    `Too many requests from this IP address: at most ${most} in ${within} seconds. Try again in ${after} seconds.`
  ),
  String(after)
]

const statusBodyRetryAfter = (reply: Reply) => [...statusAndBody(reply), reply.headers.get("retry-after")]

/** Logs in with a new unknown name each time, so that no name gets locked out. */
const loginAttempts = (at: Hosted) => {
  let count = 0
  return (headers: Readonly<Record<string, string>> = {}) => {
    count += 1
    return at.post("login", { username: `nobody-${count}`, password: PASSWORD }, headers)
  }
}

const FAILED = [...LOGIN_FAILED, null]

describe("rate limits per address on the hosted login API (C45)", () => {
  test("allow 5 requests in 10 seconds, then return 200 with Retry-After", () =>
    withLimits(async ({ given, clock }) => {
      const realm = await given.realm()
      const { at, login } = await userAtApp(realm)
      const attempt = loginAttempts(at)
      for (let n = 1; n <= 5; n += 1) expect(statusBodyRetryAfter(await attempt())).toEqual(FAILED)
      const hashes = await hashesComputed(realm)
      const events = await realm.seen.caused(async () => {
        expect(statusBodyRetryAfter(await login(PASSWORD))).toEqual(overLimit(5, 10, 10))
        clock.advance("4 seconds")
        expect(statusBodyRetryAfter(await login(PASSWORD))).toEqual(overLimit(5, 10, 6))
      })
      expect([events, await hashesComputed(realm)]).toEqual([[], hashes])
      clock.advance("6 seconds")
      expect(statusAndBody(await login(PASSWORD))).toEqual(LOGGED_IN)
    }))

  test("allow 30 requests in 5 minutes", () =>
    withLimits(async ({ given, clock }) => {
      const realm = await given.realm()
      const attempt = loginAttempts(await hostedAt(realm))
      for (let window = 1; window <= 6; window += 1) {
        for (let n = 1; n <= 5; n += 1) expect(statusBodyRetryAfter(await attempt())).toEqual(FAILED)
        clock.advance("10 seconds")
      }
      expect(statusBodyRetryAfter(await attempt())).toEqual(overLimit(30, 300, 240))
      clock.advance("4 minutes")
      expect(statusBodyRetryAfter(await attempt())).toEqual(FAILED)
    }))

  test("count all credential operations together and no other operations", () =>
    withLimits(async ({ given, clock }) => {
      const realm = await given.realm()
      const at = await hostedAt(realm)
      const { browser } = at.inBrowser()
      const counted = operationNames.filter((name) => !["checkSession", "logout", "passkeyOptions"].includes(name))
      const makeUnlimitedRequests = async () => {
        for (let n = 0; n < 4; n += 1) {
          await at.post("checkSession", { token: "x" })
          await at.post("logout", { token: "x" })
          await at.send("login", "OPTIONS", { origin: at.origin })
          await at.send("login", "PUT")
          await at.post("login", {}, { origin: "https://evil.test" })
          await at.post("login", {}, { host: "x.test" })
          await at.get("login", { callback: "1" })
          await browser.go(`${at.origin}/login`)
        }
      }
      for (const [n, name] of counted.entries()) {
        if (n % 5 === 0) clock.advance("10 seconds")
        await makeUnlimitedRequests()
        const send = [at.post, at.form, at.get][n % 3]
        expect([name, (await send?.(name, {}))?.headers.get("retry-after")]).toEqual([name, null])
      }
      // Use up the rest of this window.
      for (let n = counted.length % 5; n < 5; n += 1)
        expect((await at.post("login", {})).headers.get("retry-after")).toBe(null)
      for (const name of counted) {
        expect([name, ...statusBodyRetryAfter(await at.post(name, {}))]).toEqual([name, ...overLimit(5, 10, 10)])
      }
      const script = await at.get("login", { callback: "f" })
      expect([script.status, script.headers.get("retry-after"), script.text.slice(0, 20)]).toEqual([
        200,
        "10",
        '/**/f({"error":"Too '
      ])
      const origin = await at.post("login", {}, { origin: at.origin })
      expect(origin.headers.get("access-control-allow-origin")).toBe(at.origin)
      expect((await at.post("checkSession", { token: "x" })).headers.get("retry-after")).toBe(null)
    }))

  test("apply to each realm separately and are configurable per realm", () =>
    withLimits(async ({ given, clock }) => {
      const [realm, other] = [await given.realm(), await given.realm()]
      await realm.put(`/v2/realms/${realm.id}`, { realm: { limits: { hosted: 2, hosted_sustained: 3 } } })
      const [attempt, elsewhere] = [loginAttempts(await hostedAt(realm)), loginAttempts(await hostedAt(other))]
      const second = loginAttempts(await hostedAt(realm))
      for (const one of [attempt, second]) expect(statusBodyRetryAfter(await one())).toEqual(FAILED)
      expect(statusBodyRetryAfter(await attempt())).toEqual(overLimit(2, 10, 10))
      expect(statusBodyRetryAfter(await elsewhere())).toEqual(FAILED)
      clock.advance("10 seconds")
      expect(statusBodyRetryAfter(await second())).toEqual(FAILED)
      expect(statusBodyRetryAfter(await attempt())).toEqual(overLimit(3, 300, 290))
    }))

  test("count passkey challenges, which pages request when they open, separately", () =>
    withLimits(async ({ given }) => {
      const realm = await given.realm()
      await realm.put(`/v2/realms/${realm.id}`, { realm: { limits: { passkey_challenges: 6 } } })
      const at = await hostedAt(realm)
      for (let n = 0; n < 6; n += 1) expect((await at.post("passkeyOptions")).string("token")).toMatch(/^tpk:/)
      expect(statusBodyRetryAfter(await at.post("passkeyOptions"))).toEqual(overLimit(6, 60, 60))
      expect(statusBodyRetryAfter(await loginAttempts(at)())).toEqual(FAILED)
    }))

  test("allow only five of many concurrent requests", () =>
    withLimits(async ({ given }) => {
      const attempt = loginAttempts(await hostedAt(await given.realm()))
      const replies = await Promise.all(Array.from({ length: 20 }, () => attempt()))
      expect(replies.filter(({ headers }) => headers.get("retry-after") === null)).toHaveLength(5)
    }))

  test("count callbacks from a provider, since each sends a request to the provider", () =>
    withLimits(async ({ given }) => {
      const realm = await given.realm()
      const at = await appWithDouble(realm)
      const state = await beginLogin(at)
      const statuses: Array<number> = []
      for (let n = 0; n < 5; n += 1) statuses.push((await returnWithCode(at, state, { error: "access_denied" })).status)
      expect(statuses).toEqual([422, 422, 422, 422, 429])
    }))

  test("count sign-ups and create no user over the limit", () =>
    withLimits(async ({ given }) => {
      const realm = await given.realm()
      const at = await hostedAt(realm, { signup_mode: "user_token" })
      const signUp = (n: number) =>
        at.post("signup", { username: `new-${n}`, email: `new-${n}@example.test`, password: OTHER_PASSWORD })
      for (let n = 1; n <= 5; n += 1) expect((await signUp(n)).member("token")).toEqual(expect.any(String))
      expect(statusBodyRetryAfter(await signUp(6))).toEqual(overLimit(5, 10, 10))
    }))
})

describe("SEC-10, CVE-2026-45364, CVE-2024-47070: the address that a rate limit applies to", () => {
  const from = (address: string) => ({ "x-forwarded-for": address })
  const behindProxy = { trustedProxies: ["127.0.0.1"] }

  /** Makes five attempts from one address in different spellings. */
  const attemptFiveTimes = async (attempt: ReturnType<typeof loginAttempts>, ...addresses: ReadonlyArray<string>) => {
    for (let n = 0; n < 5; n += 1) {
      const address = addresses[n % addresses.length] ?? ""
      expect([address, ...statusBodyRetryAfter(await attempt(from(address)))]).toEqual([address, ...FAILED])
    }
  }

  test.each([
    ["an IPv4 address", ["192.0.2.1", "::ffff:192.0.2.1", " 192.0.2.1 ", "192.0.2.1:4711"], "192.0.2.2"],
    [
      "a 64-bit network",
      ["2001:db8:1:2::1", "2001:DB8:1:2:ffff::9", "[2001:db8:1:2::7]:443", "2001:db8:1:2:0:0:0:1"],
      "2001:db8:1:3::1"
    ],
    ["the last address in X-Forwarded-For", ["203.0.113.9, 192.0.2.8", "x, 192.0.2.8"], "192.0.2.9"]
  ] as const)("is %s, regardless of its spelling", (_, addresses, other) =>
    withLimits(async ({ given }) => {
      const attempt = loginAttempts(await hostedAt(await given.realm()))
      await attemptFiveTimes(attempt, ...addresses)
      for (const address of addresses) {
        expect([address, ...statusBodyRetryAfter(await attempt(from(address)))]).toEqual([
          address,
          ...overLimit(5, 10, 10)
        ])
      }
      expect(statusBodyRetryAfter(await attempt(from(other)))).toEqual(FAILED)
    }, behindProxy))

  test("is never taken from X-Forwarded-For without a trusted proxy", () =>
    withLimits(async ({ given }) => {
      const attempt = loginAttempts(await hostedAt(await given.realm()))
      await attemptFiveTimes(attempt, "192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5")
      expect(statusBodyRetryAfter(await attempt(from("192.0.2.6")))).toEqual(overLimit(5, 10, 10))
      expect(statusBodyRetryAfter(await attempt())).toEqual(overLimit(5, 10, 10))
    }))

  test("is the proxy's own address if X-Forwarded-For is malformed", () =>
    withLimits(async ({ given }) => {
      const attempt = loginAttempts(await hostedAt(await given.realm()))
      await attemptFiveTimes(attempt, "x", "999.1.1.1", "", "unknown", "192.0.2.1, ::zz")
      expect(statusBodyRetryAfter(await attempt(from("also nonsense")))).toEqual(overLimit(5, 10, 10))
    }, behindProxy))

  test("is the address recorded in events and sessions", () =>
    withLimits(async ({ given }) => {
      const realm: GivenRealm = await given.realm()
      const [user, at] = [await person(realm), await hostedAt(realm)]
      const headers = { ...from("203.0.113.9, 2001:DB8::1"), "user-agent": "x".repeat(300) }
      const input = { username: user.string("username"), password: PASSWORD }
      const { result, events } = await realm.seen.during(() => at.post("login", input, headers))
      expect(statusAndBody(result)).toEqual(LOGGED_IN)
      expect(events).toEqual([{ ...event(user, "login.succeeded"), session_id: expect.any(String) }])
      const request = { ip: "2001:db8::1", client: "x".repeat(255) }
      expect((await realm.seen.all()).at(-1)).toMatchObject({ request })
      expect((await realm.get("/v2/sessions")).items[0]).toMatchObject({ request })
    }, behindProxy))
})
