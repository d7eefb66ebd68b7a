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
