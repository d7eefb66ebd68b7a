import type { Fetch } from "./Fetch.ts"

/** An API key, or a function that returns it, called before each attempt. */
export type Key = string | (() => string | Promise<string>)

/** The options of a client. */
export interface SallyportOptions {
  /**
   * The URL of the service, such as `https://id.example.com`, without `/v2`. A variable of the environment fits: the client
   * throws a TypeError if it is not set.
   */
  readonly url: string | URL | undefined
  /**
   * An API key, or a function that returns it, called before each attempt. Without a key, only public keys and hosted
   * login are available.
   */
  readonly key?: Key | undefined
  /** The realm of all calls, for API keys that are not bound to one. Default: the key's realm. Calls can override it. */
  readonly realmId?: string | undefined
  /** The timeout of one attempt, in milliseconds. For streamed rows, the maximum idle time. Default: 30,000. */
  readonly timeout?: number | undefined
  /** The maximum number of retries after a failed attempt, if retrying is safe. Default: 2. */
  readonly retries?: number | undefined
  /** Headers of all calls, such as `Accept-Language` for the language of errors. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Makes the requests. Default: the platform's `fetch`. */
  readonly fetch?: Fetch | undefined
}

/** The validated options of a client, with defaults. */
export interface Settings {
  /** The URL, without a trailing slash. */
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

/** Normalizes the URL of a service. Throws a TypeError that explains an invalid URL. */
export const addressOf = (given: string | URL | undefined): string => {
  const example = "Use the URL of the service, such as https://id.example.com."
  if (typeof given !== "string" && !(given instanceof URL)) throw new TypeError(`The url is missing. ${example}`)
  const shown = JSON.stringify(String(given))
  if (!URL.canParse(String(given))) throw new TypeError(`The url ${shown} is invalid. ${example}`)
  const url = new URL(given)
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new TypeError(`The url ${shown} doesn't start with https:// or http://. ${example}`)
  if (url.username !== "" || url.password !== "")
    throw new TypeError("The url contains a username or password. Pass an API key as `key` instead.")
  if (url.search !== "" || url.hash !== "")
    throw new TypeError(`The url ${shown} has a query or a fragment. ${example}`)
  const segments = url.pathname.split("/").filter((segment) => segment !== "")
  if (segments.at(-1) === "v1" || segments.at(-1) === "v2")
    throw new TypeError(`The url ${shown} ends with a version, which the client adds automatically. ${example}`)
  return [url.origin, ...segments].join("/")
}

/** Checks that a key can be sent in a header. Throws a TypeError that doesn't reveal the key. */
export const checkKey = (key: unknown): string => {
  if (typeof key !== "string") throw new TypeError("The key is not a string. Is its environment variable set?")
  if (key === "") throw new TypeError("The key is empty. Is its environment variable set?")
  if (/\s$/.test(key)) throw new TypeError("The key ends with a space or line break. Trim it.")
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TypeError("The key contains a space or another invalid character. Was it copied correctly?")
  return key
}

const wholeNumber = (name: string, value: number, least: number): number => {
  if (Number.isInteger(value) && value >= least) return value
  throw new TypeError(`\`${name}\` must be a whole number of at least ${least}.`)
}

/** The timeout and the number of retries of a call or a client. */
export const timeoutAndRetries = (
  given: { readonly timeout?: number | undefined; readonly retries?: number | undefined },
  otherwise: { readonly timeout: number; readonly retries: number } = { timeout: TIMEOUT, retries: RETRIES }
) => ({
  timeout: given.timeout === undefined ? otherwise.timeout : wholeNumber("timeout", given.timeout, 1),
  retries: given.retries === undefined ? otherwise.retries : wholeNumber("retries", given.retries, 0)
})

/** Validates options. Throws a TypeError that explains invalid options. */
export const settingsOf = (options: SallyportOptions): Settings => ({
  url: addressOf(options.url),
  key: typeof options.key === "string" ? checkKey(options.key) : options.key,
  realmId: options.realmId,
  ...timeoutAndRetries(options),
  headers: options.headers ?? {},
  // Some platforms reject a `fetch` that is called as a method of another object.
  fetch: options.fetch ?? ((url, init) => fetch(url, init))
})
