import { Agent } from "undici"

/** A request, beside its address. */
export interface Request {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** What was answered. */
export interface Response {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const connections = new Agent()

/** One request and its answer. Not by `fetch`: that costs more time than most answers of the service. */
export const exchange = (url: string, { method, headers, body }: Request): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { origin, pathname, search } = new URL(url)
    const chunks: Array<Buffer> = []
    const answer = { status: 0, headers: new Headers() }
    connections.dispatch(
      { origin, path: pathname + search, method, headers, body: body ?? null },
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
        onResponseEnd: () => resolve({ ...answer, text: Buffer.concat(chunks).toString() }),
        onResponseError: (_, error) => reject(error)
      }
    )
  })
