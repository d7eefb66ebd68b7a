import { hostedOperations } from "#api/hosted/V1"
import type { Api, Call, Reply } from "#testing/Api"
import { exchange } from "#testing/Exchange"
import { type Operation, operations } from "../support/operations.ts"

/** What a visit sends beside method and path: the ids in the path, in their order, the query and the body. */
export interface Sent {
  readonly ids?: ReadonlyArray<string>
  readonly query?: string
  readonly body?: unknown
}

/** The host of a connected app, at the service that is there. */
export interface AppHost {
  readonly url: string
  readonly host: string
}

/** What a visit on an app's host sends: the fields, and where to, if that is not the path itself. */
interface HostedSent {
  readonly to?: string
  readonly input?: Readonly<Record<string, string>>
}

/** What was answered. */
interface Told {
  readonly status: number
  readonly text: string
}

const pathOf = ({ template }: Operation, ids: ReadonlyArray<string>): string => {
  const rest = [...ids]
  return template.replaceAll(/:\w+/g, () => encodeURIComponent(rest.shift() ?? ""))
}

/** The name of an operation of hosted login, sent by a method. */
const hostedName = (method: string, path: string): string => `hosted login ${method} ${path}`

/** All of them: each by POST and by GET, and the links for logins at providers elsewhere. */
const hostedNames = [
  ...Object.values(hostedOperations).flatMap(({ path }) => [hostedName("POST", path), hostedName("GET", path)]),
  hostedName("GET", "/auth/{provider}")
]

/** Goes from operation to operation, prints what each answered, and knows what was not as it should be. */
export class Walk {
  readonly problems: Array<string> = []
  visited = 0
  readonly #left = new Map<string, Operation | undefined>([
    ...operations.map((operation) => [operation.name, operation] as const),
    ...hostedNames.map((name) => [name, undefined] as const)
  ])

  #arrived(name: string): Operation | undefined {
    if (!this.#left.has(name)) throw new Error(`${name} is no operation, or was visited before.`)
    const operation = this.#left.get(name)
    this.#left.delete(name)
    this.visited += 1
    return operation
  }

  #told(method: string, path: string, name: string, wanted: number, { status, text }: Told): void {
    console.log(`${method.padEnd(6)} ${path} ${status}`)
    if (status !== wanted) this.problems.push(`${name}: ${status} where ${wanted} was due: ${text}`)
  }

  /** Calls an operation by its name in the definition (`v2.users create`), once, and demands a status. */
  async visit(api: Api, name: string, status: number, { ids = [], query = "", body }: Sent = {}): Promise<Reply> {
    const operation = this.#arrived(name)
    if (operation === undefined) throw new Error(`${name} is no operation of the definition.`)
    const call: Call = body === undefined ? {} : { body }
    const reply = await api.call(operation.method, pathOf(operation, ids) + query, call)
    this.#told(operation.method, operation.template.replaceAll(/:(\w+)/g, "{$1}"), name, status, reply)
    return reply
  }

  /** Calls an operation of hosted login on an app's host, once, and demands that all went well. */
  async visitHosted(
    at: AppHost,
    method: "POST" | "GET",
    path: string,
    status: number,
    { to = path, input = {} }: HostedSent = {}
  ): Promise<void> {
    const name = hostedName(method, path)
    this.#arrived(name)
    const posted = method === "POST"
    const target = posted ? to : `${to}?${new URLSearchParams(input)}`
    const reply = await exchange(at.url + target, {
      method,
      headers: { host: at.host, ...(posted ? { "content-type": "application/json" } : {}) },
      body: posted ? JSON.stringify(input) : undefined
    })
    this.#told(method, path, name, status, reply)
    if (/"error":/.test(reply.text)) this.problems.push(`${name}: refused: ${reply.text}`)
  }

  /** The operations where nobody has been. */
  get left(): ReadonlyArray<string> {
    return [...this.#left.keys()]
  }
}
