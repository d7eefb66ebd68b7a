import { createHash } from "node:crypto"
import { Agent } from "node:http"
import { hash } from "@node-rs/argon2"
import { hash as bcrypt } from "@node-rs/bcrypt"
import { Api } from "#testing/Api"
import { withClient } from "../../test/harness/Database.ts"
import { quantile } from "../../test/harness/Figures.ts"
import { send } from "../../test/harness/HttpClient.ts"
import { type Program, start, timeToFirstResponse } from "../../test/harness/Servers.ts"

import { seedRealm } from "../load/Seed.ts"

/** The duration of a failed hosted login in milliseconds, for each kind of user (SEC-14, SEC-95). */
export interface RefusalTimes {
  readonly samples: number
  readonly kinds: ReadonlyArray<{ readonly kind: string; readonly p50: number; readonly p90: number }>
  /** The ratio of the longest median to the shortest. */
  readonly ratio: number
  readonly wrong: number
  readonly firstWrong: string | undefined
}

const kinds = [
  "known, wrong password",
  "unknown",
  "inactive",
  "known, imported bcrypt of cost 4",
  "known, imported SSHA"
] as const

const PASSWORD = "correct horse battery"
const WRONG = "wrong horse battery"

/** The number of untimed attempts of each kind that precede the timed ones. */
const WARM_UP = 20

const ssha = (password: string): string => {
  const salt = Buffer.from("12345678")
  return `{SSHA}${Buffer.concat([createHash("sha1").update(password).update(salt).digest(), salt]).toString("base64")}`
}

/** Creates a realm with users of every kind, each with a password, and returns the host of its app. */
const prepared = async (root: Api, url: string, each: number) => {
  const { id } = await seedRealm(root, url, 6, Math.max(1_000, 4 * each))
  const stored = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  await withClient(url, async (client) => {
    const block = (turn: number) => Array.from({ length: each }, (_, n) => `user${turn * each + n + 1}@example.test`)
    await client.query("update credentials set password_hash = $1 where realm_id = $2", [stored, id])
    await client.query("update users set state = 'inactive' where realm_id = $1 and email = any($2)", [id, block(1)])
    for (const [turn, imported] of [
      [2, await bcrypt(PASSWORD, 4)],
      [3, ssha(PASSWORD)]
    ] as const) {
      await client.query(
        `update credentials set password_hash = $1 where realm_id = $2
           and user_id in (select id from users where realm_id = $2 and email = any($3))`,
        [imported, id, block(turn)]
      )
    }
    await client.query("vacuum analyze")
  })
  const app = { name: "Bench", login_handler: "https://app.bench.test/login" }
  const made = await new Api(root.url, root.key, id).post("/v2/client_apps", { client_app: app })
  return made.string("domains", 0)
}

/** Attempts one login per user, alternating between the kinds, so that no user is blocked for wrong passwords. */
export const measureRefusalTimes = async (
  program: Program,
  rootKey: string,
  url: string,
  samples: number
): Promise<RefusalTimes> => {
  const server = await start(program)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const each = samples + WARM_UP
  const times = new Map<string, Array<number>>(kinds.map((kind) => [kind, []]))
  let wrong = 0
  let firstWrong: string | undefined
  try {
    await timeToFirstResponse(server, "/healthz")
    const host = await prepared(new Api(`http://127.0.0.1:${server.port}`, rootKey), url, each)
    const user = (turn: number) => (n: number) => `user${turn * each + n}`
    const names = [user(0), (n: number) => `none${n}`, user(1), user(2), user(3)]
    const options = { agent, port: server.port, method: "POST", path: "/v1/login", headers: { host } }
    let expected: string | undefined
    for (let n = 1; n <= each; n++) {
      for (const turn of kinds.keys()) {
        const which = (n + turn) % kinds.length
        const email = `${names[which]?.(n)}@example.test`
        const { status, text, millis } = await send({ ...options, body: { email, password: WRONG } })
        expected ??= text
        if (status !== 200 || text !== expected || !text.startsWith(`{"error":"`)) {
          wrong++
          firstWrong ??= `${email}: ${status} ${text.slice(0, 200)}`
        }
        if (n > WARM_UP) times.get(kinds[which] ?? "")?.push(millis)
      }
    }
  } finally {
    agent.destroy()
    await server.stop("SIGKILL")
  }
  const results = [...times].map(([kind, all]) => {
    const sorted = all.toSorted((a, b) => a - b)
    return { kind, p50: quantile(sorted, 0.5), p90: quantile(sorted, 0.9) }
  })
  const medians = results.map(({ p50 }) => p50)
  return { samples, kinds: results, ratio: Math.max(...medians) / Math.min(...medians), wrong, firstWrong }
}
