/** The path of the public URL, such as `/auth`, or an empty string if the service is at the root of its host (C274). */
export const publicPathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, "")

/**
 * The part of a URL that may precede the public path: the origin in an absolute URL (RFC 9112 §3.2.2), or a well-known prefix of an
 * issuer's metadata (RFC 8414 §3).
 */
const PREFIX = /^(?:https?:\/\/[^/?]*)?(?:\/\.well-known\/(?:oauth-authorization-server|openid-configuration)(?=\/))?/i

const startsWithPath = (url: string, path: string): boolean =>
  url.startsWith(path) && /^(?:[/?]|$)/.test(url.slice(path.length))

/** Removes the public path from a URL, as routes expect. A URL that does not have the path is returned unchanged. */
export const withoutPublicPath = (path: string, url: string): string => {
  if (path === "") return url
  const [before = ""] = PREFIX.exec(url) ?? []
  const rest = url.slice(before.length)
  if (!startsWithPath(rest, path)) return url
  const left = rest.slice(path.length)
  return before + (left.startsWith("/") ? left : `/${left}`)
}

/** Adds the public path to a page's links, form targets and file URLs that begin with `/`. */
export const withPublicPath = (path: string, page: string): string =>
  path === "" ? page : page.replaceAll(/( (?:href|src|action)=")(?=\/(?!\/))/g, `$1${path}`)

/** Returns whether the path of a public URL never needs escaping, because it has only letters, digits and `-`, `.`, `_`, `~`. */
export const hasPlainPath = (publicUrl: string): boolean =>
  /^https?:\/\/[^/?#]+(?:\/[\w~-][\w.~-]*)*$/i.test(publicUrl.replace(/\/$/, ""))
