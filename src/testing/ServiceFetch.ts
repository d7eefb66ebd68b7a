import type { buildConnector } from "undici"

/** What a request to a service may have: what `fetch` takes, but forms as `URLSearchParams` only. */
export interface ServiceRequest extends Omit<RequestInit, "body" | "dispatcher"> {
  readonly body?: string | Uint8Array | URLSearchParams | null
}

/** `fetch`, which reaches all hosts of a service. */
export type ServiceFetch = (url: string | URL, init?: ServiceRequest) => Promise<Response>

/** Where a service listens, its public URL, and the domain whose hosts are those of its connected apps. */
interface Hosts {
  readonly url: string
  readonly publicUrl: string
  readonly appsDomain: string
}

/**
 * Makes a `fetch` that sends what is for a host of the service to its port, whatever the host's name resolves to, and keeps
 * the name as the header `Host`. Other requests go where they say, also when the service redirects to them. Its library is
 * loaded by the first request.
 */
export const serviceFetch = ({ url, publicUrl, appsDomain }: Hosts) => {
  const own = new URL(url)
  const { hostname: publicHostname, host: publicHost } = new URL(publicUrl)
  const isOwn = ({ hostname, host, port }: buildConnector.Options) =>
    hostname.endsWith(`.${appsDomain}`) ||
    (hostname === publicHostname && (host ?? `${hostname}${port === "" ? "" : `:${port}`}`) === publicHost)
  const open = async () => {
    const { Agent, buildConnector, fetch } = (await import("undici")).default
    const connect = buildConnector({})
    const dispatcher = new Agent({
      connect: (options, callback) =>
        isOwn(options)
          ? connect({ ...options, protocol: "http:", hostname: own.hostname, host: own.host, port: own.port }, callback)
          : connect(options, callback)
    })
    return { fetch, dispatcher }
  }
  let opened: ReturnType<typeof open> | undefined
  const send: ServiceFetch = async (to, init) => {
    const { fetch, dispatcher } = await (opened ??= open())
    return fetch(to, { ...init, headers: [...new Headers(init?.headers)], dispatcher })
  }
  return { send, close: async () => (await opened)?.dispatcher.destroy() }
}
