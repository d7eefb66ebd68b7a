/** Where the console is. */
export const CONSOLE = "/console"

/** Where pages of the console call the management API. */
export const CONSOLE_API = "/console/api"

/** The URL of the management API that a URL of the console stands for; undefined: the URL stands for none. */
export const apiUrlOf = (url: string): string | undefined =>
  /^\/console\/api\/v[12]\//.test(url) ? url.slice(CONSOLE_API.length) : undefined

/** Whether a URL is at or below the address of the console. */
export const isOfConsole = (url: string): boolean => /^\/console(?:[/?]|$)/.test(url)
