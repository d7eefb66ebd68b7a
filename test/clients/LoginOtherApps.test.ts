import { beforeAll, describe, expect, test } from "vitest"
import { hostedOperations } from "#api/hosted/V1"
import { loginFlow } from "#client/frameworks/login/LoginFlow"
import { Browser } from "../support/browser.ts"
import { PASSWORD } from "../support/logins.ts"
import { type LoginApp, LoginVisitor, locationIn, loginApp } from "./LoginVisitor.ts"

let app: LoginApp
let ada: string
/** Valid tokens of Ada that were not issued for the app. */
let foreign: Readonly<Record<string, string>>

beforeAll(async () => {
  app = await loginApp()
  const user = await app.user({ first_name: "Ada" })
  ada = user.id
  const other = await app.realm.connectedApp({ login_handler: "https://other.example.test/callback" })
  const reply = await new Browser(app.realm.transport).go(
    `https://${other.string("domains", 0)}${hostedOperations.login.path}`,
    {
      method: "POST",
      body: JSON.stringify({ username: user.string("email"), password: PASSWORD }),
      headers: { "content-type": "application/json" }
    }
  )
  foreign = {
    "another app's token": reply.string("token"),
    "an API caller's token": (await app.realm.session(ada)).string("token")
  }
})

/** The login in another process of the app. */
const visitor = () => new LoginVisitor(loginFlow(app.options))

describe("tokens of a realm that were not issued for the app", () => {
  test("SEC-274: are rejected by the callback, also with a state of this browser", async () => {
    const browser = visitor()
    for (const [name, token] of Object.entries(foreign)) {
      expect([name, locationIn(await browser.logIn(token))]).toEqual([name, "/callback?problem=token"])
      expect(await browser.user()).toBeNull()
    }
    expect(app.log).toEqual([expect.stringContaining(`a session that the app ${app.id} didn't start. Are the realm's`)])
  })

  test("SEC-274: are rejected in the cookie, which is deleted", async () => {
    for (const [name, token] of Object.entries(foreign)) {
      const browser = visitor()
      browser.cookies.set("__Host-session", token)
      expect([name, await browser.user(), browser.cookies.size]).toEqual([name, null, 0])
      browser.cookies.set("__Host-session", token)
      const read = await loginFlow(app.options).read(
        { method: "GET", url: "/", header: () => `__Host-session=${token}`, param: () => undefined },
        false
      )
      expect(read.session).toBeNull()
    }
  })

  test("SEC-274: are rejected as bearer tokens, unless the app accepts all of the realm's tokens", async () => {
    const open = loginFlow({ ...app.options, bearer: true })
    for (const token of Object.values(foreign)) {
      const headers = { authorization: `Bearer ${token}` }
      expect((await visitor().get("/", headers)).session).toBeNull()
      expect((await new LoginVisitor(open).get("/", headers)).session?.user_id).toBe(ada)
    }
  })

  test("checks the app's own session once in each process, and rejects it with 503 while that is impossible", async () => {
    const [first, { id, token }] = [visitor(), await app.token(ada)]
    await first.logIn(token)
    const second = visitor()
    second.cookies.set("__Host-session", token)
    await second.get("/callback?problem=state")
    const reads = () => app.calls.filter((call) => call === `GET /v2/sessions/${id}`).length
    app.cut(true)
    const { answer } = await second.get("/")
    expect([answer?.status, JSON.parse(answer?.body ?? "")]).toMatchObject([503, { error: "keys_unavailable" }])
    expect(second.cookies.has("__Host-session")).toBe(true)
    expect(await first.user()).toBe(ada)
    app.cut(false)
    const before = reads()
    app.pass(10)
    expect(await second.user()).toBe(ada)
    expect(await second.user()).toBe(ada)
    expect(reads() - before).toBe(1)
  })

  test("explains that logins need a realm with managed sessions", async () => {
    const { login, log, token, user } = await loginApp({}, {}, { jwt_algo: "rs256", session_type: "unmanaged" })
    const browser = new LoginVisitor(login)
    const unmanaged = await token((await user()).id)
    expect(locationIn(await browser.logIn(unmanaged.token))).toBe("/callback?problem=token")
    expect(log).toEqual([expect.stringContaining("Are the realm's sessions managed (`session_type`)?")])
  })
})
