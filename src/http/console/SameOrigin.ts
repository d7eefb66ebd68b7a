type Headers = Readonly<Record<string, string | undefined>>

/** The header that the console's pages send. A form can't send it, and a script of another origin would need permission. */
const HEADER = "x-sallyport-console"

/** The console's origins: that of the public URL, and that of this request. */
const originsOf = (publicUrl: string, host: string | undefined): ReadonlyArray<string> => {
  const { origin, protocol } = new URL(publicUrl)
  return host === undefined ? [origin] : [origin, `${protocol}//${host}`]
}

/**
 * Whether a request comes from a page of the console (SEC-199). The check is by origin: cookies only distinguish sites, and
 * login pages are on hosts of the same site.
 */
export const isFromConsole = (headers: Headers, publicUrl: string): boolean => {
  const { origin, "sec-fetch-site": site } = headers
  if (headers[HEADER] !== "1") return false
  if (site !== undefined && site !== "same-origin") return false
  return origin === undefined || originsOf(publicUrl, headers["host"]).includes(origin)
}
