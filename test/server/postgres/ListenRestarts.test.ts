import { expect, onTestFinished, test } from "vitest"
import { Api } from "#testing/Api"
import { GivenRealm } from "#testing/Given"
import { cli, serviceEnvironment } from "../../cli/Cli.ts"
import { freePort } from "../../harness/Servers.ts"
import { receiver } from "../../support/receivers.ts"
import { type Running, start } from "../ServerProcess.ts"
import { freshEnvironment, ROOT_KEY as KEY } from "./FreshEnvironment.ts"

/** Users created before, between and after the two restarts. */
const USERS = 100

test("listen forwards each event once when the service restarts twice, and retries with the same webhook-id", async () => {
  const environment = { ...(await freshEnvironment()), PORT: String(await freePort()) }
  let service: Running = await start(environment)
  onTestFinished(() => void service.process.kill("SIGKILL"))
  const { id } = await new Api(service.url, KEY).post("/v2/realms", { realm: { name: "Restarts", jwt_algo: "hs256" } })
  const realm = new GivenRealm(service.url, KEY, id)

  const accepted: Array<string> = []
  const rejected = new Set<string>()
  const end = Promise.withResolvers<void>()
  const out = await receiver(({ headers }, response) => {
    // The org comes last, so the lines of all users are printed.
    if (accepted.length === 3 * USERS) return end.resolve()
    const webhookId = String(headers["webhook-id"])
    // The first message of each restart fails once.
    const isRejected = accepted.length % USERS === 0 && !rejected.has(webhookId)
    response.writeHead(isRejected ? 503 : 204).end()
    if (isRejected) rejected.add(webhookId)
    else accepted.push(webhookId)
  })
  onTestFinished(out.stop)

  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const words = [
    "--forward-to",
    `http://127.0.0.1:${out.port}/`,
    "--events",
    "user.created,org.created",
    "--since",
    "1h"
  ]
  const listening = cli(["listen", "--realm", realm.id, ...words], {
    environment: serviceEnvironment({ url: service.url, key: KEY }),
    signal: stop.signal
  })
  const created: Array<string> = []
  const createUsers = async () => {
    for (let n = 0; n < USERS; n += 1) created.push((await realm.user()).id)
  }
  await createUsers()
  await service.stop("SIGTERM")
  service = await start(environment)
  await createUsers()
  await service.stop("SIGKILL")
  service = await start(environment)
  await createUsers()
  await realm.org()
  await end.promise
  stop.abort()
  const { code, out: lines, err } = await listening

  const { items } = await realm.get("/v2/events?event_type=user.created&direction=asc&max_results=1000")
  expect(items.map(({ user_id }) => user_id)).toEqual(created)
  expect(accepted).toEqual(items.map((event) => String(event.id).replace("ev_", "ent_")))
  expect(new Set(accepted).size).toBe(3 * USERS)
  expect(rejected.size).toBe(3)
  expect(lines.match(/ {2}204 {2}/g)).toHaveLength(3 * USERS)
  expect(lines.match(/ {2}503 {2}.* {2}next attempt in 1 s\n/g)).toHaveLength(3)
  expect(code).toBe(130)
  expect(err).toContain(`Stopped. ${3 * USERS} events were forwarded. To continue here, use --after `)
})
