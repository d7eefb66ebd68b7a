import type { BrowserWindow } from "./BrowserWindow.ts"
import { HostedLoginError } from "./HostedLoginError.ts"

/** A login that was started: where it shall lead, and when it began, in Unix milliseconds. */
export interface StartedLogin {
  readonly returnTo: string
  readonly at: number
}

/** How long a login may take, in milliseconds. */
const MAX_AGE = 3_600_000

const isEntry = (value: unknown): value is [state: string, login: StartedLogin] => {
  const [state, login]: ReadonlyArray<unknown> = Array.isArray(value) ? value : []
  if (typeof state !== "string" || typeof login !== "object" || login === null) return false
  return "returnTo" in login && typeof login.returnTo === "string" && "at" in login && typeof login.at === "number"
}

/** The logins in a text that was kept. */
const loginsIn = (text: string | null): ReadonlyMap<string, StartedLogin> => {
  try {
    const entries: unknown = JSON.parse(text ?? "[]")
    return new Map(Array.isArray(entries) ? entries.filter(isEntry) : [])
  } catch {
    return new Map()
  }
}

/** What a tab keeps: the logins that it has started, by their states, and the token. */
export const loginStore = (window: () => BrowserWindow, pages: string) => {
  const [tokenKey, statesKey] = [`sallyport:${pages}:token`, `sallyport:${pages}:states`]

  /** The storage, which browsers refuse where people block it. */
  const kept = <A>(use: (storage: BrowserWindow["sessionStorage"]) => A): A => {
    const { sessionStorage } = (() => {
      try {
        return { sessionStorage: window().sessionStorage }
      } catch (cause) {
        if (cause instanceof HostedLoginError) throw cause
        const message = "The browser keeps nothing for this site. Allow it to, and log in again."
        throw new HostedLoginError("storage_blocked", message, { cause })
      }
    })()
    return use(sessionStorage)
  }

  const started = () => loginsIn(kept((storage) => storage.getItem(statesKey)))

  const keep = (logins: Iterable<[string, StartedLogin]>) =>
    kept((storage) => storage.setItem(statesKey, JSON.stringify([...logins])))

  return {
    token: (): string | null => kept((storage) => storage.getItem(tokenKey)),

    keepToken: (token: string): void => kept((storage) => storage.setItem(tokenKey, token)),

    forgetToken: (): void => kept((storage) => storage.removeItem(tokenKey)),

    /** Notes a login that begins, and forgets those that have taken too long. */
    begin: (state: string, login: StartedLogin): void => {
      const recent = [...started()].filter(([, { at }]) => login.at - at < MAX_AGE)
      keep([...recent, [state, login]])
    },

    /** The login of a state, which is good once; undefined if this tab has not begun it, or too long ago. */
    finish: (state: string, now: number): StartedLogin | undefined => {
      const logins = started()
      const login = logins.get(state)
      if (login === undefined || now - login.at >= MAX_AGE) return undefined
      keep([...logins].filter(([other]) => other !== state))
      return login
    }
  }
}
