/** Parses a URL. Undefined if it is invalid. Node 20 has no `URL.parse`. */
export const parsedUrl = (text: string, base?: string): URL | undefined =>
  URL.canParse(text, base) ? new URL(text, base) : undefined
