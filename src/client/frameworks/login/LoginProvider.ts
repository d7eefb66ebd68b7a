import type { Decode } from "../../Decode.ts"
import type { Decoded } from "../../Decoded.ts"
import type { StartedLogin } from "./LoginCookies.ts"
import type { LoginPaths } from "./LoginOptions.ts"

/** The page on which a login starts. */
export type LoginPage = "login" | "signup"

/** A session, with the value of its cookie. */
export interface Established {
  readonly session: Decoded
  readonly value: string
  /** When the cookie expires, in Unix seconds. */
  readonly expiresAt: number | null
}

/** A session cookie that is genuine and can still be used or refreshed. */
export interface Stored {
  readonly session: Decoded
  /** Whether requests may use the session. If not, it must be refreshed first. */
  readonly isUsable: boolean
}

/** A redirect to the login pages, with the secrets that the started login has to store. */
export interface Departure extends Pick<StartedLogin, "verifier" | "nonce"> {
  readonly url: string
}

/** Logs users in: on the pages of a connected app, or as an OpenID Connect client. */
export interface LoginProvider {
  /** The origin at which browsers reach this app. */
  readonly origin: string
  readonly paths: LoginPaths
  /** The parameter in which a login returns: a token or a code. */
  readonly result: "token" | "code"
  /** Starts a login. `query`: the parameters of the app's own login URL. */
  begin(page: LoginPage, state: string, query: URLSearchParams): Promise<Departure>
  /** Completes a login that this browser has started. Undefined if the token or code is invalid. */
  complete(query: URLSearchParams, started: StartedLogin): Promise<Established | undefined>
  /** Reads the session cookie. Null if it is invalid or has expired. Rejects if the keys can't be fetched. */
  read(value: string): Promise<Stored | null>
  /** Reads a token in `Authorization: Bearer`. Null if it is invalid or has expired. */
  readonly readBearer?: Decode
  /** The largest `jwt_max_bytes` of a realm whose tokens always fit into the cookies. */
  readonly maxTokenBytes: number
  /** Whether a refresh invalidates the old cookie, so that the new one must be stored. */
  readonly rotates: boolean
  /** Gets a new token. Undefined if the session has ended or isn't this app's. Rejects if the service can't be reached. */
  refresh(value: string): Promise<Established | undefined>
  /** Ends the session in a cookie. Returns the URL to continue at, if the browser has to visit the login pages. */
  end(value: string | undefined, afterLogout: string): Promise<string | undefined>
}

/** A provider whose options have been checked. `load` fetches its settings from the service. */
export interface ProviderSource {
  readonly paths: LoginPaths
  /** `report`: reports a problem to the developer. */
  readonly load: (report: (problem: unknown) => void) => Promise<LoginProvider>
}
