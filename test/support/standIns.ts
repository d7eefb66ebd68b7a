import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A request that a stand-in provider has received. */
export interface ReceivedRequest {
  readonly method: string
  /** The path without the provider's prefix, but with the query. */
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
  /** The fields of a form. */
  readonly form: Readonly<Record<string, string>>
}

/** A response that is not just JSON. */
export class RawResponse {
  readonly status: number
  readonly body: string | Uint8Array
  readonly headers: Readonly<Record<string, string>>
  constructor(status: number, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** No response at all. */
export const NO_RESPONSE = Symbol("silence")

/** A response: JSON, a raw response, or a function of the request, synchronous or not. */
export type ScriptedResponse = unknown | ((got: ReceivedRequest) => unknown)

/** A stand-in for a provider. */
export interface StandIn {
  /** The base URL of its endpoints: `${url}/token` and so on. */
  readonly url: string
  /** The requests received, oldest first. */
  readonly got: ReadonlyArray<ReceivedRequest>
  /** The requests received at an endpoint. */
  readonly at: (endpoint: string) => ReadonlyArray<ReceivedRequest>
  /** Sets the responses of endpoints from now on. */
  readonly answers: (endpoints: Readonly<Record<string, ScriptedResponse>>) => void
}

interface Standing {
  readonly got: Array<ReceivedRequest>
  endpoints: Readonly<Record<string, ScriptedResponse>>
}

const standing = new Map<string, Standing>()

const respond = (response: ServerResponse, answer: unknown) => {
  if (answer === NO_RESPONSE) return
  const { status, body, headers } =
    answer instanceof RawResponse ? answer : new RawResponse(200, JSON.stringify(answer))
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(body)
}

const listening = async (): Promise<string> => {
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const [, name = "", rest = ""] = /^\/([^/]+)\/(.*)$/.exec(request.url ?? "") ?? []
      const here = standing.get(name)
      if (here === undefined) return respond(response, new RawResponse(404, "{}"))
      const body = Buffer.concat(chunks).toString()
      const form = Object.fromEntries(new URLSearchParams(body))
      const got = { method: request.method ?? "", path: rest, headers: request.headers, body, form }
      here.got.push(got)
      const answering = here.endpoints[rest.replace(/\?.*/, "")]
      if (answering === undefined) return respond(response, new RawResponse(404, "{}"))
      const answer = typeof answering === "function" ? answering(got) : answering
      void Promise.resolve(answer).then((settled) => respond(response, settled))
    })
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

let started: Promise<string> | undefined

/** The URL of all stand-ins of the worker. */
export const standInsUrl = (): Promise<string> => (started ??= listening())

/** A stand-in with this name. It replaces any earlier one. */
export const standInNamed = async (
  name: string,
  endpoints: Readonly<Record<string, ScriptedResponse>>
): Promise<StandIn> => {
  const here: Standing = { got: [], endpoints }
  standing.set(name, here)
  return {
    url: `${await standInsUrl()}/${name}`,
    got: here.got,
    at: (endpoint) => here.got.filter(({ path }) => path.replace(/\?.*/, "") === endpoint),
    answers: (more) => {
      here.endpoints = { ...here.endpoints, ...more }
    }
  }
}

let count = 0

/** A stand-in with a new name. */
export const newStandIn = (endpoints: Readonly<Record<string, ScriptedResponse>>): Promise<StandIn> =>
  standInNamed(`double-${++count}`, endpoints)
