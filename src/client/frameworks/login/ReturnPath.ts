import { parsedUrl } from "./ParsedUrl.ts"

/**
 * The maximum length of a page to return to, in characters with escapes. The cookie of a login with such a page fits next
 * to a session into the 16 KB of headers that servers accept, so that no link can lock a browser out.
 */
const MAX_LENGTH = 1_000

/**
 * Returns the path, query and fragment of a page of this site, or undefined if the text doesn't name one. Browsers read
 * `//host`, `/\host` and paths with tabs as other sites, so the text is resolved like a browser does.
 */
export const returnPath = (text: string | null | undefined, origin: string): string | undefined => {
  if (text == null || !text.startsWith("/") || text.length > MAX_LENGTH) return undefined
  const url = parsedUrl(text, origin)
  if (url === undefined || url.origin !== origin || url.username !== "" || url.password !== "") return undefined
  // Two leading slashes would start a host name.
  const path = url.pathname.replace(/^\/+/, "/") + url.search + url.hash
  return path.length > MAX_LENGTH ? undefined : path
}
