/** Returns the quality of a media type in an `Accept` header, or 0 if the header does not name it. */
const qualityOf = (header: string, type: string): number => {
  for (const part of header.slice(0, 1_000).toLowerCase().split(",")) {
    const [name, ...params] = part.split(";").map((text) => text.trim())
    if (name === type) return Number(params.find((param) => param.startsWith("q="))?.slice(2) ?? 1)
  }
  return 0
}

/** Returns whether a caller prefers a page to JSON. Only browsers list `text/html`. */
export const wantsPage = (accept: string | undefined): boolean => {
  const quality = qualityOf(accept ?? "", "text/html")
  return quality > 0 && quality >= qualityOf(accept ?? "", "application/json")
}
