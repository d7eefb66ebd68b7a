import type { Fetch } from "#client/Fetch"
import { Sallyport } from "#client/Sallyport"
import { consoleHeader, readSession } from "./ConsoleSession.ts"
import { serviceUrl } from "./Place.ts"
import { renewSession } from "./Renewal.ts"

/** Where the console calls the API: by its cookie, in the place of a key. */
export const consoleApi = (): string => `${serviceUrl()}/console/api`

/** Sends a call with the console's header. One that meets an ended session waits for the next, and is sent again. */
const fetchInSession: Fetch = async (url, init) => {
  const sent = { ...init, headers: { ...init.headers, ...consoleHeader } }
  const response = await fetch(url, sent)
  if (response.status !== 401 || typeof sent.body === "object") return response
  if ((await readSession("en").catch(() => undefined)) !== undefined) return response
  await renewSession()
  return fetch(url, sent)
}

/** The SDK as the console uses it: in the language of the reader, and in one realm, if any. */
export const consoleClient = (language: string, realmId: string | undefined): Sallyport =>
  new Sallyport({
    url: consoleApi(),
    realmId,
    headers: { "Accept-Language": language },
    fetch: fetchInSession
  })
