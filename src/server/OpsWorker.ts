import { createServer, type ServerResponse } from "node:http"
import { parentPort, workerData } from "node:worker_threads"

/** The address where the thread listens. `isShared`: whether the threads of other processes listen there, too. */
export interface OpsAddress {
  readonly host: string
  readonly port: number
  readonly isShared: boolean
}

/** A request for the main thread to respond to. */
export interface OpsRequest {
  readonly id: number
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly peer: string | undefined
}

/** The main thread's response. */
export interface OpsResponse {
  readonly id: number
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** A message from the thread. */
export type OpsMessage =
  | { readonly _tag: "Listening"; readonly port: number }
  | { readonly _tag: "Failed"; readonly code: string | undefined; readonly port: number; readonly message: string }
  | { readonly _tag: "Request"; readonly request: OpsRequest }

/** A message to the thread: a response, or undefined to stop the thread. */
export type OpsCommand = { readonly response: OpsResponse | undefined }

/**
 * The time limit for the main thread's response. It takes two seconds to notice an unresponsive database, or almost
 * three with workers.
 */
const PATIENCE_MILLIS = 5_000

/** The maximum number of requests that wait for the main thread. */
const MAX_WAITING = 200

const silent = `${JSON.stringify({ status: "not answering" })}\n`

const post = (message: OpsMessage) => parentPort?.postMessage(message)

const waiting = new Map<number, (response: OpsResponse) => void>()
let count = 0

const refuse = (response: ServerResponse) =>
  response
    .writeHead(503, { "content-type": "application/json", "cache-control": "no-store", "retry-after": "1" })
    .end(silent)

/**
 * The thread of the operators' port (C268). It accepts connections itself, so they don't queue behind connections to
 * the main port. The main thread produces the responses, so a response proves that the main thread is running. If it
 * isn't, the thread returns 503.
 */
const server = createServer(
  { requireHostHeader: false, headersTimeout: 10_000, requestTimeout: 10_000, keepAliveTimeout: 65_000 },
  (request, response) => {
    const { method = "GET", url: path = "/" } = request
    // The web platform's `Request` doesn't allow these methods.
    if (method === "TRACE" || method === "TRACK") return response.writeHead(405, { allow: "GET, HEAD" }).end()
    if (waiting.size >= MAX_WAITING) return refuse(response)
    const id = (count += 1)
    const finish = () => {
      clearTimeout(timeout)
      waiting.delete(id)
      if (!server.listening) server.closeIdleConnections()
    }
    const timeout = setTimeout(() => refuse(response), PATIENCE_MILLIS)
    waiting.set(id, ({ status, headers, text }) =>
      response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(text) }).end(text)
    )
    response.once("close", finish)
    const headers = Object.entries(request.headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")])
    const peer = request.socket.remoteAddress
    post({ _tag: "Request", request: { id, method, path, headers: Object.fromEntries(headers), peer } })
    request.resume()
  }
)

server.once("error", (error: NodeJS.ErrnoException) => {
  post({ _tag: "Failed", code: error.code, port: address.port, message: error.message })
  parentPort?.close()
})

parentPort?.on("message", ({ response }: OpsCommand) => {
  if (response !== undefined) return waiting.get(response.id)?.(response)
  server.close(() => parentPort?.close())
  server.closeIdleConnections()
})

const address: OpsAddress = workerData
server.listen({ host: address.host, port: address.port, reusePort: address.isShared }, () => {
  const bound = server.address()
  post({ _tag: "Listening", port: bound === null || typeof bound === "string" ? address.port : bound.port })
})
