import { Agent } from "node:http"
import { send } from "../../bench/load/HttpClient.ts"
import type { SeededRandom } from "../chaos/SeededRandom.ts"
import { PASSWORD, type Population } from "./Population.ts"

/** How many connections the visitors share. All are used in turn, so that their number stays. */
const CONNECTIONS = 32

/** Milliseconds without an answer after which a call has failed. */
const PATIENCE = 20_000

/** How often a session is ended in vain: a person who can't log out tries again. */
const TRIES = 5

/** How many calls of a visit only read. */
const READS = 8

/** Those who use the service: each visit logs in with a password, reads, changes something, and ends its session. */
export class Visits {
  /** Answers that were neither the right one nor 503, by call and status. */
  readonly wrong = new Map<string, number>()
  /** How many calls got 503. */
  shed = 0
  readonly counts = { visits: 0, calls: 0, begun: 0, ended: 0 }
  private readonly agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, scheduling: "fifo" })
  private readonly port: number
  private readonly population: Population
  private readonly random: SeededRandom
  private turn = 0

  constructor(port: number, population: Population, random: SeededRandom) {
    this.port = port
    this.population = population
    this.random = random
  }

  /** What was refused so far counts no more. */
  forgetWrong(): void {
    this.wrong.clear()
    this.shed = 0
  }

  stop(): void {
    this.agent.destroy()
  }

  /** One visit. Users take turns, so that nobody logs in twice at once while there are fewer visits than users. */
  async visit(): Promise<void> {
    const { users, orgs } = this.population
    const turn = this.turn++
    const [user, org] = [users[turn % users.length], orgs[turn % orgs.length]]
    const login = await this.call("POST", `/v2/users/${user}/authenticate`, { user: { password: PASSWORD } })
    if (login === undefined) return
    this.counts.begun++
    const { id: session }: { readonly id: string } = JSON.parse(login)
    for (let n = 0; n < READS; n++) {
      const other = this.random.pick(users)
      const paths = [`/v2/users/${other}`, `/v2/sessions/${session}`, `/v2/orgs/${org}`, "/v2/users?max_results=5"]
      await this.call("GET", this.random.pick(paths) ?? "")
    }
    // Of users a webhook and a mail tell, of orgs a webhook.
    await this.call("PUT", `/v2/users/${user}`, { user: { reference: `visit ${turn}` } })
    await this.call("PUT", `/v2/orgs/${org}`, { org: { name: `Org of visit ${turn}` } })
    const end = () => this.call("DELETE", `/v2/sessions/${session}`)
    for (let tries = 1; tries <= TRIES; tries++) {
      if ((await end()) === undefined) continue
      this.counts.ended++
      break
    }
    this.counts.visits++
  }

  private async call(method: string, path: string, body?: object): Promise<string | undefined> {
    const { agent, port } = this
    const options = { agent, port, key: this.population.key, method, path, timeout: PATIENCE }
    const answer = await send(body === undefined ? options : { ...options, body }).catch(() => undefined)
    this.counts.calls++
    if (answer !== undefined && answer.status >= 200 && answer.status < 300) return answer.text
    if (answer?.status === 503) {
      this.shed++
      return undefined
    }
    const what = `${method} ${path.replace(/_[0-9a-z]{26}/g, "_…")}: ${answer?.status ?? "no answer"}`
    this.wrong.set(what, (this.wrong.get(what) ?? 0) + 1)
    return undefined
  }
}
