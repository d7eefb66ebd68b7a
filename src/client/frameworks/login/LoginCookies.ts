import { base64url } from "jose"
import { membersOf } from "../../TokenParts.ts"

/** A login that this browser has started, as stored in its cookie. */
export interface StartedLogin {
  /** The value that the login must return with. */
  readonly state: string
  /** When it started, in Unix milliseconds. */
  readonly at: number
  /** The page of this site to return to. */
  readonly returnTo: string
  /** The secret of PKCE, for an OpenID Connect login. */
  readonly verifier?: string
  /** The value that its ID token must contain. */
  readonly nonce?: string
}

/** The time within which a login must be completed, in seconds. */
const LOGIN_SECONDS = 1_800

/** The maximum number of logins that a browser can have in progress, such as in several tabs. */
const MAX_STARTED = 5

/** The maximum size of their cookies in bytes, next to a session of the maximum size. */
const MAX_STARTED_BYTES = 3_000

/** The maximum length of a cookie's value. Browsers store 4,096 bytes per cookie, with its name and attributes. */
const MAX_VALUE = 3_600

/** The maximum number of cookies for one session. Servers accept headers of about 16 KB, with all other cookies. */
const MAX_PARTS = 3

const textOf = (value: string): string => {
  try {
    return new TextDecoder().decode(base64url.decode(value))
  } catch {
    return ""
  }
}

const isText = (value: unknown): value is string => typeof value === "string"

/** Reads a started login from its cookie. */
const startedIn = (value: string): StartedLogin | undefined => {
  const { state, at, returnTo, verifier, nonce } = membersOf(textOf(value)) ?? {}
  if (!isText(state) || state === "" || typeof at !== "number" || !isText(returnTo)) return undefined
  return { state, at, returnTo, ...(isText(verifier) ? { verifier } : {}), ...(isText(nonce) ? { nonce } : {}) }
}

/** The cookies in a request's header. If a name occurs several times, the first value is used. */
const cookiesIn = (header: string | undefined): ReadonlyMap<string, string> => {
  const cookies = new Map<string, string>()
  for (const pair of header?.split(";") ?? []) {
    const [name = "", ...value] = pair.trim().split("=")
    if (!cookies.has(name)) cookies.set(name, value.join("="))
  }
  return cookies
}

/** The lifetime of a cookie in seconds. Undefined for a cookie that lasts until the browser is closed. */
export const secondsUntil = (expiresAt: number | null, now: number): number | undefined =>
  expiresAt === null ? undefined : Math.max(0, Math.floor(expiresAt - now / 1000))

/** Reads and writes the cookies of a login. */
export interface LoginCookies {
  /** The value of the session cookie, or undefined if there is none. */
  readonly session: (header: string | undefined) => string | undefined
  /** Sets the session cookie, for a number of seconds or until the browser is closed. Undefined if it is too long. */
  readonly setSession: (
    header: string | undefined,
    value: string,
    seconds?: number
  ) => ReadonlyArray<string> | undefined
  /** Deletes the session cookie. */
  readonly clearSession: (header: string | undefined) => ReadonlyArray<string>
  /** The login with a state that this browser has started. Undefined if it hasn't, or too long ago. */
  readonly started: (header: string | undefined, state: string, now: number) => StartedLogin | undefined
  /** Whether this browser has any login in progress. */
  readonly hasStarted: (header: string | undefined) => boolean
  /** Stores a started login, in place of the oldest if there are too many, or if their cookies are too large. */
  readonly start: (header: string | undefined, login: StartedLogin) => ReadonlyArray<string>
  /** Deletes a started login, so that it can't be completed again. */
  readonly finish: (state: string) => string
}

/** The cookies of a login on an origin. `__Host-` cookies can't be set by other hosts of the domain, or over http. */
export const loginCookies = (cookieName: string, origin: string): LoginCookies => {
  const isSecure = origin.startsWith("https:")
  const name = isSecure ? `__Host-${cookieName}` : cookieName
  const cookie = (one: string, value: string, seconds?: number): string =>
    [
      `${one}=${value}`,
      "Path=/",
      ...(seconds === undefined ? [] : [`Max-Age=${seconds}`]),
      "HttpOnly",
      "SameSite=Lax",
      ...(isSecure ? ["Secure"] : [])
    ].join("; ")
  const partName = (index: number): string => (index === 0 ? name : `${name}.${index}`)
  const loginName = (state: string): string => `${name}_login_${state.slice(0, 8)}`
  const clear = (one: string): string => cookie(one, "", 0)
  const logins = (header: string | undefined) =>
    [...cookiesIn(header)].filter(([one]) => one.startsWith(`${name}_login_`))

  /** Deletes the parts of the session cookie that a request has, from an index on. */
  const clearFrom = (header: string | undefined, index: number): ReadonlyArray<string> => {
    const cookies = cookiesIn(header)
    const parts = Array.from({ length: MAX_PARTS }, (_, at) => partName(at))
    return parts
      .slice(index)
      .filter((part) => cookies.has(part))
      .map(clear)
  }

  return {
    session: (header) => {
      const cookies = cookiesIn(header)
      let value = ""
      for (let index = 0; index < MAX_PARTS; index += 1) {
        const part = cookies.get(partName(index)) ?? ""
        if (part === "") break
        value += part
      }
      return value === "" ? undefined : value
    },
    setSession: (header, value, seconds) => {
      const parts = value.match(new RegExp(`.{1,${MAX_VALUE}}`, "gs")) ?? []
      if (parts.length > MAX_PARTS) return undefined
      const set = parts.map((part, index) => cookie(partName(index), part, seconds))
      return [...set, ...clearFrom(header, parts.length)]
    },
    clearSession: (header) => clearFrom(header, 0),
    started: (header, state, now) => {
      const login = startedIn(cookiesIn(header).get(loginName(state)) ?? "")
      if (login === undefined || login.state !== state) return undefined
      return login.at + LOGIN_SECONDS * 1000 > now ? login : undefined
    },
    hasStarted: (header) => logins(header).length > 0,
    start: (header, login) => {
      const value = base64url.encode(JSON.stringify(login))
      // Browsers send older cookies first.
      const others = logins(header).reverse()
      const newest = others.sort(([, one], [, other]) => (startedIn(other)?.at ?? 0) - (startedIn(one)?.at ?? 0))
      let bytes = loginName(login.state).length + value.length
      const surplus = newest.filter(([one, stored], index) => {
        bytes += one.length + stored.length
        return index >= MAX_STARTED - 1 || bytes > MAX_STARTED_BYTES
      })
      return [...surplus.map(([one]) => clear(one)), cookie(loginName(login.state), value, LOGIN_SECONDS)]
    },
    finish: (state) => clear(loginName(state))
  }
}
