type Headers = Readonly<Record<string, string | undefined>>

/** The header that pages of the console send. A form can't, and a script of another origin would have to be allowed to. */
const HEADER = "x-sallyport-console"

/** The origins that the console has: that of the public URL, and the one by which this very request was sent. */
const originsOf = (publicUrl: string, host: string | undefined): ReadonlyArray<string> => {
  const { origin, protocol } = new URL(publicUrl)
  return host === undefined ? [origin] : [origin, `${protocol}//${host}`]
}

/**
 * Whether a request comes from a page of the console (SEC-199). Login pages are on hosts of the same site, so that the site alone, which
 * cookies go by, says nothing.
 */
export const isFromConsole = (headers: Headers, publicUrl: string): boolean => {
  const { origin, "sec-fetch-site": site } = headers
  if (headers[HEADER] !== "1") return false
  if (site !== undefined && site !== "same-origin") return false
  return origin === undefined || originsOf(publicUrl, headers["host"]).includes(origin)
}
