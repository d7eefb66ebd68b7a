type Headers = Readonly<Record<string, string | undefined>>

/** The header that the console's pages send. Forms can't send it, and scripts of other origins would need permission. */
const HEADER = "x-sallyport-console"

/** The origins of the console: the origin of the public URL and the origin that this request was sent to. */
const originsOf = (publicUrl: string, host: string | undefined): ReadonlyArray<string> => {
  const { origin, protocol } = new URL(publicUrl)
  return host === undefined ? [origin] : [origin, `${protocol}//${host}`]
}

/**
 * Returns whether a request comes from a page of the console (SEC-199). It compares origins, because cookies only distinguish
 * sites, and login pages are on other hosts of the same site.
 */
export const isFromConsole = (headers: Headers, publicUrl: string): boolean => {
  const { origin, "sec-fetch-site": site } = headers
  if (headers[HEADER] !== "1") return false
  if (site !== undefined && site !== "same-origin") return false
  return origin === undefined || originsOf(publicUrl, headers["host"]).includes(origin)
}
