import type { CliOptions } from "./Cli.ts"

/** The nth row of an import. */
export const row = (n: number) => ({ reference: `crm-${n}`, email: `user${n}@example.test` })

/** The first rows of an import. */
export const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index + 1))

/** The progress file of an import of `users.ndjson`. */
export const STATE = "users.ndjson.sallyport-import.json"

/** The type of a command's `fetch`. */
export type Fetch = NonNullable<CliOptions["fetch"]>

/** A `fetch` that sends the first requests and hands later ones to `fate`, and the number of requests sent. */
export const fetchThatFails = (first: number, fate: (send: () => Promise<Response>) => Promise<Response>) => {
  let sent = 0
  const fetch: Fetch = (...request) => {
    sent += 1
    return sent <= first ? globalThis.fetch(...request) : fate(() => globalThis.fetch(...request))
  }
  return { fetch, sent: () => sent }
}

/** Fails like a request to a port on which nothing listens. */
export const refusedConnection = () =>
  Promise.reject(new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNREFUSED" }) }))

/** Sends the rows, but truncates the response. */
export const truncatedResponse = async (send: () => Promise<Response>) => {
  const response = await send()
  const text = await response.text()
  return new Response(text.slice(0, -10), { status: response.status, headers: response.headers })
}
