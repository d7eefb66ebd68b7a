/** A URL in parts: what precedes its hosts, these, and what follows them. */
const PARTS = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s

/** The URL of each server that the URL of a database names, in its order: it may have several hosts, as libpq writes them. */
export const urlsOf = (url: string): readonly [string, ...ReadonlyArray<string>] => {
  const [, before = "", hosts = "", after = ""] = PARTS.exec(url) ?? []
  const [first = "", ...others] = hosts.split(",")
  if (others.length === 0) return [url]
  return [`${before}${first}${after}`, ...others.map((host) => `${before}${host}${after}`)]
}

/** A URL with a change that has nothing to do with its hosts; undefined: it is no URL. */
export const changedUrl = (url: string, change: (one: URL) => void): string | undefined => {
  const one = URL.parse(urlsOf(url)[0])
  if (one === null) return undefined
  change(one)
  const hosts = PARTS.exec(url)?.[2] ?? ""
  if (!hosts.includes(",")) return one.href
  return one.href.replace(PARTS, (_, before: string, __, after: string) => `${before}${hosts}${after}`)
}

/** Where a server listens, for people: its host, and its port if its URL has one. */
export const hostIn = (url: string): string => {
  const parsed = URL.parse(url)
  const port = parsed?.searchParams.get("port") ?? parsed?.port ?? ""
  const host = parsed?.searchParams.get("host") ?? parsed?.hostname ?? ""
  return `${host === "" ? "a local socket" : host}${port === "" ? "" : `:${port}`}`
}

/** The servers and the database of a URL, without user or password. */
export const describeUrl = (url: string): string => {
  const urls = urlsOf(url)
  const parsed = URL.parse(urls[0])
  if (parsed === null) return "PostgreSQL"
  const name = parsed.searchParams.get("dbname") ?? parsed.pathname.slice(1)
  return `PostgreSQL at ${urls.map(hostIn).join(",")}/${name}`
}
