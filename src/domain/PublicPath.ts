/** The path of a public URL, such as `/auth`; empty where the service is at the root of its host (C274). */
export const publicPathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, "")

/**
 * What may stand before the path: the origin of an absolute URL (RFC 9112 §3.2.2), and the names of the documents that are at the root
 * of an issuer's host (RFC 8414 §3).
 */
const BEFORE = /^(?:https?:\/\/[^/?]*)?(?:\/\.well-known\/(?:oauth-authorization-server|openid-configuration)(?=\/))?/i

const startsWithPath = (url: string, path: string): boolean =>
  url.startsWith(path) && /^(?:[/?]|$)/.test(url.slice(path.length))

/** A URL as routes know it: without the path of the public URL. One that has no such path stays as it is. */
export const withoutPublicPath = (path: string, url: string): string => {
  if (path === "") return url
  const [before = ""] = BEFORE.exec(url) ?? []
  const rest = url.slice(before.length)
  if (!startsWithPath(rest, path)) return url
  const left = rest.slice(path.length)
  return before + (left.startsWith("/") ? left : `/${left}`)
}

/** A page of our own in which links, forms and files that begin with `/` are below the path of the public URL. */
export const withPublicPath = (path: string, page: string): string =>
  path === "" ? page : page.replaceAll(/( (?:href|src|action)=")(?=\/(?!\/))/g, `$1${path}`)

/** Whether the path of a public URL stays as it is wherever it is written: letters, digits and `-`, `.`, `_`, `~`. */
export const hasPlainPath = (publicUrl: string): boolean =>
  /^https?:\/\/[^/?#]+(?:\/[\w~-][\w.~-]*)*$/i.test(publicUrl.replace(/\/$/, ""))
