import type { Fetch } from "#client/Fetch"
import { Sallyport } from "#client/Sallyport"
import { consoleHeader, readSession } from "./ConsoleSession.ts"
import { renewSession } from "./Renewal.ts"
import { serviceUrl } from "./ServiceUrls.ts"

/** The base URL of the API for the console, authenticated by its cookie instead of a key. */
export const consoleApi = (): string => `${serviceUrl()}/console/api`

/** Sends a call with the console's header. If the session has ended, waits for a new login and sends the call again. */
const fetchInSession: Fetch = async (url, init) => {
  const sent = { ...init, headers: { ...init.headers, ...consoleHeader } }
  const response = await fetch(url, sent)
  if (response.status !== 401 || typeof sent.body === "object") return response
  if ((await readSession("en").catch(() => undefined)) !== undefined) return response
  await renewSession()
  return fetch(url, sent)
}

/** The SDK for the console: in the reader's language, bound to a realm if one is given. */
export const consoleClient = (language: string, realmId: string | undefined): Sallyport =>
  new Sallyport({
    url: consoleApi(),
    realmId,
    headers: { "Accept-Language": language },
    fetch: fetchInSession
  })
