/** The path of the console. */
export const CONSOLE = "/console"

/** The path under which the console's pages call the management API. */
export const CONSOLE_API = "/console/api"

/** The frame in which the console shows untrusted HTML, such as emails. */
export const PREVIEW_FRAME = "/console/preview/frame"

/** The preview of an app's page with unsaved settings. */
export const PREVIEW_OF_APP = "/console/preview/apps/:app_id"

/** The management API URL behind a console URL; undefined if there is none. */
export const apiUrlOf = (url: string): string | undefined =>
  /^\/console\/api\/v[12]\//.test(url) ? url.slice(CONSOLE_API.length) : undefined

/** Whether a URL is the console's or below it. */
export const isOfConsole = (url: string): boolean => /^\/console(?:[/?]|$)/.test(url)
