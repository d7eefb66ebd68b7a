import { browserNameOf } from "#domain/BrowserName"

/** Shortens a User-Agent: "Safari · macOS" for browsers, or the first word for other programs. */
export const browserOf = (client: string): string => {
  const { browser, system } = browserNameOf(client)
  const known = [browser, system].filter((one) => one !== undefined)
  return known.length > 0 ? known.join(" · ") : client
}
