import type { Fetch } from "./Fetch.ts"

/** An API key, or a function that gives it, asked before each attempt. */
export type Key = string | (() => string | Promise<string>)

/** The options of a client. */
export interface SallyportOptions {
  /** The address of the service, such as `https://id.example.com`, without `/v2`. */
  readonly url: string | URL
  /**
   * An API key, or a function that gives it, asked before each attempt. Only what needs no key works without: public keys and
   * hosted login.
   */
  readonly key?: Key | undefined
  /** The realm of all calls, for a key that is not locked to one. Default: that of the key; a call can name another. */
  readonly realmId?: string | undefined
  /** How long one attempt may take, in milliseconds; of rows that are streamed, how long nothing may happen. Default: 30,000. */
  readonly timeout?: number | undefined
  /** How often a failed attempt is repeated, where that is safe. Default: 2. */
  readonly retries?: number | undefined
  /** Headers of all calls, such as `Accept-Language` for the language of errors. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Makes the requests. Default: `fetch` of the platform. */
  readonly fetch?: Fetch | undefined
}

/** The options of a client, checked and complete. */
export interface Settings {
  /** Without a slash at its end. */
  readonly url: string
  readonly key: Key | undefined
  readonly realmId: string | undefined
  readonly timeout: number
  readonly retries: number
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: Fetch
}

const TIMEOUT = 30_000

const RETRIES = 2

/** The address of a service without a slash at its end. Throws a TypeError that says what is wrong with another. */
export const addressOf = (given: string | URL): string => {
  const example = "Give the address of the service, such as https://id.example.com."
  if (typeof given !== "string" && !(given instanceof URL)) throw new TypeError(`There is no url. ${example}`)
  const shown = JSON.stringify(String(given))
  if (!URL.canParse(String(given))) throw new TypeError(`The url ${shown} is not an address. ${example}`)
  const url = new URL(given)
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new TypeError(`The url ${shown} begins with neither https:// nor http://. ${example}`)
  if (url.username !== "" || url.password !== "")
    throw new TypeError("The url holds a username or password. The service takes a key instead: give it as `key`.")
  if (url.search !== "" || url.hash !== "")
    throw new TypeError(`The url ${shown} has a query or a fragment. ${example}`)
  const segments = url.pathname.split("/").filter((segment) => segment !== "")
  if (segments.at(-1) === "v1" || segments.at(-1) === "v2")
    throw new TypeError(`The url ${shown} ends with a version, which the client adds itself. ${example}`)
  return [url.origin, ...segments].join("/")
}

/** A key that a header can carry. Throws a TypeError for another, which it does not show. */
export const checkKey = (key: unknown): string => {
  if (typeof key !== "string") throw new TypeError("The key is not text. Is the variable that holds it set?")
  if (key === "") throw new TypeError("The key is empty. Is the variable that holds it set?")
  if (/\s$/.test(key)) throw new TypeError("The key ends with a space or a line break, as files do. Trim it.")
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TypeError("The key holds a space, or a character that no key has. Was it copied whole, and nothing else?")
  return key
}

const wholeNumber = (name: string, value: number, least: number): number => {
  if (Number.isInteger(value) && value >= least) return value
  throw new TypeError(`\`${name}\` must be a whole number from ${least} on.`)
}

/** The time-out and the number of retries of a call, or of a client. */
export const patience = (
  given: { readonly timeout?: number | undefined; readonly retries?: number | undefined },
  otherwise: { readonly timeout: number; readonly retries: number } = { timeout: TIMEOUT, retries: RETRIES }
) => ({
  timeout: given.timeout === undefined ? otherwise.timeout : wholeNumber("timeout", given.timeout, 1),
  retries: given.retries === undefined ? otherwise.retries : wholeNumber("retries", given.retries, 0)
})

/** The settings that options make. Throws a TypeError that says what is wrong with them. */
export const settingsOf = (options: SallyportOptions): Settings => ({
  url: addressOf(options.url),
  key: typeof options.key === "string" ? checkKey(options.key) : options.key,
  realmId: options.realmId,
  ...patience(options),
  headers: options.headers ?? {},
  // Some platforms refuse a `fetch` that is called as the member of another object.
  fetch: options.fetch ?? ((url, init) => fetch(url, init))
})
