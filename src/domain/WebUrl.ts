import { isForeignScheme } from "./ForeignScheme.ts"

/** The maximum length of a URL, in characters (C10a). */
export const URL_LENGTH = 2_048

// Characters that URL parsers drop or misinterpret.
const MISLEADING = /[\s\p{C}\\]/u

/**
 * Validates an absolute http or https URL. Returns undefined if it is valid. A user name or password in it would be
 * readable wherever the URL appears, and a fragment would never be sent.
 */
export const webUrlProblem = (text: string): "url_form" | "url_parts" | undefined => {
  if (MISLEADING.test(text) || !/^https?:\/\//i.test(text)) return "url_form"
  const url = URL.parse(text)
  if (url === null) return "url_form"
  return url.username === "" && url.password === "" && !text.includes("#") ? undefined : "url_parts"
}

const isLoopback = (hostname: string): boolean => {
  const name = hostname.replace(/\.$/, "")
  return name === "localhost" || name.endsWith(".localhost") || name === "[::1]" || /^127(\.\d{1,3}){3}$/.test(name)
}

/**
 * Validates the URL of a page to which browsers are sent with tokens. It must be https, since http would expose the tokens
 * to the network. Loopback hosts may use http (SEC-32).
 */
export const pageUrlProblem = (text: string): "url_form" | "url_parts" | "page_scheme" | undefined => {
  const problem = webUrlProblem(text)
  if (problem !== undefined) return problem
  const { protocol, hostname } = new URL(text)
  return protocol === "https:" || isLoopback(hostname) ? undefined : "page_scheme"
}

/** Validates a link meant for people. It may contain `{{variables}}` and a fragment. */
export const pageLinkProblem = (text: string): ReturnType<typeof pageUrlProblem> =>
  pageUrlProblem(
    text
      .replaceAll(/{{\w+}}/g, "x")
      .split("#", 1)
      .join("")
  )

/** A private-use URI scheme. It is a reversed domain name and therefore contains a dot (RFC 8252 §7.1). */
const PRIVATE_SCHEME = /^[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+:\//i

/** Validates an app's redirect URI, which is a page or has a private-use URI scheme for mobile apps. */
export const redirectUriProblem = (text: string): "redirect_form" | "url_parts" | undefined => {
  if (!PRIVATE_SCHEME.test(text)) {
    const problem = pageUrlProblem(text)
    return problem === undefined || problem === "url_parts" ? problem : "redirect_form"
  }
  return privateSchemeProblem(text, "redirect_form")
}

const privateSchemeProblem = <Code extends string>(text: string, malformed: Code): Code | "url_parts" | undefined => {
  const url = MISLEADING.test(text) ? null : URL.parse(text)
  if (url === null) return malformed
  return url.username === "" && url.password === "" && !text.includes("#") ? undefined : "url_parts"
}

/** A private-use URI scheme without a dot and the beginning of the host, as in `cursor://host/path`. */
const SHORT_SCHEME = /^([a-z][a-z\d+-]+):\/\/[^/?#]/i

/**
 * Validates the redirect URI of an app on a device. The rules are those of connected apps, except that many such apps use a
 * scheme without a dot. It is allowed unless it belongs to somebody else (C214).
 */
export const nativeUriProblem = (text: string): "program_uri_form" | "url_parts" | undefined => {
  const [, scheme] = SHORT_SCHEME.exec(text) ?? []
  if (scheme !== undefined && !isForeignScheme(scheme)) return privateSchemeProblem(text, "program_uri_form")
  const problem = redirectUriProblem(text)
  return problem === "redirect_form" ? "program_uri_form" : problem
}

const ABSOLUTE = /^[a-z][a-z\d+.-]*:\S+$/i

/** Validates the identifier of a resource server: an absolute URI without a fragment (RFC 8707 §2). */
export const resourceUriProblem = (text: string): "resource_form" | undefined =>
  MISLEADING.test(text) || !ABSOLUTE.test(text) || text.includes("#") || URL.parse(text) === null
    ? "resource_form"
    : undefined
