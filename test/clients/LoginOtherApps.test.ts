import { beforeAll, describe, expect, test } from "vitest"
import { hostedOperations } from "#api/hosted/V1"
import { loginFlow } from "#client/frameworks/login/LoginFlow"
import { Browser } from "../support/browser.ts"
import { PASSWORD } from "../support/logins.ts"
import { type LoginApp, LoginVisitor, locationIn, loginApp } from "./LoginVisitor.ts"

let app: LoginApp
let ada: string
/** A valid token of Ada that was issued for another app of the realm. */
let foreign: string

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
  foreign = reply.string("token")
})

/** The login in another process of the app. */
const visitor = () => new LoginVisitor(loginFlow(app.options))

describe("the token of another app of the realm", () => {
  test("SEC-274: is rejected by the callback, also with a state of this browser", async () => {
    const browser = visitor()
    expect(locationIn(await browser.logIn(foreign))).toBe("/callback?problem=token")
    expect(await browser.user()).toBeNull()
    expect(app.log).toEqual([
      expect.stringContaining(`a token of another app than ${app.id}, or of a session that isn't`)
    ])
  })

  test("SEC-274: is rejected in the cookie, which is deleted", async () => {
    const browser = visitor()
    browser.cookies.set("__Host-session", foreign)
    expect([await browser.user(), browser.cookies.size]).toEqual([null, 0])
    const header = (name: string) => (name === "cookie" ? `__Host-session=${foreign}` : undefined)
    const request = { method: "GET", url: "/", header, param: () => undefined }
    expect((await loginFlow(app.options).read(request, false)).session).toBeNull()
  })

  test("SEC-274: is rejected as a bearer token, unless the app accepts all of the realm's tokens", async () => {
    const open = loginFlow({ ...app.options, bearer: true })
    const headers = { authorization: `Bearer ${foreign}` }
    expect((await visitor().get("/", headers)).session).toBeNull()
    expect((await new LoginVisitor(open).get("/", headers)).session?.user_id).toBe(ada)
  })
})

describe("the token of an app's own session", () => {
  test("is accepted if an API caller has started the session, as tests do", async () => {
    const token = (await app.realm.session(ada)).string("token")
    const [one, other] = [visitor(), visitor()]
    expect(locationIn(await one.logIn(token))).toBe("/")
    other.cookies.set("__Host-session", token)
    expect([await one.user(), await other.user()]).toEqual([ada, ada])
  })

  test("is checked once in each process, and rejected with 503 while that is impossible", async () => {
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

  test("is rejected with an explanation in a realm without managed sessions", async () => {
    const { login, log, token, user } = await loginApp({}, {}, { jwt_algo: "rs256", session_type: "unmanaged" })
    const browser = new LoginVisitor(login)
    const unmanaged = await token((await user()).id)
    expect(locationIn(await browser.logIn(unmanaged.token))).toBe("/callback?problem=token")
    expect(log).toEqual([expect.stringContaining("Are the realm's sessions managed (`session_type`)?")])
  })
})
