import type { CliOptions } from "./Cli.ts"

/** A row of an import by its number. */
export const row = (n: number) => ({ reference: `crm-${n}`, email: `user${n}@example.test` })

/** The rows of an import, the first of so many. */
export const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index + 1))

/** Where the state of the import of `users.ndjson` is. */
export const STATE = "users.ndjson.sallyport-import.json"

/** How requests are sent. */
export type Fetch = NonNullable<CliOptions["fetch"]>

/** What was sent, and a `fetch` whose calls after the first few fare as `fate` says. */
export const faring = (first: number, fate: (send: () => Promise<Response>) => Promise<Response>) => {
  let sent = 0
  const fetch: Fetch = (...request) => {
    sent += 1
    return sent <= first ? globalThis.fetch(...request) : fate(() => globalThis.fetch(...request))
  }
  return { fetch, sent: () => sent }
}

/** Nobody listens. */
export const refusedConnection = () =>
  Promise.reject(new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNREFUSED" }) }))

/** The rows arrive, and the answer is cut off. */
export const cutAnswer = async (send: () => Promise<Response>) => {
  const response = await send()
  const text = await response.text()
  return new Response(text.slice(0, -10), { status: response.status, headers: response.headers })
}
