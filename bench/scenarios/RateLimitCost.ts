import { Api } from "#testing/Api"
import { withClient } from "../../test/harness/Database.ts"
import { type Program, start, timeToFirstResponse } from "../../test/harness/Servers.ts"
import { get, roundRobin } from "../load/Cases.ts"
import { type CaseResult, measureCase, type Pace } from "../load/Rounds.ts"
import { seedRealm } from "../load/Seed.ts"

/** The maximum CPU time per read with rate limits, as a multiple of the time without. */
const MAX_RATIO = 1.05

/**
 * The number of keys: enough that no key reaches 1,000 reads in 10 s, and few enough that each key leases several
 * blocks in 10 s.
 */
const KEYS = 200

const USERS = 1_000

/** Whether any block of quota was leased recently. */
const wereLimitsUsed = (url: string): Promise<boolean> =>
  withClient(url, async (client) => {
    const { rows } = await client.query("select from quotas where limit_name = 'reads' and used > 0 limit 1")
    return rows.length > 0
  })

/**
 * Reads users with many keys in turn, with and without rate limits. The result is a comparison with the service without
 * limits.
 */
export const measureRateLimitCost = async (
  program: Program,
  rootKey: string,
  url: string,
  pace: Pace
): Promise<CaseResult> => {
  const environment = { ...program.environment, SALLYPORT_LIMITS: "on" }
  const [limited, free] = [await start({ ...program, name: "limited", environment }), await start(program)]
  try {
    for (const server of [limited, free]) await timeToFirstResponse(server, "/healthz")
    const root = new Api(`http://127.0.0.1:${free.port}`, rootKey)
    const { id: realm_id, users } = await seedRealm(root, url, 5, USERS)
    const keys: Array<{ readonly key: string }> = []
    for (let n = 0; n < KEYS; n++) {
      const made = await root.post("/v2/api_keys", { api_key: { name: `key ${n}`, level: "read", realm_id } })
      keys.push({ key: made.string("key") })
    }
    await withClient(url, (client) => client.query("vacuum analyze"))
    const next = roundRobin(users, (id, n) => ({
      request: get(keys[n % KEYS] ?? { key: "" }, `/v2/users/${id}`),
      status: 200,
      expectedTexts: [`{"id":"${id}"`, `"credential_type":"password"`]
    }))
    const title = `get user, ${KEYS} keys in turn`
    const others = [{ server: free, next, target: MAX_RATIO }]
    const measured = await measureCase({ name: "limits", title }, { server: limited, next }, others, pace)
    if (!(await wereLimitsUsed(url))) throw new Error("No limit was applied.")
    return measured
  } finally {
    await Promise.all([limited.stop("SIGKILL"), free.stop("SIGKILL")])
  }
}
