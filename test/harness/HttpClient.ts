import { type Agent, request } from "node:http"

/** A response and its latency. */
export interface TimedResponse {
  readonly status: number
  readonly text: string
  readonly millis: number
  /** The Retry-After header in seconds, or 0 if there is none. */
  readonly retryAfter: number
}

/** A request, with or without an API key. */
export interface RequestOptions {
  readonly agent: Agent
  readonly port: number
  readonly key?: string
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  /** The number of milliseconds without data after which the request fails, or 0 for no limit. */
  readonly timeout?: number
}

/** Sends a request. Rejects if there is no response. */
export const send = ({
  agent,
  port,
  key,
  method,
  path,
  body,
  headers = {},
  timeout = 0
}: RequestOptions): Promise<TimedResponse> =>
  new Promise((resolve, reject) => {
    const sent = performance.now()
    const text = body === undefined ? undefined : JSON.stringify(body)
    const content =
      text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }
    const asked = request(
      {
        agent,
        host: "127.0.0.1",
        port,
        method,
        path,
        timeout,
        headers: { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...content, ...headers }
      },
      (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.once("error", reject)
        response.once("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString(),
            millis: performance.now() - sent,
            retryAfter: Number(response.headers["retry-after"] ?? 0)
          })
        )
      }
    )
    asked.once("error", reject)
    asked.once("timeout", () => asked.destroy(new Error("no response in time")))
    asked.end(text)
  })
