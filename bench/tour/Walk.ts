import type { Api, Call, Reply } from "../../src/testing/Api.ts"
import { type Operation, operations } from "../../test/support/operations.ts"

/** What a visit sends beside method and path: the ids in the path, in their order, the query and the body. */
export interface Sent {
  readonly ids?: ReadonlyArray<string>
  readonly query?: string
  readonly body?: unknown
}

const pathOf = ({ template }: Operation, ids: ReadonlyArray<string>): string => {
  const rest = [...ids]
  return template.replaceAll(/:\w+/g, () => encodeURIComponent(rest.shift() ?? ""))
}

/** Goes from operation to operation, prints what each answered, and knows what was not as it should be. */
export class Walk {
  readonly problems: Array<string> = []
  visited = 0
  readonly #left = new Map(operations.map((operation) => [operation.name, operation]))

  /** Calls an operation by its name in the definition (`v2.users create`), once, and demands a status. */
  async visit(api: Api, name: string, status: number, { ids = [], query = "", body }: Sent = {}): Promise<Reply> {
    const operation = this.#left.get(name)
    if (operation === undefined) throw new Error(`${name} is no operation of the definition, or was visited before.`)
    this.#left.delete(name)
    this.visited += 1
    const call: Call = body === undefined ? {} : { body }
    const reply = await api.call(operation.method, pathOf(operation, ids) + query, call)
    const path = operation.template.replaceAll(/:(\w+)/g, "{$1}")
    console.log(`${operation.method.padEnd(6)} ${path} ${reply.status}`)
    if (reply.status !== status) this.problems.push(`${name}: ${reply.status} where ${status} was due: ${reply.text}`)
    return reply
  }

  /** The operations where nobody has been. */
  get left(): ReadonlyArray<string> {
    return [...this.#left.keys()]
  }
}
