import { Agent } from "node:http"
import { send, type TimedResponse } from "../../test/harness/HttpClient.ts"
import { SeededRandom } from "../../test/harness/SeededRandom.ts"
import { type Change, ExpectedState, eventsOf, requestOf } from "./Changes.ts"
import type { Ledger } from "./Ledger.ts"
import type { Progress } from "./Progress.ts"

/** Counts of the writers' observations. */
export interface WriterStats {
  acknowledged: number
  /** The number of retries, by the outcome of the previous attempt: a status, or a lost connection. */
  readonly retried: Map<string, number>
  /** The number of changes that needed more than one attempt. */
  repeated: number
  /** Unexpected responses. */
  readonly wrong: Array<string>
  /** Responses of 503 without Retry-After. */
  missingRetryAfter: number
  /** The duration of the slowest request, in milliseconds. */
  slowest: number
}

/** The nodes and the API key that the writers use. */
export interface WriterOptions {
  readonly seed: number
  readonly ports: ReadonlyArray<number>
  readonly key: string
  /** The users that only this writer changes, for each writer. */
  readonly users: ReadonlyArray<ReadonlyArray<string>>
}

/** The time without a response after which a request is retried, in milliseconds. */
const PATIENCE = 20_000

/** The maximum number of attempts for a change, and the pause between two attempts in milliseconds. */
const TRIES = 400
const PAUSE = 100

const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** Picks the next change to the orgs of a writer. Small changes are the most frequent. */
const nextChange = (
  expected: ExpectedState,
  random: SeededRandom,
  users: ReadonlyArray<string>,
  name: string
): Change => {
  const make: Change = {
    kind: "create org",
    name,
    userIds: users.filter(() => random.next() < 1 / users.length)
  }
  const orgId = random.pick([...expected.orgs.keys()])
  const org = orgId === undefined ? undefined : expected.orgs.get(orgId)
  if (orgId === undefined || org === undefined) return make
  const dice = random.next()
  if (dice < 0.2) return make
  if (dice < 0.25) return { kind: "delete org", orgId, userIds: [...org.members.keys()] }
  if (dice < 0.5) return { kind: "rename org", orgId, name }
  const stranger = random.pick(users.filter((user) => !org.members.has(user)))
  const member = random.pick([...org.members].flatMap(([userId, { id }]) => (id === undefined ? [] : [{ userId, id }])))
  if (dice < 0.75 && stranger !== undefined) return { kind: "join", orgId, userId: stranger, permissions: [name] }
  if (member === undefined) return { kind: "rename org", orgId, name }
  const joined = { membershipId: member.id, orgId, userId: member.userId }
  return dice < 0.9 ? { kind: "permit", ...joined, permissions: [name] } : { kind: "leave", ...joined }
}

/** Runs the writers concurrently until enough events are recorded. Each writer makes one change at a time. */
export const runWriters = async (
  { seed, ports, key, users }: WriterOptions,
  ledger: Ledger,
  progress: Progress,
  enough: number
): Promise<WriterStats> => {
  const stats: WriterStats = {
    acknowledged: 0,
    retried: new Map(),
    repeated: 0,
    wrong: [],
    missingRetryAfter: 0,
    slowest: 0
  }
  const agents = ports.map(() => new Agent({ keepAlive: true }))
  let number = 0

  const countRetry = (what: string) => stats.retried.set(what, (stats.retried.get(what) ?? 0) + 1)

  /** Sends the request of a change to one node. Returns undefined if there is no response. */
  const attempt = async (change: Change, node: number, idempotencyKey: string): Promise<TimedResponse | undefined> => {
    const { method, path, body } = requestOf(change)
    const [agent, port] = [agents[node], ports[node]]
    if (agent === undefined || port === undefined) throw new Error("There is no such node.")
    const headers = method === "POST" ? { "idempotency-key": idempotencyKey } : {}
    const options = { agent, port, key, method, path, headers, timeout: PATIENCE }
    return send(body === undefined ? options : { ...options, body }).catch(() => undefined)
  }

  /** Retries until the change is acknowledged. Returns the id of the created resource. */
  const perform = async (change: Change, n: number, name: string, places: SeededRandom): Promise<string | null> => {
    const { status: right, statusIfDone: gone, path, method } = requestOf(change)
    for (let tries = 1; tries <= TRIES; tries++) {
      const sent = performance.now()
      const answer = await attempt(change, places.between(0, ports.length - 1), name)
      stats.slowest = Math.max(stats.slowest, performance.now() - sent)
      if (answer !== undefined && (answer.status === right || (tries > 1 && answer.status === gone))) {
        progress.answered()
        const made: { readonly id?: string } = method === "POST" ? JSON.parse(answer.text) : {}
        await ledger.append({ n, status: answer.status, id: made.id ?? null, tries })
        if (tries > 1) stats.repeated++
        return made.id ?? null
      }
      countRetry(answer === undefined ? "connection lost" : `${answer.status}`)
      if (answer?.status === 503 && answer.retryAfter === 0) stats.missingRetryAfter++
      if (answer !== undefined && answer.status !== 503) {
        stats.wrong.push(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`)
      }
      await wait(PAUSE)
    }
    throw new Error(`${method} ${path} never returned ${right}.`)
  }

  const writer = async (own: ReadonlyArray<string>, index: number) => {
    const [random, places] = [new SeededRandom(seed, index), new SeededRandom(seed, 500 + index)]
    const expected = new ExpectedState()
    for (let count = 0; progress.events < enough; count++) {
      const n = number++
      const name = `w${index}-${count}`
      const change = nextChange(expected, random, own, name)
      await ledger.append({ n, change })
      const id = await perform(change, n, name, places)
      expected.apply(change, id)
      stats.acknowledged++
      progress.add(eventsOf(change, id).length)
    }
  }

  try {
    await Promise.all(users.map(writer))
  } finally {
    for (const agent of agents) agent.destroy()
  }
  return stats
}
