import type { buildConnector, Dispatcher } from "undici"
import type { FakeProviders } from "./FakeProviders.ts"
import type { ReturnOfBrowser } from "./FakeResponses.ts"

/** The options of a request, a subset of the options of `fetch`. */
export interface FetchOptions {
  /** The method. Default: GET. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | URLSearchParams | Uint8Array<ArrayBuffer>
  /** How redirects are handled. Default: `"follow"`. */
  readonly redirect?: "follow" | "manual" | "error"
  readonly signal?: AbortSignal
}

/** A `fetch` that can reach all hosts of a service, and the fake providers. */
export type ServiceFetch = (url: string | URL, init?: FetchOptions) => Promise<Response>

/** The service's port, its public URL, and the parent domain of its connected apps. */
interface Hosts {
  readonly url: string
  readonly publicUrl: string
  readonly appsDomain: string
  readonly providers: Pick<FakeProviders, "isLoginPage" | "authorize">
}

/** The controller of a request that has already been answered. `fetch` reads its raw headers. */
const answeredWith = (headers: Readonly<Record<string, string>>): Dispatcher.DispatchController => ({
  aborted: false,
  paused: false,
  reason: null,
  rawHeaders: Object.entries(headers)
    .flat()
    .map((text) => Buffer.from(text)),
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined
})

const responseOf = (back: ReturnOfBrowser | undefined) => {
  if (back === undefined) return { status: 400, headers: {}, body: "" }
  return "location" in back
    ? { status: 302, headers: { location: back.location }, body: "" }
    : { status: 200, headers: { "content-type": "text/html" }, body: back.page }
}

/** Responds to requests for a fake provider with the provider's redirect or page, without sending them. */
const redirecting =
  ({ isLoginPage, authorize }: Hosts["providers"]): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (request, handler) => {
    const url = new URL(request.path, request.origin)
    if (!isLoginPage(url)) return dispatch(request, handler)
    const { status, headers, body } = responseOf(authorize(url))
    const answered = answeredWith(headers)
    handler.onRequestStart?.(answered, undefined)
    handler.onResponseStart?.(answered, status, headers)
    handler.onResponseData?.(answered, Buffer.from(body))
    handler.onResponseEnd?.(answered, {})
    return true
  }

/** Returns whether a host with a port belongs to the service. */
const isOwnHost = (host: string, { publicUrl, appsDomain }: Hosts): boolean =>
  host.replace(/:\d+$/, "").endsWith(`.${appsDomain}`) || host === new URL(publicUrl).host

const open = async (hosts: Hosts) => {
  // In a bundle, a CommonJS package only has its default export.
  const { Agent, buildConnector, fetch } = (await import("undici")).default
  const own = new URL(hosts.url)
  const connect = buildConnector({})
  const isOwn = ({ hostname, host, port }: buildConnector.Options) =>
    isOwnHost(host ?? `${hostname}${port === "" ? "" : `:${port}`}`, hosts)
  const agent = new Agent({
    connect: (options, callback) =>
      isOwn(options)
        ? connect({ ...options, protocol: "http:", hostname: own.hostname, host: own.host, port: own.port }, callback)
        : connect(options, callback)
  })
  const dispatcher = agent.compose(redirecting(hosts.providers))
  const send: ServiceFetch = (to, init) => fetch(to, { ...init, dispatcher })
  return { send, close: () => agent.destroy() }
}

/**
 * Creates a `fetch` that sends requests for the service's hosts to its port, regardless of DNS, with the original `Host`
 * header. Other requests are sent normally, including requests after a redirect from the service.
 */
export const serviceFetch = (hosts: Hosts) => {
  let opened: ReturnType<typeof open> | undefined
  const send: ServiceFetch = async (to, init) => (await (opened ??= open(hosts))).send(to, init)
  const isInside = (url: URL) =>
    url.origin === hosts.url || isOwnHost(url.host, hosts) || hosts.providers.isLoginPage(url)
  return { send, isInside, close: async () => (await opened)?.close() }
}
