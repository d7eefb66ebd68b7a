const nameOf = (cookie: string): string => cookie.split("=", 1).join()

/** The values of `Set-Cookie` of a response. Each cookie that is set replaces an earlier one with the same name. */
export const mergedCookies = (
  earlier: ReadonlyArray<string>,
  cookies: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const names = new Set(cookies.map(nameOf))
  return [...earlier.filter((cookie) => !names.has(nameOf(cookie))), ...cookies]
}

/** Sets cookies in the headers of a response, and forbids caches to give them to other users. */
export const setCookiesIn = (headers: Headers, cookies: ReadonlyArray<string>): void => {
  if (cookies.length === 0) return
  const all = mergedCookies(headers.getSetCookie(), cookies)
  headers.delete("set-cookie")
  for (const cookie of all) headers.append("set-cookie", cookie)
  headers.set("cache-control", "no-store")
}

/** The `Cookie` header that a browser sends once it has stored these cookies. */
export const changedCookies = (header: string, cookies: ReadonlyArray<string>): string => {
  const names = new Set(cookies.map(nameOf))
  const pairs = header.split(";").map((pair) => pair.trim())
  const kept = pairs.filter((pair) => pair !== "" && !names.has(nameOf(pair)))
  const stored = cookies.filter((cookie) => !cookie.includes("; Max-Age=0;"))
  return [...kept, ...stored.map((cookie) => cookie.split(";", 1).join())].join("; ")
}
