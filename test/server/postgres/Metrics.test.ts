import { readFileSync } from "node:fs"
import { Client } from "pg"
import { expect, test } from "vitest"
import { Api } from "#testing/Api"
import { GivenRealm } from "#testing/Given"
import { readScrape } from "../../support/promql.ts"
import { start } from "../ServerProcess.ts"
import { freshEnvironment, ROOT_KEY } from "./FreshEnvironment.ts"

/** The labels of each metric according to the metrics page. */
const described = new Map(
  [
    ...readFileSync(new URL("../../../docs/metrics.md", import.meta.url), "utf8").matchAll(
      /^\| `(\w+)` \| \w+ \| \w+ \| (.*?) \|/gm
    )
  ].map(([, name = "", labels = ""]) => [name, [...labels.matchAll(/\w+/g)].map(([label]) => label).sort()] as const)
)

test("SEC-225, C233: metrics count each request by method, route and status, without a series per realm", async () => {
  const environment = { ...(await freshEnvironment()), SALLYPORT_MAX_REALMS: "1000" }
  const running = await start(environment)
  const database = new Client({ connectionString: environment.DATABASE_URL })
  await database.connect()
  await database.query("analyze users, sessions, events, deliveries")
  await database.end()
  const root = new Api(running.url, ROOT_KEY)
  const nobody = new Api(running.url, undefined)
  const realm = await root.post("/v2/realms", { realm: { name: "Counted", jwt_algo: "hs256" } })
  const api = new Api(running.url, ROOT_KEY, realm.id)
  await Promise.all([
    ...Array.from({ length: 40 }, () => api.get("/v2/users")),
    ...Array.from({ length: 30 }, (_, n) =>
      api.post("/v2/users", { user: { email: `u${n}@example.test`, credentials: [] } })
    ),
    ...Array.from({ length: 20 }, () => api.get("/v2/users/nobody@example.test")),
    ...Array.from({ length: 10 }, () => nobody.get("/v2/users")),
    ...Array.from({ length: 5 }, (_, n) => nobody.get(`/nowhere/${n}`)),
    ...Array.from({ length: 5 }, () => nobody.call("PATCH", "/v2/users"))
  ])
  const { text } = await nobody.get("/metrics")
  const count = (method: string, route: string, status: number) =>
    Number(
      new RegExp(`^http_requests_total\\{method="${method}",route="${route}",status="${status}"\\} (\\d+)$`, "m").exec(
        text
      )?.[1]
    )
  expect({
    listed: count("GET", "/v2/users", 200),
    made: count("POST", "/v2/users", 201),
    missing: count("GET", "/v2/users/:user_id", 404),
    refused: count("GET", "/v2/users", 401),
    nowhere: count("GET", "none", 404),
    wrongMethod: count("PATCH", "/v2/users", 405)
  }).toEqual({ listed: 40, made: 30, missing: 20, refused: 10, nowhere: 5, wrongMethod: 5 })
  expect(text).toMatch(/^http_request_duration_seconds_count\{method="POST",route="\/v2\/users"\} 30$/m)
  expect(text).toMatch(/^database_transaction_wait_seconds_count \d+$/m)
  expect(text).toMatch(/^password_hashes_waiting 0$/m)

  // SEC-225: activity in hundreds of realms creates no more series than activity in one.
  const use = async (name: string, logsIn: boolean) => {
    const { id } = await root.post("/v2/realms", { realm: { name, jwt_algo: "hs256" } })
    const realm = new GivenRealm(running.url, ROOT_KEY, id)
    const user = await realm.post("/v2/users", { user: { email: `jo@${name}.example.test`, credentials: [] } })
    if (logsIn) await realm.post(`/v2/users/${user.id}/authenticate`, { user: { password: "nightingale sings" } })
    await realm.post("/v2/sessions", { session: { user_id: user.id } })
    return realm.delete(`/v2/users/${user.id}`)
  }
  const scrape = async () => readScrape((await nobody.get("/metrics")).text, 0)
  await use("first", true)
  const password = "nightingale sings softly"
  const { id: jo } = await api.post("/v2/users", { user: { email: "jo@counted.example.test", password } })
  expect((await api.post(`/v2/users/${jo}/authenticate`, { user: { password } })).status).toBe(200)
  const afterOneRealm = await scrape()
  for (let batch = 0; batch < 10; batch++) {
    await Promise.all(Array.from({ length: 20 }, (_, n) => use(`r${batch}-${n}`, n === 0)))
  }
  const afterManyRealms = await scrape()
  const kind = (name: string) => /^(?:gc_|event_loop_|database_rows_|admission_)/.test(name)
  const identities = (series: typeof afterOneRealm) =>
    new Set(series.filter(({ name }) => !kind(name)).map(({ name, labels }) => JSON.stringify([name, labels])))
  expect([...identities(afterManyRealms)].filter((one) => !identities(afterOneRealm).has(one))).toEqual([])
  expect(afterManyRealms.length).toBeLessThan(1_000)
  const labelled = afterManyRealms.map(({ name, labels }) => {
    const metric = name.replace(/_(?:bucket|sum|count)$/, "")
    const known = described.get(name) ?? described.get(metric)
    return {
      name,
      known,
      found: Object.keys(labels)
        .filter((label) => label !== "le")
        .sort()
    }
  })
  expect(labelled.filter(({ known, found }) => JSON.stringify(known) !== JSON.stringify(found))).toEqual([])
  const shown = new Map(
    afterManyRealms.map(({ name, labels, samples }) => [`${name} ${labels["result"] ?? ""}`, samples[0]?.[1]])
  )
  expect([shown.get("logins_total wrong"), shown.get("logins_total succeeded")]).toEqual([11, 1])
  expect(shown.get("sessions_started_total ")).toBe(202)
  const tables = afterOneRealm
    .filter(({ name }) => name === "database_rows_estimated")
    .map(({ labels }) => labels["table"])
  expect(tables.toSorted()).toEqual(["deliveries", "events", "sessions", "users"])
  const bySize = (metric: string) =>
    Object.fromEntries(
      afterManyRealms
        .filter(({ name }) => name === metric)
        .map(({ labels, samples }) => [labels["realm_users"], samples[0]?.[1]])
    )
  const larger = { "100_to_999": 0, "1000_to_9999": 0, "10000_or_more": 0 }
  expect(bySize("logins_by_realm_size_total")).toEqual({ under_100: 1, ...larger })
  // The first scrape measured two realms, and each scrape measures fifty.
  expect(bySize("sessions_started_by_realm_size_total")).toEqual({ under_100: 52, ...larger })
  await running.stop("SIGKILL")
})
