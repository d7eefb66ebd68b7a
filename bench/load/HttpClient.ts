import { type Agent, request } from "node:http"

/** What a call was answered, and how long that took. */
export interface Answer {
  readonly status: number
  readonly text: string
  readonly millis: number
  /** In seconds; 0: the answer says nothing of it. */
  readonly retryAfter: number
}

/** One call, with a management key or by anybody. */
export interface Question {
  readonly agent: Agent
  readonly port: number
  readonly key?: string
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  /** After how many milliseconds of silence it counts as lost. */
  readonly timeout?: number
}

/** Makes a call; fails when there is no answer. */
export const ask = ({ agent, port, key, method, path, body, headers = {}, timeout = 0 }: Question): Promise<Answer> =>
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
    asked.once("timeout", () => asked.destroy(new Error("no answer in time")))
    asked.end(text)
  })
