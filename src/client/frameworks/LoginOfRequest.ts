import type { LoginFlow } from "./login/LoginFlow.ts"

const logins = new WeakMap<object, LoginFlow>()

/** Remembers which login has read the session of a request. */
export const setLogin = (request: object, login: LoginFlow): void => void logins.set(request, login)

/** The login that has read the session of a request. Throws if there is none, which is a bug in the app. */
export const loginOf = (request: object, caller: string): LoginFlow => {
  const login = logins.get(request)
  if (login !== undefined) return login
  const remedy = caller === "requireSession" ? ", or pass it the issuer of the realm" : ""
  throw new Error(`${caller}() needs a login. Use hostedLogin before it${remedy}.`)
}

/** Why a session couldn't be refreshed. */
export const refreshError = (): Error =>
  new Error("The session can't be refreshed, because the login service can't be reached.")
