import { hostedOperations } from "#api/hosted/V1"
import type { Api, Call, Reply } from "#testing/Api"
import { overHttp } from "#testing/Transport"
import { type Operation, everyOperation as operations } from "../support/operations.ts"

/** The input of a call: the IDs in the path, in order, the query and the body. */
export interface Sent {
  readonly ids?: ReadonlyArray<string>
  readonly query?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The host of a connected app and the URL of the service. */
export interface AppHost {
  readonly url: string
  readonly host: string
}

/** The fields of a hosted login call. `to` is the path when it differs from the template. */
interface HostedSent {
  readonly to?: string
  readonly input?: Readonly<Record<string, string>>
}

/** The status and body of a response. */
interface HostedReply {
  readonly status: number
  readonly text: string
}

const pathOf = ({ template }: Operation, ids: ReadonlyArray<string>): string => {
  const rest = [...ids]
  return template.replaceAll(/:\w+/g, () => encodeURIComponent(rest.shift() ?? ""))
}

/** The name of a hosted login operation with its method. */
const hostedName = (method: string, path: string): string => `hosted login ${method} ${path}`

/** All hosted login operations, each by POST and by GET, and the start of a social login. */
const hostedNames = [
  ...Object.values(hostedOperations).flatMap(({ path }) => [hostedName("POST", path), hostedName("GET", path)]),
  hostedName("GET", "/auth/{provider}")
]

/**
 * Calls each operation once, reports its status, and records unexpected responses and operations that were not called.
 */
export class OperationCoverage {
  readonly problems: Array<string> = []
  readonly #tell: (line: string) => void
  called = 0
  readonly #missing = new Map<string, Operation | undefined>([
    ...operations.map((operation) => [operation.name, operation] as const),
    ...hostedNames.map((name) => [name, undefined] as const)
  ])

  constructor(tell: (line: string) => void) {
    this.#tell = tell
  }

  #mark(name: string): Operation | undefined {
    if (!this.#missing.has(name)) throw new Error(`${name} is not an operation, or was already called.`)
    const operation = this.#missing.get(name)
    this.#missing.delete(name)
    this.called += 1
    return operation
  }

  #record(method: string, path: string, name: string, wanted: number, { status, text }: HostedReply): void {
    this.#tell(`${method.padEnd(6)} ${path} ${status}`)
    if (status !== wanted) this.problems.push(`${name}: ${status} where ${wanted} was due: ${text}`)
  }

  /** Calls an operation by its name in the definition (`v2.users create`) and expects a status. */
  async call(
    api: Api,
    name: string,
    status: number,
    { ids = [], query = "", body, headers = {} }: Sent = {}
  ): Promise<Reply> {
    const operation = this.#mark(name)
    if (operation === undefined) throw new Error(`${name} is not an operation of the definition.`)
    const call: Call = body === undefined ? { headers } : { body, headers }
    const reply = await api.call(operation.method, pathOf(operation, ids) + query, call)
    this.#record(operation.method, operation.template.replaceAll(/:(\w+)/g, "{$1}"), name, status, reply)
    return reply
  }

  /** Calls a hosted login operation on the host of an app and expects success. */
  async callHosted(
    at: AppHost,
    method: "POST" | "GET",
    path: string,
    status: number,
    { to = path, input = {} }: HostedSent = {}
  ): Promise<void> {
    const name = hostedName(method, path)
    this.#mark(name)
    const posted = method === "POST"
    const target = posted ? to : `${to}?${new URLSearchParams(input)}`
    const reply = await overHttp(at.url).send({
      method,
      path: target,
      headers: { host: at.host, ...(posted ? { "content-type": "application/json" } : {}) },
      body: posted ? JSON.stringify(input) : undefined
    })
    this.#record(method, path, name, status, reply)
    if (/"error":/.test(reply.text)) this.problems.push(`${name}: refused: ${reply.text}`)
  }

  /** The operations that were not called. */
  get missing(): ReadonlyArray<string> {
    return [...this.#missing.keys()]
  }
}
