import { createServer, type Server, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Layer } from "effect"
import { HttpRouter } from "effect/http"
import { errorBody } from "#api/Errors"
import { problem } from "#domain/Rejected"

const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000
}

const statusOf = (code: string | undefined): number =>
  code === "HPE_HEADER_OVERFLOW" ? 431 : code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400

/** Answers what is no HTTP request at all in our JSON too, and hangs up. */
const answerUnreadable = (error: Error & { readonly code?: string }, socket: Duplex): void => {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy()
  const status = statusOf(error.code)
  const body = JSON.stringify(errorBody([problem(null, "unreadable")]))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "x-content-type-options: nosniff",
    "connection: close"
  ]
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`)
}

const nodeServer = (): Server => createServer(limits).on("clientError", answerUnreadable)

/** Serves routes on a port; when the scope closes, requests at hand are finished first. */
export const serve = <A, E, R>(
  routes: Layer.Layer<A, E, R>,
  address: { readonly port: number; readonly host: string }
) =>
  HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provideMerge(NodeHttpServer.layer(nodeServer, { ...address, gracefulShutdownTimeout: "20 seconds" }))
  )
