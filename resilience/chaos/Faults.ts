import type { MortalPostgres } from "./CrashablePostgres.ts"
import type { Nodes } from "./Nodes.ts"
import type { Progress } from "./Progress.ts"
import { Chance } from "./SeededRandom.ts"

/** Something that goes wrong: once so many events are recorded, and some milliseconds later. */
export type Incident = { readonly at: number; readonly after: number } & (
  | { readonly kind: "kill"; readonly node: number }
  /** For how many milliseconds PostgreSQL is away. */
  | { readonly kind: "restart"; readonly away: number }
)

/** What goes wrong when, by the seed alone. It is told by progress, so that a slower machine gets the same. */
export const schedule = (
  seed: number,
  asked: { readonly events: number; readonly kills: number; readonly restarts: number; readonly nodes: number }
): ReadonlyArray<Incident> => {
  const chance = new Chance(seed, 2_000)
  const when = () => ({ at: chance.between(1, Math.max(1, asked.events - 1)), after: chance.between(0, 500) })
  const kills = Array.from({ length: asked.kills }, (): Incident => {
    const node = chance.between(0, asked.nodes - 1)
    return { kind: "kill", node, ...when() }
  })
  const restarts = Array.from({ length: asked.restarts }, (): Incident => {
    const away = chance.between(100, 2_000)
    return { kind: "restart", away, ...when() }
  })
  return [...kills, ...restarts].sort((a, b) => a.at - b.at)
}

/** From the moment PostgreSQL answered again to the first change acknowledged after it, in milliseconds. */
export type Recoveries = ReadonlyArray<number>

const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** Lets everything go wrong that is to. One thing at a time happens to a node, and to PostgreSQL. */
export const goWrong = async (
  incidents: ReadonlyArray<Incident>,
  progress: Progress,
  nodes: Nodes,
  postgres: MortalPostgres,
  say: (text: string) => void
): Promise<Recoveries> => {
  const recoveries: Array<number> = []
  const queues = new Map<string, Promise<void>>()
  const inTurn = (what: string, then: () => Promise<void>) => {
    const next = (queues.get(what) ?? Promise.resolve()).then(then)
    queues.set(what, next)
    return next
  }

  const restart = async (away: number) => {
    await postgres.kill()
    await wait(away)
    await postgres.start()
    const accepted = performance.now()
    void progress.nextAnswer().then(() => recoveries.push(performance.now() - accepted))
  }

  const happen = async (incident: Incident) => {
    await progress.reaches(incident.at)
    await wait(incident.after)
    if (incident.kind === "kill") {
      say(`${progress.events} events: process ${incident.node} is killed`)
      await inTurn(`${incident.node}`, () => nodes.kill(incident.node))
    } else {
      await inTurn("postgres", () => {
        say(`${progress.events} events: PostgreSQL is stopped at once, for ${incident.away} ms`)
        return restart(incident.away)
      })
    }
  }
  await Promise.all(incidents.map(happen))
  return recoveries
}
