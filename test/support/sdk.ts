import type { Fetch } from "#client/Fetch"
import type { SallyportOptions } from "#client/Options"
import { Sallyport } from "#client/Sallyport"
import type { GivenRealm } from "#testing/Given"
import type { Transport } from "#testing/Transport"
import { service } from "./sallyport.ts"

const contentOf = async (body: string | ReadableStream<Uint8Array> | undefined): Promise<string | undefined> =>
  body === undefined || typeof body === "string" ? body : new Response(body).text()

/** A `fetch` that reaches a service within this process, at any of its hosts. */
export const fetchWithin =
  (transport: Transport): Fetch =>
  async (to, { method, headers, body }) => {
    const url = new URL(to)
    const sent = { method, path: url.pathname + url.search, headers: { ...headers, host: url.host } }
    const answer = await transport.send({ ...sent, body: await contentOf(body) })
    return new Response(answer.text === "" ? null : answer.text, answer)
  }

/** The options of a client of the worker's service with the root key. */
export const rootOptions = async () => {
  const { url, key, transport } = await service()
  return { url, key, fetch: fetchWithin(transport) } satisfies SallyportOptions
}

/** Creates a realm, and a client for that realm which uses the root key of the worker's service. */
export const inNewRealm = async (
  settings: Readonly<Record<string, unknown>> = {},
  options: Partial<SallyportOptions> = {}
): Promise<{ readonly sallyport: Sallyport; readonly realm: GivenRealm }> => {
  const realm = await (await service()).given.realm(settings)
  return { sallyport: new Sallyport({ ...(await rootOptions()), realmId: realm.id, ...options }), realm }
}
