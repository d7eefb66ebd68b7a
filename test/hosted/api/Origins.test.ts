import { beforeAll, describe, expect, test } from "vitest"
import type { HostedOperationName } from "#api/hosted/V1"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import {
  effectsOf,
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
import { OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { hashesComputed } from "../../support/passwordEntryPoints.ts"
import { newRealm } from "../../support/sallyport.ts"

const FOREIGN = rejection("The request's origin is not allowed for this app.")

/** The operations that begin or end a browser session. */
const sessionOperations: ReadonlyArray<HostedOperationName> = [
  "login",
  "verifyLogin",
  "passkeyLogin",
  "signup",
  "logout"
]

const corsOf = ({ headers }: Reply) => ({
  origin: headers.get("access-control-allow-origin"),
  credentials: headers.get("access-control-allow-credentials"),
  vary: headers.get("vary")
})

const noCors = { origin: null, credentials: null, vary: "origin, accept-language" }

describe("SEC-34, CVE-2024-41657: the origins allowed to call an app", () => {
  let at: Hosted
  let realm: GivenRealm
  /** The app's own origins, each named after the setting that contains it. */
  let own: ReadonlyArray<readonly [name: string, origin: string]>
  let foreign: ReadonlyArray<readonly [name: string, origin: string]>
  beforeAll(async () => {
    realm = await newRealm()
    at = await hostedAt(realm, {
      login_handler: "https://app.example.test/login",
      signup_handler: "https://join.example.test:8443/new",
      redirect_uris: ["http://localhost:5173/cb", "https://other.example.test/a/b", "com.acme.app:/done"]
    })
    const sibling = await hostedAt(realm, { login_handler: "https://sibling.example.test/" })
    own = [
      ["its domain", at.origin],
      ["its login handler's", "https://app.example.test"],
      ["its signup handler's, with the port", "https://join.example.test:8443"],
      ["a redirect URI's", "http://localhost:5173"],
      ["another redirect URI's", "https://other.example.test"]
    ]
    foreign = [
      ["null", "null"],
      ["a stranger", "https://evil.test"],
      ["a subdomain", "https://x.app.example.test"],
      ["the parent", "https://example.test"],
      ["a suffix trick", "https://app.example.test.evil.test"],
      ["a prefix trick", "https://evilapp.example.test"],
      ["another scheme", "http://app.example.test"],
      ["another port", "https://app.example.test:8443"],
      ["the app's host without its port", "https://join.example.test"],
      ["the default port spelled out", "https://app.example.test:443"],
      ["a trailing dot", "https://app.example.test."],
      ["upper case", "https://APP.example.test"],
      ["a path", "https://app.example.test/"],
      ["a user", "https://app.example.test@evil.test"],
      ["several", "https://app.example.test, https://evil.test"],
      ["another app of the realm", sibling.origin],
      ["that app's handler", "https://sibling.example.test"],
      ["the app's domain over http", at.origin.replace("https:", "http:")],
      ["the service itself", "https://id.example.test"],
      ["a custom scheme", "com.acme.app://"],
      ["nothing", ""],
      ["a star", "*"]
    ]
  })

  test("are the app's own, and get credentials only for operations that start or end a session", async () => {
    for (const [name, origin] of own) {
      for (const operation of operationNames) {
        const credentials = sessionOperations.includes(operation) ? "true" : null
        const expected = { origin, credentials, vary: "origin, accept-language" }
        for (const reply of [
          await at.post(operation, {}, { origin }),
          await at.get(operation, {}, { origin }),
          await at.send(operation, "OPTIONS", { origin, "access-control-request-method": "POST" })
        ]) {
          expect([name, operation, corsOf(reply)]).toEqual([name, operation, expected])
        }
      }
    }
  })

  test("exclude other sites, which can't read responses or change data", async () => {
    const user = await person(realm)
    const input = { username: user.string("username"), password: PASSWORD }
    const events = await realm.seen.caused(async () => {
      for (const [name, origin] of foreign) {
        for (const reply of [await at.post("login", input, { origin }), await at.get("login", input, { origin })]) {
          expect([name, ...statusAndBody(reply), corsOf(reply)]).toEqual([name, ...FOREIGN, noCors])
          expect(reply.headers.getSetCookie()).toEqual([])
        }
      }
      for (const operation of operationNames.filter((one) => one !== "checkSession")) {
        const reply = await at.post(operation, input, { origin: "https://evil.test" })
        expect([operation, ...statusAndBody(reply), corsOf(reply)]).toEqual([operation, ...FOREIGN, noCors])
      }
    })
    expect(events).toEqual([])
    expect((await at.post("checkSession", {}, { origin: "null" })).member("valid")).toBe(false)
  })

  test("get the allowed methods and headers in a preflight response", async () => {
    const asking = { "access-control-request-method": "POST", "access-control-request-headers": "content-type" }
    const allowed = ({ headers }: Reply) => [
      headers.get("access-control-allow-methods"),
      headers.get("access-control-allow-headers"),
      headers.get("access-control-max-age")
    ]
    const yes = await at.send("login", "OPTIONS", { origin: "https://app.example.test", ...asking })
    expect([yes.status, yes.text, ...allowed(yes)]).toEqual([
      204,
      "",
      "GET, POST",
      "content-type, accept-language, x-request-id",
      "600"
    ])
    for (const [name, origin] of foreign) {
      const no = await at.send("login", "OPTIONS", { origin, ...asking })
      expect([name, no.status, no.text, corsOf(no), ...allowed(no)]).toEqual([name, 204, "", noCors, null, null, null])
    }
    const nowhere = await at.send("login", "OPTIONS", { origin: "https://evil.test", host: "x.test", ...asking })
    expect([nowhere.status, nowhere.headers.get("access-control-allow-origin")]).toEqual([404, null])
  })

  test("don't apply to callers without an Origin header", async () => {
    const reply = await at.post("login", { username: "nobody", password: PASSWORD })
    expect([...statusAndBody(reply), corsOf(reply)]).toEqual([...LOGIN_FAILED, noCors])
  })
})

describe("SEC-35: cross-site requests that need no preflight", () => {
  test("are rejected even with the session cookie", async () => {
    const realm = await newRealm()
    const { user, at, username } = await userAtApp(realm, { email_verification: "requested" })
    const victim = at.inBrowser()
    const token = (await victim.post("login", { username, password: PASSWORD })).string("token")
    const cookie = `__Host-session=${victim.browser.cookies(at.host)["__Host-session"]}`
    const attacker = await person(realm)
    const inputs = [
      { username: attacker.string("username"), password: PASSWORD, token: "" },
      { username, password: OTHER_PASSWORD, current_password: PASSWORD, token, code: "123456" }
    ]
    const types = ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"]
    const events = await effectsOf(realm, async (own) => {
      const { send } = at.of(own)
      for (const origin of ["https://evil.test", "null"]) {
        for (const operation of operationNames) {
          for (const [n, type] of types.entries()) {
            const fields = new URLSearchParams(inputs[n % 2]).toString()
            const headers = { origin, cookie, "content-type": type, "sec-fetch-site": "cross-site" }
            const reply = await send(operation, "POST", headers, fields)
            expect([reply.status, reply.errors]).toEqual([200, FOREIGN[1] && Object(FOREIGN[1]).errors])
            expect(reply.headers.getSetCookie()).toEqual([])
          }
        }
      }
    })
    expect(events).toEqual([])
    expect((await at.post("checkSession", { token })).body).toEqual({ valid: true })
    expect((await realm.get(`/v2/users/${user.id}`)).member("email_verification")).toBe("requested")
  })

  test("are never parsed as JSON when sent as text/plain", async () => {
    const realm = await newRealm()
    const { at, username } = await userAtApp(realm)
    const body = JSON.stringify({ username, password: PASSWORD })
    const refusal = rejection("The request body must be JSON or form-encoded.")
    for (const type of ["text/plain", "text/plain; application/json", "application/json-x", "multipart/form-data"]) {
      const headers = { origin: at.origin, "content-type": type }
      expect([type, ...statusAndBody(await at.send("login", "POST", headers, body))]).toEqual([type, ...refusal])
    }
  })

  test("are recognized by Sec-Fetch-Site if they have no Origin header", async () => {
    const realm = await newRealm()
    const { at, username } = await userAtApp(realm)
    const input = { username, password: PASSWORD }
    const events = await realm.seen.caused(async () => {
      for (const site of ["cross-site", "same-site", "CROSS-SITE", "cross-site, none"]) {
        expect(statusAndBody(await at.form("login", input, { "sec-fetch-site": site }))).toEqual(FOREIGN)
        expect(statusAndBody(await at.post("login", input, { "sec-fetch-site": site }))).toEqual(FOREIGN)
      }
    })
    expect(events).toEqual([])
    expect(
      statusAndBody(await at.form("login", input, { "sec-fetch-site": "same-origin", origin: at.origin }))
    ).toEqual(LOGGED_IN)
    const app = { "sec-fetch-site": "cross-site", origin: "https://app.example.test" }
    expect(statusAndBody(await at.post("login", input, app))).toEqual(LOGGED_IN)
  })

  test("SEC-98: are rejected when they use GET, unless they come from the app's pages", async () => {
    const realm = await newRealm()
    const { at, username } = await userAtApp(realm, {}, { redirect_uris: ["https://shop.example.test/back"] })
    const logInWithHeaders = (headers: Readonly<Record<string, string>>, password = PASSWORD) =>
      at.get("login", { username, password, callback: "f" }, headers)
    const hashes = await hashesComputed(realm)
    const strangers = ["https://evil.test/", "https://app.example.test.evil.test/", "http://app.example.test/", "x", ""]
    const events = await realm.seen.caused(async () => {
      for (const site of ["cross-site", "same-site"]) {
        for (const whence of [
          ...strangers.map((referer) => ({ referer })),
          {},
          { origin: "https://evil.test" },
          { origin: "null", referer: `${at.origin}/` },
          { origin: "https://evil.test", referer: "https://app.example.test/" }
        ]) {
          for (const password of [PASSWORD, OTHER_PASSWORD]) {
            const reply = await logInWithHeaders({ "sec-fetch-site": site, ...whence }, password)
            expect([reply.status, reply.text]).toEqual([200, `/**/f(${JSON.stringify(FOREIGN[1])});`])
          }
        }
      }
    })
    expect((await logInWithHeaders({ referer: "https://evil.test/" })).text).toBe(
      `/**/f(${JSON.stringify(FOREIGN[1])});`
    )
    expect([events, await hashesComputed(realm)]).toEqual([[], hashes])
    const answered = /^\/\*\*\/f\(\{"result":"okay"/
    for (const headers of [
      { "sec-fetch-site": "cross-site", referer: "https://app.example.test/" },
      { "sec-fetch-site": "cross-site", referer: "https://app.example.test/a/page?x=1" },
      { "sec-fetch-site": "same-site", referer: "https://shop.example.test/" },
      { "sec-fetch-site": "cross-site", origin: "https://shop.example.test" },
      { "sec-fetch-site": "same-origin" },
      { "sec-fetch-site": "none" },
      // Sent by older browsers and by callers other than browsers.
      { referer: "https://app.example.test/" },
      {}
    ]) {
      expect([headers, answered.test((await logInWithHeaders(headers)).text)]).toEqual([headers, true])
    }
  })
})
