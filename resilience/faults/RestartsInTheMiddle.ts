import { randomBytes } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { Client } from "pg"
import { Api, type Reply } from "#testing/Api"
import { whole } from "../../test/harness/Figures.ts"
import { SeededRandom } from "../../test/harness/SeededRandom.ts"
import { startCrashablePostgres } from "../chaos/CrashablePostgres.ts"
import { type Nodes, startNodes } from "../chaos/Nodes.ts"
import type { Scenario, Setting } from "./Scenario.ts"

const NODES = 2
const USERS = 40
const SESSIONS_EACH = 3
const KEYS = 8
const REVOKERS = 6

/** The number of users that a reset deletes, so that it takes a while. */
const CROWD = 4_000

/** Statements that copy a user and add a session to each copy, regardless of the columns of the tables. */
const crowd = {
  users: `insert into users select (jsonb_populate_record(u, jsonb_build_object('id', 'usr_' || lpad(n::text, 26, '0'),
      'email', 'crowd' || n || '@example.test'))).* from users u, generate_series(1, $3::int) n
    where u.realm_id = $1 and u.id = $2`,
  sessions: `insert into sessions select (jsonb_populate_record(s, jsonb_build_object('id', 'kss_' || lpad(n::text, 26, '0'),
      'user_id', 'usr_' || lpad(n::text, 26, '0')))).* from sessions s, generate_series(1, $3::int) n
    where s.realm_id = $1 and s.id = $2`
}

/** Callers of the service, who try another node if one is down. */
class Callers {
  readonly wrong: Array<string> = []
  repeated = 0
  readonly nodes: Nodes
  private readonly rootKey: string
  private turn = 0

  constructor(nodes: Nodes, rootKey: string) {
    this.nodes = nodes
    this.rootKey = rootKey
  }

  /** Repeats a call until a node responds with a status other than 503. `port`: the only node to call. */
  async call(realmId: string | undefined, method: string, path: string, body?: unknown, port?: number): Promise<Reply> {
    const headers = { "idempotency-key": randomBytes(12).toString("hex") }
    for (let tries = 1; tries <= 600; tries++) {
      const node = port ?? this.nodes.ports[this.turn++ % this.nodes.ports.length]
      const api = new Api(`http://127.0.0.1:${node}`, this.rootKey, realmId)
      const reply = await api.call(method, path, { body, headers }).catch(() => undefined)
      if (reply !== undefined && reply.status >= 500 && reply.status !== 503) {
        this.wrong.push(`${method} ${path}: ${reply.status} ${reply.text.slice(0, 200)}`)
      }
      if (reply !== undefined && reply.status < 500) {
        if (tries > 1) this.repeated++
        return reply
      }
      await setTimeout(100)
    }
    throw new Error(`${method} ${path} never got a response.`)
  }

  /** Returns the response status of each node, in order. */
  async statusAtEach(realmId: string, path: string): Promise<ReadonlyArray<number>> {
    const statuses: Array<number> = []
    for (const port of this.nodes.ports) statuses.push((await this.call(realmId, "GET", path, undefined, port)).status)
    return statuses
  }
}

/** A realm with users, each with sessions, and several signing keys. */
const makeRealm = async (callers: Callers, name: string) => {
  const { id } = await callers.call(undefined, "POST", "/v2/realms", { realm: { name, jwt_algo: "hs256" } })
  const person = async (n: number) => {
    const user = await callers.call(id, "POST", "/v2/users", {
      user: { email: `user${n}@example.test`, credentials: [] }
    })
    const session = { session: { user_id: user.id } }
    const sessions = Array.from({ length: SESSIONS_EACH }, () => callers.call(id, "POST", "/v2/sessions", session))
    return { id: user.id, sessions: (await Promise.all(sessions)).map((made) => made.id) }
  }
  const people = await Promise.all(Array.from({ length: USERS }, (_, n) => person(n)))
  const jwtKey = { jwt_key: { algo: "hs256", use: "sign" } }
  const keys = Array.from({ length: KEYS }, () => callers.call(id, "POST", "/v2/jwt_keys", jwtKey))
  return { id, people, keys: (await Promise.all(keys)).map((made) => made.id) }
}

type Realm = Awaited<ReturnType<typeof makeRealm>>

interface Revocation {
  readonly method: "POST" | "DELETE"
  readonly path: string
  /** The paths that no node may serve once the revocation is acknowledged. */
  readonly gone: ReadonlyArray<string>
}

/** Revokes single sessions, all sessions of a user, and all keys except the last. */
const revocationsOf = ({ people, keys }: Realm): ReadonlyArray<Revocation> => [
  ...people.map(({ id, sessions }, n): Revocation => {
    const paths = sessions.map((session) => `/v2/sessions/${session}`)
    return n % 2 === 0
      ? { method: "POST", path: `/v2/users/${id}/end_sessions`, gone: paths }
      : { method: "DELETE", path: paths[0] ?? "", gone: paths.slice(0, 1) }
  }),
  ...keys.slice(0, -1).map((key): Revocation => {
    const path = `/v2/jwt_keys/${key}`
    return { method: "DELETE", path: `${path}?force=true`, gone: [path] }
  })
]

const shuffle = <A>(things: ReadonlyArray<A>, random: SeededRandom): ReadonlyArray<A> =>
  things
    .map((thing) => ({ thing, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ thing }) => thing)

const run = async ({ seed, file, folder, rounds, logProgress }: Setting) => {
  const random = new SeededRandom(seed, 4_000)
  const rootKey = randomBytes(24).toString("hex")
  const postgres = await startCrashablePostgres()
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
      SALLYPORT_LIMITS: "off"
    },
    folder
  )
  const callers = new Callers(nodes, rootKey)
  const broken: Array<string> = []
  const counts = { revoked: 0, kills: 0, resets: 0 }

  const revokeUnderKills = async (realm: Realm) => {
    const open = [...shuffle(revocationsOf(realm), random)]
    const killAt = new Set([random.between(5, 15), random.between(20, 40)])
    const done: Array<Revocation> = []
    const kills: Array<Promise<void>> = []
    const revoker = async () => {
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        if (killAt.delete(open.length)) {
          counts.kills++
          kills.push(nodes.kill(random.between(0, NODES - 1)))
        }
        const { status, text } = await callers.call(
          realm.id,
          next.method,
          next.path,
          next.method === "POST" ? {} : undefined
        )
        // 404 is correct if an earlier attempt succeeded.
        if (status < 300 || status === 404) done.push(next)
        else broken.push(`${next.method} ${next.path}: ${status} ${text.slice(0, 200)}`)
      }
    }
    await Promise.all(Array.from({ length: REVOKERS }, revoker))
    await Promise.all(kills)
    counts.revoked += done.length
    for (const path of done.flatMap(({ gone }) => gone)) {
      const statuses = await callers.statusAtEach(realm.id, path)
      if (statuses.some((status) => status !== 404))
        broken.push(`Revoked but still there: ${path}: ${statuses.join(", ")}`)
    }
    const remaining = realm.people.flatMap(({ sessions }, n) => (n % 2 === 0 ? [] : sessions.slice(1)))
    for (const session of remaining) {
      const { status } = await callers.call(realm.id, "GET", `/v2/sessions/${session}`)
      if (status !== 200) broken.push(`Not revoked but gone: session ${session}: ${status}`)
    }
  }

  const left = async (realmId: string) => {
    const query = "select count(*)::int as n from users where realm_id = $1"
    return (await client.query<{ n: number }>(query, [realmId])).rows[0]?.n ?? 0
  }

  const resetUnderKills = async (realm: Realm) => {
    const model = realm.people[1]
    await client.query(crowd.users, [realm.id, model?.id, CROWD])
    await client.query(crowd.sessions, [realm.id, model?.sessions[1], CROWD])
    const users = await left(realm.id)
    const { status } = await callers.call(realm.id, "POST", `/v2/realms/${realm.id}/reset`, {})
    if (status !== 202) broken.push(`The reset returned ${status}.`)
    const fresh = await callers.call(realm.id, "POST", "/v2/users", {
      user: { email: "fresh@example.test", credentials: [] }
    })
    const enough = users * (0.3 + 0.6 * random.next())
    while ((await left(realm.id)) > enough) await setTimeout(5)
    counts.kills += NODES
    await Promise.all(nodes.ports.map((_, index) => nodes.kill(index)))
    const rest = await left(realm.id)
    if (rest > 1) counts.resets++
    logProgress(`killed in the middle of a reset: ${whole(rest)} of ${whole(users)} users are left`)
    for (const { id, sessions } of realm.people.slice(0, 10)) {
      for (const path of [`/v2/users/${id}`, `/v2/sessions/${sessions[2]}`]) {
        const statuses = await callers.statusAtEach(realm.id, path)
        if (statuses.some((each) => each !== 404)) broken.push(`Reset but still there: ${path}: ${statuses.join(", ")}`)
      }
    }
    const began = performance.now()
    while ((await client.query("select from realm_jobs")).rowCount !== 0) {
      if (performance.now() - began > 60_000) throw new Error("The reset was not resumed within 60 seconds.")
      await setTimeout(50)
    }
    if ((await left(realm.id)) !== 1)
      broken.push(`The reset left ${await left(realm.id)} users; one was created after it.`)
    const remaining = await callers.statusAtEach(realm.id, `/v2/users/${fresh.id}`)
    if (remaining.some((each) => each !== 200)) broken.push(`The user created after the reset: ${remaining.join(", ")}`)
    const events = await client.query("select from events where realm_id = $1 and event_type = 'realm.reset'", [
      realm.id
    ])
    if (events.rowCount !== 1) broken.push(`There are ${events.rowCount} realm.reset events.`)
  }

  try {
    for (let round = 1; round <= rounds; round++) {
      const realm = await makeRealm(callers, `Revoked ${round}`)
      const spared = await makeRealm(callers, `Spared ${round}`)
      await revokeUnderKills(realm)
      logProgress(`round ${round}: ${whole(counts.revoked)} revocations in all, ${counts.kills} kills`)
      await resetUnderKills(realm)
      for (const path of spared.people.flatMap(({ id, sessions }) => [
        `/v2/users/${id}`,
        `/v2/sessions/${sessions[0]}`
      ])) {
        const { status } = await callers.call(spared.id, "GET", path)
        if (status !== 200) broken.push(`In another realm but gone: ${path}: ${status}`)
      }
    }
    return {
      figures: [
        ["rounds", String(rounds)],
        ["nodes killed", String(counts.kills)],
        ["revocations acknowledged: sessions, all sessions of a user, signing keys", whole(counts.revoked)],
        ["of all calls, needed a retry", whole(callers.repeated)],
        ["resets interrupted by the kill of all nodes and finished later", String(counts.resets)]
      ] as const,
      broken: [
        ...broken.slice(0, 20),
        ...callers.wrong.slice(0, 10),
        ...nodes.unexpectedExits(),
        ...(counts.resets === 0 ? ["No reset was interrupted."] : [])
      ]
    }
  } finally {
    await nodes.stop()
    await client.end()
    await postgres.remove()
  }
}

/** Nodes are killed while sessions end, signing keys are deleted and realms are reset. */
export const restartsInTheMiddle: Scenario = {
  name: "restarts-in-the-middle",
  row: "RG-12",
  promise: "nothing revoked returns; a reset continues and affects nothing else",
  run
}
