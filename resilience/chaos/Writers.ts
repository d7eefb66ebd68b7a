import { Agent } from "node:http"
import { type Answer, ask } from "../../bench/load/HttpClient.ts"
import { type Change, eventsOf, requestOf, World } from "./Changes.ts"
import type { Ledger } from "./Ledger.ts"
import type { Progress } from "./Progress.ts"
import { Chance } from "./SeededRandom.ts"

/** What the writers met with. */
export interface Tally {
  acknowledged: number
  /** Calls that had to be made again, by what the try before met with: a status, or a lost connection. */
  readonly retried: Map<string, number>
  /** Changes that were answered only at a second try or later. */
  repeated: number
  /** Answers that no trouble excuses, in words. */
  readonly wrong: Array<string>
  /** 503 without a word on when to come back. */
  rude: number
}

/** Whom the writers call, and as whom. */
export interface Setting {
  readonly seed: number
  readonly ports: ReadonlyArray<number>
  readonly key: string
  /** Users of the realm that nobody else touches, for each writer. */
  readonly users: ReadonlyArray<ReadonlyArray<string>>
}

/** After how many milliseconds without an answer a call is made again. */
const PATIENCE = 20_000

/** How many tries a change has, and how long each waits after the one before, in milliseconds. */
const TRIES = 400
const PAUSE = 100

const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** Picks the next change of a writer's own orgs: mostly small ones. */
const nextChange = (world: World, chance: Chance, users: ReadonlyArray<string>, name: string): Change => {
  const make: Change = {
    kind: "create org",
    name,
    userIds: users.filter(() => chance.next() < 1 / users.length)
  }
  const orgId = chance.of([...world.orgs.keys()])
  const org = orgId === undefined ? undefined : world.orgs.get(orgId)
  if (orgId === undefined || org === undefined) return make
  const dice = chance.next()
  if (dice < 0.2) return make
  if (dice < 0.25) return { kind: "delete org", orgId, userIds: [...org.members.keys()] }
  if (dice < 0.5) return { kind: "rename org", orgId, name }
  const stranger = chance.of(users.filter((user) => !org.members.has(user)))
  const member = chance.of([...org.members].flatMap(([userId, { id }]) => (id === undefined ? [] : [{ userId, id }])))
  if (dice < 0.75 && stranger !== undefined) return { kind: "join", orgId, userId: stranger, permissions: [name] }
  if (member === undefined) return { kind: "rename org", orgId, name }
  const joined = { membershipId: member.id, orgId, userId: member.userId }
  return dice < 0.9 ? { kind: "permit", ...joined, permissions: [name] } : { kind: "leave", ...joined }
}

/** Makes changes, each writer one after the other, until enough events are recorded. */
export const write = async (
  { seed, ports, key, users }: Setting,
  ledger: Ledger,
  progress: Progress,
  enough: number
): Promise<Tally> => {
  const tally: Tally = { acknowledged: 0, retried: new Map(), repeated: 0, wrong: [], rude: 0 }
  const agents = ports.map(() => new Agent({ keepAlive: true }))
  let number = 0

  const met = (what: string) => tally.retried.set(what, (tally.retried.get(what) ?? 0) + 1)

  /** One try at one node: undefined when there was no answer. */
  const tried = async (change: Change, node: number, idempotencyKey: string): Promise<Answer | undefined> => {
    const { method, path, body } = requestOf(change)
    const [agent, port] = [agents[node], ports[node]]
    if (agent === undefined || port === undefined) throw new Error("There is no such node.")
    const headers = method === "POST" ? { "idempotency-key": idempotencyKey } : {}
    const question = { agent, port, key, method, path, headers, timeout: PATIENCE }
    return ask(body === undefined ? question : { ...question, body }).catch(() => undefined)
  }

  /** Asks until there is an answer; the id of what was made. */
  const performed = async (change: Change, n: number, name: string, places: Chance): Promise<string | null> => {
    const { status: right, gone, path, method } = requestOf(change)
    for (let tries = 1; tries <= TRIES; tries++) {
      const answer = await tried(change, places.between(0, ports.length - 1), name)
      if (answer !== undefined && (answer.status === right || (tries > 1 && answer.status === gone))) {
        progress.answered()
        const made: { readonly id?: string } = method === "POST" ? JSON.parse(answer.text) : {}
        await ledger.note({ n, status: answer.status, id: made.id ?? null, tries })
        if (tries > 1) tally.repeated++
        return made.id ?? null
      }
      met(answer === undefined ? "connection lost" : `${answer.status}`)
      if (answer?.status === 503 && answer.retryAfter === 0) tally.rude++
      if (answer !== undefined && answer.status !== 503) {
        tally.wrong.push(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`)
      }
      await wait(PAUSE)
    }
    throw new Error(`${method} ${path} was never answered ${right}.`)
  }

  const writer = async (own: ReadonlyArray<string>, index: number) => {
    const [chance, places] = [new Chance(seed, index), new Chance(seed, 500 + index)]
    const world = new World()
    for (let count = 0; progress.events < enough; count++) {
      const n = number++
      const name = `w${index}-${count}`
      const change = nextChange(world, chance, own, name)
      await ledger.note({ n, change })
      const id = await performed(change, n, name, places)
      world.apply(change, id)
      tally.acknowledged++
      progress.add(eventsOf(change, id).length)
    }
  }

  try {
    await Promise.all(users.map(writer))
  } finally {
    for (const agent of agents) agent.destroy()
  }
  return tally
}
