import { Agent, buildConnector, fetch, type RequestInit, type Response } from "undici"

/** `fetch`, which reaches all hosts of a service. */
export type ServiceFetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** Where a service listens, its public URL, and the domain whose hosts are those of its connected apps. */
interface Hosts {
  readonly url: string
  readonly publicUrl: string
  readonly appsDomain: string
}

/**
 * Makes a `fetch` that sends what is for a host of the service to its port, whatever the host's name resolves to, and keeps
 * the name as the header `Host`. Other requests go where they say, also when the service redirects to them.
 */
export const serviceFetch = ({ url, publicUrl, appsDomain }: Hosts) => {
  const own = new URL(url)
  const { hostname: publicHostname, host: publicHost } = new URL(publicUrl)
  const connect = buildConnector({})
  const isOwn = ({ hostname, host, port }: buildConnector.Options) =>
    hostname.endsWith(`.${appsDomain}`) ||
    (hostname === publicHostname && (host ?? `${hostname}${port === "" ? "" : `:${port}`}`) === publicHost)
  const agent = new Agent({
    connect: (options, callback) =>
      isOwn(options)
        ? connect({ ...options, protocol: "http:", hostname: own.hostname, host: own.host, port: own.port }, callback)
        : connect(options, callback)
  })
  const send: ServiceFetch = (to, init) => fetch(to, { ...init, dispatcher: agent })
  return { send, close: () => agent.destroy() }
}
