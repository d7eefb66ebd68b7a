/** The path of the console. */
export const CONSOLE = "/console"

/** The path under which the console's pages call the management API. */
export const CONSOLE_API = "/console/api"

/** The frame in which the console shows untrusted HTML, such as emails. */
export const PREVIEW_FRAME = "/console/preview/frame"

/** The frame in which the console shows emails that were captured. It shows no remote images except the logos of apps. */
export const MAIL_FRAME = "/console/preview/mail"

/** The preview of an app's login page with unsaved settings. */
export const APP_PREVIEW = "/console/preview/apps/:app_id"

/** Returns the management API URL that a console URL maps to, or undefined if there is none. */
export const apiUrlOf = (url: string): string | undefined =>
  /^\/console\/api\/v[12]\//.test(url) ? url.slice(CONSOLE_API.length) : undefined

/** Returns whether a URL is the console's URL or below it. */
export const isConsoleUrl = (url: string): boolean => /^\/console(?:[/?]|$)/.test(url)
