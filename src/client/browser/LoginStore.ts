import type { BrowserWindow } from "./BrowserWindow.ts"
import { HostedLoginError } from "./HostedLoginError.ts"

/** A started login: the page to return to, and its start time in Unix milliseconds. */
export interface StartedLogin {
  readonly returnTo: string
  readonly at: number
}

/** The maximum duration of a login, in milliseconds. */
const MAX_AGE = 3_600_000

const isEntry = (value: unknown): value is [state: string, login: StartedLogin] => {
  const [state, login]: ReadonlyArray<unknown> = Array.isArray(value) ? value : []
  if (typeof state !== "string" || typeof login !== "object" || login === null) return false
  return "returnTo" in login && typeof login.returnTo === "string" && "at" in login && typeof login.at === "number"
}

/** Parses the stored logins. */
const loginsIn = (text: string | null): ReadonlyMap<string, StartedLogin> => {
  try {
    const entries: unknown = JSON.parse(text ?? "[]")
    return new Map(Array.isArray(entries) ? entries.filter(isEntry) : [])
  } catch {
    return new Map()
  }
}

/** The data of a tab: its started logins by state, and the token. */
export const loginStore = (window: () => BrowserWindow, pages: string) => {
  const [tokenKey, statesKey] = [`sallyport:${pages}:token`, `sallyport:${pages}:states`]

  /** Uses the storage. Throws if the user blocks storage. */
  const withStorage = <A>(use: (storage: BrowserWindow["sessionStorage"]) => A): A => {
    const { sessionStorage } = (() => {
      try {
        return { sessionStorage: window().sessionStorage }
      } catch (cause) {
        if (cause instanceof HostedLoginError) throw cause
        const message = "The browser blocks storage for this site. Allow it and log in again."
        throw new HostedLoginError("storage_blocked", message, { cause })
      }
    })()
    return use(sessionStorage)
  }

  const started = () => loginsIn(withStorage((storage) => storage.getItem(statesKey)))

  const saveLogins = (logins: Iterable<[string, StartedLogin]>) =>
    withStorage((storage) => storage.setItem(statesKey, JSON.stringify([...logins])))

  return {
    token: (): string | null => withStorage((storage) => storage.getItem(tokenKey)),

    keepToken: (token: string): void => withStorage((storage) => storage.setItem(tokenKey, token)),

    forgetToken: (): void => withStorage((storage) => storage.removeItem(tokenKey)),

    /** Stores a started login, and removes logins that have taken too long. */
    begin: (state: string, login: StartedLogin): void => {
      const recent = [...started()].filter(([, { at }]) => login.at - at < MAX_AGE)
      saveLogins([...recent, [state, login]])
    },

    /**
     * Returns and removes the login of a state, which works only once. Returns undefined if this tab didn't start it,
     * or too long ago.
     */
    finish: (state: string, now: number): StartedLogin | undefined => {
      const logins = started()
      const login = logins.get(state)
      if (login === undefined || now - login.at >= MAX_AGE) return undefined
      saveLogins([...logins].filter(([other]) => other !== state))
      return login
    }
  }
}
