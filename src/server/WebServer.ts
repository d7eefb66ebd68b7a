import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Clock, Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { errorBody } from "#api/Errors"
import { encodeId, next } from "#domain/Ids"
import { problem } from "#domain/Rejected"
import { securityHeadersFor } from "#http/SecurityHeaders"
import { Entropy } from "#platform/Entropy"

const settings = {
  requireHostHeader: false, // The service answers it.
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000
}

const statusOf = (code: string | undefined): number =>
  code === "HPE_HEADER_OVERFLOW" ? 431 : code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400

/**
 * Whether what is unreadable can still be answered: nothing else is being said on the connection. A second answer to one
 * request would be taken for the answer to the next.
 */
const isSilent = (response: ServerResponse | undefined): boolean =>
  response === undefined || (response.req.complete ? response.writableFinished : !response.headersSent)

/** What a server adds to what it answers by itself. */
interface Own {
  /** An id for a request that never gets as far as the service. */
  readonly requestId: () => string
  readonly securityHeaders: Readonly<Record<string, string>>
}

/** Answers what is no HTTP request at all in our JSON too, and hangs up. */
const answerUnreadable = (error: Error & { readonly code?: string }, socket: Duplex, own: Own): void => {
  const id = own.requestId()
  const status = statusOf(error.code)
  const body = JSON.stringify({ ...errorBody([problem(null, "unreadable")]), request_id: id })
  const headers = {
    ...own.securityHeaders,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-request-id": id,
    connection: "close"
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${head.join("")}\r\n${body}`)
}

/** A `;` or `#` in a path is a character like any other, though the router would end the path there. */
const literal = (url: string): string =>
  /^[^?]*[;#]/.test(url) ? url.replace(/^[^?]*/, (path) => path.replaceAll(";", "%3B").replaceAll("#", "%23")) : url

/** Takes the host from a request that names several (RFC 9112, 3.2). HTTP/1.0 needs none. */
const settleHost = (request: IncomingMessage): void => {
  const hosts = request.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host")
  if (hosts.length > 1) delete request.headers.host
  if (hosts.length === 0 && request.httpVersion === "1.0") request.headers.host = ""
}

const nodeServer = (own: Own): Server => {
  const latest = new WeakMap<Duplex, ServerResponse>()
  const server = createServer(settings)
  // A server that stops waits for connections, and those that its last answers leave open have nothing to say.
  const leave = () => server.listening || server.closeIdleConnections()
  return server
    .on("request", (request, response) => {
      latest.set(request.socket, response)
      settleHost(request)
      request.url = literal(request.url ?? "/")
      response.once("close", leave)
    })
    .on("checkExpectation", (request, response) => server.emit("request", request, response))
    .on("clientError", (error, socket) => {
      const answerable = socket.writable && !("code" in error && error.code === "ECONNRESET")
      if (answerable && isSilent(latest.get(socket))) answerUnreadable(error, socket, own)
      else socket.destroy()
    })
}

/** The longest parameter of a path, in characters: a login token (v1) may take all that the header can hold. */
const PARAMETER_LENGTH = settings.maxHeaderSize

/** Serves routes on a port; when the scope closes, requests at hand are finished first. */
export const serve = <A, E, R>(
  routes: Layer.Layer<A, E, R>,
  { publicUrl, ...address }: { readonly port: number; readonly host: string; readonly publicUrl: string }
) => {
  const routed = HttpRouter.serve(routes, {
    disableLogger: true,
    disableListenLog: true,
    routerConfig: { maxParamLength: PARAMETER_LENGTH, caseSensitive: true, ignoreDuplicateSlashes: false }
  })
  const server = Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const { bytes } = yield* Entropy
    const requestId = () => encodeId("request", next(undefined, clock.currentTimeMillisUnsafe(), bytes(10)))
    const own = { requestId, securityHeaders: securityHeadersFor(publicUrl) }
    return NodeHttpServer.layer(() => nodeServer(own), { ...address, gracefulShutdownTimeout: "20 seconds" })
  })
  return Layer.provideMerge(routed, Layer.unwrap(server).pipe(Layer.provide(Entropy.layer)))
}
