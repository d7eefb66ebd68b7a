/**
 * A delivery's result in one line. Of an HTML response, such as a proxy's error page, only the status and the page's title
 * are shown.
 */
export const resultLine = (result: string): string => {
  const [status = "", ...rest] = result.split("\n")
  const body = rest.join(" ").trim()
  if (!body.startsWith("<")) return `${status} ${body}`.trim()
  const [, title = ""] = /<title[^<>]*>([^<]*)/i.exec(body) ?? []
  return title.trim() === "" ? status : `${status}: ${title.trim()}`
}

/** The status of a delivery's result, without the response's body. */
export const statusLine = (result: string): string => result.split("\n", 1).join("").trim()
