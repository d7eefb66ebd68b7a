import { Agent } from "node:http"
import { setTimeout } from "node:timers/promises"
import { Api } from "#testing/Api"
import { withClient } from "../../test/harness/Database.ts"
import { whole } from "../../test/harness/Figures.ts"
import { send } from "../../test/harness/HttpClient.ts"
import { SeededRandom } from "../../test/harness/SeededRandom.ts"
import { startCrashablePostgres } from "../chaos/CrashablePostgres.ts"
import { type FaultContext, runWithLedger } from "./LedgerRun.ts"
import { movedClocks } from "./MovedClocks.ts"
import { statusSummary, whileReading } from "./Readers.ts"
import type { Outcome, Scenario, Setting } from "./Scenario.ts"

const HOUR = 3_600_000

/** The range of clock jumps, in hours. They exceed every expiry time. */
const JUMP = { least: 3, most: 100 }

/** How long a clock stays wrong, in milliseconds. This is longer than the interval of background jobs. */
const WRONG_FOR = 7_000

/**
 * The maximum time until a node with a wrong clock rejects requests, and until it serves again once its clock is right,
 * in milliseconds.
 */
const BOUND = { refuses: 1_000, serves: 5_000 }

/** A clock difference (in milliseconds) that is reported but tolerated. */
const SMALL = 10_000

const USERS = 20

const count = `select (select count(*)::int from sessions where realm_id = $1) as sessions,
  (select count(*)::int from invitations where realm_id = $1) as invitations,
  (select count(*)::int from memberships where realm_id = $1) as memberships,
  (select count(*)::int from events where realm_id = $1) as events`

/** A realm with resources that expire within hours: sessions, memberships, invitations and a stored response. */
const makePerishables = async ({ nodes, rootKey }: FaultContext) => {
  const [, rightPort = 0] = nodes.ports
  const root = new Api(`http://127.0.0.1:${rightPort}`, rootKey)
  const { id: realmId } = await root.post("/v2/realms", { realm: { name: "Perishable", jwt_algo: "hs256" } })
  const api = new Api(root.url, rootKey, realmId)
  const { id: orgId } = await api.post("/v2/orgs", { org: { name: "Org" } })
  const soon = Math.floor((Date.now() + 2 * HOUR) / 1_000)
  const paths: Array<string> = []
  for (let n = 0; n < USERS; n++) {
    const user = await api.post("/v2/users", { user: { email: `user${n}@example.test`, credentials: [] } })
    const session = await api.post("/v2/sessions", { session: { user_id: user.id } })
    const membership = { user_id: user.id, org_id: orgId, expires_at: soon }
    const member = await api.post("/v2/memberships", { membership })
    const guest = { invitation_type: "org", org_id: orgId, email: `guest${n}@example.test`, expires_at: soon }
    const invitation = await api.post("/v2/invitations", { invitation: guest })
    paths.push(`/v2/sessions/${session.id}`, `/v2/memberships/${member.id}`, `/v2/invitations/${invitation.id}`)
  }
  const once = () => api.post("/v2/orgs", { org: { name: "Once" } }, { "idempotency-key": "the-only-one-of-this-run" })
  const { id: first } = await once()
  /** The resources that are missing on the node whose clock is right. */
  const missing = async () => {
    const gone: Array<string> = []
    for (const path of paths) {
      const { status } = await api.get(path)
      if (status !== 200) gone.push(`${path}: ${status}`)
    }
    return (await once()).id === first ? gone : [...gone, "The stored response was lost."]
  }
  return { realmId, missing, things: paths.length }
}

const run = async (setting: Setting) => {
  const random = new SeededRandom(setting.seed, 7_000)
  const postgres = await startCrashablePostgres()
  const clocks = movedClocks()
  const agent = new Agent({ keepAlive: true })
  const inject = (load: FaultContext): Promise<Outcome> =>
    withClient(postgres.url, async (client) => {
      const { nodes, progress, key, users } = load
      const [port = 0, rightPort = 0] = nodes.ports
      const { realmId, missing, things } = await makePerishables(load)
      const rows = async () => JSON.stringify((await client.query(count, [realmId])).rows[0])
      const before = await rows()
      const broken: Array<string> = []
      const took = { refuses: [0], serves: [0] }
      const refused = { reads: 0, writes: 0 }
      let kills = 0

      const ask = (method: string, path: string, body?: object, at = port) =>
        send({ agent, port: at, key, method, path, timeout: 20_000, ...(body === undefined ? {} : { body }) }).then(
          ({ status, text }) => ({ status, text }),
          () => ({ status: 0, text: "" })
        )
      const read = () => ask("GET", `/v2/users/${users[0]}`)
      const write = () => ask("PUT", `/v2/users/${users[0]}`, { user: { reference: "written" } })
      const readiness = () => ask("GET", "/readyz")
      /** Returns the milliseconds until a response has this status. */
      const until = async (question: typeof read, status: number, patience: number) => {
        const from = performance.now()
        while ((await question()).status !== status && performance.now() - from < patience) await setTimeout(10)
        return performance.now() - from
      }

      const jump = async (ahead: number, isKilled: boolean) => {
        clocks.move(port, ahead)
        took.refuses.push(await until(read, 503, 20_000))
        if (isKilled) {
          kills++
          await nodes.kill(0)
          await until(readiness, 503, 30_000)
        }
        for (const from = performance.now(); performance.now() - from < WRONG_FOR; await setTimeout(50)) {
          for (const [what, { status }] of [
            ["reads", await read()],
            ["writes", await write()]
          ] as const) {
            // A killed node is unreachable for a while.
            if (status === 503 || (isKilled && status === 0)) refused[what]++
            else broken.push(`With a clock ${ahead / HOUR} hours ahead, ${what} got ${status}.`)
          }
        }
        const { status, text } = await readiness()
        if (status !== 503 || !text.includes('"clock":"wrong"')) broken.push(`Readiness was ${status} ${text}`)
        const other = await ask("GET", "/readyz", undefined, rightPort)
        if (other.status !== 200) broken.push(`The node whose clock is right returned ${other.status} ${other.text}`)
        broken.push(...(await missing()).map((gone) => `While a clock was ${ahead / HOUR} hours ahead: ${gone}`))
        clocks.move(port, 0)
        took.serves.push(await until(write, 200, 20_000))
      }

      await progress.reaches(progress.events + 200)
      const { reads } = await whileReading(load, async () => {
        for (let round = 1; round <= setting.rounds; round++) {
          for (const direction of [1, -1]) {
            const ahead = direction * random.between(JUMP.least, JUMP.most) * HOUR
            const isKilled = random.next() < 0.4
            setting.logProgress(`round ${round}: ${ahead / HOUR} hours${isKilled ? ", and killed meanwhile" : ""}`)
            await jump(ahead, isKilled)
            await progress.reaches(progress.events + 50)
          }
        }
        for (const ahead of [SMALL, -SMALL]) {
          clocks.move(port, ahead)
          await progress.reaches(progress.events + 100)
          const { status } = await readiness()
          if (status !== 200) broken.push(`With a clock ${ahead / 1_000} seconds ahead, readiness was ${status}.`)
        }
        clocks.move(port, 0)
      })
      await progress.reaches(progress.events + 200)
      broken.push(...(await missing()))
      const after = await rows()
      if (after !== before) broken.push(`The realm without changes had ${before} and now has ${after}.`)
      const [refuses, serves] = [Math.max(...took.refuses), Math.max(...took.serves)]
      const wrong = [...reads.statuses].filter(([status]) => !["200", "503", "no answer"].includes(status))
      return {
        figures: [
          ["jumps, in hours", `${2 * setting.rounds}, by ${JUMP.least} to ${JUMP.most} forward and back`],
          ["kills of the node in that time", `${kills} times`],
          ["from the jump to the first rejection, maximum", `${whole(refuses)} ms`],
          ["from the clock's correction to an acknowledged change, maximum", `${whole(serves)} ms`],
          [
            "requests to the node in that time, and rejections",
            `${whole(refused.reads)} reads, ${whole(refused.writes)} writes`
          ],
          ["reads on both nodes", statusSummary(reads)],
          ["sessions, memberships and invitations that would have expired", `${things}, none missing`]
        ],
        broken: [
          ...[...new Set(broken)].slice(0, 20),
          ...wrong.map(([status, number]) => `${number} reads: ${status}.`),
          ...(refuses > BOUND.refuses ? [`It took ${whole(refuses)} ms until requests were rejected.`] : []),
          ...(serves > BOUND.serves ? [`It took ${whole(serves)} ms until requests were served again.`] : [])
        ]
      }
    })
  try {
    const { figures, broken } = await runWithLedger(setting, postgres.url, inject, clocks.environment)
    return { figures, broken }
  } finally {
    agent.destroy()
    clocks.remove()
    await postgres.remove()
  }
}

/** The clock of one node jumps forward and back by hours, while another node has the right time. */
export const clockJumps: Scenario = {
  name: "clock-jumps",
  row: "RG-10",
  promise:
    "a node whose clock is wrong rejects all requests within a second and expires nothing; it serves within 5 seconds of its clock being right",
  run
}
