import type { Fetch } from "../../Fetch.ts"
import type { Now } from "../../Now.ts"
import type { Key } from "../../Options.ts"
import { parsedUrl } from "./ParsedUrl.ts"

/** The paths of the app that the login serves. */
export interface LoginPaths {
  /** Starts a login. Default: `/login`. */
  readonly login: string
  /** Starts a sign-up. Default: `/signup`. */
  readonly signup: string
  /** Receives the browser after a login. Default: the path of the app's `login_handler`, or `/callback`. */
  readonly callback: string
  /** Logs out (`POST`). Default: `/logout`. */
  readonly logout: string
}

/** The options of every login. */
export interface LoginSettings {
  /** The paths that the login serves. */
  readonly paths?: Partial<LoginPaths>
  /** The name of the session cookie. Over https, it gets the prefix `__Host-`. Default: `session`. */
  readonly cookieName?: string
  /** The page after a login that no page of the app required. Default: `/`. */
  readonly afterLogin?: string
  /** The page after a sign-up. Default: the page after a login. */
  readonly afterSignup?: string
  /** The page after a logout. Default: `/`. */
  readonly afterLogout?: string
  /**
   * The age in seconds at which a session's token is refreshed. Ended sessions, changed names and changed permissions
   * take effect within this time. Default: 60; as an OpenID Connect client, 300.
   */
  readonly refreshAfter?: number
  /** The header with the ID of the request's org. Default: none. */
  readonly orgHeader?: string
  /** The path parameter with the ID of the request's org: `org` for `/orgs/:org`. Default: none. */
  readonly orgParam?: string
  /** Reports problems to the developer. Default: `console.error`. */
  readonly log?: (message: string) => void
  /** The current time, as a `Date` or in Unix milliseconds. Default: the machine's clock. */
  readonly now?: Now
  /** Makes the requests to the service. Default: the platform's `fetch`. */
  readonly fetch?: Fetch
}

/** Logs users in on the hosted pages of a connected app. */
export interface HostedLoginOptions extends LoginSettings {
  /** The URL of the service, such as `https://id.example.com`. */
  readonly url: string | URL | undefined
  /** An API key of the realm, of level `write`, or a function that returns it. */
  readonly key: Key | undefined
  /** The ID of the connected app whose pages users log in on: `lpl_…`. */
  readonly app: string | undefined
  /** The realm of the app, for API keys that are not bound to one. Default: the key's realm. */
  readonly realmId?: string
  /** The realm's `jwt_key`, if it signs tokens with a secret (`hs256`). */
  readonly jwtKey?: string
  /**
   * Whether requests may send a login token in `Authorization: Bearer` instead of the cookie, such as from scripts. Any
   * valid token of the realm is accepted, also one issued for another app. Default: false.
   */
  readonly bearer?: boolean
  /** The origin at which browsers reach this app. Default: the origin of the app's `login_handler`. */
  readonly publicUrl?: string | URL
}

/** Logs users in as an OpenID Connect client of a realm. */
export interface OpenIdLoginOptions extends LoginSettings {
  /** The issuer: the URL of the realm, such as `https://id.example.com/realms/rl_…`. */
  readonly issuer: string | undefined
  /** The ID of the client, whose `client_type` is `web`. */
  readonly clientId: string | undefined
  /** The secret of the client. It also encrypts the session cookie, so a new secret logs users out. */
  readonly clientSecret: string | undefined
  /**
   * The origin at which browsers reach this app. Its callback must be one of the client's `redirect_uris`, and the page
   * after a logout one of its `post_logout_redirect_uris`.
   */
  readonly publicUrl: string | URL | undefined
  /** The scopes, such as `openid profile email orgs`. Default: `openid profile email`. */
  readonly scope?: string
}

/** The options of a login: hosted login, or as an OpenID Connect client. */
export type LoginOptions = HostedLoginOptions | OpenIdLoginOptions

/** A mistake in the options, or in the app's settings at the service. Trying again doesn't help. */
export class LoginMisconfigured extends Error {
  override readonly name = "LoginMisconfigured"
}

/** Returns a required option. Throws if it is missing, as with an environment variable that isn't set. */
export const required = (name: string, value: unknown, purpose: string): string => {
  if (typeof value === "string" && value !== "") return value
  throw new LoginMisconfigured(`hostedLogin needs \`${name}\`: ${purpose}. Is its environment variable set?`)
}

/** Returns whether a host belongs to this machine. */
const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname.endsWith(".localhost") || /^(127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

/** Returns whether a host is only reachable within a private network: a container's name, or a private IPv4 address. */
const isPrivate = (hostname: string): boolean =>
  !/[.:]/.test(hostname) ||
  /\.(internal|local)$/.test(hostname) ||
  /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)[\d.]+$/.test(hostname)

const isHttp = ({ protocol }: URL): boolean => protocol === "http:"

/** Checks that a URL of the service doesn't carry secrets over the internet unencrypted. */
export const requireEncryption = (name: string, url: string): string => {
  const { protocol, hostname } = new URL(url)
  if (protocol === "https:" || isLoopback(hostname) || isPrivate(hostname)) return url
  throw new LoginMisconfigured(`\`${name}\` is ${url}, which would send secrets unencrypted. Use https.`)
}

/**
 * Checks an endpoint in the discovery document of an issuer. Endpoints of an issuer with https must use https, too, except
 * on localhost.
 */
export const requireEncryptedEndpoint = (name: string, url: string, issuer: string): string => {
  const endpoint = parsedUrl(url)
  if (endpoint?.protocol === "https:") return url
  if (endpoint !== undefined && isHttp(endpoint)) {
    if (isLoopback(endpoint.hostname)) return url
    if (isHttp(new URL(issuer)) && isPrivate(endpoint.hostname)) return url
  }
  throw new LoginMisconfigured(`The ${name} of ${issuer} is ${url}. It must be a URL with https.`)
}

/** Returns the origin of this app for browsers. Throws unless it is an origin that cookies are safe on. */
export const originOf = (publicUrl: string | URL, name = "publicUrl"): string => {
  const example = "Use the origin at which browsers reach this app, such as https://app.example.com."
  if (!URL.canParse(String(publicUrl))) throw new LoginMisconfigured(`\`${name}\` is not a URL. ${example}`)
  const { origin, protocol, hostname, pathname, search } = new URL(publicUrl)
  if (protocol !== "https:" && !(protocol === "http:" && isLoopback(hostname)))
    throw new LoginMisconfigured(`\`${name}\` must use https, except on localhost, but it is ${publicUrl}. ${example}`)
  if (name === "publicUrl" && (pathname !== "/" || search !== ""))
    throw new LoginMisconfigured(`\`publicUrl\` must have no path, but it is ${publicUrl}. ${example}`)
  return origin
}

const defaultPaths: LoginPaths = { login: "/login", signup: "/signup", callback: "/callback", logout: "/logout" }

/** Returns the paths that the login serves. Throws if one is invalid or two are equal. */
export const pathsOf = (given: Partial<LoginPaths> = {}, callback = given.callback): LoginPaths => {
  const chosen = Object.fromEntries(Object.entries(given).filter(([, path]) => path !== undefined))
  const paths: LoginPaths = { ...defaultPaths, ...chosen, ...(callback === undefined ? {} : { callback }) }
  for (const [name, path] of Object.entries(paths))
    if (typeof path !== "string" || parsedUrl(path, "http://app")?.pathname !== path)
      throw new LoginMisconfigured(`\`paths.${name}\` must be a path such as /login, without a query.`)
  if (new Set(Object.values(paths)).size < Object.keys(defaultPaths).length)
    throw new LoginMisconfigured(`Two of \`paths\` are equal: ${Object.values(paths).join(", ")}.`)
  return paths
}

const COOKIE_NAME = /^[\w.-]{1,64}$/

/** Returns the name of the session cookie, without its prefix. */
export const cookieNameOf = (name = "session"): string => {
  if (COOKIE_NAME.test(name) && !name.startsWith("__")) return name
  throw new LoginMisconfigured(
    "`cookieName` may contain only letters, digits, `.`, `_` and `-`, and no prefix: over https, `__Host-` is added."
  )
}

/** Returns the age at which tokens are refreshed, in seconds. */
export const refreshAfterOf = (seconds: number): number => {
  if (Number.isFinite(seconds) && seconds >= 1) return seconds
  throw new LoginMisconfigured("`refreshAfter` must be a number of seconds, 1 or more.")
}
