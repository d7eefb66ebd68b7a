import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Clock, Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { errorBody } from "#api/Errors"
import { encodeId, nextBits } from "#domain/Ids"
import { publicPathOf, withoutPublicPath } from "#domain/PublicPath"
import { problem } from "#domain/Rejected"
import { withoutServices } from "#http/RequestServices"
import { isStreamed } from "#http/RouteTemplates"
import { securityHeadersFor } from "#http/SecurityHeaders"
import { Entropy } from "#platform/Entropy"
import { type LoginDomainOptions, LoginDomains } from "#platform/LoginDomains"
import { limitBodies, REQUEST_TIMEOUT } from "./BodyTimeouts.ts"

const settings = {
  requireHostHeader: false, // The service itself responds to requests without a Host header.
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 0, // `BodyTimeouts` ends slow bodies, except those that are streamed.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000
}

const statusOf = (code: string | undefined): number =>
  code === "HPE_HEADER_OVERFLOW" ? 431 : code === REQUEST_TIMEOUT ? 408 : 400

/**
 * Whether a response to malformed input can be sent. It can't while another response is being written: the client would
 * take the second response for the response to its next request.
 */
const canAnswer = (response: ServerResponse | undefined): boolean =>
  response === undefined || (response.req.complete ? response.writableFinished : !response.headersSent)

/** Headers, ids and times for responses that the server creates itself. */
interface ServerDefaults {
  /** Creates an id for a request that doesn't reach the service. */
  readonly requestId: () => string
  readonly securityHeaders: Readonly<Record<string, string>>
  /** The milliseconds since an arbitrary moment. */
  readonly elapsed: () => number
}

/** Responds to malformed HTTP with a JSON error, and closes the connection. */
const answerMalformed = (error: Error & { readonly code?: string }, socket: Duplex, defaults: ServerDefaults): void => {
  const id = defaults.requestId()
  const status = statusOf(error.code)
  const body = JSON.stringify({ ...errorBody([problem(null, "unreadable")]), request_id: id })
  const headers = {
    ...defaults.securityHeaders,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-request-id": id,
    connection: "close"
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${head.join("")}\r\n${body}`)
}

/** Escapes `;` and `#` in a path, where the router would otherwise end the path. */
export const escapePath = (url: string): string =>
  /^[^?]*[;#]/.test(url) ? url.replace(/^[^?]*/, (path) => path.replaceAll(";", "%3B").replaceAll("#", "%23")) : url

/** Removes the Host headers of a request that has several (RFC 9112 §3.2). HTTP/1.0 requires none and gets an empty one. */
const normalizeHost = (request: IncomingMessage): void => {
  const hosts = request.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host")
  if (hosts.length > 1) delete request.headers.host
  if (hosts.length === 0 && request.httpVersion === "1.0") request.headers.host = ""
}

/** Returns the URL of a request as routes expect it. The hosts of apps have no public path (C274). */
const routedUrl = (path: string, { url = "/", headers }: IncomingMessage, { subdomainIn }: LoginDomains["Service"]) =>
  escapePath(subdomainIn(headers.host ?? "") === undefined ? withoutPublicPath(path, url) : url)

const nodeServer = (
  defaults: ServerDefaults,
  keepsAlive: boolean,
  urlOf: (request: IncomingMessage) => string
): Server => {
  const latest = new WeakMap<Duplex, ServerResponse>()
  const server = createServer(settings)
  // Registered first, because the other listeners use the URL.
  server.on("request", (request) => {
    request.url = urlOf(request)
  })
  // A stopping server waits for its open connections, so connections that become idle are closed.
  const closeIdle = () => server.listening || server.closeIdleConnections()
  limitBodies(server, { isExempt: isStreamed, elapsed: defaults.elapsed })
  if (!keepsAlive) server.unref().on("connection", (socket) => socket.unref())
  return server
    .on("request", (request, response) => {
      latest.set(request.socket, response)
      normalizeHost(request)
      response.once("close", closeIdle)
    })
    .on("checkExpectation", (request, response) => server.emit("request", request, response))
    .on("clientError", (error, socket) => {
      const isOpen = socket.writable && !("code" in error && error.code === "ECONNRESET")
      if (isOpen && canAnswer(latest.get(socket))) answerMalformed(error, socket, defaults)
      else socket.destroy()
    })
}

/** The maximum length of a path parameter, in characters. A login token (v1) may be as long as a header. */
const PARAMETER_LENGTH = settings.maxHeaderSize

/** The effect that responds to each request with these routes. It can be used until the scope closes. */
export const handlerOf = <A, E, R>(routes: Layer.Layer<A, E, R>) =>
  HttpRouter.toHttpEffect(routes).pipe(
    Effect.provideService(HttpRouter.RouterConfig, {
      maxParamLength: PARAMETER_LENGTH,
      caseSensitive: true,
      ignoreDuplicateSlashes: false
    })
  )

/**
 * The maximum number of new connections that wait for the process to accept them; the system may allow fewer. When the
 * queue is full, the caller's system retries after 1, 3, 7, 15 and 31 seconds, so many simultaneous callers would wait
 * longer than necessary (C246).
 */
const BACKLOG = 4_096

/**
 * A server on a port, without routes. When the scope closes, it finishes requests in progress first. `keepsAlive`:
 * whether the process stays alive while the server listens (default: true).
 */
export const webServer = ({
  publicUrl,
  loginDomain,
  region,
  keepsAlive = true,
  ...address
}: LoginDomainOptions & {
  readonly port: number
  readonly host: string
  readonly keepsAlive?: boolean
}) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const { bytes } = yield* Entropy
      const requestId = () => encodeId("request", nextBits(undefined, clock.currentTimeMillisUnsafe(), bytes(10)))
      const elapsed = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
      const defaults = { requestId, securityHeaders: securityHeadersFor(publicUrl), elapsed }
      const path = publicPathOf(publicUrl)
      const domains = yield* LoginDomains
      const urlOf = (request: IncomingMessage) => routedUrl(path, request, domains)
      return NodeHttpServer.layer(() => nodeServer(defaults, keepsAlive, urlOf), {
        ...address,
        backlog: BACKLOG,
        gracefulShutdownTimeout: "20 seconds"
      })
    })
  ).pipe(Layer.provide([Entropy.layer, LoginDomains.layer({ publicUrl, loginDomain, region })]))

/** Serves routes on a port. */
export const serve = <A, E, R>(routes: Layer.Layer<A, E, R>, address: Parameters<typeof webServer>[0]) =>
  Layer.effectDiscard(
    Effect.flatMap(handlerOf(routes), (handler) => withoutServices(HttpServer.serveEffect(handler)))
  ).pipe(Layer.provideMerge(webServer(address)))
