import { decodedOf } from "../Decoded.ts"
import { type Session, sessionFor } from "../frameworks/Session.ts"
import { type Now, nowMillis } from "../Now.ts"
import { randomKey } from "../Randomness.ts"
import { type BrowserWindow, browserWindow } from "./BrowserWindow.ts"
import { HostedLoginError } from "./HostedLoginError.ts"
import { loginStore } from "./LoginStore.ts"

export type { Session, SessionOrg } from "../frameworks/Session.ts"
export type { BrowserWindow } from "./BrowserWindow.ts"
export { HostedLoginError, type HostedLoginErrorCode } from "./HostedLoginError.ts"

/** The app whose pages are used to log in. */
export interface HostedLoginOptions {
  /** The origin of the pages, such as `https://notebook.eu.id.example.com`. */
  readonly pages: string
  /** The URL that the pages return to, which must be one of the app's `redirect_uris`. Default: the app's `login_handler`. */
  readonly redirectUri?: string
  /** The window. Default: the browser's. */
  readonly window?: BrowserWindow
  /** The current time, as a `Date` or in Unix milliseconds. Default: the machine's clock. */
  readonly now?: Now
}

/** The target of a login. */
export interface LoginTarget {
  /** The page of this site to return to. Default: the current page. */
  readonly returnTo?: string
}

/** A login that has just been completed. */
export interface FinishedLogin {
  readonly session: Session
  /** The page of this site to show next: its path, query and hash. */
  readonly returnTo: string
  /** Whether the account is new. */
  readonly isNew: boolean
}

/** The query parameters in which the pages return a login. */
const HANDED_OVER = ["token", "state", "signup"]

/** Returns the claims of a token without verifying its signature. */
const claimsOf = (token: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const [, body = ""] = token.split(".")
    const bytes = Uint8Array.from(atob(body.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0))
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof claims === "object" && claims !== null ? { ...claims } : undefined
  } catch {
    return undefined
  }
}

/**
 * Hosted login in a browser: sends users to the login pages, receives their token when they return, and stores it until the
 * tab is closed. Each login has a random `state`, so that only the tab that started it accepts its token.
 *
 *     const login = new HostedLogin({ pages: "https://notebook.eu.id.example.com" })
 *     const finished = login.finish()                 // on every page, at its start
 *     if (finished !== null) router.replace(finished.returnTo)
 *     if (login.session() === null) login.logIn()
 */
export class HostedLogin {
  readonly #pages: string
  readonly #redirectUri: string | undefined
  readonly #window: () => BrowserWindow
  readonly #time: () => number
  readonly #store: ReturnType<typeof loginStore>

  constructor({ pages, redirectUri, window, now }: HostedLoginOptions) {
    this.#pages = new URL(pages).origin
    this.#redirectUri = redirectUri
    this.#window = window === undefined ? browserWindow : () => window
    this.#time = () => nowMillis(now)
    this.#store = loginStore(this.#window, this.#pages)
  }

  /** The URL of the login page, for a link. Each call starts another login. */
  loginUrl(target: LoginTarget = {}): string {
    return this.#begin("/login", target)
  }

  /** The URL of the sign-up page. Each call starts another login. */
  signUpUrl(target: LoginTarget = {}): string {
    return this.#begin("/signup", target)
  }

  /** The URL of the page to choose another org. Each call starts another login. */
  chooseOrgUrl(target: LoginTarget = {}): string {
    return this.#begin("/accounts", target)
  }

  /** The URL of the logout page, which continues to one of the app's `logout_uris`, if given. */
  logOutUrl(redirectUri?: string): string {
    return this.#address("/logout", redirectUri === undefined ? {} : { redirect_uri: redirectUri })
  }

  /** Navigates to the login page. Users who are already logged in there return immediately with a new token. */
  logIn(target: LoginTarget = {}): void {
    this.#window().location.assign(this.loginUrl(target))
  }

  /** Navigates to the sign-up page. */
  signUp(target: LoginTarget = {}): void {
    this.#window().location.assign(this.signUpUrl(target))
  }

  /**
   * Completes a login that returns with the current URL, and removes the token from the address bar and the history.
   * Returns null if there is none. A token without `state`, such as from a link in an email, starts a new login, which
   * returns without user input. Users who are logged in and return to a completed login, such as with the Back button, stay
   * logged in.
   *
   * Throws `HostedLoginError` if the login was not started in this tab.
   */
  finish(): FinishedLogin | null {
    const { location, history } = this.#window()
    const address = new URL(location.href)
    const [token, state] = [address.searchParams.get("token"), address.searchParams.get("state")]
    if (token === null) return null
    const isNew = address.searchParams.get("signup") === "true"
    for (const name of HANDED_OVER) address.searchParams.delete(name)
    history.replaceState(history.state, "", address.href)
    if (state === null) {
      this.logIn()
      return null
    }
    const started = this.#store.finish(state, this.#time())
    if (started === undefined) {
      const session = this.session()
      if (session !== null) return { session, returnTo: this.#pathOf(address.href), isNew: false }
      throw new HostedLoginError("unknown_state", "This login was not started here. Log in again.")
    }
    const session = this.#read(token)
    if (session === null) throw new HostedLoginError("malformed_token", "The login didn't work. Log in again.")
    this.#store.keepToken(token)
    return { session, returnTo: started.returnTo, isNew }
  }

  /**
   * Returns the token, or null if nobody is logged in. Send it as `Authorization: Bearer` to the app's own server,
   * which verifies it.
   */
  token(): string | null {
    const token = this.#store.token()
    if (token === null || this.#read(token) !== null) return token
    this.#store.forgetToken()
    return null
  }

  /**
   * Returns the session in the token, or null if nobody is logged in or the token has expired. Use it only for display.
   * The app's server verifies the signature, and `checkSession` checks whether the session has ended.
   */
  session(): Session | null {
    const token = this.token()
    return token === null ? null : this.#read(token)
  }

  /**
   * Checks with the service whether the session is still active. If it isn't, removes the token. The realm's sessions
   * must be managed. Rejects with `HostedLoginError` (`unreachable`) if there is no response.
   */
  async checkSession(): Promise<boolean> {
    const token = this.token()
    if (token === null) return false
    const { valid } = await this.#post("/v1/check_session", token)
    if (valid === true) return true
    // The user may have logged in again in the meantime.
    if (this.#store.token() === token) this.#store.forgetToken()
    return false
  }

  /**
   * Removes the token and ends its session, here and on the login pages. With `redirectUri`, navigates to the logout
   * page, which continues there. It must be one of the app's `logout_uris`. Rejects with `HostedLoginError`
   * (`unreachable`) if the session may still be active.
   */
  async logOut({ redirectUri }: { readonly redirectUri?: string } = {}): Promise<void> {
    const token = this.#store.token()
    this.#store.forgetToken()
    if (token !== null) await this.#post("/v1/logout", token)
    if (redirectUri !== undefined) this.#window().location.assign(this.logOutUrl(redirectUri))
  }

  #address(path: string, query: Readonly<Record<string, string>>): string {
    const url = new URL(path, this.#pages)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url.href
  }

  /** The path, query and hash of a page of this site. */
  #pathOf(page: string): string {
    const current = this.#window().location.href
    const { origin, pathname, search, hash } = new URL(page, current)
    if (origin !== new URL(current).origin) throw new TypeError(`returnTo must be a page of this site: ${page}`)
    // Two leading slashes would start a host name.
    return pathname.replace(/^\/+/, "/") + search + hash
  }

  #begin(path: string, { returnTo = this.#window().location.href }: LoginTarget): string {
    const state = randomKey()
    this.#store.begin(state, { returnTo: this.#pathOf(returnTo), at: this.#time() })
    return this.#address(path, {
      state,
      ...(this.#redirectUri === undefined ? {} : { redirect_uri: this.#redirectUri })
    })
  }

  /** Returns the session in a token, or null if it contains none or has expired. */
  #read(token: string): Session | null {
    const claims = claimsOf(token)
    const decoded = claims === undefined ? undefined : decodedOf(claims, token)
    if (decoded === undefined) return null
    const isOver = decoded.expires_at !== null && decoded.expires_at * 1000 <= this.#time()
    return isOver ? null : (sessionFor(decoded, undefined) ?? null)
  }

  /** Calls the hosted login API with a token. */
  async #post(path: string, token: string): Promise<{ readonly valid?: unknown }> {
    const body = new URLSearchParams({ token })
    const init = { method: "POST", body, credentials: "omit", keepalive: true } as const
    try {
      const response = await this.#window().fetch(this.#address(path, {}), init)
      const text = await response.text()
      if (!response.ok) throw new Error(`The response was: ${text}`)
      const answer: unknown = text === "" ? {} : JSON.parse(text)
      return typeof answer === "object" && answer !== null ? answer : {}
    } catch (cause) {
      const message = `${this.#pages} can't be reached.`
      throw new HostedLoginError("unreachable", message, { cause })
    }
  }
}
