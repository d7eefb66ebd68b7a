import type { Transport } from "#testing/Transport"

/** Statuses whose responses have no body. */
const EMPTY: ReadonlySet<number> = new Set([101, 204, 205, 304])

/**
 * A `fetch` for third-party clients that sends every request to the service behind this transport, whatever the host.
 */
export const peerFetch =
  (transport: Transport) =>
  async (address: string | URL, init: RequestInit = {}): Promise<Response> => {
    const request = new Request(address, init)
    const [{ pathname, search, host }, sent] = [new URL(request.url), await request.text()]
    const { status, headers, text } = await transport.send({
      method: request.method,
      path: pathname + search,
      headers: { ...Object.fromEntries(request.headers), host },
      body: sent === "" ? undefined : sent
    })
    headers.delete("content-encoding")
    headers.delete("content-length")
    return new Response(EMPTY.has(status) ? null : text, { status, headers })
  }
