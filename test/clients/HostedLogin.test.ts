import { describe, expect, test } from "vitest"
import { type BrowserWindow, HostedLogin, HostedLoginError } from "#client/browser/HostedLogin"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { browserBundle } from "../support/browserBundle.ts"
import { newRealm } from "../support/decoding.ts"

const SITE = "https://app.example.test"

/** A browser tab, whose requests reach the worker's service within the process. */
class Tab implements BrowserWindow {
  readonly left: Array<string> = []
  readonly posts: Array<string> = []
  readonly kept = new Map<string, string>()
  readonly location = { href: `${SITE}/`, assign: (url: string) => void this.left.push(url) }
  readonly history = {
    state: { page: 1 },
    replaceState: (state: unknown, _: string, url: string) => {
      expect(state).toEqual({ page: 1 })
      this.location.href = url
    }
  }
  readonly sessionStorage = {
    getItem: (key: string) => this.kept.get(key) ?? null,
    setItem: (key: string, value: string) => void this.kept.set(key, value),
    removeItem: (key: string) => void this.kept.delete(key)
  }
  readonly #realm: GivenRealm

  constructor(realm: GivenRealm) {
    this.#realm = realm
  }

  async fetch(address: string, { method, body, credentials }: Parameters<BrowserWindow["fetch"]>[1]) {
    expect(credentials).toBe("omit")
    const { host, pathname: path } = new URL(address)
    this.posts.push(path)
    const headers = { host, origin: SITE, "content-type": "application/x-www-form-urlencoded" }
    const answer = await this.#realm.transport.send({ method, path, headers, body: String(body) })
    expect(answer.headers.get("access-control-allow-origin")).toBe(SITE)
    return { ok: answer.status === 200, text: async () => answer.text }
  }

  /** Returns to the app from the login pages. */
  comesBack(query: Readonly<Record<string, string>>, path = "/callback"): void {
    this.location.href = `${SITE}${path}?${new URLSearchParams(query)}`
  }
}

/** An app of a realm, and a tab of a user who visits it. */
const visit = async (settings: object = {}) => {
  const realm = await newRealm({ jwt_scopes: ["ar.orgs"], ...settings })
  const app = await realm.connectedApp({ login_handler: `${SITE}/callback` })
  const user = await realm.user({ email: "ada@example.test", first_name: "Ada" })
  const pages = `https://${app.string("domains", 0)}`
  const tab = new Tab(realm)
  let seconds = STARTS_AT / 1_000
  const now = () => new Date(seconds * 1_000)
  return {
    realm,
    user,
    pages,
    tab,
    login: new HostedLogin({ pages, window: tab, now }),
    pass: (more: number) => {
      seconds += more
    },
    tokenOf: async () => {
      const session = await realm.session(user.id)
      return { id: session.id, token: session.string("token") }
    }
  }
}

const stateOf = (address: string) => new URL(address).searchParams.get("state") ?? ""

const codeOf = (call: () => unknown): string => {
  try {
    call()
  } catch (error) {
    return error instanceof HostedLoginError ? error.code : String(error)
  }
  return "no error"
}

describe("Hosted login in a browser", () => {
  test("redirects to the login pages with a new state, and accepts the token returned with the same state", async () => {
    const { tab, login, pages, tokenOf, user } = await visit()
    tab.location.href = `${SITE}/notes?open=3#last`
    login.logIn()
    const other = login.signUpUrl({ returnTo: "/welcome" })
    const [first = ""] = tab.left
    expect([first, other, login.chooseOrgUrl()].map((url) => url.replace(stateOf(url), "…"))).toEqual([
      `${pages}/login?state=…`,
      `${pages}/signup?state=…`,
      `${pages}/accounts?state=…`
    ])
    expect(stateOf(first)).toMatch(/^[0-9a-f]{32}$/)
    expect(stateOf(other)).not.toBe(stateOf(first))
    expect([login.finish(), login.session(), login.token()]).toEqual([null, null, null])

    const { token, id } = await tokenOf()
    tab.comesBack({ lang: "en", token, state: stateOf(first) })
    expect(login.finish()).toMatchObject({ session: { id }, returnTo: "/notes?open=3#last", isNew: false })
    expect(tab.location.href).toBe(`${SITE}/callback?lang=en`)
    expect(login.finish()).toBeNull()
    expect(login.session()).toMatchObject({ user: { id: user.id, first_name: "Ada" }, org: null, permissions: [] })
    expect(login.token()).toBe(token)

    tab.comesBack({ token, state: stateOf(other), signup: "true" })
    expect(login.finish()).toMatchObject({ returnTo: "/welcome", isNew: true })
    expect(tab.location.href).toBe(`${SITE}/callback`)
  })

  test("SEC-91: accepts a token once, with the state of a login that this tab started within the last hour", async () => {
    const { tab, login, tokenOf, realm, pass } = await visit()
    const { token } = await tokenOf()
    const eve = new HostedLogin({ pages: "https://eve.example.test", window: new Tab(realm) })
    const begun = stateOf(login.loginUrl())
    const names = ["__proto__", "constructor", "toString", "", "0", "length", "x".repeat(500)]
    for (const state of [...names, stateOf(eve.loginUrl()), `${begun}x`, begun.slice(1)]) {
      tab.comesBack({ token, state })
      expect(
        codeOf(() => login.finish()),
        state
      ).toBe("unknown_state")
      expect(tab.location.href).toBe(`${SITE}/callback`)
      expect(login.session()).toBeNull()
    }
    pass(3_600)
    tab.comesBack({ token, state: begun })
    expect(codeOf(() => login.finish())).toBe("unknown_state")
    const next = stateOf(login.loginUrl())
    tab.comesBack({ token, state: next })
    expect(login.finish()).not.toBeNull()
    tab.kept.delete([...tab.kept.keys()].find((key) => key.endsWith(":token")) ?? "")
    tab.comesBack({ token, state: next })
    expect(codeOf(() => login.finish())).toBe("unknown_state")
  })

  test("starts a new login if a token arrives without a state, as from a link in an email", async () => {
    const { tab, login, tokenOf, pages } = await visit()
    const { token } = await tokenOf()
    tab.comesBack({ token })
    expect(login.finish()).toBeNull()
    expect([login.session(), tab.location.href]).toEqual([null, `${SITE}/callback`])
    const [there = ""] = tab.left
    expect(there).toBe(`${pages}/login?state=${stateOf(there)}`)
    tab.comesBack({ token, state: stateOf(there) })
    expect(login.finish()).toMatchObject({ returnTo: "/callback" })
  })

  test("leaves the session unchanged when a finished login is opened again, for example with the Back button", async () => {
    const { tab, login, tokenOf, realm } = await visit()
    const [mine, later] = [await tokenOf(), (await realm.session((await realm.user()).id)).string("token")]
    const state = stateOf(login.loginUrl())
    tab.comesBack({ token: mine.token, state })
    login.finish()
    tab.comesBack({ token: later, state })
    expect(login.finish()).toMatchObject({ session: { id: mine.id }, returnTo: "/callback", isNew: false })
    expect(login.token()).toBe(mine.token)
  })

  test("drops a token at its expiry, and rejects expired and invalid tokens", async () => {
    const { tab, login, tokenOf, pass } = await visit({ session_minutes: 60 })
    const { token } = await tokenOf()
    for (const wrong of ["", "x", "a.b.c", `${btoa("{}")}.${btoa("null")}.x`]) {
      tab.comesBack({ token: wrong, state: stateOf(login.loginUrl()) })
      expect(codeOf(() => login.finish())).toBe("malformed_token")
    }
    tab.comesBack({ token, state: stateOf(login.loginUrl()) })
    login.finish()
    pass(3_599)
    expect(login.session()).not.toBeNull()
    pass(1)
    expect([login.session(), login.token()]).toEqual([null, null])
    expect([...tab.kept.keys()].filter((key) => key.endsWith(":token"))).toEqual([])
    tab.comesBack({ token, state: stateOf(login.loginUrl()) })
    expect(codeOf(() => login.finish())).toBe("malformed_token")
  })

  test("asks the service whether the session is still active", async () => {
    const { tab, login, tokenOf, realm } = await visit()
    expect([await login.checkSession(), tab.posts]).toEqual([false, []])
    const { token, id } = await tokenOf()
    tab.comesBack({ token, state: stateOf(login.loginUrl()) })
    login.finish()
    expect(await login.checkSession()).toBe(true)
    await realm.delete(`/v2/sessions/${id}`)
    expect(login.session()).not.toBeNull()
    expect(await login.checkSession()).toBe(false)
    expect(login.session()).toBeNull()
    expect(tab.posts).toEqual(["/v1/check_session", "/v1/check_session"])
  })

  test("logs out locally and on the login pages, and continues at the given URL", async () => {
    const { tab, login, tokenOf, realm, pages } = await visit()
    const { token, id } = await tokenOf()
    tab.comesBack({ token, state: stateOf(login.loginUrl()) })
    login.finish()
    await login.logOut()
    expect([login.session(), tab.left, tab.posts]).toEqual([null, [], ["/v1/logout"]])
    expect((await realm.get(`/v2/sessions/${id}`)).status).toBe(404)
    await login.logOut({ redirectUri: `${SITE}/` })
    expect([tab.left, tab.posts.length]).toEqual([
      [`${pages}/logout?redirect_uri=https%3A%2F%2Fapp.example.test%2F`],
      1
    ])
    expect(login.logOutUrl()).toBe(`${pages}/logout`)
  })

  test("logs out locally and reports an error if the login pages are unreachable", async () => {
    const { tab, login, tokenOf } = await visit()
    const { token } = await tokenOf()
    tab.comesBack({ token, state: stateOf(login.loginUrl()) })
    login.finish()
    for (const fetch of [
      async () => Promise.reject(new TypeError("Failed to fetch")),
      async () => ({ ok: false, text: async () => "" }),
      async () => ({ ok: true, text: async () => "<html>" })
    ]) {
      const away = new HostedLogin({
        pages: "https://away.example.test",
        window: Object.assign(new Tab(await newRealm()), { fetch })
      })
      expect(await away.checkSession()).toBe(false)
      Object.assign(tab, { fetch })
      await expect(login.checkSession()).rejects.toMatchObject({ name: "HostedLoginError", code: "unreachable" })
      expect(login.token()).toBe(token)
    }
    await expect(login.logOut({ redirectUri: SITE })).rejects.toMatchObject({ code: "unreachable" })
    expect([login.token(), tab.left]).toEqual([null, []])
  })

  test("returns only to pages of this site", async () => {
    const { login, tab, tokenOf } = await visit()
    for (const returnTo of [
      "https://evil.example.test/",
      "//evil.example.test",
      "javascript:alert(1)",
      "\\\\evil.example.test"
    ])
      expect(() => login.loginUrl({ returnTo }), returnTo).toThrow("page of this site")
    const { token } = await tokenOf()
    tab.comesBack({ token, state: stateOf(login.loginUrl({ returnTo: "/.//evil.example.test" })) })
    expect(login.finish()?.returnTo).toBe("/evil.example.test")
  })

  test("reports a missing browser or missing storage", async () => {
    const { pages, tab } = await visit()
    const blocked = {
      location: tab.location,
      history: tab.history,
      fetch: tab.fetch,
      get sessionStorage(): BrowserWindow["sessionStorage"] {
        throw new Error("SecurityError")
      }
    }
    expect(codeOf(() => new HostedLogin({ pages, window: blocked }).logIn())).toBe("storage_blocked")
    expect(codeOf(() => new HostedLogin({ pages }).session())).toBe("no_browser")
    // A script can put anything into the tab's storage.
    for (const odd of ["{", "null", "7", '[["a"]]', '[["a",{"returnTo":1,"at":"x"}]]', '{"a":{}}']) {
      tab.kept.set(`sallyport:${pages}:states`, odd)
      tab.comesBack({ token: "x", state: "a" })
      expect(codeOf(() => new HostedLogin({ pages, window: tab }).finish())).toBe("unknown_state")
    }
  })

  test("needs less than 4 KB of script and no other parts of the client", async () => {
    const { files, compressed } = await browserBundle("browser/HostedLogin.ts")
    expect(compressed).toBeLessThan(4_096)
    expect(files.filter((path) => !path.startsWith("src/client/"))).toEqual([])
  })
})
