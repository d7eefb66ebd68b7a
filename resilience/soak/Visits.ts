import { Agent } from "node:http"
import { send } from "../../test/harness/HttpClient.ts"
import type { SeededRandom } from "../../test/harness/SeededRandom.ts"
import { PASSWORD, type Population } from "./Population.ts"

/** The number of connections that visitors share. All of them are used in turn, so that none becomes idle and is closed. */
const CONNECTIONS = 32

/** The time without a response after which a call counts as failed, in milliseconds. */
const PATIENCE = 20_000

/** The maximum number of attempts to end a session, because a user who can't log out tries again. */
const TRIES = 5

/** The number of read-only calls in a visit. */
const READS = 8

/** The visitors of the service. Each visit logs in with a password, reads, changes something and ends its session. */
export class Visits {
  /** The number of responses that were neither expected nor 503, by call and status. */
  readonly wrong = new Map<string, number>()
  /** The number of calls that got 503. */
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

  /** Resets the counts of wrong responses. */
  resetCounts(): void {
    this.wrong.clear()
    this.shed = 0
  }

  stop(): void {
    this.agent.destroy()
  }

  /**
   * Makes one visit. Users take turns, so that a user never has two concurrent logins as long as there are fewer
   * concurrent visits than users.
   */
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
    // Changes of users trigger a webhook and an email, changes of orgs a webhook.
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
    const what = `${method} ${path.replace(/_[0-9a-z]{26}/g, "_…")}: ${answer?.status ?? "no response"}`
    this.wrong.set(what, (this.wrong.get(what) ?? 0) + 1)
    return undefined
  }
}
