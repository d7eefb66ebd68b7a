import type { Level } from "#domain/Level"
import type { OperatorRole } from "#domain/OperatorRole"
import { consolePath } from "./ServiceUrls.ts"

/** Facts about the service that the console needs. */
export interface ServiceFacts {
  readonly version: string
  /** The API's base URL for programs. */
  readonly api_url: string
  /** The URL of the pages on which operators log in and manage their own accounts. */
  readonly account_url: string
  /** The prefix of the service's own headers. */
  readonly header_prefix: string
  /** The URL of a connected app's pages, with a `{subdomain}` placeholder. */
  readonly login_url: string
  /** Whether webhooks and emails are delivered, or paused. */
  readonly deliveries: boolean
  readonly mailbox: boolean
  readonly test_mode: boolean
  readonly virtual_clock: boolean
}

/** A console session as the service describes it. Its credential is a cookie that scripts can't read. */
export interface ConsoleSession {
  readonly object: "console_session"
  /** The permission level of its API key, or of the operator's role. */
  readonly level: Level
  /** The realm that its key or operator is locked to, or null for all realms. */
  readonly realm_id: string | null
  /** The API key that logged in, or null for an operator. */
  readonly api_key: { readonly id: string; readonly name: string | null } | null
  readonly operator: { readonly id: string; readonly email: string; readonly role: OperatorRole } | null
  readonly created_at: number
  readonly expires_at: number
  readonly service: ServiceFacts
}

/** A failed login attempt, with the message to show. */
export class LoginFailed extends Error {
  /** The response's status, or undefined if the service couldn't be reached. */
  readonly status: number | undefined

  constructor(message: string, status: number | undefined) {
    super(message)
    this.status = status
  }
}

const ADDRESS = `${consolePath}/session`

/** Sent with every call. Other sites can't add this header, so the cookie alone is never enough. */
export const consoleHeader = { "x-sallyport-console": "1" } as const

const messageOf = async (response: Response): Promise<string> => {
  const body: unknown = await response.json().catch(() => undefined)
  const errors: unknown = typeof body === "object" && body !== null && "errors" in body ? body.errors : undefined
  return Array.isArray(errors) && typeof errors[0] === "string" ? errors[0] : `${response.status}`
}

const call = async (init: RequestInit, language: string): Promise<Response> => {
  const headers = { ...consoleHeader, "content-type": "application/json", "accept-language": language }
  try {
    return await fetch(ADDRESS, { ...init, headers })
  } catch {
    throw new LoginFailed("", undefined)
  }
}

/** Reads the browser's session. Returns undefined if there is none. */
export const readSession = async (language: string): Promise<ConsoleSession | undefined> => {
  const response = await call({ method: "GET" }, language)
  if (response.status === 401) return undefined
  if (!response.ok) throw new LoginFailed(await messageOf(response), response.status)
  return response.json()
}

/** Exchanges an API key for a session. The key is sent once and not stored. */
export const signIn = async (key: string, language: string): Promise<ConsoleSession> => {
  const response = await call({ method: "POST", body: JSON.stringify({ api_key: key }) }, language)
  if (!response.ok) throw new LoginFailed(await messageOf(response), response.status)
  return response.json()
}

/** Exchanges the token of a login link for a session. */
export const signInWithLink = async (token: string, language: string): Promise<ConsoleSession> => {
  const response = await call({ method: "POST", body: JSON.stringify({ link_token: token }) }, language)
  if (!response.ok) throw new LoginFailed(await messageOf(response), response.status)
  return response.json()
}

/** How people can log in to this console. */
export interface LoginMethods {
  readonly acceptsKeys: boolean
  /** Whether someone has logged in with an account of their own before. */
  readonly hasAccounts: boolean
}

/** Returns how people can log in. If that can't be found out, the login page offers both ways. */
export const readLoginMethods = async (): Promise<LoginMethods> => {
  const response = await fetch(`${consolePath}/login`, { headers: consoleHeader }).catch(() => undefined)
  const body: unknown = response?.ok === true ? await response.json().catch(() => undefined) : undefined
  const isOff = (member: string) => typeof body === "object" && body !== null && Reflect.get(body, member) === false
  return { acceptsKeys: !isOff("api_keys"), hasAccounts: !isOff("operators") }
}

/** The URL of a page on which operators log in and manage their own accounts. */
export const accountPage = (page: "login" | "security"): string => `${consolePath}/auth/${page}`

/** Exchanges the operator's login in this browser for a session. Returns undefined if there is no login. */
export const signInOperator = async (language: string): Promise<ConsoleSession | undefined> => {
  const response = await call({ method: "POST", body: JSON.stringify({ operator: true }) }, language)
  if (response.status === 401) return undefined
  if (!response.ok) throw new LoginFailed(await messageOf(response), response.status)
  return response.json()
}

/** Ends this session, or all other sessions of the same key or operator. */
export const signOut = async (which: "this" | "others", language: string): Promise<void> => {
  const response = await fetch(which === "others" ? `${ADDRESS}?others=true` : ADDRESS, {
    method: "DELETE",
    headers: { ...consoleHeader, "accept-language": language }
  })
  if (!response.ok && response.status !== 401) throw new LoginFailed(await messageOf(response), response.status)
}
