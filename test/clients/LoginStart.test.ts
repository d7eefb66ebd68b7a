import { describe, expect, test } from "vitest"
import { loginFlow } from "#client/frameworks/login/LoginFlow"
import { type HostedLoginOptions, LoginMisconfigured } from "#client/frameworks/login/LoginOptions"
import { reports } from "#client/frameworks/login/Reports"
import * as onNext from "#client/frameworks/Next"
import { keyOf } from "../support/decoding.ts"
import { LoginVisitor, locationIn, loginApp, SITE } from "./LoginVisitor.ts"

const complete: HostedLoginOptions = { url: "https://id.example.com", key: "sk_1", app: "lpl_1" }

const wrongOptions: ReadonlyArray<readonly [string, Partial<HostedLoginOptions>, string]> = [
  ["no url", { url: undefined }, "hostedLogin needs `url`: the URL of the service. Is its environment variable set?"],
  [
    "no key",
    { key: undefined },
    "hostedLogin needs `key`: an API key of the realm, of level `write`. Is its environment"
  ],
  ["an empty key", { key: "" }, "hostedLogin needs `key`"],
  ["a key with a line break", { key: "sk_1\n" }, "The key ends with a space or line break. Trim it."],
  ["no app", { app: undefined }, "hostedLogin needs `app`: the ID of the connected app, such as lpl_…."],
  [
    "an http url",
    { url: "http://id.example.com" },
    "`url` is http://id.example.com, which would send secrets unencrypted. Use https."
  ],
  ["an http url with IPv6", { url: "http://[2001:db8::1]:3000" }, "which would send secrets unencrypted. Use https."],
  ["an http url with a mapped IPv4 address", { url: "http://[::ffff:10.0.0.1]" }, "`url` is http://[::ffff:a00:1]"],
  ["an invalid url", { url: "id.example.com" }, 'The url "id.example.com" is invalid.'],
  ["an http publicUrl", { publicUrl: "http://app.example.com" }, "`publicUrl` must use https, except on localhost"],
  ["a publicUrl with a path", { publicUrl: "https://app.example.com/app" }, "`publicUrl` must have no path"],
  ["a publicUrl that isn't a URL", { publicUrl: "app" }, "`publicUrl` is not a URL."],
  ["a path with a query", { paths: { login: "/login?x" } }, "`paths.login` must be a path such as /login"],
  ["a relative path", { paths: { callback: "callback" } }, "`paths.callback` must be a path"],
  [
    "equal paths",
    { paths: { login: "/in", signup: "/in" } },
    "Two of `paths` are equal: /in, /in, /callback, /logout."
  ],
  ["a prefixed cookie", { cookieName: "__Host-session" }, "`cookieName` may contain only letters"],
  ["a cookie with a space", { cookieName: "a b" }, "`cookieName` may contain only letters"],
  ["a page of another site", { afterLogin: "//evil.example" }, "`afterLogin` must be a path of this app"],
  ["a page without a slash", { afterLogout: "bye" }, "`afterLogout` must be a path of this app"],
  ["no refresh", { refreshAfter: 0 }, "`refreshAfter` must be a number of seconds, 1 or more."]
]

describe("the startup of an app's login", () => {
  test.each(wrongOptions)("throws if the options have %s", (_, options, message) => {
    expect(() => loginFlow({ ...complete, ...options })).toThrow(message)
  })

  test("reports missing options at the first request in Next.js, whose builds run without the environment", async () => {
    const login = onNext.hostedLogin({ ...complete, key: undefined })
    const message = "hostedLogin needs `key`"
    await expect(login.handlers.GET(new Request(`${SITE}/auth/login`))).rejects.toThrow(message)
    await expect(login.session(new Headers())).rejects.toThrow(message)
    await expect(login.ready()).rejects.toThrow(message)
    expect(login.loginUrl("/notes")).toBe("/auth/login?return_to=%2Fnotes")
  })

  test("logs what is wrong with the app or the key, without showing the problem to visitors", async () => {
    const other = await loginApp()
    const cases: ReadonlyArray<readonly [Parameters<typeof loginApp>, RegExp]> = [
      [[{ app: other.id }], /^The realm of the API key has no connected app lpl_\w+\. Check `app`, and `realmId`/],
      [[{ key: "sk_unknown" }], /^The service doesn't know the API key\. Check `key` and `url`\.$/],
      [[{}, { login_handler: null }], /^The app lpl_\w+ has no login_handler\. Set it to this app's callback/],
      [[{}, { state: "inactive" }], /^The app lpl_\w+ is inactive, so its pages are not served\.$/],
      [
        [{ publicUrl: "http://localhost:4000" }],
        /^Logins return to http:\/\/localhost:4000\/callback, which is neither the login_handler nor one of the redirect_uris/
      ],
      [[{ paths: { callback: "/back" } }], /^Logins return to https:\/\/app\.example\.test\/back, which is neither/],
      [
        [{}, { signup_handler: `${SITE}/welcome` }],
        /^New users of the app lpl_\w+ return to its signup_handler, https:\/\/app\.example\.test\/welcome\. Set it to null/
      ],
      [
        [{}, { client_type: "web", login_handler: undefined, redirect_uris: [`${SITE}/callback`] }],
        /^lpl_\w+ is an OAuth client, without login pages\. Pass `issuer`, `clientId` and `clientSecret`/
      ],
      [[{}, {}, { jwt_algo: "hs256" }], /^The realm signs its tokens with a secret \(hs256\)\. Pass its `jwt_key`/]
    ]
    for (const [parameters, message] of cases) {
      const { login, log } = await loginApp(...parameters)
      await expect(login.ready()).rejects.toThrow(LoginMisconfigured)
      await expect(login.ready()).rejects.toThrow(message)
      const browser = new LoginVisitor(login)
      const { answer } = await browser.get("/login")
      expect([answer?.status, answer?.body.includes("Its log says why.")]).toEqual([500, true])
      expect(answer?.body).not.toMatch(/lpl_/)
      expect(await browser.user()).toBeNull()
      // Each problem is logged once, not for each request.
      expect(log.map((line) => line.replace("hostedLogin: ", ""))).toEqual([expect.stringMatching(message)])
    }
  })

  test("uses a callback that is one of the app's redirect_uris, and sends the callback in the login URL", async () => {
    const uri = "http://localhost:4000/back"
    const { login } = await loginApp(
      { publicUrl: "http://localhost:4000", paths: { callback: "/back" } },
      { redirect_uris: [uri], signup_handler: `${SITE}/welcome` }
    )
    const browser = new LoginVisitor(login)
    expect((await browser.begin()).searchParams.get("redirect_uri")).toBe(uri)
    // Browsers don't accept `Secure` cookies from http.
    expect(browser.set).toEqual([expect.stringMatching(/^session_login_[\da-f]{8}=[^;]+; .* SameSite=Lax$/)])
  })

  test("uses the path of the login_handler as callback", async () => {
    const { login, token, user: newUser } = await loginApp({}, { login_handler: `${SITE}/auth/return` })
    const browser = new LoginVisitor(login)
    const [state, user] = [await browser.state(), await newUser()]
    const query = new URLSearchParams({ state, token: (await token(user.id)).token })
    expect(locationIn(await browser.get(`/auth/return?${query}`))).toBe("/")
    expect(await browser.user()).toBe(user.id)
  })

  test("accepts tokens that are signed with a secret", async () => {
    const { options, token, realm, user: newUser } = await loginApp({}, {}, { jwt_algo: "hs256" })
    const browser = new LoginVisitor(loginFlow({ ...options, jwtKey: await keyOf(realm) }))
    const user = await newUser()
    await browser.logIn((await token(user.id)).token)
    expect(await browser.user()).toBe(user.id)
  })

  test("retries after an outage, and meanwhile lets visitors see public pages", async () => {
    const { login: running, options, cut, log } = await loginApp()
    await running.ready()
    cut(true)
    const login = loginFlow(options)
    const browser = new LoginVisitor(login)
    expect(await browser.user()).toBeNull()
    const { answer } = await browser.get("/login")
    expect([answer?.status, answer?.headers["retry-after"]]).toEqual([503, "5"])
    browser.cookies.set("another_session", "x")
    expect(await browser.user()).toBeNull()
    browser.cookies.set("__Host-session", "x")
    const refused = (await browser.get("/notes")).answer
    expect([refused?.status, JSON.parse(refused?.body ?? "")]).toMatchObject([503, { error: "keys_unavailable" }])
    await expect(login.ready()).rejects.toThrow(/fetch failed/)
    expect(log).toEqual([expect.stringContaining("fetch failed")])
    cut(false)
    expect((await browser.begin()).pathname).toBe("/login")
  })

  test("SEC-277: logs problems that visitors cause once a minute, without control characters of requests", async () => {
    const { login, log, pass } = await loginApp()
    const browser = new LoginVisitor(login)
    const flood = async () => {
      for (let attempt = 0; attempt < 20; attempt += 1) {
        const origin = `https://evil-${attempt}.example`
        await browser.get("/login", { "sec-fetch-site": "same-origin", origin })
        const host = `${"x".repeat(1_000)}\u2028${attempt}`
        await browser.get("/callback?token=x&state=12345678", { host })
      }
    }
    await flood()
    expect(log.map((line) => line.replace(/x{100}/, "…"))).toEqual([
      expect.stringContaining(
        "The browser is at https://evil-0.example, but logins return to https://app.example.test."
      ),
      expect.stringContaining("without the cookie of its start, at the host …. If this happens")
    ])
    pass(59)
    await flood()
    expect(log.length).toBe(2)
    pass(1)
    await flood()
    expect(log.length).toBe(3)
  })

  test("SEC-277: logs at most ten different problems a minute", () => {
    const log: Array<string> = []
    let seconds = 0
    const report = reports(
      (line) => void log.push(line),
      () => seconds * 1_000
    )
    for (let problem = 0; problem < 50; problem += 1) report(new Error(`line\none ${problem} ${"x".repeat(600)}`))
    expect([log.length, log[9]?.length, log[9]?.slice(0, 25)]).toEqual([10, 513, "hostedLogin: line one 9 x"])
    seconds = 60
    report("later")
    expect(log.at(-1)).toBe("hostedLogin: later")
  })

  test("suggests publicUrl when browsers reach the app at another origin", async () => {
    const { login, log } = await loginApp({}, { login_handler: "http://localhost:4000/callback" })
    const browser = new LoginVisitor(login)
    const page = "http://127.0.0.1:4000/"
    const sameOrigin = { "sec-fetch-site": "same-origin" }
    for (const headers of [
      { ...sameOrigin, referer: page },
      { ...sameOrigin, origin: "http://127.0.0.1:4000" }
    ]) {
      const { answer } = await browser.get("/login", headers)
      expect(answer?.status).toBe(500)
      expect(answer?.body).toContain(
        "You opened this app at http://127.0.0.1:4000, but logins return to http://localhost:4000."
      )
    }
    // Without a browser's headers, only the missing cookie shows the wrong origin.
    const callback = "/callback?token=x&state=12345678"
    expect(locationIn(await browser.get(callback, { host: "127.0.0.1:4000" }))).toBe("/callback?problem=state")
    expect(log).toEqual([
      "hostedLogin: The browser is at http://127.0.0.1:4000, but logins return to http://localhost:4000. Open it there, or set `publicUrl` to the origin that browsers use.",
      "hostedLogin: A login returned to http://localhost:4000 without the cookie of its start, at the host 127.0.0.1:4000. If this happens at every login, set `publicUrl` to the origin that browsers use."
    ])
  })
})
