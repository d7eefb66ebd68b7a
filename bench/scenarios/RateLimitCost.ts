import { Api } from "#testing/Api"
import { withClient } from "../harness/Database.ts"
import { firstAnswer, type Program, start } from "../harness/Servers.ts"
import { get, inTurn } from "../load/Cases.ts"
import { type Measured, measure, type Pace } from "../load/PairedRuns.ts"
import { seedRealm } from "../load/Seed.ts"

/** What limits may cost: CPU per read with them, as a multiple of that without. */
const MOST = 1.05

/** So many that none comes near its 1,000 reads in 10 s, and few enough that each takes several blocks in them. */
const KEYS = 200

const USERS = 1_000

/** Whether blocks were taken in the window of now or the one before. */
const wereAtWork = (url: string): Promise<boolean> =>
  withClient(url, async (client) => {
    const { rows } = await client.query("select from quotas where limit_name = 'reads' and used > 0 limit 1")
    return rows.length > 0
  })

/** Reads users with many keys in turn, with limits and without: in what is measured, "floor" is the service without. */
export const measureLimits = async (program: Program, rootKey: string, url: string, pace: Pace): Promise<Measured> => {
  const environment = { ...program.environment, SALLYPORT_LIMITS: "on" }
  const [limited, free] = [await start({ ...program, name: "limited", environment }), await start(program)]
  try {
    for (const server of [limited, free]) await firstAnswer(server, "/healthz")
    const root = new Api(`http://127.0.0.1:${free.port}`, rootKey)
    const { id: realm_id, users } = await seedRealm(root, url, 5, USERS)
    const keys: Array<{ readonly key: string }> = []
    for (let n = 0; n < KEYS; n++) {
      const made = await root.post("/v2/api_keys", { api_key: { name: `key ${n}`, level: "read", realm_id } })
      keys.push({ key: made.string("key") })
    }
    await withClient(url, (client) => client.query("vacuum analyze"))
    const next = inTurn(users, (id, n) => ({
      request: get(keys[n % KEYS] ?? { key: "" }, `/v2/users/${id}`),
      status: 200,
      holds: [`{"id":"${id}"`, `"credential_type":"password"`]
    }))
    const title = `get user, ${KEYS} keys in turn`
    const row = { name: "limits", title, target: MOST, creates: false, repeatable: true, next }
    const measured = await measure(limited, free, row, pace)
    if (!(await wereAtWork(url))) throw new Error("No limit was at work.")
    return measured
  } finally {
    await Promise.all([limited.stop("SIGKILL"), free.stop("SIGKILL")])
  }
}
