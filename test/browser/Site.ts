import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"

/** A request received by a site. */
export interface ReceivedRequest {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A site outside the service: an app's or an attacker's. */
export interface Site {
  readonly origin: string
  /** The requests received, oldest first, except those browsers send on their own. */
  readonly received: ReadonlyArray<ReceivedRequest>
  /** Serves this HTML at a path. */
  serve(path: string, html: string): void
  /** Redirects from a path to this URL. */
  redirect(path: string, to: string): void
}

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === "object" && address !== null ? address.port : 0

/** A free port. */
export const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const port = portOf(server.address())
  await new Promise((resolve) => server.close(resolve))
  return port
}

const plain = (host: string): string =>
  `<!doctype html><title>${host}</title><h1>${host}</h1><script>document.write("Scripts run here.")</script>`

/** Runs a site on its own host until `use` is done. By default it shows its host name. */
export const withSite = async <A>(host: string, use: (site: Site) => Promise<A>): Promise<A> => {
  const received: Array<ReceivedRequest> = []
  const pages = new Map<string, string>()
  const redirect = new Map<string, string>()
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request.setEncoding("utf8")) body += chunk
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`)
    if (url.pathname !== "/favicon.ico") {
      received.push({ method: request.method ?? "", url, headers: request.headers, body })
    }
    const to = redirect.get(url.pathname)
    if (to !== undefined) response.writeHead(303, { location: to })
    else response.setHeader("content-type", "text/html; charset=utf-8")
    response.end(to === undefined ? (pages.get(url.pathname) ?? plain(host)) : "")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  try {
    const origin = `http://${host}:${portOf(server.address())}`
    return await use({
      origin,
      received,
      serve: (path, html) => void pages.set(path, html),
      redirect: (path, to) => void redirect.set(path, to)
    })
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
