/** The path of a public URL, such as `/auth`; empty if the service is at the root of its host (C274). */
export const publicPathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, "")

/**
 * The text that may precede the path: the origin of an absolute URL (RFC 9112 §3.2.2), and the names of the documents at the
 * root of an issuer's host (RFC 8414 §3).
 */
const PREFIX = /^(?:https?:\/\/[^/?]*)?(?:\/\.well-known\/(?:oauth-authorization-server|openid-configuration)(?=\/))?/i

const startsWithPath = (url: string, path: string): boolean =>
  url.startsWith(path) && /^(?:[/?]|$)/.test(url.slice(path.length))

/** A URL as routes expect it: without the path of the public URL. A URL without that path is returned unchanged. */
export const withoutPublicPath = (path: string, url: string): string => {
  if (path === "") return url
  const [before = ""] = PREFIX.exec(url) ?? []
  const rest = url.slice(before.length)
  if (!startsWithPath(rest, path)) return url
  const left = rest.slice(path.length)
  return before + (left.startsWith("/") ? left : `/${left}`)
}

/** Adds the path of the public URL to the links, form targets and file URLs of a page that begin with `/`. */
export const withPublicPath = (path: string, page: string): string =>
  path === "" ? page : page.replaceAll(/( (?:href|src|action)=")(?=\/(?!\/))/g, `$1${path}`)

/** Whether the path of a public URL needs no escaping anywhere: it consists of letters, digits and `-`, `.`, `_`, `~`. */
export const hasPlainPath = (publicUrl: string): boolean =>
  /^https?:\/\/[^/?#]+(?:\/[\w~-][\w.~-]*)*$/i.test(publicUrl.replace(/\/$/, ""))
