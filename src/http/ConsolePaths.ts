/** Where the console is. */
export const CONSOLE = "/console"

/** Where pages of the console call the management API. */
export const CONSOLE_API = "/console/api"

/** The frame in which pages of the console show what others have written. */
export const PREVIEW_FRAME = "/console/preview/frame"

/** A page of an app as it would be with settings that are not saved. */
export const PREVIEW_OF_APP = "/console/preview/apps/:app_id"

/** The URL of the management API that a URL of the console stands for; undefined: the URL stands for none. */
export const apiUrlOf = (url: string): string | undefined =>
  /^\/console\/api\/v[12]\//.test(url) ? url.slice(CONSOLE_API.length) : undefined

/** Whether a URL is at or below the address of the console. */
export const isOfConsole = (url: string): boolean => /^\/console(?:[/?]|$)/.test(url)
