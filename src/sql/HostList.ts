/** Splits a URL into the part before its hosts, the hosts, and the rest. */
const PARTS = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s

/** The URLs of the servers in a database URL, in the same order. The URL may contain several hosts, in libpq's syntax. */
export const urlsOf = (url: string): readonly [string, ...ReadonlyArray<string>] => {
  const [, before = "", hosts = "", after = ""] = PARTS.exec(url) ?? []
  const [first = "", ...others] = hosts.split(",")
  if (others.length === 0) return [url]
  return [`${before}${first}${after}`, ...others.map((host) => `${before}${host}${after}`)]
}

/** Changes a part of a URL other than its hosts. Returns undefined if the string is not a URL. */
export const changedUrl = (url: string, change: (one: URL) => void): string | undefined => {
  const one = URL.parse(urlsOf(url)[0])
  if (one === null) return undefined
  change(one)
  const hosts = PARTS.exec(url)?.[2] ?? ""
  if (!hosts.includes(",")) return one.href
  return one.href.replace(PARTS, (_, before: string, __, after: string) => `${before}${hosts}${after}`)
}

/** The host of a server for display, including its port if the URL has one. */
export const hostIn = (url: string): string => {
  const parsed = URL.parse(url)
  const port = parsed?.searchParams.get("port") ?? parsed?.port ?? ""
  const host = parsed?.searchParams.get("host") ?? parsed?.hostname ?? ""
  return `${host === "" ? "a local socket" : host}${port === "" ? "" : `:${port}`}`
}

/** The servers and the database of a URL for display, without user and password. */
export const describeUrl = (url: string): string => {
  const urls = urlsOf(url)
  const parsed = URL.parse(urls[0])
  if (parsed === null) return "PostgreSQL"
  const name = parsed.searchParams.get("dbname") ?? parsed.pathname.slice(1)
  return `PostgreSQL at ${urls.map(hostIn).join(",")}/${name}`
}
