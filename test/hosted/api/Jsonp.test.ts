import { beforeAll, describe, expect, test } from "vitest"
import { isCallback } from "#hosted/api/Jsonp"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { sample } from "../../support/arbitraries.ts"
import { calls, goodCallbacks, hostileCallbacks, ownValue, texts } from "../../support/callbacks.ts"
import {
  effectsOf,
  type Hosted,
  handedOver,
  hostedAt,
  operationNames,
  person,
  rejection,
  statusAndBody
} from "../../support/hostedApi.ts"
import { OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { newRealm } from "../../support/sallyport.ts"

describe("SEC-29: JSONP over HTTP", () => {
  let at: Hosted
  let realm: GivenRealm
  beforeAll(async () => {
    realm = await newRealm()
    at = await hostedAt(realm)
  })

  const headersOf = ({ headers }: Reply) =>
    [
      "content-type",
      "x-content-type-options",
      "content-disposition",
      "cross-origin-resource-policy",
      "cache-control"
    ].map((name) => headers.get(name))

  const SCRIPT = [
    "application/javascript; charset=utf-8",
    "nosniff",
    "attachment; filename=f.js",
    "cross-origin",
    "no-store"
  ]

  test("returns a script only for a valid callback, and otherwise a JSON error", async () => {
    const callbacks = [
      ...hostileCallbacks,
      ...goodCallbacks,
      ...sample(texts, { seed: 20_260_102, count: 200, size: 80 })
    ]
    const body = { valid: false, ...Object(rejection("Token can't be blank.")[1]) }
    for (const callback of callbacks) {
      if (!callback.isWellFormed()) continue
      const reply = await at.get("checkSession", { callback })
      const { status, text } = reply
      if (isCallback(callback)) {
        expect([callback, status, ...headersOf(reply)]).toEqual([callback, 200, ...SCRIPT])
        expect(ownValue(calls(callback, text))).toEqual([[body]])
      } else {
        const refusal = "Callback must be a valid function name."
        expect([callback, ...statusAndBody(reply)]).toEqual([
          callback,
          200,
          { valid: false, error: refusal, errors: [refusal] }
        ])
        expect(headersOf(reply).slice(0, 3)).toEqual(["application/json", "nosniff", null])
      }
    }
  })

  test("wraps the response of every operation in the callback, on success and failure", async () => {
    const user = await person(realm)
    const username = user.string("username")
    const login = await at.get("login", { username, password: PASSWORD, callback: "app.done" })
    const answer = handedOver({ more: { result: "okay" } })
    expect([headersOf(login), ownValue(calls("app.done", login.text))]).toEqual([SCRIPT, [[answer]]])
    const [[{ token = "" } = {}] = []] = Object(calls("app.done", login.text))
    expect(ownValue(calls("f", (await at.get("checkSession", { token, callback: "f" })).text))).toEqual([
      [{ valid: true }]
    ])
    expect(ownValue(calls("f", (await at.get("logout", { token, callback: "f" })).text))).toEqual([[{}]])
    for (const name of operationNames.filter((one) => one !== "logout" && one !== "passkeyOptions")) {
      const [plain, script] = [await at.get(name), await at.get(name, { callback: "f" })]
      expect([name, headersOf(script), ownValue(calls("f", script.text))]).toEqual([name, SCRIPT, [[plain.body]]])
    }
  })

  test("executes no operation when the callback is invalid or the app doesn't allow JSONP", async () => {
    const user = await person(realm)
    const closed = await hostedAt(realm, { allow_jsonp: false })
    const input = { username: user.string("username"), password: PASSWORD }
    const path = `${at.origin}/v1/login?${new URLSearchParams(input)}`
    const off = rejection("JSONP is turned off for this app.")
    const form = rejection("Callback must be a valid function name.")
    const events = await realm.seen.caused(async () => {
      expect(statusAndBody(await closed.get("login", { ...input, callback: "f" }))).toEqual(off)
      expect(statusAndBody(await at.get("login", { ...input, callback: "" }))).toEqual(form)
      const twice = await at.inBrowser().browser.go(`${path}&callback=f&callback=f`)
      expect(statusAndBody(twice)).toEqual(form)
    })
    expect(events).toEqual([])
    expect((await closed.get("login", input)).member("result")).toBe("okay")
  })

  test("never returns a script for POST", async () => {
    const posted = await at.post("checkSession", { token: "x", callback: "f" })
    expect(headersOf(posted).slice(0, 3)).toEqual(["application/json", "nosniff", null])
    const go = at.inBrowser().browser
    const withQueryCallback = await go.go(`${at.origin}/v1/check_session?callback=f`, {
      form: { token: "x", callback: "f" }
    })
    expect(withQueryCallback.member("valid")).toBe(false)
  })
})

describe("SEC-30: JSONP responses", () => {
  /** A response without the parts that differ per request. */
  const comparableResponse = ({ status, headers, text }: Reply) => [
    status,
    text,
    [...headers].filter(([name]) => name !== "x-request-id" && name !== "date")
  ]

  test("are the same with and without a session cookie", async () => {
    const realm = await newRealm()
    const at = await hostedAt(realm)
    const user = await person(realm)
    const username = user.string("username")
    const logged = at.inBrowser()
    const token = (await logged.post("login", { username, password: PASSWORD })).string("token")
    const cookies = logged.browser.cookies(at.host)
    expect(Object.keys(cookies)).toEqual(["__Host-session", "__Host-known_browser"])
    const input = { username: "nobody", current_password: PASSWORD, password: OTHER_PASSWORD }
    const cookie = `__Host-session=${cookies["__Host-session"]}`
    const events = await effectsOf(realm, async (own) => {
      const { get } = at.of(own)
      for (const name of operationNames.filter((one) => one !== "signup" && one !== "passkeyOptions")) {
        for (const query of [{}, input]) {
          const parameters = { ...query, callback: "f" }
          const [withoutCookie, withCookie] = [await get(name, parameters), await get(name, parameters, { cookie })]
          expect([name, comparableResponse(withCookie)]).toEqual([name, comparableResponse(withoutCookie)])
          expect(withCookie.headers.getSetCookie()).toEqual([])
        }
      }
    })
    expect(events).toEqual([])
    // Every response has a new challenge that belongs to no user.
    const challenge = await at.get("passkeyOptions", { callback: "f" }, { cookie })
    expect([challenge.text.includes('"allowCredentials":[]'), challenge.headers.getSetCookie()]).toEqual([true, []])
    expect((await at.post("checkSession", { token })).body).toEqual({ valid: true })
  })

  test("never end the session in the browser's cookie", async () => {
    const realm = await newRealm()
    const at = await hostedAt(realm)
    const user = await person(realm)
    const { post, get, send } = at.inBrowser()
    await post("login", { username: user.string("username"), password: PASSWORD })
    const events = await realm.seen.caused(async () => {
      expect(statusAndBody(await get("logout"))).toEqual([200, undefined])
      expect((await get("logout", { callback: "f" })).text).toBe("/**/f({});")
      expect((await get("logout", { token: "" })).headers.getSetCookie()).toEqual([])
      expect((await send("logout", "HEAD")).status).toBe(200)
    })
    expect(events).toEqual([])
    expect((await realm.seen.caused(() => post("logout"))).length).toBe(1)
  })

  test("of a login set no cookies, so that a site can't log its visitors in to another account", async () => {
    const realm = await newRealm()
    const at = await hostedAt(realm)
    const user = await person(realm)
    const { get, browser } = at.inBrowser()
    const input = { username: user.string("username"), password: PASSWORD, callback: "f" }
    expect((await get("login", input)).headers.getSetCookie()).toEqual([])
    const username = `${user.string("username")}-2`
    await get("signup", { username, email: `${username}@example.test`, password: PASSWORD, callback: "f" })
    expect(browser.cookies(at.host)).toEqual({})
  })
})
