import { setImmediate } from "node:timers/promises"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { Context, Effect, Option, type Scope } from "effect"
import { Cookies, HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Agent } from "undici"
import { escapePath } from "#server/WebServer"

/** A request to a service. `path` starts with a slash and can include a query. */
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

/** The text of a body, decompressed if necessary. */
const textOf = (headers: Headers, bytes: Uint8Array): string => {
  const encoding = headers.get("content-encoding")
  const unpacked = encoding === "gzip" ? gunzipSync(bytes) : encoding === "br" ? brotliDecompressSync(bytes) : bytes
  return Buffer.from(unpacked.buffer, unpacked.byteOffset, unpacked.byteLength).toString()
}

/** Sends requests to a service. */
export interface Transport {
  /** The URL of the service, without a trailing slash. */
  readonly url: string
  send(request: Request): Promise<Response>
}

const open = async (): Promise<Agent> => new (await import("undici")).default.Agent()

/** Created by the first request, because the library is slow to load. */
let connections: Promise<Agent> | undefined

/** Sends requests over keep-alive connections. It does not use `fetch`, which takes longer than most responses. */
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

/** The client address of requests within the process. */
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

/** Converts a response. If its bytes are available, they are used directly, because creating a web response is slower. */
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
 * Passes requests to the handler of a service in this process, without a socket. Use `overHttp` for tests that require a
 * socket: a GET with a body, malformed HTTP, or a lost connection.
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
      // Lets other work run between consecutive calls, as with a real connection.
      await setImmediate()
      const response = await new Promise<HttpServerResponse.HttpServerResponse>((resolve) => {
        waiting.set(source, resolve)
        // Passes on the path exactly as the server would. Web requests normalize it.
        const request = HttpServerRequest.fromWeb(source).modify({ url: escapePath(path), remoteAddress: PEER })
        Effect.runForkWith(Context.add(context, HttpServerRequest.HttpServerRequest, request))(handled)
      })
      return method === "HEAD" ? throughWeb(response, context, true) : answerOf(response, context)
    }
  }
}

/** Returns the transport for a URL. A transport is returned as is. */
export const transportTo = (to: string | Transport): Transport => (typeof to === "string" ? overHttp(to) : to)
