/** The longest URL, in characters (decision 10a). */
export const URL_LENGTH = 2_048

// What a parser would drop, or read as something else.
const MISLEADING = /[\s\p{C}\\]/u

/**
 * What is wrong with the address of a page or an endpoint; undefined for an absolute http or https URL. User and password
 * would be readable wherever the URL is, and a fragment gets lost on the way.
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
 * What is wrong with a page that browsers are sent to, tokens in hand: plain http would show them to the network, but for
 * the machine that the browser is on (SEC-32).
 */
export const pageUrlProblem = (text: string): "url_form" | "url_parts" | "target_scheme" | undefined => {
  const problem = webUrlProblem(text)
  if (problem !== undefined) return problem
  const { protocol, hostname } = new URL(text)
  return protocol === "https:" || isLoopback(hostname) ? undefined : "target_scheme"
}

/** The same of a link that people follow: `{{variables}}` may stand in it, and a fragment. */
export const pageLinkProblem = (text: string): ReturnType<typeof pageUrlProblem> =>
  pageUrlProblem(
    text
      .replaceAll(/{{\w+}}/g, "x")
      .split("#", 1)
      .join("")
  )

/** A scheme of an app's own: a domain name backwards, so with a dot in it (RFC 8252, section 7.1). */
const OWN_SCHEME = /^[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+:\//i

/** What is wrong with a URL that an app may be sent back to: a page, or a scheme of its own on a phone. */
export const redirectUriProblem = (text: string): "redirect_form" | "url_parts" | undefined => {
  if (!OWN_SCHEME.test(text)) {
    const problem = pageUrlProblem(text)
    return problem === undefined || problem === "url_parts" ? problem : "redirect_form"
  }
  const url = MISLEADING.test(text) ? null : URL.parse(text)
  if (url === null) return "redirect_form"
  return url.username === "" && url.password === "" && !text.includes("#") ? undefined : "url_parts"
}
