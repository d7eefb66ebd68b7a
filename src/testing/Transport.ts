import { setImmediate } from "node:timers/promises"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { Context, Effect, Option, type Scope } from "effect"
import { Cookies, HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Agent } from "undici"
import { escapePath } from "#server/WebServer"

/** A request to a service. `path` starts with a slash and may end with a query. */
export interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined
}

/** The response to a request. */
export interface Response {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** The text of a body, unpacked where it was sent packed. */
const textOf = (headers: Headers, bytes: Uint8Array): string => {
  const encoding = headers.get("content-encoding")
  const unpacked = encoding === "gzip" ? gunzipSync(bytes) : encoding === "br" ? brotliDecompressSync(bytes) : bytes
  return Buffer.from(unpacked.buffer, unpacked.byteOffset, unpacked.byteLength).toString()
}

/** How requests reach a service. */
export interface Transport {
  /** The address of the service, without a slash at its end. */
  readonly url: string
  send(request: Request): Promise<Response>
}

const open = async (): Promise<Agent> => new (await import("undici")).default.Agent()

/** Opened by the first request, as its library takes a while to load. */
let connections: Promise<Agent> | undefined

/** Sends requests over connections, which are kept. It does not use `fetch`, which takes longer than most responses. */
export const overHttp = (url: string): Transport => ({
  url,
  send: async ({ method, path, headers, body }) => {
    const agent = await (connections ??= open())
    return new Promise((resolve, reject) => {
      const chunks: Array<Buffer> = []
      const answer = { status: 0, headers: new Headers() }
      agent.dispatch(
        { origin: url, path, method, headers, body: body ?? null },
        {
          onRequestStart: () => undefined,
          onResponseStart: (_, status, fields) => {
            answer.status = status
            for (const [name, value = []] of Object.entries(fields)) {
              for (const one of [value].flat()) answer.headers.append(name, one)
            }
          },
          onResponseData: (_, chunk) => {
            chunks.push(chunk)
          },
          onResponseEnd: () => resolve({ ...answer, text: textOf(answer.headers, Buffer.concat(chunks)) }),
          onResponseError: (_, error) => reject(error)
        }
      )
    })
  }
})

/** The address that requests within the process seem to come from. */
const PEER = Option.some("127.0.0.1")

const throughWeb = async (
  response: HttpServerResponse.HttpServerResponse,
  context: Context.Context<never>,
  withoutBody = false
): Promise<Response> => {
  const answer = HttpServerResponse.toWeb(response, { withoutBody, context })
  const { status, headers } = answer
  return { status, headers, text: textOf(headers, new Uint8Array(await answer.arrayBuffer())) }
}

/** Reads a response. One that has its bytes is read from those: a web response of them takes longer than what made them. */
const answerOf = (
  response: HttpServerResponse.HttpServerResponse,
  context: Context.Context<never>
): Response | Promise<Response> => {
  const { body, status, cookies } = response
  if (body._tag !== "Uint8Array" || [204, 205, 304].includes(status)) return throughWeb(response, context)
  const headers = new Headers(response.headers)
  for (const cookie of Cookies.toSetCookieHeaders(cookies)) headers.append("set-cookie", cookie)
  return { status, headers, text: textOf(headers, body.body) }
}

/**
 * Hands requests to the handler of a service in this process, without a socket. What only a socket can carry (a body with
 * GET, malformed HTTP, a lost connection) takes `overHttp`.
 */
export const inProcess = <E, R>(
  url: string,
  handler: Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    E,
    R | HttpServerRequest.HttpServerRequest | Scope.Scope
  >,
  context: Context.Context<R>
): Transport => {
  const { host } = new URL(url)
  const waiting = new WeakMap<object, (response: HttpServerResponse.HttpServerResponse) => void>()
  const handled = HttpEffect.toHandled(handler, (request, response) =>
    Effect.sync(() => waiting.get(request.source)?.(response))
  )
  return {
    url,
    send: async ({ method, path, headers, body }) => {
      const bytes = body === undefined ? undefined : Buffer.from(body)
      const source = new globalThis.Request(url + path, {
        method,
        headers: { host, ...(bytes === undefined ? {} : { "content-length": String(bytes.length) }), ...headers },
        ...(bytes === undefined ? {} : { body: bytes })
      })
      // As over a connection, other work gets its turn between two calls of who calls in a loop.
      await setImmediate()
      const response = await new Promise<HttpServerResponse.HttpServerResponse>((resolve) => {
        waiting.set(source, resolve)
        // The path as the server hands it on: a web request holds it normalized.
        const request = HttpServerRequest.fromWeb(source).modify({ url: escapePath(path), remoteAddress: PEER })
        Effect.runForkWith(Context.add(context, HttpServerRequest.HttpServerRequest, request))(handled)
      })
      return method === "HEAD" ? throughWeb(response, context, true) : answerOf(response, context)
    }
  }
}

/** The transport to an address, or the one that is given. */
export const transportTo = (to: string | Transport): Transport => (typeof to === "string" ? overHttp(to) : to)
