import { browserNameOf } from "#domain/BrowserName"
import type { Texts } from "../../texts/en.ts"

/** Names the browser and the system of a `User-Agent` header, such as "Firefox on Windows". */
export const clientName = ({ security: copy }: Texts, requestClient: string | null): string => {
  const { browser, system } = browserNameOf(requestClient)
  if (browser === undefined) return system ?? copy.unknownBrowser
  return system === undefined ? browser : copy.browserOn(browser, system)
}
