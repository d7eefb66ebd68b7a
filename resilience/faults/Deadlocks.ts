import { randomBytes } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { Api, type Reply } from "#testing/Api"
import { withClient } from "../../test/harness/Database.ts"
import { whole } from "../../test/harness/Figures.ts"
import { SeededRandom } from "../../test/harness/SeededRandom.ts"
import { startCrashablePostgres } from "../chaos/CrashablePostgres.ts"
import { startNodes } from "../chaos/Nodes.ts"
import type { Scenario, Setting } from "./Scenario.ts"

const NODES = 2
const CLIENTS = 24

/** The number of users, small enough that nearly every request competes with another one for the same user or org. */
const USERS = 4
const ORGS = 3

const CALLS = 12_000

/** The maximum share of calls that may return 409 or 503. */
const BOUND = 0.0001

interface Call {
  readonly method: string
  readonly path: string
  readonly body?: object
}

/** The users and orgs that all clients change concurrently, and the latest memberships between them. */
interface Crowd {
  readonly users: Array<string>
  readonly orgs: Array<string>
  readonly memberships: Array<string>
}

/** Returns a call that locks users, orgs and memberships, starting from the user or from the org. */
const nextCall = (random: SeededRandom, { users, orgs, memberships }: Crowd): Call => {
  const [user, org] = [random.pick(users) ?? "", random.pick(orgs) ?? ""]
  const membership = `/v2/memberships/${random.pick(memberships) ?? "none"}`
  const dice = random.between(1, 20)
  if (dice <= 6) {
    return { method: "POST", path: "/v2/memberships", body: { membership: { user_id: user, org_id: org } } }
  }
  if (dice <= 8) return { method: "PUT", path: membership, body: { membership: { permissions: [`p${dice}`] } } }
  if (dice <= 11) return { method: "DELETE", path: membership }
  if (dice <= 13) return { method: "PUT", path: `/v2/users/${user}`, body: { user: { reference: `r${dice}` } } }
  if (dice === 14) return { method: "PUT", path: `/v2/orgs/${org}`, body: { org: { name: `Org ${dice}` } } }
  if (dice === 15) return { method: "POST", path: "/v2/sessions", body: { session: { user_id: user } } }
  if (dice === 16) return { method: "POST", path: `/v2/users/${user}/end_sessions`, body: {} }
  if (dice === 17) return { method: "DELETE", path: `/v2/users/${user}?force=true` }
  if (dice === 18) return { method: "DELETE", path: `/v2/orgs/${org}?force=true` }
  if (dice === 19) {
    return {
      method: "POST",
      path: "/v2/orgs",
      body: { org: { name: "Org" }, user_ids: random.next() < 0.5 ? users : users.toReversed() }
    }
  }
  const email = `${Math.floor(random.next() * 1e12)}@example.test`
  return { method: "POST", path: "/v2/users", body: { user: { email, credentials: [] } } }
}

/** Adds created resources in place of existing ones, and removes deleted ones. */
const updateCrowd = (random: SeededRandom, crowd: Crowd, { method, path }: Call, reply: Reply) => {
  if (method === "DELETE" && reply.status < 300) {
    for (const list of [crowd.users, crowd.orgs]) {
      const index = list.findIndex((id) => path.includes(id))
      if (index >= 0 && list.length > 1) list.splice(index, 1)
    }
  }
  if (method !== "POST" || reply.status !== 201) return
  const replace = (list: Array<string>, most: number) => {
    list[list.length < most ? list.length : random.between(0, most - 1)] = reply.id
  }
  if (path === "/v2/users") replace(crowd.users, USERS)
  if (path === "/v2/orgs") replace(crowd.orgs, ORGS)
  if (path === "/v2/memberships") replace(crowd.memberships, USERS * ORGS)
}

const run = async ({ seed, file, folder, logProgress }: Setting) => {
  const rootKey = randomBytes(24).toString("hex")
  const postgres = await startCrashablePostgres()
  const nodes = await startNodes(
    NODES,
    file,
    {
      DATABASE_URL: postgres.url,
      SALLYPORT_ROOT_KEY: rootKey,
      SALLYPORT_SECRET: randomBytes(24).toString("hex"),
      SALLYPORT_PUBLIC_URL: "http://faults.test",
      SALLYPORT_LIMITS: "off"
    },
    folder
  )
  try {
    const urls = nodes.ports.map((port) => `http://127.0.0.1:${port}`)
    const realm = await new Api(urls[0] ?? "", rootKey).post("/v2/realms", { realm: { name: "Deadlocks" } })
    const apis = urls.map((url) => new Api(url, rootKey, realm.id))
    const crowd: Crowd = { users: [], orgs: [], memberships: [] }
    for (let n = 0; n < USERS; n++) {
      const user = await apis[0]?.post("/v2/users", { user: { email: `user${n}@example.test`, credentials: [] } })
      crowd.users.push(user?.id ?? "")
    }
    for (let n = 0; n < ORGS; n++)
      crowd.orgs.push((await apis[0]?.post("/v2/orgs", { org: { name: "Org" } }))?.id ?? "")

    const statuses = new Map<number, number>()
    const surfaced: Array<string> = []
    const failed: Array<string> = []
    let made = 0
    const client = async (index: number) => {
      const random = new SeededRandom(seed, 5_000 + index)
      while (made < CALLS) {
        if (++made % 3_000 === 0) logProgress(`${whole(made)} calls`)
        const call = nextCall(random, crowd)
        const api = random.pick(apis)
        // On average, every second creating request holds its locks until its response is stored for idempotency.
        const headers = call.method === "POST" && random.next() < 0.5 ? { "idempotency-key": `${seed}-${made}` } : {}
        const reply = await api?.call(call.method, call.path, { body: call.body, headers })
        if (reply === undefined) continue
        updateCrowd(random, crowd, call, reply)
        const { status } = reply
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        const description = `${call.method} ${call.path}: ${status} ${reply.text.slice(0, 200)}`
        if (status === 409 || status === 503) surfaced.push(description)
        else if (status >= 500) failed.push(description)
        await setTimeout(0)
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)))
    // PostgreSQL updates its statistics only after a delay.
    await setTimeout(1_500)
    const deadlocks = await withClient(postgres.url, async (admin) => {
      const { rows } = await admin.query<{ n: number }>(
        "select deadlocks::int as n from pg_stat_database where datname = current_database()"
      )
      return rows[0]?.n ?? 0
    })
    const share = surfaced.length / made
    return {
      figures: [
        ["calls", whole(made)],
        [
          "responses",
          [...statuses]
            .sort(([a], [b]) => a - b)
            .map(([status, n]) => `${status}: ${whole(n)}`)
            .join(", ")
        ],
        ["deadlocks that PostgreSQL resolved", whole(deadlocks)],
        ["returned 409 or 503", `${whole(surfaced.length)} (${(100 * share).toFixed(3)} %)`]
      ] as const,
      broken: [
        ...failed.slice(0, 10),
        ...(share > BOUND ? surfaced.slice(0, 10) : []),
        ...nodes.unexpectedExits(),
        ...((statuses.get(201) ?? 0) < CALLS / 20 ? ["Hardly anything was created."] : [])
      ]
    }
  } finally {
    await nodes.stop()
    await postgres.remove()
  }
}

/**
 * Many clients concurrently change the same few users, orgs and memberships, some starting from the user and some from
 * the org.
 */
export const deadlocks: Scenario = {
  name: "deadlocks",
  row: "RG-20",
  promise: "at most 0.01 % of the calls return 409 or 503, none 500",
  run
}
