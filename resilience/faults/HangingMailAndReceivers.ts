import { randomBytes } from "node:crypto"
import { Agent } from "node:http"
import { setTimeout } from "node:timers/promises"
import { Client } from "pg"
import { Api } from "#testing/Api"
import { quantile, whole } from "../../test/harness/Figures.ts"
import { send } from "../../test/harness/HttpClient.ts"
import { SeededRandom } from "../../test/harness/SeededRandom.ts"
import { startCrashablePostgres } from "../chaos/CrashablePostgres.ts"
import { startNodes } from "../chaos/Nodes.ts"
import { absentDestinations, absentMailServer, healthyDestination } from "./Destinations.ts"
import type { Scenario, Setting } from "./Scenario.ts"

const NODES = 2

/**
 * The number of users that the unavailable receivers must be notified about. Hanging deliveries are attempted one at a
 * time, for 15 seconds each.
 */
const USERS = 3

/**
 * The number of attempts before everything recovers. The waits between them are 5 seconds, 5 minutes, 30 minutes and 2
 * hours.
 */
const ATTEMPTS = 4

/**
 * The pause between two changes that only the healthy receiver is notified about, and the duration of this measurement
 * before anything hangs, both in milliseconds.
 */
const PAUSE = 100
const BEFORE = 15_000

/**
 * The maximum duration of a round of attempts, and the limit for 95 % of deliveries and calls in that time, both in
 * milliseconds.
 */
const PATIENCE = 240_000
const BOUND = 1_000

const MINUTE = 60_000

/** The condition for a realm's deliveries that wait for their next attempt and are not claimed. */
const waiting = "realm_id = $1 and state = 'in_progress' and claimed_by is null"

const p95 = (millis: ReadonlyArray<number>) =>
  quantile(
    millis.toSorted((a, b) => a - b),
    0.95
  )

const run = async ({ seed, file, folder, logProgress }: Setting) => {
  const random = new SeededRandom(seed, 8_000)
  const rootKey = randomBytes(24).toString("hex")
  const postgres = await startCrashablePostgres()
  const [healthy, absent, mail] = [await healthyDestination(), await absentDestinations(), await absentMailServer()]
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  const nodes = await startNodes(
    NODES,
    file,
    {
      DATABASE_URL: postgres.url,
      SALLYPORT_ROOT_KEY: rootKey,
      SALLYPORT_SECRET: randomBytes(24).toString("hex"),
      SALLYPORT_PUBLIC_URL: "http://faults.test",
      SALLYPORT_SMTP_URL: mail.url,
      SALLYPORT_MAIL_FROM: "faults@example.test",
      SALLYPORT_ALLOW_PRIVATE_TARGETS: "true",
      SALLYPORT_LIMITS: "off"
    },
    folder
  )
  const agent = new Agent({ keepAlive: true })
  const over = new AbortController()
  const broken: Array<string> = []
  try {
    const root = new Api(`http://127.0.0.1:${nodes.ports[0]}`, rootKey)
    const realm = await root.post("/v2/realms", { realm: { name: "Absent", jwt_algo: "hs256" } })
    const api = new Api(root.url, rootKey, realm.id)
    const newUser = (name: string) =>
      api.post("/v2/users", { user: { email: `${name}@example.test`, credentials: [] } })
    const changed = (await newUser("changed")).id
    const makeHook = async (hook: object) => {
      const made = await root.post("/v2/hooks", { hook: { realm_id: realm.id, ...hook } })
      if (made.status !== 201) throw new Error(`A hook could not be created: ${made.status} ${made.text}`)
      return made.id
    }
    await makeHook({ destination: healthy.url })
    for (const { url } of absent) await makeHook({ destination: url, event_type: ["user.created"] })
    const template = { email_subject: "Welcome", email_template: "Hello." }
    await makeHook({ hook_type: "email", event_type: ["user.created"], ...template })

    const answered: Array<number> = []
    const changes = async () => {
      for (; !over.signal.aborted; await setTimeout(PAUSE)) {
        const port = random.pick(nodes.ports) ?? 0
        const body = { user: { reference: `${random.next()}` } }
        const path = `/v2/users/${changed}?realm_id=${realm.id}`
        const answer = await send({ agent, port, key: rootKey, method: "PUT", path, body })
        if (answer.status === 200) answered.push(answer.millis)
        else broken.push(`A change returned ${answer.status} ${answer.text.slice(0, 200)}`)
      }
    }
    const changing = changes()
    await setTimeout(BEFORE)
    const baseline = { delivered: healthy.accepted.length, answered: answered.length }

    const rows = async <A extends object>(query: string) => (await client.query<A>(query, [realm.id])).rows
    /** Returns the smallest number of attempts of an open delivery, and the number of waiting deliveries. */
    const attempts = async () => {
      const [row] = await rows<{ least: number; count: number }>(
        `select coalesce(min(attempts), 0)::int as least, count(*)::int as count from deliveries d
          where ${waiting} and exists (select from events e where e.realm_id = d.realm_id and e.id = d.event_id and e.event_type = 'user.created')`
      )
      return row ?? { least: 0, count: 0 }
    }
    const made = [...Array(USERS).keys()].map((n) => `user${n}`)
    const users = (await Promise.all(made.map(newUser))).map(({ id }) => id)
    const expected = USERS * (absent.length + 1)
    const waitForAttempts = async (count: number) => {
      for (const from = performance.now(); ; await setTimeout(100)) {
        const { least, count: open } = await attempts()
        if (open === expected && least >= count) return (performance.now() - from) / 1_000
        if (performance.now() - from > PATIENCE) {
          throw new Error(`Only ${open} of ${expected} are waiting, after ${least} of ${count} attempts.`)
        }
      }
    }
    /**
     * Backdates the waiting deliveries, so that all of them are due now. Nothing else in this realm depends on the
     * time.
     */
    const age = async () => {
      const [row] = await rows<{ due: Date }>(`select max(due_at) as due from deliveries where ${waiting}`)
      const millis = Math.max(0, (row?.due.getTime() ?? 0) - Date.now())
      const by = [realm.id, millis / 1_000]
      await client.query(
        `update deliveries set due_at = due_at - $2 * interval '1 second', created_at = created_at - $2 * interval '1 second',
          last_attempt_at = last_attempt_at - $2 * interval '1 second' where ${waiting}`,
        by
      )
      await client.query(
        "update app_hooks set failing_since = failing_since - $2 * interval '1 second' where realm_id = $1",
        by
      )
      return millis
    }

    let away = 0
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const took = await waitForAttempts(attempt)
      logProgress(
        `attempt ${attempt} of all ${expected} took ${took.toFixed(0)} s; unavailable for ${whole(away / MINUTE)} minutes`
      )
      if (attempt < ATTEMPTS) away += await age()
    }
    const during = { delivered: healthy.accepted.length, answered: answered.length }
    await Promise.all(absent.map(({ recover: comeBack }) => comeBack()))
    mail.recover()
    away += await age()
    const back = performance.now()
    const isDelivered = () =>
      mail.took.length >= USERS &&
      absent.every(({ accepted: took }) => new Set(took.map(({ userId }) => userId)).size >= USERS)
    while (!isDelivered() && performance.now() - back < PATIENCE) await setTimeout(20)
    const recoverySeconds = (performance.now() - back) / 1_000
    over.abort()
    await changing

    const open = "select count(*)::int as count from deliveries where realm_id = $1 and state = 'in_progress'"
    for (const from = performance.now(); performance.now() - from < PATIENCE; await setTimeout(50)) {
      if ((await rows<{ count: number }>(open))[0]?.count === 0) break
    }
    const states = await rows<{ state: string; count: number }>(
      "select state, count(*)::int as count from deliveries where realm_id = $1 group by state"
    )
    if (states.some(({ state }) => state !== "completed")) broken.push(`Deliveries: ${JSON.stringify(states)}`)
    const created = await rows<{ id: string }>(
      "select id from events where realm_id = $1 and event_type = 'user.created' order by id"
    )
    const ofUsers = created.slice(-USERS).map(({ id }) => id)
    for (const { name, accepted: took } of absent) {
      const got = took.map(({ eventId }) => eventId).toSorted()
      if (got.join() !== ofUsers.join())
        broken.push(`${name}: accepted ${got.join(", ")} instead of ${ofUsers.join(", ")}`)
    }
    const mailed = mail.took.toSorted().join()
    if (mailed !== made.map((name) => `${name}@example.test`).join()) broken.push(`Emails were sent to ${mailed}.`)
    const deliveredEvents = new Set(healthy.accepted.map(({ eventId }) => eventId))
    if (deliveredEvents.size !== healthy.accepted.length) broken.push("The healthy receiver got a message twice.")
    if (deliveredEvents.size < answered.length + USERS)
      broken.push(`The healthy receiver got ${deliveredEvents.size} of ${answered.length + USERS}.`)

    const delays = healthy.accepted.map(({ after }) => after)
    const figures = {
      delivery: [p95(delays.slice(0, baseline.delivered)), p95(delays.slice(baseline.delivered, during.delivered))],
      call: [p95(answered.slice(0, baseline.answered)), p95(answered.slice(baseline.answered, during.answered))]
    }
    for (const [what, [, while_ = 0]] of Object.entries(figures)) {
      if (while_ > BOUND) broken.push(`In that time 95 % of ${what} took up to ${whole(while_)} ms.`)
    }
    const both = ([before = 0, meanwhile = 0]: ReadonlyArray<number>) => `${whole(before)} ms, ${whole(meanwhile)} ms`
    return {
      figures: [
        ["unavailable: silent mail server; receivers", `1; ${absent.map(({ name }) => name).join(", ")}`],
        [
          "duration, simulated by backdating deliveries; attempts",
          `${(away / 60 / MINUTE).toFixed(1)} hours, ${ATTEMPTS} or more each`
        ],
        ["waiting webhooks and emails that arrived exactly once", whole(users.length * (absent.length + 1))],
        ["from the return of all to the last of these", `${recoverySeconds.toFixed(1)} s`],
        ["webhooks to a healthy receiver in that time", whole(during.delivered - baseline.delivered)],
        ["95 % of these within, before and during", both(figures.delivery)],
        ["95 % of calls within, before and during", both(figures.call)]
      ] as const,
      broken: [...new Set(broken), ...nodes.unexpectedExits()].slice(0, 20)
    }
  } finally {
    over.abort()
    await nodes.stop()
    agent.destroy()
    healthy.stop()
    absent.forEach(({ stop }) => stop())
    await mail.stop()
    await client.end()
    await postgres.remove()
  }
}

/** The mail server and some receivers hang, fail or are unreachable for hours, while another receiver is healthy. */
export const hangingMailAndReceivers: Scenario = {
  name: "hanging-mail-and-receivers",
  row: "RG-05, RG-16",
  promise:
    "95 % of other webhooks and of calls take less than a second; waiting messages arrive once, and nothing is lost",
  run
}
